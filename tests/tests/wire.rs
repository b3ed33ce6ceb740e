//! The very bytes that each host is told, with the exit status: a refusal, a call that passes, a
//! payload that cannot be read, one that holds another payload, and one that cannot be judged.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test reports by panicking")]

use hookkit_dispatch::host;
use hookkit_tests::fixture;
use hookkit_tests::{Plugin, Ran};
use serde_json::{Value, json};

/// Refuses every call with DENYME in it, and the end of a turn.
const GATE: &str = "case $HOOKKIT_EVENT:$(cat) in \
PreToolUse:*DENYME* | Stop:*) echo 'not \"this\"' >&2; exit 2 ;; esac";

fn plugin() -> Plugin {
    Plugin::new("demo")
        .sh(json!({"id": "gate", "event": ["PreToolUse", "Stop"]}), GATE)
        .sh(
            json!({"id": "looks", "event": "SessionStart", "mode": "observe"}),
            "exit 1",
        )
}

/// One host, and how it writes a refused call and a refused end of a turn.
struct Wire {
    host: &'static str,
    /// The name under which hookkit registers a tool call.
    call: &'static str,
    denies: fn(&str) -> String,
    blocks: fn(&str) -> String,
    /// The member of the payload that holds a tool's arguments.
    input: &'static str,
}

fn nested(reason: &str) -> String {
    format!(
        "{{\"hookSpecificOutput\":{{\"hookEventName\":\"PreToolUse\",\"permissionDecision\":\"deny\",\
         \"permissionDecisionReason\":\"{reason}\"}}}}\n"
    )
}

fn root(reason: &str) -> String {
    format!("{{\"permissionDecision\":\"deny\",\"permissionDecisionReason\":\"{reason}\"}}\n")
}

fn block(reason: &str) -> String {
    format!("{{\"decision\":\"block\",\"reason\":\"{reason}\"}}\n")
}

fn block_twice(reason: &str) -> String {
    format!(
        "{{\"decision\":\"block\",\"reason\":\"{reason}\",\"hookSpecificOutput\":\
         {{\"hookEventName\":\"Stop\",\"decision\":\"block\",\"reason\":\"{reason}\"}}}}\n"
    )
}

impl Wire {
    const fn nested(host: &'static str) -> Self {
        Self {
            host,
            call: "PreToolUse",
            denies: nested,
            blocks: block,
            input: "tool_input",
        }
    }

    const fn root(host: &'static str, call: &'static str, input: &'static str) -> Self {
        Self {
            call,
            denies: root,
            input,
            ..Self::nested(host)
        }
    }

    /// What the host sends before a call with these arguments.
    fn call(&self, input: Value) -> Value {
        let mut payload = self.payload(self.call);
        payload[self.input] = input;
        payload
    }

    fn payload(&self, name: &str) -> Value {
        fixture::named(host::by_name(self.host).unwrap(), name).whole()
    }

    fn told(&self, event: &str, payload: impl Into<Vec<u8>>) -> Ran {
        plugin()
            .dispatch(["--host", self.host, "--event", event])
            .stdin_bytes(payload)
            .run()
    }

    fn assert_told(ran: &Ran, stdout: &str, stderr: &str) {
        assert_eq!((ran.out().as_str(), ran.err().as_str()), (stdout, stderr));
        assert!(ran.exited(0));
    }

    fn positive(&self) {
        let ran = self.told(
            self.call,
            self.call(json!({"command": "DENYME"})).to_string(),
        );
        Self::assert_told(&ran, &(self.denies)("not \\\"this\\\""), "");
        let ran = self.told("Stop", self.payload("Stop").to_string());
        Self::assert_told(&ran, &(self.blocks)("not \\\"this\\\""), "");
    }

    fn passes_through(&self) {
        let ran = self.told(self.call, self.call(json!({"command": "ls"})).to_string());
        Self::assert_told(&ran, "", "");
        let ran = self.told("SessionStart", self.payload("SessionStart").to_string());
        Self::assert_told(&ran, "", "");
    }

    fn malformed(&self) {
        let whole = self.call(json!({"command": "ls"})).to_string();
        for (payload, why) in [
            (&whole[..whole.len() - 1], "the JSON on stdin does not end"),
            ("", "stdin is empty"),
            ("[1]", "stdin does not begin with a JSON object"),
        ] {
            let reason = format!(
                "hookkit could not read what the agent sent ({why}). It has to decide before this \
                 may happen, so it is refused."
            );
            let ran = self.told(self.call, payload);
            Self::assert_told(&ran, &(self.denies)(&reason), "");
            let ran = self.told("SessionStart", payload);
            Self::assert_told(&ran, "", &format!("hookkit: {why}\n"));
        }
    }

    /// A payload of another host's, and a decision, below the arguments: neither is read.
    fn holds_another_payload(&self) {
        let deep = format!("{}1{}", "[".repeat(5000), "]".repeat(5000));
        for (command, stdout) in [
            ("DENYME", (self.denies)("not \\\"this\\\"")),
            ("ls", String::new()),
        ] {
            let payload = self.call(json!({
                "command": command,
                "hook_event_name": "Stop", "timestamp": 1, "toolName": "view", "tool_use_id": "x",
                "permissionDecision": "allow", "stop_hook_active": true, "deep": "DEEP",
            }));
            let payload = payload.to_string().replace("\"DEEP\"", &deep);
            Self::assert_told(&self.told(self.call, payload), &stdout, "");
        }
    }

    fn uninspectable(&self) {
        for input in [
            json!({}),
            json!({"command": ["ls"]}),
            json!({"command": ""}),
            json!("ls"),
        ] {
            let ran = self.told(self.call, self.call(input).to_string());
            let reason = "Hook `gate` cannot judge this call: the path, the command or the list \
                          of at most 64 pages that it needs is missing. Make the call with it.";
            Self::assert_told(&ran, &(self.denies)(reason), "");
        }
    }
}

macro_rules! wires {
    ($($module:ident: $wire:expr;)*) => {$(
        mod $module {
            use super::*;

            const WIRE: Wire = $wire;

            #[test]
            fn a_refusal() {
                WIRE.positive();
            }

            #[test]
            fn what_passes() {
                WIRE.passes_through();
            }

            #[test]
            fn what_cannot_be_read() {
                WIRE.malformed();
            }

            #[test]
            fn what_holds_another_payload() {
                WIRE.holds_another_payload();
            }

            #[test]
            fn what_cannot_be_judged() {
                WIRE.uninspectable();
            }
        }
    )*};
}

wires! {
    claude_code: Wire::nested("claude-code");
    codex: Wire::nested("codex");
    vscode_local: Wire { blocks: block_twice, ..Wire::nested("vscode-local") };
    copilot_cli: Wire::root("copilot-cli", "PreToolUse", "tool_input");
    copilot_cli_in_camel_case: Wire::root("copilot-cli", "preToolUse", "toolArgs");
    copilot_cloud: Wire::root("copilot-cloud", "preToolUse", "toolArgs");
    vscode_copilot: Wire::root("vscode-copilot", "preToolUse", "toolArgs");
}

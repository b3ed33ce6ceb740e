//! What hooks say, and what the host is told.

use hookkit_tests::Plugin;
use serde_json::{Value, json};

use crate::{GIT_STATUS, claude, copilot, one, prints};

/// `hookSpecificOutput` of a tool call.
fn nested(mut members: Value) -> Value {
    members["hookEventName"] = json!("PreToolUse");
    json!({"hookSpecificOutput": members})
}

fn rewrite(command: &str) -> Value {
    nested(json!({"permissionDecision": "allow", "updatedInput": {"command": command}}))
}

/// A plugin with these scripts as gates on tool calls, in this order.
fn gates(scripts: &[String]) -> Plugin {
    let names = ["first", "second", "third"];
    scripts
        .iter()
        .zip(names)
        .fold(Plugin::new("demo"), |plugin, (script, id)| {
            plugin.sh(json!({"id": id, "event": "PreToolUse"}), script)
        })
}

#[test]
fn hb_out_01_two_documents_never_reach_the_host() {
    let session = |mode: &str, script: &str| {
        let entry = json!({"id": "two", "event": "SessionStart", "mode": mode});
        let plugin = Plugin::new("demo").sh(entry, script);
        let stdin = r#"{"hook_event_name":"SessionStart","source":"startup"}"#;
        claude(&plugin, "SessionStart", stdin).run()
    };
    let two = "echo '{\"continue\":true}'\necho '{\"suppressOutput\":true}'\n";
    session("observe", two).assert_silent();
    session("silent", two).assert_silent();
    let one = session("observe", "echo '{\"systemMessage\":\"hello\"}'");
    assert_eq!(one.json(), json!({"systemMessage": "hello"}));
}

#[test]
fn hb_out_02_noise_beside_a_refusal_does_not_disarm_it() {
    let stop = |script: &str| {
        let stdin = r#"{"hook_event_name":"Stop","stop_hook_active":false}"#;
        claude(&one("Stop", script), "Stop", stdin).run()
    };
    // The design reads strictly: this is a fault of the gate, which blocks, and its own reason is used.
    let noisy =
        "echo 'Shell ready on x86'\necho '{\"decision\":\"block\",\"reason\":\"tests missing\"}'\n";
    let ran = stop(noisy);
    assert_eq!(
        ran.json(),
        json!({"decision": "block", "reason": "tests missing"})
    );
    stop("echo 'Shell ready on x86'").assert_silent();
}

#[test]
fn hb_out_04_a_rewrite_survives_a_hook_that_says_nothing() {
    let says_nothing = prints(&json!({}));
    let rewrites = prints(&rewrite("echo safe"));
    for order in [
        [says_nothing.clone(), rewrites.clone()],
        [rewrites, says_nothing.clone()],
    ] {
        let ran = claude(&gates(&order), "PreToolUse", GIT_STATUS).run();
        let reply = ran.json();
        assert_eq!(
            reply["hookSpecificOutput"]["updatedInput"],
            json!({"command": "echo safe"})
        );
    }
    claude(&gates(&[says_nothing]), "PreToolUse", GIT_STATUS)
        .run()
        .assert_silent();
}

#[test]
fn hb_out_05_the_slower_of_two_rewrites_does_not_win() {
    let rewrites =
        |command: &str, delay: &str| format!("sleep {delay}\n{}", prints(&rewrite(command)));
    let mut replies = Vec::new();
    for round in 0..50 {
        let [one, other] = if round % 2 == 0 {
            ["0.05", "0"]
        } else {
            ["0", "0.05"]
        };
        let plugin = gates(&[rewrites("echo A", one), rewrites("echo B", other)]);
        let ran = claude(&plugin, "PreToolUse", GIT_STATUS).run();
        ran.assert_denies("Hooks `first` and `second` want to change the argument \"command\"");
        replies.push(ran.out());
    }
    assert!(replies.iter().all(|reply| *reply == replies[0]));
    let agreeing = gates(&[rewrites("echo A", "0.05"), rewrites("echo A", "0")]);
    let ran = claude(&agreeing, "PreToolUse", GIT_STATUS).run();
    assert_eq!(ran.decision(), "allow");
}

#[test]
fn hb_out_07_an_ask_keeps_the_rewrite_of_a_sibling() {
    let decides = |decision: &str| {
        let said =
            nested(json!({"permissionDecision": decision, "permissionDecisionReason": "sure?"}));
        let plugin = gates(&[prints(&rewrite("echo safe")), prints(&said)]);
        claude(&plugin, "PreToolUse", GIT_STATUS).run()
    };
    let ask = decides("ask");
    assert_eq!(ask.decision(), "ask");
    let updated = &ask.json()["hookSpecificOutput"]["updatedInput"];
    assert_eq!(*updated, json!({"command": "echo safe"}));
    let deny = decides("deny");
    deny.assert_denies("sure?");
    assert!(deny.json()["hookSpecificOutput"]["updatedInput"].is_null());
}

#[test]
fn hb_out_08_either_form_of_a_decision_reaches_either_host_in_its_own() {
    let members = json!({"permissionDecision": "deny", "permissionDecisionReason": "policy"});
    for said in [members.clone(), nested(members.clone())] {
        let plugin = one("PreToolUse", &prints(&said));
        let ran = claude(&plugin, "PreToolUse", GIT_STATUS).run();
        assert_eq!(ran.json(), nested(members.clone()));
        let ran = copilot(&plugin, "PreToolUse", GIT_STATUS).run();
        assert_eq!(ran.json(), members);
    }
    let plugin = one("PreToolUse", &prints(&json!({})));
    claude(&plugin, "PreToolUse", GIT_STATUS)
        .run()
        .assert_silent();
    copilot(&plugin, "PreToolUse", GIT_STATUS)
        .run()
        .assert_silent();
}

#[test]
fn hb_out_10_an_unknown_decision_of_a_gate_refuses() {
    let says = |decision: &str| {
        let said = json!({"decision": decision, "reason": "secret in diff"});
        claude(&one("PreToolUse", &prints(&said)), "PreToolUse", GIT_STATUS).run()
    };
    says("deny").assert_denies("printed `decision: deny`");
    says("allow").assert_denies("printed `decision: allow`");
    says("block").assert_denies("secret in diff");
    assert_eq!(says("approve").decision(), "allow");
}

#[test]
fn hb_out_11_exit_2_refuses_whatever_stdout_says() {
    let ends = |code: u8, stdout: &str| {
        let script = format!("echo '{stdout}'\necho 'blocked: reason' >&2\nexit {code}\n");
        claude(&one("PreToolUse", &script), "PreToolUse", GIT_STATUS).run()
    };
    for stdout in ["{\"foo\":[1,2", "{\"decision\":\"approve\"}", "hello"] {
        let ran = ends(2, stdout);
        ran.assert_denies("blocked: reason");
        assert_eq!(ran.reason(), "blocked: reason");
    }
    // With exit 0 the same stdout is a fault of its own, and stderr is nobody's reason.
    let ran = ends(0, "{\"foo\":[1,2");
    ran.assert_denies("not exactly one JSON document");
    assert!(!ran.reason().contains("blocked"));
}

#[test]
fn hb_out_13_a_refusal_always_has_a_reason() {
    let refuses = one(
        "PreToolUse",
        "printf '\\033[31mpattern X\\033[0m found in file\\007' >&2; exit 2",
    );
    let floods = one(
        "PreToolUse",
        "head -c 300000 /dev/zero | tr '\\0' x >&2; exit 2",
    );
    let is_mute = one("PreToolUse", "exit 2");
    for host in ["claude-code", "copilot-cli"] {
        let start = |plugin: &Plugin| {
            let program = plugin.dispatch(["--host", host, "--event", "PreToolUse"]);
            program.stdin_bytes(GIT_STATUS).run()
        };
        let ran = start(&refuses);
        ran.assert_denies("pattern X");
        assert_eq!(ran.reason(), "pattern X found in file");
        let ran = start(&floods);
        ran.assert_denies("[hookkit cut this text:");
        assert!(ran.reason().chars().count() <= 52_000);
        start(&is_mute).assert_denies("Hook `guard` refused this without giving a reason.");
    }
}

#[test]
fn hb_out_14_plain_text_is_put_into_json_by_an_encoder() {
    let note = "it's \"quoted\" \\ back\nline two";
    let with = |entry: Value| {
        let mut entry = entry;
        entry["id"] = json!("note");
        entry["event"] = json!("UserPromptSubmit");
        entry["run"] = json!(["cat", "./note.txt"]);
        let plugin = Plugin::new("demo")
            .file("note.txt", format!("{note}\n"), 0o644)
            .hook(entry);
        let stdin = r#"{"hook_event_name":"UserPromptSubmit","prompt":"hi"}"#;
        claude(&plugin, "UserPromptSubmit", stdin).run()
    };
    let ran = with(json!({"mode": "observe"}));
    let context = &ran.json()["hookSpecificOutput"]["additionalContext"];
    assert_eq!(context.as_str(), Some(note));
    // A mode that the author did not choose lets no text speak to the model here (R64).
    with(json!({})).assert_silent();
}

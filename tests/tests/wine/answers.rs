//! What each host is told about what a hook said.

use hookkit_tests::{Ran, payload};
use serde_json::{Value, json};

use crate::{Windows, call, gate, windows};

/// One test for each host, with a payload as that host sends it.
macro_rules! every_host_is_told_a_refusal_and_nothing_of_a_silent_hook {
    ($($host:ident $name:literal $payload:expr),* $(,)?) => {
        mod every_host_is_told_a_refusal_and_nothing_of_a_silent_hook {
            use super::*;
            $(#[test] fn $host() { round_trip($name, &$payload); })*
        }
    };
}

every_host_is_told_a_refusal_and_nothing_of_a_silent_hook!(
    claude_code "claude-code" call(),
    vscode_local "vscode-local" call(),
    codex "codex" call(),
    copilot_cli "copilot-cli" of_copilot(),
    vscode_copilot "vscode-copilot" of_copilot(),
    copilot_cloud "copilot-cloud" of_the_cloud(),
);

fn of_copilot() -> Value {
    payload::copilot::pre_tool_use("Bash", json!({"command": "git push --force"}))
}

fn of_the_cloud() -> Value {
    payload::copilot_camel::pre_tool_use("bash", json!({"command": "git push --force"}))
}

fn round_trip(host: &str, payload: &Value) {
    let Some(windows) = windows() else { return };
    let run = |words: &[&str]| {
        let plugin = windows.plugin(gate(), words);
        windows
            .dispatch(&plugin, &["--host", host, "--event", "PreToolUse"])
            .stdin(payload.clone())
            .run()
    };
    run(&["read", "complain", "not today", "exit", "2"]).assert_denies("not today");
    run(&["read"]).assert_silent();
}

/// Runs a hook on an event of Claude Code that prints a document.
fn says(windows: &Windows, event: &str, payload: Value, document: &Value) -> Ran {
    let entry = json!({"id": "guard", "event": event, "mode": "gate", "timeout": 20});
    let plugin = windows.plugin(entry, &["read", "print", &document.to_string()]);
    windows
        .dispatch(&plugin, &["--host", "claude-code", "--event", event])
        .stdin(payload)
        .run()
}

fn nested(event: &str, mut fields: Value) -> Value {
    fields["hookEventName"] = json!(event);
    json!({"hookSpecificOutput": fields})
}

#[test]
fn an_allow_and_an_ask_are_told() {
    let Some(windows) = windows() else { return };
    for decision in ["allow", "ask"] {
        let document = nested("PreToolUse", json!({"permissionDecision": decision}));
        let ran = says(&windows, "PreToolUse", call(), &document);
        assert!(ran.exited(0));
        assert_eq!(ran.decision(), decision);
    }
}

#[test]
fn a_rewrite_goes_out_without_a_decision() {
    let Some(windows) = windows() else { return };
    let input = json!({"command": "git push"});
    let document = nested("PreToolUse", json!({"updatedInput": input}));
    let ran = says(&windows, "PreToolUse", call(), &document);
    let told = ran.json();
    assert_eq!(told["hookSpecificOutput"]["updatedInput"], input);
    assert_eq!(ran.decision(), "");
}

#[test]
fn context_reaches_the_session_in_ascii() {
    let Some(windows) = windows() else { return };
    let document = nested(
        "SessionStart",
        json!({"additionalContext": "größer als 中"}),
    );
    let start = payload::claude::session_start("startup");
    let ran = says(&windows, "SessionStart", start, &document);
    assert!(ran.stdout.is_ascii());
    let told = ran.json();
    assert_eq!(
        told["hookSpecificOutput"]["additionalContext"],
        "größer als 中"
    );
}

#[test]
fn a_turn_goes_on_when_its_end_is_blocked() {
    let Some(windows) = windows() else { return };
    let document = json!({"decision": "block", "reason": "run the tests first"});
    let ran = says(&windows, "Stop", payload::claude::stop(false), &document);
    ran.assert_denies("run the tests first");
    assert_eq!(ran.decision(), "block");
}

/// A gate that fails in any way denies, and names itself.
fn assert_fault(words: &[&str], said: &str) {
    let Some(windows) = windows() else { return };
    let ran = windows.on_call(&windows.plugin(gate(), words)).run();
    ran.assert_denies("guard");
    ran.assert_denies(said);
}

#[test]
fn an_exit_code_of_its_own_is_a_fault() {
    assert_fault(&["read", "exit", "1"], "1");
    assert_fault(&["read", "exit", "49"], "49");
}

#[test]
fn an_exit_code_beyond_a_byte_is_a_fault_and_no_success() {
    assert_fault(&["read", "exit", "256"], "256");
}

#[test]
fn a_crash_is_a_fault() {
    assert_fault(&["read", "crash", "ABRT"], "");
}

#[test]
fn two_documents_are_a_fault() {
    assert_fault(&["read", "print-two-documents"], "");
}

#[test]
fn a_program_that_is_missing_is_a_fault() {
    let Some(windows) = windows() else { return };
    let mut entry = gate();
    entry["run"] = json!(["./hooks/gone.exe"]);
    let plugin = hookkit_tests::Plugin::new("demo").hook(entry);
    let ran = windows.on_call(&plugin).run();
    ran.assert_denies("gone.exe");
}

/// The one mode in which exit codes go through.
#[test]
fn a_direct_hook_ends_with_its_own_code() {
    let Some(windows) = windows() else { return };
    let entry = json!({"id": "guard", "event": "PreToolUse", "mode": "direct", "timeout": 20});
    for code in ["0", "2", "7"] {
        let plugin = windows.plugin(entry.clone(), &["read", "complain", "said", "exit", code]);
        let ran = windows
            .dispatch(
                &plugin,
                &[&crate::CLAUDE[..], &["--hook", "guard"]].concat(),
            )
            .stdin(call())
            .run();
        assert!(ran.exited(code.parse().unwrap()), "{code}");
        assert!(ran.err().contains("said"), "{code}");
    }
}

//! The worst cases: no memory, no file handles, a panic inside. The host is answered all the same.

#![cfg(unix)]

use hookkit_tests::process::Program;
use hookkit_tests::{Plugin, Ran, payload, program};
use serde_json::json;

fn plugin() -> Plugin {
    let entry = json!({"id": "guard", "event": ["PreToolUse", "PostToolUse"]});
    Plugin::new("demo").sh(entry, "cat > /dev/null")
}

/// Runs the dispatcher under a limit of the shell.
fn limited(plugin: &Plugin, limit: &str, event: &str, payload: String) -> Ran {
    let line = format!("{limit}; exec \"$0\" \"$@\"");
    Program::new("sh")
        .args(["-c", &line])
        .arg(program::dispatcher())
        .args(["--host", "claude-code", "--event", event, "--plugin-root"])
        .arg(plugin.path())
        .cwd(plugin.project())
        .stdin_bytes(payload)
        .run()
}

fn big_payload() -> String {
    let content = "x".repeat(40 << 20);
    payload::claude::pre_tool_use("Write", json!({"file_path": "/a", "content": content}))
        .to_string()
}

#[test]
fn without_memory_a_gate_denies() {
    let ran = limited(&plugin(), "ulimit -v 30000", "PreToolUse", big_payload());
    assert_eq!(ran.code, Some(0));
    let told = ran.json();
    assert_eq!(told["hookSpecificOutput"]["permissionDecision"], "deny");
    // With memory the same payload passes.
    let ran = limited(&plugin(), "true", "PreToolUse", big_payload());
    assert_eq!(ran.out(), "");
}

#[test]
fn without_file_handles_a_gate_denies() {
    let small = payload::claude::pre_tool_use("Bash", json!({"command": "ls"})).to_string();
    // With 3 the system itself cannot load a program that is not static.
    for handles in 4..=10 {
        let ran = limited(
            &plugin(),
            &format!("ulimit -n {handles}"),
            "PreToolUse",
            small.clone(),
        );
        let told = ran.json();
        assert_eq!(
            told["hookSpecificOutput"]["permissionDecision"], "deny",
            "{handles} handles"
        );
    }
    assert_eq!(
        limited(&plugin(), "ulimit -n 64", "PreToolUse", small).out(),
        ""
    );
}

#[test]
fn without_processes_a_gate_denies_and_an_observer_is_silent() {
    let after = payload::claude::post_tool_use("Bash", json!({"command": "ls"}), json!({}));
    let ran = limited(&plugin(), "ulimit -n 5", "PostToolUse", after.to_string());
    assert_eq!(ran.out(), "");
    assert_eq!(ran.code, Some(0));
}

#[test]
fn a_panic_is_answered_with_what_was_prepared() {
    let panicking = program::built("panicking");
    let denied = Program::new(&panicking).arg("prepared").run();
    assert_eq!(denied.out(), "{\"permissionDecision\":\"deny\"}\n");
    assert_eq!(denied.code, Some(0));
    assert!(
        denied.err().contains("failed inside at"),
        "{}",
        denied.err()
    );
    let unprepared = Program::new(&panicking).run();
    assert_eq!(unprepared.out(), "");
    assert_eq!(unprepared.code, Some(2));
}

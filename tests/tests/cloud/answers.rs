//! What the agent is told: by the gate, and by the script where nothing can be asked.

use fs_err as fs;
use hookkit_tests::{Plugin, payload};
use serde_json::{Value, json};

use crate::{
    FOLDER, Repository, allowed, denied_by_the_gate, denied_by_the_script, dispatcher, refused,
};

#[test]
fn the_gate_is_asked_once_for_each_call() {
    let repository = Repository::guarded();
    assert!(denied_by_the_gate(
        &repository.fire("preToolUse", refused()).run()
    ));
    let ran = repository.fire("preToolUse", allowed()).run();
    assert!(ran.exited(0) && ran.stdout.is_empty() && ran.stderr.is_empty());
    let starts = fs::read_to_string(repository.join("starts")).unwrap();
    assert_eq!(starts, "start\nstart\n");
    assert!(repository.copies().is_empty());
}

/// VS Code's Local harness reads the same file and sends payloads of its own.
#[test]
fn every_host_that_reads_the_file_is_refused_in_its_own_form() {
    let repository = Repository::guarded();
    let local = json!({
        "timestamp": "2026-11-30T12:00:00.000Z", "hook_event_name": "PreToolUse", "session_id": "s",
        "tool_name": "run_in_terminal", "tool_input": {"command": "touch DENYME"},
        "tool_use_id": "t",
    });
    for payload in [refused(), local] {
        let reply = repository.fire("preToolUse", payload).run().json();
        assert_eq!(reply["permissionDecision"], "deny");
        assert_eq!(reply["hookSpecificOutput"]["permissionDecision"], "deny");
    }
}

#[test]
fn a_dispatcher_that_was_changed_is_not_started() {
    let repository = Repository::guarded();
    let script = "#!/bin/sh\ntouch started\n";
    fs::write(repository.join(&dispatcher()), script).unwrap();
    let ran = repository.fire("preToolUse", allowed()).run();
    assert!(denied_by_the_script(
        &ran,
        "is not the file that SHA256SUMS names"
    ));
    assert!(!repository.join("started").exists());
}

#[test]
fn a_dispatcher_that_is_not_listed_is_not_started() {
    let repository = Repository::guarded();
    fs::write(repository.join(FOLDER).join("SHA256SUMS"), "").unwrap();
    let ran = repository.fire("preToolUse", allowed()).run();
    assert!(denied_by_the_script(&ran, "does not name dispatch/"));
    fs::remove_file(repository.join(FOLDER).join("SHA256SUMS")).unwrap();
    let ran = repository.fire("preToolUse", allowed()).run();
    assert!(denied_by_the_script(&ran, "does not name dispatch/"));
}

/// It is the file that is listed, and still no program.
#[test]
fn a_dispatcher_that_does_not_start_denies() {
    let repository = Repository::guarded();
    let mut garbage = b"\x7fELF\x02\x01\x01".to_vec();
    garbage.resize(4096, 0);
    replace_dispatcher(&repository, &garbage);
    let ran = repository.fire("preToolUse", allowed()).run();
    assert!(denied_by_the_script(&ran, "does not start here"));
    assert!(repository.copies().is_empty());
}

/// Puts another file in the dispatcher's place, and into the list.
fn replace_dispatcher(repository: &Repository, bytes: &[u8]) {
    fs::write(repository.join(&dispatcher()), bytes).unwrap();
    let sum = repository
        .program("sha256sum")
        .arg(dispatcher())
        .run()
        .out();
    let path = dispatcher();
    let below = path.strip_prefix(FOLDER).unwrap().trim_start_matches('/');
    let list = format!("{}  {below}\n", &sum[..64]);
    fs::write(repository.join(FOLDER).join("SHA256SUMS"), list).unwrap();
}

#[test]
fn without_a_dispatcher_each_event_is_answered_in_its_form() {
    let plugin = Plugin::new("demo").sh(
        json!({"id": "all", "required": true, "mode": "gate", "event": [
            "PreToolUse", "PermissionRequest", "UserPromptSubmit", "Stop", "SubagentStop",
        ]}),
        "",
    );
    let repository = Repository::new("project").with(&plugin);
    fs::remove_file(repository.join(&dispatcher())).unwrap();
    let fire = |event: &str, payload: Value| repository.fire(event, payload).run();
    let ran = fire("preToolUse", allowed());
    assert!(denied_by_the_script(
        &ran,
        "holds no dispatcher for this machine"
    ));
    let request = payload::copilot_camel::event(json!({"toolName": "bash", "toolInput": {}}));
    assert_eq!(
        fire("permissionRequest", request).json()["behavior"],
        "deny"
    );
    let prompt = payload::copilot_camel::event(json!({"prompt": "x"}));
    let refused = fire("userPromptSubmitted", prompt).json();
    assert_eq!(refused["decision"], "block");
    // VS Code's Local harness knows no block of a prompt.
    assert_eq!(refused["continue"], false);
    assert_eq!(refused["stopReason"], refused["reason"]);
    for event in ["agentStop", "subagentStop"] {
        let first = fire(event, payload::copilot_camel::stop(false)).json();
        assert_eq!(first["decision"], "block");
        assert_eq!(first["hookSpecificOutput"]["decision"], "block");
        // A broken gate does not hold up the end of a turn twice.
        for payload in [
            payload::copilot_camel::stop(true),
            payload::copilot_camel::event(json!({})),
            payload::copilot_camel::event(json!({"response": "\"stop_hook_active\":false"})),
        ] {
            let ran = fire(event, payload);
            assert!(ran.exited(0) && ran.stdout.is_empty());
        }
    }
}

#[test]
fn without_a_dispatcher_a_gate_that_is_not_required_lets_go_on_and_says_so() {
    let plugin = Plugin::new("demo").sh(json!({"id": "a", "event": "PreToolUse"}), "exit 2");
    let repository = Repository::new("project").with(&plugin);
    fs::remove_file(repository.join(&dispatcher())).unwrap();
    let ran = repository.fire("preToolUse", allowed()).run();
    assert!(ran.exited(0) && ran.stdout.is_empty());
    assert_eq!(ran.err().lines().count(), 1);
    assert!(
        ran.err()
            .contains("plugin demo of this repository is not enforced")
    );
}

/// A hook that refuses is not run again by another interpreter, and reads all of its input.
#[test]
fn hb_laun_09_a_hook_that_returns_2_is_not_retried() {
    let plugin = Plugin::new("demo").python(
        json!({"id": "a", "event": "PreToolUse"}),
        "import sys\nd = sys.stdin.read()\nopen('calls', 'a').write('%d\\n' % d.count('tail'))\nsys.exit(2)\n",
    );
    let repository = Repository::new("project").with(&plugin);
    let mut payload = allowed();
    payload["toolArgs"]["command"] = json!(format!("{} tail", "x".repeat(200_000)));
    payload["cwd"] = json!(repository.path);
    let ran = repository.fire("preToolUse", payload).run();
    assert_eq!(ran.json()["permissionDecision"], "deny");
    let calls = fs::read_to_string(repository.join("calls")).unwrap();
    // Once in Claude's form, once in the host's own.
    assert_eq!(calls, "2\n");
}

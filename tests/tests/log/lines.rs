//! What is written, and what never is.

use fs_err as fs;
use hookkit_tests::{payload, program};
use serde_json::{Value, json};

use crate::{Installed, assert_same, call};

#[test]
fn a_hook_leaves_a_line() {
    let installed = Installed::refusing();
    installed.call().run().assert_denies("No.");
    let [line] = &*installed.lines() else {
        panic!("one line")
    };
    assert_eq!(line["schema"], 1);
    for (key, value) in [
        ("plugin", json!("demo")),
        ("host", json!("claude-code")),
        ("event", json!("PreToolUse")),
        ("hook", json!("gate")),
        ("mode", json!("gate")),
        ("outcome", json!("deny")),
        ("exit", json!(2)),
        ("fault", Value::Null),
        ("discarded", Value::Null),
    ] {
        assert_eq!(line[key], value, "{key}");
    }
    assert!(line["ms"].as_f64().unwrap() > 0.0);
    let time = line["time"].as_str().unwrap();
    assert!(time.len() == 24 && time.ends_with('Z'), "{time}");
    let mode = std::os::unix::fs::PermissionsExt::mode(
        &fs::metadata(installed.file()).unwrap().permissions(),
    );
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn nothing_is_written_unless_the_receipt_says_so() {
    let with = Installed::refusing();
    for log in [
        Value::Null,
        json!(false),
        json!("yes"),
        json!("relative/file"),
        json!(1),
        json!({"file": "/tmp/x"}),
    ] {
        let without = Installed::refusing();
        without.receipt(&json!({"log": log}));
        let before = fs::read_dir(without.data("")).unwrap().count();
        let ran = without
            .call()
            .env("HOOKKIT_LOG", "1")
            .env("HOOKKIT_HOME", with.data(""))
            .run();
        ran.assert_denies("No.");
        assert_eq!(fs::read_dir(without.data("")).unwrap().count(), before);
    }
    assert!(!with.file().exists());
    // Nor about an event that no hook is selected on.
    with.on("Stop", payload::claude::stop(false))
        .run()
        .assert_silent();
    assert!(!with.file().exists());
    with.call().run();
    assert!(with.file().exists());
}

#[test]
fn outcomes_and_faults_are_told_apart() {
    let say = |document: Value| format!("cat <<'E'\n{document}\nE");
    let nested = |mut members: Value| {
        members["hookEventName"] = json!("PreToolUse");
        say(json!({"hookSpecificOutput": members}))
    };
    for (script, outcome, fault, exit) in [
        (":".to_owned(), "none", None, Some(0)),
        (
            nested(json!({"permissionDecision": "allow"})),
            "allow",
            None,
            Some(0),
        ),
        (
            nested(json!({"permissionDecision": "ask"})),
            "ask",
            None,
            Some(0),
        ),
        (
            nested(json!({"permissionDecision": "deny"})),
            "deny",
            None,
            Some(0),
        ),
        (
            nested(json!({"updatedInput": {}})),
            "rewrite input",
            None,
            Some(0),
        ),
        (
            nested(json!({"additionalContext": "x"})),
            "context",
            None,
            Some(0),
        ),
        (say(json!({"systemMessage": "x"})), "notice", None, Some(0)),
        (say(json!({"continue": false})), "stop", None, Some(0)),
        ("exit 2".to_owned(), "deny", None, Some(2)),
        ("exit 3".to_owned(), "deny", Some("exit"), Some(3)),
        ("echo '{'".to_owned(), "deny", Some("output"), Some(0)),
        ("kill -9 $$".to_owned(), "deny", Some("signal"), None),
        ("sleep 20".to_owned(), "deny", Some("timeout"), None),
    ] {
        let gate = json!({"id": "gate", "event": "PreToolUse", "timeout": 0.3});
        let installed = Installed::new(&json!(true)).hook(gate, &script);
        installed.call().run();
        let line = &installed.lines()[0];
        assert_eq!(line["outcome"], outcome, "{script}");
        assert_eq!(line["fault"].as_str(), fault, "{script}");
        assert_eq!(line["exit"].as_i64(), exit, "{script}");
    }
    let installed = Installed::refusing();
    fs::remove_file(installed.store().join("gate.sh")).unwrap();
    installed.call().run().assert_denies("is missing");
    let line = &installed.lines()[0];
    assert_eq!(
        (&line["outcome"], &line["fault"]),
        (&json!("deny"), &json!("not-started"))
    );
    assert_eq!(line["ms"], Value::Null);
}

/// Nobody hears these; here they are found.
#[test]
fn what_nobody_hears_is_in_the_log() {
    let installed = Installed::new(&json!(true))
        .hook(
            json!({"id": "silent", "event": "PreToolUse", "mode": "silent"}),
            "echo No. >&2; exit 2",
        )
        .hook(
            json!({"id": "observer", "event": "PreToolUse", "mode": "observe"}),
            "exit 2",
        )
        .hook(
            json!({"id": "faulty", "event": "PreToolUse", "mode": "observe"}),
            "exit 7",
        );
    installed.call().run().assert_silent();
    let told: Vec<_> = installed
        .lines()
        .iter()
        .map(|line| {
            ["hook", "outcome", "discarded", "fault"]
                .map(|key| line[key].as_str().unwrap_or("-").to_owned())
        })
        .collect();
    assert_eq!(
        told,
        [
            ["silent", "none", "deny", "-"],
            ["observer", "none", "deny", "-"],
            ["faulty", "none", "-", "exit"]
        ]
    );
    // What a gate says is heard.
    let heard = Installed::refusing();
    heard.call().run();
    assert_eq!(heard.lines()[0]["discarded"], Value::Null);
}

#[test]
fn an_event_that_is_answered_without_a_hook_leaves_a_line() {
    let installed = Installed::refusing();
    installed.receipt(&json!({"log": true, "required": ["PreToolUse"]}));
    let manifest = fs::read(installed.store().join("hookkit.json")).unwrap();
    fs::write(installed.store().join("hookkit.json"), "{").unwrap();
    installed.call().run().assert_denies("manifest is broken");
    fs::remove_file(installed.store().join("hookkit.json")).unwrap();
    installed.call().run().assert_denies("cannot be loaded");
    fs::write(installed.store().join("hookkit.json"), manifest).unwrap();
    installed
        .call()
        .stdin_bytes("{\"a\": secret")
        .run()
        .assert_denies("could not read");
    let faults: Vec<Value> = installed
        .lines()
        .iter()
        .map(|line| json!([line["hook"], line["outcome"], line["fault"]]))
        .collect();
    assert_eq!(
        faults,
        [
            json!([null, "deny", "manifest"]),
            json!([null, "deny", "plugin-missing"]),
            json!([null, "deny", "payload"])
        ]
    );
}

#[test]
fn nothing_of_a_session_gets_into_the_log() {
    const SECRET: &str = "hunter2";
    let scripts = [
        "echo hunter2 >&2; exit 2",
        "echo hunter2 >&2; exit 3",
        "echo '{\"hunter2\": 1}'",
        "cat >&2; exit 2",
        "env >&2; exit 2",
    ];
    let mut installed = Installed::new(&json!(true));
    for (index, script) in scripts.iter().enumerate() {
        let gate = json!({"id": format!("gate-{index}"), "event": "PreToolUse"});
        installed = installed.hook(gate, script);
    }
    let direct = json!({"id": "direct", "event": "WorktreeCreate"});
    installed = installed.hook(direct, "echo hunter2");
    let mut payload = payload::claude::pre_tool_use(SECRET, json!({"command": SECRET}));
    payload["session_id"] = json!(SECRET);
    let ran = installed
        .on("PreToolUse", payload.clone())
        .env("TOKEN", SECRET)
        .run();
    assert!(
        ran.out().matches(SECRET).count() > 5,
        "the words of hooks are told"
    );
    // An event that no host has names itself.
    payload["hook_event_name"] = json!(SECRET);
    let direct = installed
        .on(SECRET, payload)
        .args(["--hook", "direct"])
        .run();
    assert!(direct.out().contains(SECRET));
    let text = fs::read_to_string(installed.file()).unwrap();
    assert!(!text.contains(SECRET), "{text}");
    let last = installed.lines().pop().unwrap();
    assert_eq!(
        (&last["event"], &last["outcome"]),
        (&json!("other"), &json!("unread"))
    );
    assert_eq!(installed.lines().len(), scripts.len() + 1);
}

/// A hook that runs beside others, or a log that takes its time, delays nobody's answer.
#[test]
fn the_reply_goes_out_before_the_line_is_written() {
    if !program::needs(&["strace"]) {
        return;
    }
    let installed = Installed::refusing();
    let trace = installed.folder.join("trace");
    let ran = installed
        .call()
        .under(
            program::found("strace").unwrap(),
            &[
                "-qq",
                "-e",
                "trace=write,open,openat",
                "-o",
                trace.to_str().unwrap(),
            ],
        )
        .run();
    ran.assert_denies("No.");
    let trace = fs::read_to_string(trace).unwrap();
    let at = |words: &str| {
        trace
            .lines()
            .position(|line| line.contains(words))
            .unwrap_or_else(|| panic!("{words} in {trace}"))
    };
    let (reply, opened, written) = (
        at("write(1, \"{\\\"hookSpecific"),
        at("log.jsonl"),
        at("{\\\"schema\\\""),
    );
    assert!(reply < opened && opened < written, "{trace}");
}

#[test]
fn the_reply_is_the_same_with_and_without() {
    for script in ["echo No. >&2; exit 2", ":", "exit 3", "echo '{'", "sleep 9"] {
        let gate = json!({"id": "gate", "event": "PreToolUse", "timeout": 0.3});
        let installed = Installed::new(&json!(true)).hook(gate, script);
        let logged = installed.on("PreToolUse", call()).run();
        assert_eq!(installed.lines().len(), 1);
        installed.receipt(&json!({}));
        assert_same(&logged, &installed.on("PreToolUse", call()).run());
        assert_eq!(installed.lines().len(), 1);
    }
}

//! `hookkit test`.

use std::path::Path;

use fs_err as fs;
use hookkit_tests::{Plugin, Ran, payload};
use serde_json::{Value, json};

use crate::{hookkit, plugin, settled};

pub(crate) fn test(plugin: &Plugin, words: &[&str]) -> Ran {
    hookkit(&plugin.path(), ["test"]).args(words).run()
}

#[test]
fn it_shows_what_was_seen_said_and_told_on_each_host() {
    let ran = test(&plugin(), &["--all-hosts"]);
    assert!(ran.exited(0));
    let lines = settled(&ran);
    let part = |start: &str, count: usize| {
        let at = lines.iter().position(|line| line == start);
        lines[at.expect(start)..][..count].join("\n")
    };
    assert_eq!(
        part("PreToolUse: Bash, git status", 8),
        "PreToolUse: Bash, git status\n\
         claude-code saw Bash: git status\n\
         gate none T\n\
         told nothing, exit 0, T\n\
         \n\
         copilot-cli saw Bash: git status\n\
         gate none T\n\
         told nothing, exit 0, T"
    );
    assert_eq!(
        part("PreToolUse: Bash, git push --force origin main", 11),
        "PreToolUse: Bash, git push --force origin main\n\
         claude-code saw Bash: git push --force origin main\n\
         gate deny T the gate says no\n\
         told 128 bytes, exit 0, T\n\
         {\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\"permissionDecision\":\"deny\",\n\
         \"permissionDecisionReason\":\"the gate says no\"}}\n\
         \n\
         copilot-cli saw Bash: git push --force origin main\n\
         gate deny T the gate says no\n\
         told 76 bytes, exit 0, T\n\
         {\"permissionDecision\":\"deny\",\"permissionDecisionReason\":\"the gate says no\"}"
    );
    assert_eq!(lines.last().unwrap(), "no problems");
    let width = ran.out().lines().map(|line| line.chars().count()).max();
    assert!(width <= Some(100), "{width:?} wide");
}

/// Never as passing: neither the hook nor the command.
#[test]
fn a_hook_that_cannot_start_is_a_problem() {
    for (run, why) in [
        (
            json!(["ghostlang", "./hooks/a.sh"]),
            "no `ghostlang` was found on the PATH",
        ),
        (json!(["sh", "./hooks/gone.sh"]), "hooks/gone.sh is missing"),
        (
            json!(["./hooks/plain.sh"]),
            "hooks/plain.sh is not executable",
        ),
    ] {
        let plugin = Plugin::new("demo")
            .hook(json!({"id": "broken", "event": "PreToolUse", "matcher": "Bash", "run": run}))
            .file("hooks/a.sh", ":", 0o644)
            .file("hooks/plain.sh", "#!/bin/sh\n", 0o644);
        let ran = test(&plugin, &[]);
        assert!(ran.exited(1), "{why}");
        let said = settled(&ran).join(" ");
        assert!(said.contains("broken cannot start"), "{why}");
        assert!(said.contains(why), "{why}");
        assert!(said.contains("1 problem broken: cannot start"), "{why}");
        assert!(!said.contains("no problems"), "{why}");
        let report = test(&plugin, &["--json"]);
        assert!(report.exited(1), "{why}");
        let hook = &report.json()["trials"][0]["dispatches"][0]["hooks"][0];
        assert_eq!(hook["said"], "cannot start", "{why}");
        assert_eq!(hook["is_problem"], true, "{why}");
    }
}

#[test]
fn a_hook_that_fails_is_a_problem_whatever_its_mode() {
    for (script, what) in [
        ("exit 3", "exit code 3"),
        ("echo '{}'; echo '{}'", "not exactly one JSON document"),
        ("sleep 5", "did not end within 0.3 s"),
    ] {
        for (event, follows) in [
            ("PreToolUse", "a gate that fails denies"),
            ("PostToolUse", "what it printed is dropped"),
        ] {
            let entry = json!({"id": "bad", "event": event, "matcher": "Bash", "timeout": 0.3});
            let ran = test(&Plugin::new("demo").sh(entry, script), &[]);
            assert!(ran.exited(1), "{script} on {event}");
            let said = settled(&ran).join(" ");
            for part in ["bad fault T it", what, follows, "1 problem bad: fault:"] {
                assert!(said.contains(part), "{script} on {event}: {part}");
            }
        }
    }
}

#[test]
fn what_a_silent_hook_refuses_is_shown_as_discarded() {
    let entry = json!({"id": "quiet", "event": "UserPromptSubmit"});
    let ran = test(&Plugin::new("demo").sh(entry, "echo no >&2; exit 2"), &[]);
    assert!(ran.exited(0));
    let said = settled(&ran).join(" ");
    assert!(
        said.contains("quiet discarded T block: the hook is `silent`"),
        "{said}"
    );
    assert!(said.contains("told nothing, exit 0"));
    // The control: the same hook as a gate is heard.
    let entry = json!({"id": "loud", "event": "UserPromptSubmit", "mode": "gate"});
    let ran = test(&Plugin::new("demo").sh(entry, "echo no >&2; exit 2"), &[]);
    assert!(
        settled(&ran)
            .join(" ")
            .contains("{\"decision\":\"block\",\"reason\":\"no\"}")
    );
}

#[test]
fn rewrites_contexts_and_stops_are_said_in_a_word() {
    let nested = |event: &str, rest: &str| {
        format!("echo '{{\"hookSpecificOutput\":{{\"hookEventName\":\"{event}\",{rest}}}}}'")
    };
    for (event, script, expected) in [
        (
            "PreToolUse",
            nested("PreToolUse", r#""updatedInput":{"command":"ls"}"#),
            "hook rewrite T command: ls; description: removed",
        ),
        (
            "PreToolUse",
            nested(
                "PreToolUse",
                r#""permissionDecision":"ask","permissionDecisionReason":"sure?""#,
            ),
            "hook ask T sure?",
        ),
        (
            "PreToolUse",
            nested(
                "PreToolUse",
                r#""permissionDecision":"allow","updatedInput":{"command":"ls"}"#,
            ),
            "hook allow + rewrite T command: ls; description: removed",
        ),
        (
            "PostToolUse",
            nested("PostToolUse", r#""additionalContext":"mind the gap""#),
            "hook context T mind the gap",
        ),
        (
            "PostToolUse",
            "echo '{\"decision\":\"block\",\"reason\":\"no\"}'".to_owned(),
            "hook discarded T block: the hook is `observe`",
        ),
    ] {
        let entry = json!({"id": "hook", "event": event, "matcher": "Bash"});
        let ran = test(&Plugin::new("demo").sh(entry, &script), &[]);
        let said = settled(&ran).join(" ");
        assert!(said.contains(expected), "{expected} in {said}");
        assert!(ran.exited(0), "{expected}");
    }
}

#[test]
fn hooks_run_in_an_empty_folder_that_is_gone_afterwards() {
    let entry = json!({"id": "where", "event": "SessionStart", "mode": "observe"});
    let plugin = Plugin::new("demo").sh(entry, "printf '%s %s %s' \"$PWD\" \"$(ls -A)\" \"$HOME\"");
    let report = test(&plugin, &["--json"]).json();
    let said = report["trials"][0]["dispatches"][0]["hooks"][0]["stdout"].clone();
    let said = said.as_str().unwrap();
    let (folder, rest) = said.split_once(' ').unwrap();
    assert!(
        folder.contains("hookkit-test-") && !Path::new(folder).exists(),
        "{said}"
    );
    assert_eq!(rest, " /nonexistent/home");
    assert_eq!(report["trials"][0]["sent"]["cwd"], folder);
}

#[test]
fn only_what_was_asked_for_is_run() {
    let plugin = plugin().sh(json!({"id": "stop", "event": "Stop"}), ":");
    let events = |words: &[&str]| -> Vec<String> {
        let report = test(&plugin, &[words, &["--json"]].concat()).json();
        let trials = report["trials"].as_array().unwrap().iter();
        trials
            .map(|trial| {
                let text = |key: &str| trial[key].as_str().unwrap().to_owned();
                format!("{} {} {}", text("host"), text("event"), text("title"))
            })
            .collect()
    };
    assert_eq!(events(&["--event", "Stop"]), ["claude-code Stop "]);
    assert_eq!(
        events(&["--event", "agentStop", "--host", "copilot-cli"]),
        ["copilot-cli Stop "]
    );
    assert_eq!(
        events(&["--tool", "Grep"]),
        ["claude-code PreToolUse Grep, TODO"]
    );
    let none = test(&plugin, &["--event", "SessionEnd"]);
    assert!(none.exited(2));
    assert!(none.err().contains("its hooks are on PreToolUse, Stop"));
    let unmatched = test(&plugin, &["--tool", "Grep"]);
    assert!(unmatched.exited(0) && unmatched.out().contains("no hook matches"));
}

#[test]
fn a_payload_of_ones_own_is_taken_as_it_is() {
    let plugin = plugin();
    let sent = [
        (
            "claude-code",
            payload::claude::pre_tool_use("Bash", json!({"command": "x force"})),
        ),
        (
            "copilot-cli",
            payload::copilot::pre_tool_use("Bash", json!({"command": "x force"})),
        ),
        (
            "copilot-cli",
            payload::copilot_camel::pre_tool_use("bash", json!({"command": "x force"})),
        ),
        (
            "vscode-local",
            json!({"timestamp": "2026-11-30T12:00:00.000Z", "hookEventName": "PreToolUse",
                   "sessionId": "s", "tool_name": "run_in_terminal", "tool_use_id": "call_1",
                   "tool_input": {"command": "x force"}}),
        ),
    ];
    for (host, sent) in sent {
        let file = plugin.project().join("payload.json");
        fs::write(&file, sent.to_string()).unwrap();
        let from_file = hookkit(&plugin.path(), ["test", "--json", "--payload"])
            .arg(&file)
            .run();
        let from_stdin = hookkit(&plugin.path(), ["test", "--json", "--payload", "-"])
            .stdin(sent)
            .run();
        for ran in [from_file, from_stdin] {
            assert!(ran.exited(0));
            let trial = &ran.json()["trials"][0];
            assert_eq!(trial["host"], host);
            let hook = &trial["dispatches"][0]["hooks"][0];
            assert_eq!(
                (&hook["said"], &hook["saw"]),
                (&json!("deny"), &json!("Bash: x force"))
            );
        }
    }
    for (sent, why) in [("{\"a\":1}", "--event"), ("nonsense", "--event")] {
        let ran = hookkit(&plugin.path(), ["test", "--payload", "-"])
            .stdin_bytes(sent)
            .run();
        assert!(ran.exited(2) && ran.err().contains(why), "{sent}");
    }
    // What cannot be read is what a session might send too: the gate denies.
    let ran = hookkit(
        &plugin.path(),
        ["test", "--payload", "-", "--event", "PreToolUse"],
    )
    .stdin_bytes("{\"a\":")
    .run();
    assert!(ran.out().contains("\"permissionDecision\":\"deny\""));
}

#[test]
fn times_are_spread_over_repetitions() {
    let ran = test(&plugin(), &["--tool", "Bash", "--repeat", "3"]);
    assert!(ran.exited(0));
    let said = settled(&ran).join(" ");
    assert!(
        said.contains("told nothing, exit 0, 3 times: min T , median T , p90 T"),
        "{said}"
    );
}

#[test]
fn a_hook_that_no_payload_fits_is_named() {
    let plugin = Plugin::new("demo").sh(
        json!({"id": "odd", "event": "PreToolUse", "matcher": "^Foo.*$"}),
        ":",
    );
    let ran = test(&plugin, &[]);
    assert!(ran.exited(0));
    assert!(
        ran.out()
            .contains("not tried: odd on PreToolUse: no built-in payload fits")
    );
    let report = test(&plugin, &["--json"]).json();
    assert_eq!(report["untried"][0]["hook"], "odd");
    assert_eq!(report["schema"], 1);
    let asked = test(&plugin, &["--tool", "FooBar", "--json"]).json();
    let hooks: &Value = &asked["trials"][0]["dispatches"][0]["hooks"];
    assert_eq!(hooks[0]["said"], "none");
}

/// A program says its version, and one that is missing or too old is a problem.
#[test]
fn what_the_plugin_needs_is_looked_for() {
    for (needs, expected) in [
        (json!({"bash": ">=2.0"}), None),
        (
            json!({"bash": ">=99.1"}),
            Some("the plugin needs bash >=99.1, but"),
        ),
        (
            json!({"ghostlang": ">=1"}),
            Some("the plugin needs ghostlang >=1, but no `ghostlang`"),
        ),
    ] {
        let ran = test(&plugin().with("needs", needs), &[]);
        let said = settled(&ran).join(" ");
        assert!(ran.exited(i32::from(expected.is_some())), "{expected:?}");
        assert!(
            expected.is_none_or(|expected| said.contains(expected)),
            "{said}"
        );
    }
}

/// As `hookkit test | head` does.
#[test]
fn nobody_has_to_read_to_the_end() {
    let plugin = plugin();
    let line = format!(
        "{} test --all-hosts | head -n 1",
        hookkit_tests::program::hookkit().display()
    );
    let ran = hookkit_tests::process::Program::new("/bin/sh")
        .args(["-c", &line])
        .cwd(plugin.path())
        .run();
    assert!(ran.exited(0));
    assert_eq!(ran.out(), "PreToolUse: Bash, git status\n");
    assert!(ran.err().is_empty());
}

#[test]
fn the_plugin_is_left_as_it_was() {
    let plugin = plugin();
    let before = crate::files(&plugin.path());
    assert!(test(&plugin, &["--all-hosts"]).exited(0));
    assert_eq!(crate::files(&plugin.path()), before);
}

//! `hookkit check`.

use std::os::unix::fs::symlink;

use fs_err as fs;
use hookkit_dispatch::host::HOSTS;
use hookkit_tests::{Plugin, Ran};
use serde_json::{Value, json};

use crate::{hookkit, plugin};

fn check(plugin: &Plugin, words: &[&str]) -> Ran {
    hookkit(&plugin.path(), ["check"]).args(words).run()
}

/// The findings as (level, code, line, hook).
fn findings(plugin: &Plugin) -> Vec<(String, String, Option<u64>, Option<String>)> {
    let report = check(plugin, &["--json"]).json();
    let text = |value: &Value| value.as_str().map(str::to_owned);
    report["findings"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|finding| finding["level"] != "note")
        .map(|finding| {
            (
                text(&finding["level"]).unwrap(),
                text(&finding["code"]).unwrap(),
                finding["line"].as_u64(),
                text(&finding["hook"]),
            )
        })
        .collect()
}

fn codes(plugin: &Plugin) -> Vec<String> {
    findings(plugin)
        .into_iter()
        .map(|(_, code, ..)| code)
        .collect()
}

#[test]
fn every_fault_is_named_at_once_with_its_line() {
    let plugin = Plugin::new("demo").manifest_bytes(
        r#"{
  "schema": 1,
  "name": "Demo",
  "version": "1",
  "extra": true,
  "hooks": [
    { "id": "a", "event": "PreToolUse", "run": "sh x" },
    { "id": "b", "event": "Stop", "run": ["sh", "./../x.sh"] },
    { "id": "b", "event": "Stop", "run": ["true"], "timeout": -1 },
    { "id": "c", "event": "PostToolUse", "run": ["true"], "matcher": "(", "required": true }
  ]
}
"#,
    );
    let ran = check(&plugin, &[]);
    assert!(ran.exited(1));
    let out = ran.out();
    for (line, what) in [
        (3, "`name` must be"),
        (5, "`extra` is no key"),
        (7, "hook `a`: `run` must be a list"),
        (8, "hook `b`: `run` names `./../x.sh`"),
        (9, "hook `b`: `timeout` must be"),
        (9, "hook `b`: has the id of the hook in line 8"),
        (10, "hook `c`: `matcher` is no pattern"),
        (10, "hook `c`: is `required` but no gate"),
    ] {
        let start = format!("hookkit.json:{line}: error: {what}");
        assert!(out.contains(&start), "{start}");
    }
    // Test and build name the same, and do nothing.
    for command in ["test", "build"] {
        let ran = hookkit(&plugin.path(), [command]).run();
        assert!(ran.exited(1), "{command}");
        assert!(
            ran.err()
                .contains("hookkit.json:7: hook `a`: `run` must be a list")
        );
    }
    assert!(!plugin.path().join("dist").exists());
}

#[test]
fn what_is_no_json_is_one_fault() {
    let plugin = Plugin::new("demo").manifest_bytes("{\n  \"schema\": 1,\n}\n");
    let ran = check(&plugin, &[]);
    assert!(ran.exited(1));
    assert!(ran.out().starts_with("hookkit.json:3: error: is no JSON"));
}

#[test]
fn a_sound_plugin_says_what_each_host_makes_of_it() {
    let ran = check(&plugin(), &[]);
    assert!(ran.exited(0));
    let out = ran.out();
    for part in [
        "claude-code as seen on ",
        "copilot-cli as seen on ",
        "  starts the dispatcher on:\n    PreToolUse of Bash, within 15 s\n",
        "    PreToolUse is refused, every time\n",
        "`disableAllHooks`",
        "demo 0.1.0 is sound: 1 hook",
    ] {
        assert!(out.contains(part), "{part}");
    }
    let width = out.lines().map(|line| line.chars().count()).max();
    assert!(width <= Some(100), "{width:?} wide");
}

/// What reads another host's files is told of as well, and that nobody has seen it.
#[test]
fn hosts_that_nobody_has_seen_are_said_to_be_so() {
    let ran = check(&plugin(), &["--json"]);
    let report = ran.json();
    let hosts = report["hosts"].as_array().unwrap();
    let names: Vec<_> = HOSTS.iter().map(|host| host.name()).collect();
    assert!(
        names
            .iter()
            .all(|name| hosts.iter().any(|host| host["host"] == *name))
    );
    assert_eq!(hosts.len(), names.len());
    for host in hosts {
        let name = host["host"].as_str().unwrap();
        let is_seen = ["claude-code", "copilot-cli", "codex"].contains(&name);
        assert_eq!(host["seen_on"].is_null(), !is_seen, "{name}");
        let starts = host["starts"].as_array().unwrap();
        assert_eq!(starts[0]["event"], "PreToolUse", "{name}");
        let ignores_matchers = name == "vscode-local";
        assert_eq!(starts[0]["matcher"].is_null(), ignores_matchers, "{name}");
    }
    let out = check(&plugin(), &[]).out();
    let swallowed = "swallowed, exit 2 included";
    let joined = out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(joined.contains("vscode-copilot by the vendor's word, not seen live"));
    assert!(joined.contains(swallowed), "{out}");
}

/// A required gate is told to Claude Code so that it refuses without the dispatcher; the control
/// is the same gate without.
#[test]
fn a_missing_dispatcher_is_said_for_each_host() {
    for (required, expected) in [
        (
            true,
            "PreToolUse is refused, every time, from 2.1.295 on; passes before",
        ),
        (false, "PreToolUse passes, unguarded"),
    ] {
        let plugin = Plugin::new("demo").sh(
            json!({"id": "gate", "event": "PreToolUse", "required": required}),
            ":",
        );
        let out = check(&plugin, &[]).out();
        let (claude, copilot) = out.split_once("copilot-cli as seen on").unwrap();
        assert!(claude.contains(expected), "{expected}");
        assert!(copilot.contains("PreToolUse is refused, every time\n"));
    }
}

#[test]
fn what_is_lost_on_a_host_is_said() {
    let plugin = Plugin::new("demo")
        .sh(json!({"id": "config", "event": "ConfigChange"}), ":")
        .sh(
            json!({"id": "notebook", "event": "PreToolUse", "matcher": "NotebookEdit"}),
            ":",
        )
        .sh(json!({"id": "stop", "event": "Stop"}), ":");
    let report = check(&plugin, &["--json"]).json();
    let lost = |name: &str| -> Vec<String> {
        let hosts = report["hosts"].as_array().unwrap().iter();
        let host = hosts.clone().find(|host| host["host"] == name).unwrap();
        let lost = host["lost"].as_array().unwrap().iter();
        lost.map(|one| one.as_str().unwrap().to_owned()).collect()
    };
    assert!(lost("claude-code").is_empty(), "{:?}", lost("claude-code"));
    let copilot = lost("copilot-cli").join("\n");
    for one in [
        "hook `config`: there is no ConfigChange",
        "hook `notebook`: none of its tools exists there",
        "on Stop: context goes nowhere",
    ] {
        assert!(copilot.contains(one), "{one} in {copilot}");
    }
    assert_eq!(report["schema"], 1);
}

/// As `hookkit test` shows it. The controls are the same hook for the host whose file is read, and a
/// plugin in which another hook has the file start the dispatcher.
#[test]
fn a_hook_that_the_file_of_a_host_does_not_start_is_said() {
    let on = |plugin: &Plugin, name: &str| -> (bool, String) {
        let report = check(plugin, &["--json"]).json();
        let hosts = report["hosts"].as_array().unwrap();
        let host = hosts.iter().find(|host| host["host"] == name).unwrap();
        let starts = !host["starts"].as_array().unwrap().is_empty();
        (starts, host["lost"].to_string())
    };
    let meant_for = |hosts: Value| {
        Plugin::new("demo").sh(json!({"id": "gate", "event": "Stop", "hosts": hosts}), ":")
    };
    let is_said = "hook `gate`: Stop does not start it";
    for (host, told) in [
        ("copilot-cloud", "copilot-cli"),
        ("vscode-copilot", "copilot-cli"),
        ("vscode-local", "claude-code"),
    ] {
        let alone = meant_for(json!([host]));
        let (starts, lost) = on(&alone, host);
        assert!(!starts && lost.contains(is_said), "{host}: {lost}");
        assert!(
            lost.contains(&format!("`hosts` must name {told} too")),
            "{lost}"
        );
        let out = check(&alone, &[]).out();
        let joined = out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            joined.contains(&format!("starts nothing lost there: {is_said}")),
            "{out}"
        );

        let (starts, lost) = on(&meant_for(json!([host, told])), host);
        assert!(starts && !lost.contains(is_said), "{host}: {lost}");
    }
    // Where the payload tells them apart, it is enough that another hook has the dispatcher started.
    let beside = |hosts: Value, told: &str| {
        meant_for(hosts).sh(
            json!({"id": "other", "event": "Stop", "hosts": [told]}),
            ":",
        )
    };
    let (_, lost) = on(
        &beside(json!(["vscode-local"]), "claude-code"),
        "vscode-local",
    );
    assert!(!lost.contains(is_said), "{lost}");
    let (starts, lost) = on(
        &beside(json!(["copilot-cloud"]), "copilot-cli"),
        "copilot-cloud",
    );
    assert!(starts && lost.contains(is_said), "{lost}");
}

#[test]
fn events_modes_and_matchers_that_mislead_are_named() {
    for (entry, expected) in [
        (json!({"event": "agentStop"}), &["unknown-event"][..]),
        (json!({"event": "PretoolUse"}), &["unknown-event"]),
        (json!({"event": "UserPromptSubmit"}), &["silent-by-default"]),
        (json!({"event": "UserPromptSubmit", "mode": "silent"}), &[]),
        (json!({"event": "SessionStart"}), &[]),
        (
            json!({"event": "SessionStart", "mode": "gate"}),
            &["powerless-gate"],
        ),
        (
            json!({"event": "SessionEnd", "timeout": 120}),
            &["timeout-cut"],
        ),
        (
            json!({"event": "PreToolUse", "timeout": 3000}),
            &["timeout-long"],
        ),
        (
            json!({"event": "Stop", "matcher": "Bash"}),
            &["matcher-ignored"],
        ),
        (
            json!({"event": "PreToolUse", "matcher": "bash"}),
            &["matcher-name"],
        ),
        (
            json!({"event": "PreToolUse", "matcher": "Edit.*"}),
            &["matcher-wide"],
        ),
        (
            json!({"event": "PreToolUse", "matcher": "Bash(git *)"}),
            &["matcher-none"],
        ),
        (
            json!({"event": "PreToolUse", "matcher": ","}),
            &["matcher-empty"],
        ),
        (json!({"event": "PreToolUse", "matcher": "Bash|Write"}), &[]),
    ] {
        let mut entry = entry;
        entry["id"] = json!("hook");
        let what = entry.to_string();
        let plugin = Plugin::new("demo").sh(entry, ":");
        let mut found = codes(&plugin);
        found.dedup();
        assert_eq!(found, expected, "{what}");
    }
}

#[test]
fn files_that_do_not_start_are_named() {
    let plugin = Plugin::new("demo")
        .hook(json!({"id": "gone", "event": "Stop", "run": ["sh", "./hooks/gone.sh"]}))
        .hook(json!({"id": "folder", "event": "Stop", "run": ["sh", "./hooks"]}))
        .hook(json!({"id": "plain", "event": "Stop", "run": ["./hooks/plain.sh"]}))
        .hook(json!({"id": "crlf", "event": "Stop", "run": ["./hooks/crlf.sh"]}))
        .hook(json!({"id": "crlf-sh", "event": "Stop", "run": ["sh", "./hooks/crlf.sh"]}))
        .hook(json!({"id": "mark", "event": "Stop", "run": ["./hooks/mark.sh"]}))
        .hook(json!({"id": "bare", "event": "Stop", "run": ["./hooks/bare.sh"]}))
        .hook(json!({"id": "left", "event": "Stop", "run": ["sh", "./scripts/left.sh"]}))
        .hook(json!({"id": "link", "event": "Stop", "run": ["sh", "./hooks/link.sh"]}))
        .hook(json!({"id": "ghost", "event": "Stop", "run": ["ghostlang", "x"]}))
        .hook(json!({"id": "fine", "event": "Stop", "run": ["./hooks/fine.sh"]}))
        .file("hooks/plain.sh", "#!/bin/sh\n", 0o644)
        .file("hooks/crlf.sh", "#!/bin/sh\r\n:\r\n", 0o755)
        .file("hooks/mark.sh", "\u{feff}#!/bin/sh\n", 0o755)
        .file("hooks/bare.sh", "echo hello\n", 0o755)
        .file("scripts/left.sh", ":\n", 0o644)
        .file("hooks/fine.sh", "#!/bin/sh\n", 0o755);
    symlink("/etc/hostname", plugin.path().join("hooks/link.sh")).unwrap();
    let found = findings(&plugin);
    let of = |hook: &str| -> Vec<(&str, &str)> {
        found
            .iter()
            .filter(|(.., name)| name.as_deref() == Some(hook))
            .map(|(level, code, ..)| (&**level, &**code))
            .collect()
    };
    for (hook, expected) in [
        ("gone", &[("error", "file-missing")][..]),
        ("folder", &[("error", "file-missing")]),
        ("plain", &[("error", "not-executable")]),
        ("crlf", &[("error", "file-start")]),
        ("crlf-sh", &[("error", "file-start")]),
        ("mark", &[("error", "file-start")]),
        ("bare", &[("error", "file-start")]),
        ("left", &[("error", "file-left")]),
        ("link", &[("error", "file-outside")]),
        ("ghost", &[("warning", "program-missing")]),
        ("fine", &[]),
    ] {
        assert_eq!(of(hook), expected, "{hook}");
    }
}

/// A program that this machine does not have is somebody else's to install.
#[test]
fn a_missing_interpreter_is_a_warning() {
    let plugin = Plugin::new("demo")
        .hook(json!({"id": "a", "event": "Stop", "run": ["ghostlang", "./hooks/a"]}))
        .file("hooks/a", "", 0o644);
    let ran = check(&plugin, &[]);
    assert!(ran.exited(0));
    let said = ran.out().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("warning: hook `a`: cannot start on this machine: no `ghostlang`"));
}

#[test]
fn a_need_that_is_not_read_is_named() {
    let plugin = plugin().with("needs", json!({"python": "3.9", "node": ">=18"}));
    assert_eq!(codes(&plugin), ["needs"]);
}

#[test]
fn versions_that_differ_are_named() {
    let plugin = plugin().file("plugin.json", r#"{"version":"0.2.0"}"#, 0o644);
    assert_eq!(codes(&plugin), ["version-differs"]);
    let same = plugin.file("plugin.json", r#"{"version":"0.1.0"}"#, 0o644);
    assert!(codes(&same).is_empty());
}

#[test]
fn what_directories_want_is_a_note() {
    let bare = check(&plugin(), &["-v"]);
    assert!(bare.exited(0));
    for word in ["no README", "no LICENSE", "`author` is missing"] {
        assert!(bare.out().contains(word), "{word}");
    }
    assert!(!check(&plugin(), &[]).out().contains("no README"));
    let readme = "word ".repeat(40);
    let full = plugin()
        .with("author", json!("Somebody"))
        .file("README.md", readme, 0o644)
        .file("LICENSE", "MIT", 0o644);
    assert!(!check(&full, &["-v"]).out().contains(": note: "));
}

#[test]
fn the_schema_is_a_document_of_its_own() {
    let schema = check(&plugin(), &["--schema"]).json();
    assert_eq!(schema["properties"]["schema"]["const"], 1);
    let run = &schema["properties"]["hooks"]["items"]["properties"]["run"];
    assert_eq!(run["$ref"], "#/$defs/command");
}

/// The tree that a build makes is a plugin again, and as sound.
#[test]
fn a_built_tree_is_sound_too() {
    let tree = plugin().build();
    let ran = hookkit(&tree.path(), ["check"]).run();
    assert!(ran.exited(0));
    assert!(ran.out().contains("is sound"));
    assert!(
        fs::read_to_string(tree.path().join("hookkit.json"))
            .unwrap()
            .contains("\"dispatch\"")
    );
}

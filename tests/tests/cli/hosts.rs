//! `hookkit test` on each host.

use std::collections::BTreeMap;

use hookkit_tests::Plugin;
use serde_json::{Value, json};

use crate::test::test;
use crate::{plugin, settled};

/// The last trial on each host.
fn trials(plugin: &Plugin, words: &[&str]) -> BTreeMap<String, Value> {
    let report = test(plugin, &[words, &["--json"]].concat()).json();
    let trials = report["trials"].as_array().unwrap().iter();
    trials
        .map(|trial| (trial["host"].as_str().unwrap().to_owned(), trial.clone()))
        .collect()
}

/// What is sent in each host's own words, and told in the form that its registration leads to.
#[test]
fn all_six_hosts_are_played_by_what_they_read() {
    let script = |says: &str| {
        let entry = json!({"id": "gate", "event": "PreToolUse", "matcher": "Edit"});
        Plugin::new("demo").sh(entry, says)
    };
    let nested = r#""hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}"#;
    let root = r#""permissionDecision":"deny","permissionDecisionReason":"no""#;
    let refusing = script("echo no >&2; exit 2");
    let refused = trials(&refusing, &["--all-hosts"]);
    let passed = trials(&script(":"), &["--all-hosts"]);
    let expected = [
        (
            "claude-code",
            "hooks/hooks.json",
            "claude-code",
            "/tool_input/file_path",
            nested.to_owned(),
        ),
        (
            "copilot-cli",
            "hooks/copilot.json",
            "copilot-cli",
            "/tool_input/path",
            root.to_owned(),
        ),
        (
            "copilot-cloud",
            ".github/hooks/demo.json",
            "auto",
            "/toolArgs/path",
            format!("{root},{nested}"),
        ),
        (
            "vscode-copilot",
            "hooks/copilot.json",
            "copilot-cli",
            "/tool_input/path",
            root.to_owned(),
        ),
        (
            "vscode-local",
            "hooks/hooks.json",
            "claude-code",
            "/tool_input/filePath",
            nested.to_owned(),
        ),
        (
            "codex",
            "hooks/codex.json",
            "codex",
            "/tool_input/command",
            nested.to_owned(),
        ),
    ];
    assert_eq!(refused.len(), expected.len());
    for (host, file, named, argument, told) in expected {
        let trial = &refused[host];
        assert_eq!(
            trial["registration"],
            json!({"file": file, "host": named}),
            "{host}"
        );
        let sent = trial["sent"].pointer(argument).and_then(Value::as_str);
        let wanted = if host == "codex" {
            "*** Update File: "
        } else {
            "/.claude/settings.json"
        };
        assert!(
            sent.is_some_and(|sent| sent.contains(wanted)),
            "{host}: {}",
            trial["sent"]
        );
        let dispatched = &trial["dispatches"][0];
        assert_eq!(
            dispatched["reply"]["stdout"],
            format!("{{{told}}}\n"),
            "{host}"
        );
        assert!(
            dispatched["hooks"][0]["saw"]
                .as_str()
                .unwrap()
                .ends_with(".claude/settings.json"),
            "{host}"
        );
        // The control: what no hook refuses is told to nobody.
        let reply = &passed[host]["dispatches"][0]["reply"];
        assert_eq!(
            (&reply["stdout"], &reply["exit_code"]),
            (&json!(""), &json!(0)),
            "{host}"
        );
    }
}

#[test]
fn whose_registration_is_read_is_said() {
    let text = settled(&test(&plugin(), &["--all-hosts"])).join("\n");
    for line in [
        "copilot-cloud is started by .github/hooks/demo.json, which says --host auto; not seen live",
        "vscode-copilot is started by hooks/copilot.json, which says --host copilot-cli; not seen live",
        "vscode-local is started by hooks/hooks.json, which says --host claude-code; not seen live",
    ] {
        assert!(text.contains(line), "{line}");
    }
    assert!(!text.contains("codex is started by"));
}

#[test]
fn what_a_host_does_not_have_is_said_and_never_passes() {
    let entry = json!({"id": "gate", "event": "PermissionRequest", "matcher": "Bash"});
    let plugin = Plugin::new("demo").sh(entry, ":");
    let on = trials(&plugin, &["--all-hosts"]);
    for (host, trial) in &on {
        let is_absent = matches!(&**host, "copilot-cloud" | "vscode-local");
        let why = is_absent.then_some("there is no PermissionRequest");
        assert_eq!(trial["absent"], json!(why), "{host}");
        assert_eq!(trial["sent"].is_null(), is_absent, "{host}");
        let starts = trial["dispatches"].as_array().unwrap().len();
        assert_eq!(starts, usize::from(!is_absent), "{host}");
    }
    let text = settled(&test(&plugin, &["--all-hosts"])).join(" ");
    for host in ["copilot-cloud", "vscode-local"] {
        let line = format!("{host} does not happen: there is no PermissionRequest");
        assert!(text.contains(&line), "{text}");
    }
    assert!(
        text.contains("; none on copilot-cloud, vscode-local"),
        "{text}"
    );
    let alone = test(&plugin, &["--host", "vscode-local"]);
    assert!(alone.out().contains("not tried: gate on PermissionRequest"));
    assert!(alone.out().contains("nothing was run") && !alone.out().contains("no problems"));
}

/// Whom a hook is for is decided by the file that starts it, and by what the payload says then.
#[test]
fn a_hook_for_some_hosts_runs_where_their_registration_is_read() {
    let runs = |hosts: Value| -> Vec<String> {
        let entry = json!({"id": "gate", "event": "Stop", "hosts": hosts});
        let plugin = Plugin::new("demo").sh(entry, ":");
        let trials = trials(&plugin, &["--all-hosts"]).into_iter();
        trials
            .filter(|(_, trial)| trial["dispatches"][0]["hooks"][0]["id"] == "gate")
            .map(|(host, _)| host)
            .collect()
    };
    assert_eq!(
        runs(json!(["copilot-cli"])),
        ["copilot-cli", "copilot-cloud", "vscode-copilot"]
    );
    assert_eq!(runs(json!(["codex"])), ["codex"]);
    assert_eq!(
        runs(json!(["claude-code", "vscode-local"])),
        ["claude-code", "vscode-local"]
    );
    let none: [&str; 0] = [];
    assert_eq!(runs(json!(["copilot-cloud"])), none);
}

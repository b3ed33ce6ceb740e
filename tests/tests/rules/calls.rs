//! Which calls are judged, and by what.

use std::path::Path;
use std::time::Duration;

use hookkit_tests::process::Program;
use hookkit_tests::{Plugin, payload};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{HOSTS, on};

fn gate(entry: Value, script: &str) -> Plugin {
    let mut entry = entry;
    entry["id"] = json!("gate");
    entry["event"] = json!("PreToolUse");
    Plugin::new("demo").sh(entry, script)
}

const REFUSES: &str = "echo refused >&2; exit 2";

/// Copilot has to be asked for more than a hook wants: patches come as edits. hookkit matches again.
#[test]
fn a_call_that_a_wider_matcher_let_through_is_matched_again() {
    let plugin = gate(json!({"matcher": "Write"}), REFUSES);
    let registered = plugin.build();
    let file = registered.path().join("hooks/copilot.json");
    let file: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    assert_eq!(file["hooks"]["PreToolUse"][0]["matcher"], "Write|Edit");
    let call = |tool: &str, input: Value| {
        plugin
            .dispatch(["--host", "copilot-cli"])
            .stdin(payload::copilot::pre_tool_use(tool, input))
            .run()
    };
    call("Edit", json!({"path": "a", "old_str": "x", "new_str": "y"})).assert_silent();
    call("Write", json!({"path": "a", "file_text": "x"})).assert_denies("refused");
    call(
        "Edit",
        json!("*** Begin Patch\n*** Add File: a\n+x\n*** End Patch\n"),
    )
    .assert_denies("refused");
}

/// A hook may look at the call itself as well; that it is asked proves nothing about matchers.
#[test]
fn a_hook_without_a_matcher_sees_every_call_and_may_choose() {
    let plugin = gate(
        json!({}),
        "case $(cat) in *forbidden*) echo refused >&2; exit 2 ;; esac",
    );
    for host in HOSTS {
        let call = |word: &str| {
            plugin
                .dispatch(["--host", host])
                .stdin(payload::claude::pre_tool_use(
                    "Bash",
                    json!({"command": word}),
                ))
                .run()
        };
        call("forbidden").assert_denies("refused");
        call("fine").assert_silent();
    }
}

/// A general-purpose agent may start and end without a word to hooks, and an event may come without the agent's name.
#[test]
fn no_call_is_judged_by_what_is_known_of_subagents() {
    let plugin = Plugin::new("demo")
        .sh(json!({"id": "gate", "event": "PreToolUse"}), REFUSES)
        .sh(
            json!({"id": "starts", "event": "SubagentStart", "matcher": "explore"}),
            "echo explored",
        )
        .sh(
            json!({"id": "stops", "event": "SubagentStop", "matcher": "explore"}),
            "echo unfinished >&2; exit 2",
        );
    let copilot = |event: &str, fields: Value| {
        plugin
            .dispatch(["--host", "copilot-cli", "--event", event])
            .stdin(payload::copilot::event(event, fields))
            .run()
    };
    let call = || {
        copilot(
            "PreToolUse",
            json!({"tool_name": "Bash", "tool_input": {"command": "ls"}}),
        )
        .out()
    };
    let before = call();
    copilot("SubagentStart", json!({"agent_type": "general-purpose"})).assert_silent();
    let after_start = call();
    copilot(
        "SubagentStop",
        json!({"agent_type": "general-purpose", "stop_reason": "end_turn", "stop_hook_active": false}),
    )
    .assert_silent();
    assert_eq!([&after_start, &call()], [&before; 2]);
    // Without a name an observer is not meant; a gate must not be inert.
    copilot("SubagentStart", json!({})).assert_silent();
    copilot(
        "SubagentStop",
        json!({"stop_reason": "end_turn", "stop_hook_active": false}),
    )
    .assert_denies("unfinished");
    let named = copilot("SubagentStart", json!({"agent_type": "explore"}));
    assert_eq!(named.json(), json!({"additionalContext": "explored"}));
}

#[test]
fn a_call_that_cannot_be_looked_into_stops_at_gates_and_an_unknown_tool_does_not() {
    let gates_everything = gate(json!({}), "cat >/dev/null");
    for (host, tool) in [
        ("claude-code", "Bash"),
        ("claude-code", "Write"),
        ("claude-code", "Edit"),
        ("claude-code", "NotebookEdit"),
        ("copilot-cli", "bash"),
        ("copilot-cli", "create"),
        ("copilot-cli", "edit"),
    ] {
        let call = |tool: &str| {
            gates_everything
                .dispatch(["--host", host])
                .stdin(payload::claude::pre_tool_use(tool, json!({})))
                .run()
        };
        call(tool).assert_denies("cannot judge this call");
        call("mcp__weather__today").assert_silent();
        call("Conjure").assert_silent();
    }
    // After the call there is nothing to judge any more.
    let observer = Plugin::new("demo").sh(json!({"id": "o", "event": "PostToolUse"}), "true");
    observer
        .dispatch(["--host", "claude-code"])
        .stdin(payload::claude::post_tool_use("Bash", json!({}), json!({})))
        .run()
        .assert_silent();
}

/// Transcripts are no interface: whoever opens this one waits for ever.
#[test]
fn the_transcript_is_never_opened() {
    let folder = TempDir::new().unwrap();
    let transcript = folder.path().join("transcript");
    let made = Program::new("mkfifo").arg(&transcript).run();
    assert!(made.exited(0));
    let mut call = payload::claude::pre_tool_use("Bash", json!({"command": "ls"}));
    call["transcript_path"] = json!(transcript);
    let start = |script: &str| {
        gate(json!({"timeout": 1}), script)
            .dispatch(["--host", "claude-code"])
            .stdin(call.clone())
            .run()
    };
    let ran = start(REFUSES);
    ran.assert_denies("refused");
    assert!(ran.elapsed < Duration::from_millis(900));
    start(&format!("cat '{}'", transcript.display())).assert_denies("did not end within 1 s");
}

#[test]
fn a_hook_is_told_the_plugins_folder_and_runs_in_the_sessions() {
    let plugin = gate(
        json!({}),
        "printf '%s %s\\n' \"$CLAUDE_PLUGIN_ROOT\" \"$(pwd)\" >&2; exit 2",
    );
    let project = plugin.project();
    for host in HOSTS {
        let mut call = payload::claude::pre_tool_use("Bash", json!({"command": "ls"}));
        call["cwd"] = json!(project);
        let ran = plugin.dispatch(["--host", host]).cwd("/").stdin(call).run();
        let told = format!("{} {}", plugin.path().display(), project.display());
        ran.assert_denies(&told);
    }
}

/// Nothing of a group runs when one of its hooks is at fault: not even the hooks that are as they should be.
#[test]
fn no_hook_runs_beside_one_that_is_at_fault() {
    let group = |bad: Option<Value>| {
        let plugin = gate(json!({}), "touch \"$HOOKKIT_PLUGIN_ROOT/ran\"");
        match bad {
            Some(bad) => plugin.hook(bad),
            None => plugin,
        }
    };
    let hook = |changes: &[(&str, Value)]| {
        let mut entry =
            json!({"id": "bad", "event": "PreToolUse", "run": ["sh", "./hooks/gate.sh"]});
        for (key, value) in changes {
            entry[key] = value.clone();
        }
        entry
    };
    for (what, bad) in [
        ("empty", hook(&[("run", json!([]))])),
        ("of no event", hook(&[("event", json!([]))])),
        ("malformed", json!(7)),
        (
            "of another mode",
            hook(&[("mode", json!("observe")), ("required", json!(true))]),
        ),
        ("of an unknown mode", hook(&[("mode", json!("strict"))])),
        ("a duplicate", hook(&[("id", json!("gate"))])),
        (
            "outside",
            hook(&[("run", json!(["sh", "./../hooks/gate.sh"]))]),
        ),
    ] {
        for host in HOSTS {
            let plugin = group(Some(bad.clone()));
            on(&plugin, host, "PreToolUse")
                .run()
                .assert_denies("hookkit.json, line ");
            assert!(!plugin.path().join("ran").exists(), "{what}");
        }
    }
    let plugin = group(None);
    on(&plugin, "claude-code", "PreToolUse")
        .run()
        .assert_silent();
    assert!(plugin.path().join("ran").exists());
}

/// A link is looked at where it ends.
#[test]
fn a_file_that_leaves_the_plugin_by_a_link_is_not_started() {
    let outside = TempDir::new().unwrap();
    let file = outside.path().join("gate.sh");
    std::fs::write(&file, "touch \"$HOOKKIT_PLUGIN_ROOT/ran\"").unwrap();
    let linked = |target: &Path| {
        let plugin = Plugin::new("demo")
            .file("own.sh", "touch \"$HOOKKIT_PLUGIN_ROOT/ran\"", 0o644)
            .hook(json!({"id": "gate", "event": "PreToolUse", "run": ["sh", "./link.sh"]}));
        std::os::unix::fs::symlink(target, plugin.path().join("link.sh")).unwrap();
        let ran = on(&plugin, "claude-code", "PreToolUse").run();
        (ran, plugin.path().join("ran").exists(), plugin)
    };
    let (ran, has_run, _plugin) = linked(&file);
    ran.assert_denies("`gate`");
    assert!(!has_run);
    let (ran, has_run, _plugin) = linked(Path::new("own.sh"));
    ran.assert_silent();
    assert!(has_run);
}

/// The registration of a direct hook may match more than the hook does, as any other.
#[test]
fn a_direct_hook_keeps_to_its_matcher() {
    let plugin = gate(
        json!({"matcher": "^mcp__.*__write$", "mode": "direct"}),
        "echo its own words",
    );
    let told = |tool: &str| {
        plugin
            .dispatch(["--host", "claude-code", "--hook", "gate"])
            .stdin(payload::claude::pre_tool_use(tool, json!({"x": 1})))
            .run()
            .out()
    };
    assert_eq!(told("mcp__files__write"), "its own words\n");
    assert_eq!(told("mcp__files__read"), "");
}

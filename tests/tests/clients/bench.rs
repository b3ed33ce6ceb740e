//! The bench itself: a tree written by hand, with a shell script in the dispatcher's place, does on
//! the real clients what a test expects of hookkit's. A failure here is a fault of the bench or a
//! change of the client, not of hookkit.

use std::os::unix::fs::PermissionsExt;

use fs_err as fs;
use hookkit_tests::client::{Client, Permission};
use hookkit_tests::folder::Folder;
use hookkit_tests::{Tree, Turn};
use serde_json::{Value, json};

use crate::each_client;

each_client!(
    the_installed_version_is_the_pinned_one,
    a_tree_is_enforced_from_settings,
    a_broken_tree_has_faults,
    nobody_is_there_to_ask,
    contexts_reach_the_model,
    a_blocked_stop_makes_one_more_turn;
    but Codex CLI:
    a_tree_is_enforced_from_a_folder,
    a_rewrite_without_a_decision_is_asked_about,
);

/// Answers each event in the form of its host (the first argument).
const SCRIPT: &str = r#"#!/bin/sh
payload=$(cat)
nested() { printf '{"hookSpecificOutput":{"hookEventName":"%s",%s}}' "$2" "$3"; }
root() { printf '{%s}' "$3"; }
case "$1" in copilot-cli) form=root ;; *) form=nested ;; esac
case "$2:$payload" in
PreToolUse:*DENYME*) $form "$1" "$2" '"permissionDecision":"deny","permissionDecisionReason":"the bench says no"' ;;
PreToolUse:*REWRITEME*)
  case "$1" in claude-code) key=updatedInput ;; *) key=modifiedArgs ;; esac
  $form "$1" "$2" "\"$key\":{\"command\":\"touch rewritten\",\"description\":\"d\"}" ;;
PostToolUse:*) $form "$1" "$2" '"additionalContext":"the bench saw a result"' ;;
SessionStart:*) $form "$1" "$2" '"additionalContext":"the bench saw a start"' ;;
Stop:*\"stop_hook_active\":true*) ;;
Stop:*) printf '{"decision":"block","reason":"the bench wants more"}' ;;
esac
"#;

fn tree(events: &[&str]) -> Tree {
    let folder = Folder::new("tree");
    let file = |name: &str, content: &str| {
        let file = folder.join("tree").join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, content).unwrap();
    };
    let json = |name: &str, content: Value| file(name, &content.to_string());
    let plugin = json!({"name": "bench", "version": "0.1.0", "description": "For a test."});
    let entry = json!({"name": "bench", "source": "./", "version": "0.1.0"});
    let marketplace = json!({"name": "bench-market", "owner": {"name": "x"}, "plugins": [entry]});
    let with_hooks = |file: &str| {
        let mut plugin = plugin.clone();
        plugin["hooks"] = json!(file);
        plugin
    };
    json(
        ".github/plugin/plugin.json",
        with_hooks("hooks/copilot.json"),
    );
    json(
        ".codex-plugin/plugin.json",
        with_hooks("./hooks/codex.json"),
    );
    json(".claude-plugin/plugin.json", plugin);
    json(".claude-plugin/marketplace.json", marketplace.clone());
    json(".github/plugin/marketplace.json", marketplace);
    let (mut claude, mut copilot, mut codex) = (json!({}), json!({}), json!({}));
    for event in events {
        claude[event] = json!([{"hooks": [{
            "type": "command", "command": "${CLAUDE_PLUGIN_ROOT}/run", "args": ["claude-code", event], "timeout": 20,
        }]}]);
        copilot[event] = json!([{
            "type": "command", "exec": "${PLUGIN_ROOT}/run", "args": ["copilot-cli", event], "cwd": ".", "timeoutSec": 20,
        }]);
        codex[event] = json!([{"hooks": [{
            "type": "command", "command": format!("\"${{PLUGIN_ROOT}}/run\" codex {event}"), "timeout": 20,
        }]}]);
    }
    json("hooks/hooks.json", json!({"hooks": claude}));
    json("hooks/codex.json", json!({"hooks": codex}));
    json(
        "hooks/copilot.json",
        json!({"version": 1, "hooks": copilot}),
    );
    file("run", SCRIPT);
    let run = folder.join("tree/run");
    fs::set_permissions(run, std::fs::Permissions::from_mode(0o755)).unwrap();
    Tree::in_folder(folder)
}

fn the_installed_version_is_the_pinned_one(client: &dyn Client) {
    let package: Value = serde_json::from_str(include_str!("../../clients/package.json")).unwrap();
    let pinned = package["dependencies"].as_object().unwrap();
    assert!(pinned.values().any(|version| version == client.version()));
    let places = hookkit_tests::client::Places::new();
    let ran = client.program(&places).arg("--version").run();
    assert!(ran.out().contains(client.version()));
}

fn refuses_one_of_two(client: &dyn Client, tree: &Tree, by_folder: bool) {
    let session = client.session().turns([
        client.shell("touch DENYME"),
        client.shell("touch allowed"),
        Turn::text("done"),
    ]);
    let session = if by_folder {
        session.plugin_dir(tree)
    } else {
        session.plugin(tree)
    };
    let seen = session.run();
    assert!(seen.ran.exited(0));
    assert_eq!(seen.model.calls(), 3);
    assert!(!seen.made("DENYME") && seen.made("allowed"));
    assert!(seen.model.results()[0].contains("the bench says no"));
}

fn a_tree_is_enforced_from_settings(client: &dyn Client) {
    let tree = tree(&["PreToolUse"]);
    assert_eq!(client.faults_in(&tree), [""; 0]);
    refuses_one_of_two(client, &tree, false);
    let control = client.session().turns([client.shell("touch DENYME")]).run();
    assert!(control.made("DENYME"));
}

fn a_tree_is_enforced_from_a_folder(client: &dyn Client) {
    refuses_one_of_two(client, &tree(&["PreToolUse"]), true);
}

fn a_broken_tree_has_faults(client: &dyn Client) {
    for broken in [b"{" as &[u8], b"\xef\xbb\xbf{\"hooks\":{}}"] {
        let tree = tree(&["PreToolUse"]);
        for file in ["hooks.json", "copilot.json", "codex.json"] {
            fs::write(tree.path().join("hooks").join(file), broken).unwrap();
        }
        assert_ne!(client.faults_in(&tree), [""; 0]);
    }
}

fn nobody_is_there_to_ask(client: &dyn Client) {
    let seen = client
        .session()
        .permission(Permission::Ask)
        .turns([client.shell("touch original")])
        .run();
    assert!(!seen.made("original"));
    assert_eq!(seen.model.calls(), 2);
}

fn a_rewrite_without_a_decision_is_asked_about(client: &dyn Client) {
    let tree = tree(&["PreToolUse"]);
    let session = || {
        client
            .session()
            .plugin(&tree)
            .turns([client.shell("touch REWRITEME")])
    };
    let seen = session().run();
    assert!(seen.made("rewritten") && !seen.made("REWRITEME"));
    let seen = session().permission(Permission::Ask).run();
    assert!(!seen.made("rewritten") && !seen.made("REWRITEME"));
}

fn contexts_reach_the_model(client: &dyn Client) {
    let tree = tree(&["SessionStart", "PostToolUse"]);
    let seen = client
        .session()
        .plugin(&tree)
        .turns([client.shell("echo hello")])
        .run();
    assert!(seen.model.told("the bench saw a start"));
    assert!(seen.model.told("the bench saw a result"));
}

fn a_blocked_stop_makes_one_more_turn(client: &dyn Client) {
    let turns = || {
        [
            client.shell("echo hello"),
            Turn::text("done"),
            Turn::text("really done"),
        ]
    };
    let seen = client
        .session()
        .plugin(&tree(&["Stop"]))
        .turns(turns())
        .run();
    assert_eq!(seen.model.calls(), 3);
    assert!(seen.model.told("the bench wants more"));
    let control = client.session().turns(turns()).run();
    assert_eq!(control.model.calls(), 2);
}

//! What the hosts are told, value by value.

use fs_err as fs;
use hookkit_tests::{Plugin, Tree};
use serde_json::{Value, json};

fn document(tree: &Tree, file: &str) -> Value {
    serde_json::from_slice(&fs::read(tree.path().join(file)).unwrap()).unwrap()
}

/// A required gate and another on one event, an observer, a pattern, and a direct hook.
fn tree() -> Tree {
    Plugin::new("demo")
        .with("author", json!("Somebody"))
        .with("license", json!("MIT"))
        .sh(
            json!({"id": "gate", "event": "PreToolUse", "matcher": "Bash", "required": true, "timeout": 20}),
            ":",
        )
        .sh(
            json!({"id": "other", "event": "PreToolUse", "matcher": "Write | Bash"}),
            ":",
        )
        .sh(
            json!({"id": "note", "event": "PostToolUse", "matcher": "Write|Read", "timeout": 0.2}),
            ":",
        )
        .sh(
            json!({"id": "pattern", "event": "PostToolUseFailure", "matcher": "^mcp__"}),
            ":",
        )
        .sh(json!({"id": "shown", "event": "MessageDisplay"}), ":")
        .build()
}

fn claude(event: &str, args: &str, timeout: u32) -> Value {
    let args = format!("--host claude-code --event {event} --plugin demo {args}");
    let program = "${CLAUDE_PLUGIN_ROOT}/dispatch/hookkit-dispatch";
    json!({
        "type": "command",
        "command": program,
        "args": args.split(' ').collect::<Vec<_>>(),
        "timeout": timeout,
        "linux": format!("\"{program}\" {args}"),
        "osx": format!("\"{program}\" {args}"),
        "windows": format!("& \"{program}.exe\" {args}; exit $LASTEXITCODE"),
    })
}

#[test]
fn claude_code_is_told_this() {
    let mut required = claude("PreToolUse", "--if-missing deny --deadline 23", 25);
    required["onFailure"] = json!("block");
    let file = document(&tree(), "hooks/hooks.json");
    assert_eq!(
        file["hooks"],
        json!({
            "PreToolUse": [{"matcher": "Bash|Write", "hooks": [required]}],
            "PostToolUse": [{
                "matcher": "Write|Read",
                "hooks": [claude("PostToolUse", "--if-missing allow --deadline 4", 6)],
            }],
            "PostToolUseFailure": [{
                "hooks": [claude("PostToolUseFailure", "--if-missing allow --deadline 13", 15)],
            }],
            "MessageDisplay": [{
                "hooks": [claude("MessageDisplay", "--if-missing allow --deadline 13 --hook shown", 15)],
            }],
        })
    );
}

fn copilot(event: &str, args: &str, timeout: u32, matcher: Option<&str>) -> Value {
    let args = format!("--host copilot-cli --event {event} --plugin demo {args}");
    let mut entry = json!({
        "type": "command",
        "exec": "${PLUGIN_ROOT}/dispatch/hookkit-dispatch",
        "args": args.split(' ').collect::<Vec<_>>(),
        "cwd": ".",
        "timeoutSec": timeout,
    });
    if let Some(matcher) = matcher {
        entry["matcher"] = json!(matcher);
    }
    entry
}

/// A patch arrives as Edit whatever it does, so who guards Write is told of Edit too; and an event
/// that the host does not have is not there.
#[test]
fn copilot_is_told_this() {
    assert_eq!(
        document(&tree(), "hooks/copilot.json"),
        json!({"version": 1, "hooks": {
            "PreToolUse": [
                copilot("PreToolUse", "--if-missing deny --deadline 23", 25, Some("Bash|Write|Edit")),
            ],
            "PostToolUse": [
                copilot("PostToolUse", "--if-missing allow --deadline 4", 6, Some("Write|Read|Edit")),
            ],
            "PostToolUseFailure": [
                copilot("PostToolUseFailure", "--if-missing allow --deadline 13", 15, None),
            ],
        }})
    );
}

#[test]
fn the_plugin_is_described_alike_everywhere() {
    let tree = tree();
    let plugin = json!({
        "name": "demo", "version": "0.1.0", "description": "For a test.",
        "author": {"name": "Somebody"}, "license": "MIT",
    });
    let mut for_copilot = plugin.clone();
    for_copilot["hooks"] = json!("hooks/copilot.json");
    let marketplace = json!({
        "name": "demo",
        "owner": {"name": "Somebody"},
        "metadata": {"description": "For a test."},
        "plugins": [{
            "name": "demo", "source": "./", "description": "For a test.", "version": "0.1.0",
        }],
    });
    for (file, expected) in [
        (".claude-plugin/plugin.json", &plugin),
        (".github/plugin/plugin.json", &for_copilot),
        (".claude-plugin/marketplace.json", &marketplace),
        (".github/plugin/marketplace.json", &marketplace),
    ] {
        assert_eq!(document(&tree, file), *expected, "{file}");
    }
    assert_eq!(document(&tree, "hookkit.json")["version"], "0.1.0");
}

/// The controls: without a required gate nothing is denied for want of a dispatcher, and an event
/// that matchers do not narrow has none, rather than an empty one, which Copilot drops.
#[test]
fn nothing_is_told_that_the_manifest_does_not_say() {
    let tree = Plugin::new("demo")
        .sh(
            json!({"id": "a", "event": "PreToolUse", "matcher": "Bash"}),
            ":",
        )
        .sh(
            json!({"id": "b", "event": "PreToolUse", "matcher": ""}),
            ":",
        )
        .build();
    for file in ["hooks/hooks.json", "hooks/copilot.json"] {
        let text = fs::read_to_string(tree.path().join(file)).unwrap();
        for word in ["onFailure", "deny", "matcher"] {
            assert!(!text.contains(word), "{file} has {word}");
        }
    }
}

/// Hosts and shells read these files with whatever encoding they believe in.
#[test]
fn every_generated_file_is_plain() {
    let tree = Plugin::new("demo")
        .with("description", json!("\u{e9} \u{1f600} \"quoted\"\n"))
        .sh(json!({"id": "a", "event": "Stop"}), ":")
        .build();
    for file in [
        ".claude-plugin/plugin.json",
        ".claude-plugin/marketplace.json",
        ".github/plugin/plugin.json",
        ".github/plugin/marketplace.json",
        "hooks/hooks.json",
        "hooks/copilot.json",
        "dispatch/hookkit-dispatch",
        ".gitattributes",
    ] {
        let text = fs::read_to_string(tree.path().join(file)).unwrap();
        assert!(text.is_ascii() && !text.contains('\r'), "{file}");
        assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "{file}");
    }
    let described = document(&tree, ".claude-plugin/plugin.json");
    assert_eq!(described["description"], "\u{e9} \u{1f600} \"quoted\"\n");
}

//! What stands in a portable tree.

use std::collections::BTreeSet;
use std::path::Path;

use fs_err as fs;
use hookkit_tests::folder::Folder;
use hookkit_tests::process::Program;
use hookkit_tests::{Plugin, Ran, Tree, program};
use serde_json::{Value, json};

/// A plugin on events of many kinds.
fn plugin() -> Plugin {
    [
        "PreToolUse",
        "PostToolUse",
        "Stop",
        "SubagentStop",
        "SessionStart",
        "SessionEnd",
        "UserPromptSubmit",
        "PreCompact",
        "PermissionRequest",
    ]
    .into_iter()
    .fold(Plugin::new("demo"), |plugin, event| {
        plugin.sh(
            json!({"id": event.to_lowercase(), "event": event}),
            "echo no >&2; exit 2",
        )
    })
}

fn document(tree: &Tree, file: &str) -> Value {
    serde_json::from_slice(&fs::read(tree.path().join(file)).unwrap()).unwrap()
}

fn keys(object: &Value) -> BTreeSet<String> {
    object.as_object().unwrap().keys().cloned().collect()
}

/// Claude Code's handlers and Copilot's entries of an event.
fn claudes<'t>(file: &'t Value, event: &str) -> &'t Value {
    &file["hooks"][event][0]["hooks"][0]
}

fn copilots<'t>(file: &'t Value, event: &str) -> &'t Value {
    &file["hooks"][event][0]
}

#[test]
fn both_hosts_are_told_the_same_events_and_one_program() {
    let tree = plugin().build();
    let claude = document(&tree, "hooks/hooks.json");
    let copilot = document(&tree, "hooks/copilot.json");
    assert_eq!(keys(&claude["hooks"]), keys(&copilot["hooks"]));
    assert_eq!(keys(&claude["hooks"]).len(), 9);
    for event in keys(&claude["hooks"]) {
        let claude = claudes(&claude, &event);
        let copilot = copilots(&copilot, &event);
        assert_eq!(
            claude["command"],
            "${CLAUDE_PLUGIN_ROOT}/dispatch/hookkit-dispatch"
        );
        assert_eq!(copilot["exec"], "${PLUGIN_ROOT}/dispatch/hookkit-dispatch");
        assert_eq!(claude["timeout"], copilot["timeoutSec"]);
        let arguments = |entry: &Value| entry["args"].as_array().unwrap()[2..].to_vec();
        assert_eq!(arguments(claude), arguments(copilot), "all but the host");
        assert!(arguments(claude).contains(&json!(event)));
    }
}

/// Only command entries: what HTTP and prompt hooks may do differs too much, and no cloud runs them.
#[test]
fn every_entry_is_a_command_in_the_hosts_own_form() {
    let tree = plugin().build();
    let copilot = document(&tree, "hooks/copilot.json");
    assert_eq!(copilot["version"], 1);
    let known = ["type", "exec", "args", "cwd", "timeoutSec", "matcher"];
    for event in keys(&copilot["hooks"]) {
        let entry = copilots(&copilot, &event);
        assert_eq!(entry["type"], "command");
        assert_eq!(entry["cwd"], ".", "the project, which does not move");
        assert!(keys(entry).iter().all(|key| known.contains(&key.as_str())));
    }
    let claude = document(&tree, "hooks/hooks.json");
    for event in keys(&claude["hooks"]) {
        assert_eq!(claudes(&claude, &event)["type"], "command");
    }
}

/// Keys in PascalCase make Copilot send Claude's member names, and no event is told as another.
#[test]
fn events_keep_their_case_and_their_meaning() {
    let tree = plugin().build();
    for file in ["hooks/hooks.json", "hooks/copilot.json"] {
        let file = document(&tree, file);
        for event in keys(&file["hooks"]) {
            assert!(event.starts_with(|first: char| first.is_ascii_uppercase()));
        }
        assert!(keys(&file["hooks"]).contains("PreCompact"));
    }
    for (registered, other) in [("Stop", "SessionEnd"), ("SessionEnd", "Stop")] {
        let entry = json!({"id": "end", "event": registered});
        let tree = Plugin::new("demo").sh(entry, "exit 0").build();
        for file in ["hooks/hooks.json", "hooks/copilot.json"] {
            let file = document(&tree, file);
            assert_eq!(
                keys(&file["hooks"]),
                BTreeSet::from([registered.to_owned()])
            );
            assert!(!file.to_string().contains(other));
        }
    }
}

#[test]
fn every_manifest_has_the_plugins_version() {
    let versions = |plugin: &Plugin| -> Vec<Value> {
        let tree = plugin.build();
        let mut versions = vec![document(&tree, "hookkit.json")["version"].clone()];
        for folder in [".claude-plugin", ".github/plugin"] {
            versions.push(document(&tree, &format!("{folder}/plugin.json"))["version"].clone());
            let market = document(&tree, &format!("{folder}/marketplace.json"));
            versions.push(market["plugins"][0]["version"].clone());
        }
        versions
    };
    let plugin = plugin();
    assert_eq!(versions(&plugin), vec!["0.1.0"; 5]);
    assert_eq!(
        versions(&plugin.with("version", json!("0.2.0"))),
        vec!["0.2.0"; 5]
    );
}

/// Settings and skills of the author's own repository are not the plugin's.
#[test]
fn nothing_of_the_authors_own_setup_goes_into_the_tree() {
    let hook = json!({"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "own-setup"}]}]}});
    let plugin = plugin()
        .file(".claude/settings.json", hook.to_string(), 0o644)
        .file(".github/hooks/own.json", hook.to_string(), 0o644)
        .file(".github/skills/own/SKILL.md", "own-setup", 0o644)
        .file("hooks/other.sh", "own-hook", 0o644);
    let tree = plugin.build();
    let files = files_below(&tree.path());
    assert!(files.contains("hooks/other.sh"));
    let generated = [
        ".claude-plugin/marketplace.json",
        ".claude-plugin/plugin.json",
        ".gitattributes",
        ".github/plugin/marketplace.json",
        ".github/plugin/plugin.json",
        "hooks/copilot.json",
        "hooks/hooks.json",
    ];
    for file in &files {
        assert!(
            generated.contains(&file.as_str())
                || file == "hookkit.json"
                || file.starts_with(".codex-plugin/")
                || file.starts_with("hooks/")
                || file.starts_with("dispatch/"),
            "{file}"
        );
        let text = fs::read(tree.path().join(file)).unwrap();
        assert!(
            !String::from_utf8_lossy(&text).contains("own-setup"),
            "{file}"
        );
    }
}

fn files_below(folder: &Path) -> BTreeSet<String> {
    let mut files = BTreeSet::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let inner = path.strip_prefix(folder).unwrap();
                files.insert(inner.to_str().unwrap().to_owned());
            }
        }
    }
    files
}

/// Nobody's permission is asked for in place of the user unless an author wrote it.
#[test]
fn the_example_registers_no_permission_policy() {
    let tree = Tree::build(&program::repository().join("examples/guard-rails"));
    for file in ["hooks/hooks.json", "hooks/copilot.json"] {
        assert!(!keys(&document(&tree, file)["hooks"]).contains("PermissionRequest"));
    }
}

fn build(plugin: &Plugin, out: &Path, arguments: &[&str]) -> Ran {
    let home = Folder::new("home");
    Program::new(program::hookkit())
        .arg("build")
        .arg(plugin.path())
        .arg("--dispatcher")
        .arg(program::dispatcher())
        .arg("--out")
        .arg(out)
        .args(arguments)
        .env("HOME", &*home)
        .run()
}

#[test]
fn a_tree_that_was_changed_by_hand_is_noticed() {
    let plugin = plugin();
    let folder = Folder::new("tree");
    let tree = folder.join("tree");
    assert!(build(&plugin, &tree, &[]).exited(0));
    let check = || build(&plugin, &tree, &["--check"]);
    assert!(check().exited(0));
    for file in [
        "hooks/hooks.json",
        "hooks/copilot.json",
        ".github/plugin/plugin.json",
        "hooks/stop.sh",
        "dispatch/hookkit-dispatch",
    ] {
        let before = fs::read(tree.join(file)).unwrap();
        fs::write(tree.join(file), [&before[..], b"\n"].concat()).unwrap();
        let ran = check();
        assert!(ran.exited(1), "{file}");
        assert!(ran.out().contains(file), "{}", ran.out());
        fs::remove_file(tree.join(file)).unwrap();
        assert!(check().exited(1), "{file}");
        assert!(build(&plugin, &tree, &[]).exited(0));
    }
    fs::write(tree.join("hooks/extra.sh"), "").unwrap();
    assert!(check().exited(1));
    assert!(build(&plugin, &tree, &[]).exited(0));
    assert!(check().exited(0));
    assert!(!tree.join("hooks/extra.sh").exists(), "an old file is gone");
}

/// A folder is replaced or cleared only when it is known to be an earlier build.
#[test]
fn a_folder_that_no_build_made_is_left_alone() {
    let folder = Folder::new("tree");
    let notes = folder.join("notes");
    fs::create_dir(&notes).unwrap();
    fs::write(notes.join("diary.txt"), "dear diary").unwrap();
    let ran = build(&plugin(), &notes, &[]);
    assert!(ran.exited(3));
    assert_eq!(
        files_below(&notes),
        BTreeSet::from(["diary.txt".to_owned()])
    );
}

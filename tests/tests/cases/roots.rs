//! Which plugin is served.

use hookkit_tests::process::Program;
use hookkit_tests::{Plugin, program};
use serde_json::json;
use tempfile::TempDir;

use crate::{GIT_STATUS, claude, one};

/// A plugin whose gate refuses with these words.
fn refusing(words: &str) -> Plugin {
    one("PreToolUse", &format!("echo {words} >&2; exit 2"))
}

/// A dispatcher that stands in this plugin, started as a host does.
fn inside(plugin: &Plugin) -> Program {
    let file = plugin.path().join("dispatch/hookkit-dispatch");
    Program::new(program::dispatcher_at(&file))
        .args(["--host", "claude-code", "--event", "PreToolUse"])
        .cwd(plugin.project())
        .stdin_bytes(GIT_STATUS)
}

#[test]
fn hb_root_01_no_variable_is_needed() {
    let plugin = refusing("mine");
    inside(&plugin).run().assert_denies("mine");
    std::fs::remove_file(plugin.path().join("hookkit.json")).unwrap();
    let ran = inside(&plugin).run();
    ran.assert_silent();
    assert!(ran.err().contains("is not enforced"), "{}", ran.err());
}

#[test]
fn hb_root_02_a_literal_placeholder_is_no_root() {
    let plugin = refusing("mine");
    for literal in [
        "${CLAUDE_PLUGIN_ROOT}",
        "$env:CLAUDE_PLUGIN_ROOT",
        "%CLAUDE_PLUGIN_ROOT%",
    ] {
        inside(&plugin)
            .env("CLAUDE_PLUGIN_ROOT", literal)
            .run()
            .assert_denies("mine");
        assert!(!plugin.project().join(literal).exists());
        let alone = TempDir::new().unwrap();
        let on_path = program::dispatcher_at(&alone.path().join("hookkit-dispatch"));
        let start = |value: &std::ffi::OsStr| {
            Program::new(&on_path)
                .args(["--host", "claude-code", "--event", "PreToolUse"])
                .cwd(plugin.project())
                .env("CLAUDE_PLUGIN_ROOT", value)
                .stdin_bytes(GIT_STATUS)
                .run()
        };
        let ran = start(literal.as_ref());
        ran.assert_silent();
        assert!(ran.err().contains("no absolute path"), "{}", ran.err());
        start(plugin.path().as_os_str()).assert_denies("mine");
    }
}

#[test]
fn hb_root_07_files_of_a_hook_are_the_plugins_whatever_the_folder() {
    let plugin = Plugin::new("demo")
        .file("hooks/g.sh", "echo plugin >&2; pwd >&2; exit 2", 0o644)
        .hook(json!({"id": "guard", "event": "PreToolUse", "run": ["sh", "./hooks/g.sh"]}));
    let project = plugin.project();
    std::fs::create_dir(project.join("hooks")).unwrap();
    std::fs::write(project.join("hooks/g.sh"), "echo project >&2; exit 2").unwrap();
    let payload = |cwd: &str| GIT_STATUS.replace("/work/app", cwd);
    let here = project.to_str().unwrap();
    let ran = claude(&plugin, "PreToolUse", payload(here)).run();
    ran.assert_denies("plugin");
    assert!(ran.reason().contains(here), "runs in the session's folder");
    // The file of the project would have been found: it is a hook as good as the other.
    let other = plugin.with("name", json!("other"));
    std::fs::copy(project.join("hooks/g.sh"), other.path().join("hooks/g.sh")).unwrap();
    claude(&other, "PreToolUse", payload(here))
        .run()
        .assert_denies("project");
}

#[test]
fn hb_root_10_an_empty_root_is_no_root() {
    let plugin = refusing("mine");
    let start = |root: &std::ffi::OsStr| {
        Program::new(program::dispatcher())
            .args(["--host", "claude-code", "--event", "PreToolUse"])
            .arg("--plugin-root")
            .arg(root)
            .cwd(plugin.path())
            .stdin_bytes(GIT_STATUS)
            .run()
    };
    // What an unset variable leaves on a command line must not mean the folder that happens to be the current one.
    for nothing in ["", ".", "./"] {
        let ran = start(nothing.as_ref());
        ran.assert_silent();
        assert!(ran.err().contains("is not enforced"), "{}", ran.err());
    }
    start(plugin.path().as_os_str()).assert_denies("mine");
}

#[test]
fn hb_root_11_the_install_record_chooses_the_version() {
    let data = TempDir::new().unwrap();
    let dispatcher = program::dispatcher_at(&data.path().join("bin/hookkit-dispatch"));
    for version in ["0.9.0", "0.10.0", "unknown"] {
        let folder = data.path().join("store/demo").join(version);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("g.sh"), format!("echo {version} >&2; exit 2")).unwrap();
        let hook = json!({"id": "guard", "event": "PreToolUse", "run": ["sh", "./g.sh"]});
        let manifest = json!({"schema": 1, "name": "demo", "version": "1.0.0", "hooks": [hook]});
        std::fs::write(folder.join("hookkit.json"), manifest.to_string()).unwrap();
    }
    std::fs::create_dir(data.path().join("receipts")).unwrap();
    for version in ["0.10.0", "0.9.0", "unknown"] {
        let receipt = json!({"state": "installed", "version": version});
        std::fs::write(data.path().join("receipts/demo"), receipt.to_string()).unwrap();
        let ran = Program::new(&dispatcher)
            .args([
                "--host",
                "claude-code",
                "--event",
                "PreToolUse",
                "--plugin",
                "demo",
            ])
            .stdin_bytes(GIT_STATUS)
            .run();
        ran.assert_denies(version);
    }
}

#[test]
fn hb_root_13_two_plugins_with_the_same_hooks_both_run() {
    let plugins = [refusing("one"), refusing("two")];
    let [first, second] = plugins
        .each_ref()
        .map(|plugin| std::fs::read(plugin.path().join("hookkit.json")).unwrap());
    assert_eq!(first, second, "the manifests are the same");
    for (plugin, words, other) in [(&plugins[0], "one", "two"), (&plugins[1], "two", "one")] {
        let ran = inside(plugin).run();
        ran.assert_denies(words);
        assert!(!ran.reason().contains(other));
    }
}

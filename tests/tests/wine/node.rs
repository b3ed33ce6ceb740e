//! Node's way of starting programs, which Claude Code's runtime copies.

use fs_err as fs;
use hookkit_tests::Tree;
use hookkit_tests::foreign::{Wine, node_for_windows};
use serde_json::{Value, json};

use crate::launches::told;
use crate::{Windows, call, windows};

/// Starts a program without a shell, and writes down what came of it: this Node ends at once when
/// its own stdout is a pipe.
const PARENT: &str = r#"
const fs = require("fs");
const [command, input, out, ...args] = process.argv.slice(2);
const ran = require("child_process").spawnSync(command, args, { input: fs.readFileSync(input) });
const { status, stdout, error } = ran;
fs.writeFileSync(out, JSON.stringify({ status, stdout: `${stdout}`, error: error && error.code }));
"#;

fn start(windows: &Windows, tree: &Tree, command: &str, arguments: &[String]) -> Option<Value> {
    let node = node_for_windows()?;
    let tree = tree.path();
    let folder = tree.parent().unwrap();
    fs::write(folder.join("parent.js"), PARENT).unwrap();
    fs::write(folder.join("input"), call().to_string()).unwrap();
    let file = |name: &str| Wine::path(&folder.join(name));
    let ran = windows
        .wine
        .program(&node)
        .args([
            file("parent.js"),
            command.to_owned(),
            file("input"),
            file("out"),
        ])
        .args(arguments)
        .env("NODE_SKIP_PLATFORM_CHECK", "1")
        .mute()
        .run();
    assert!(ran.exited(0));
    Some(serde_json::from_slice(&fs::read(folder.join("out")).unwrap()).unwrap())
}

#[test]
fn it_starts_the_exe_beside_the_registered_name() {
    let Some(windows) = windows() else { return };
    let tree = windows.refusing_tree();
    let root = Wine::path(&tree.path());
    let (command, arguments) = told(&tree, "hooks/hooks.json", "command", &root);
    let Some(came) = start(&windows, &tree, &command, &arguments) else {
        return;
    };
    assert_eq!(came["status"], json!(0), "{came}");
    let told: Value = serde_json::from_str(came["stdout"].as_str().unwrap()).unwrap();
    assert_eq!(told["hookSpecificOutput"]["permissionDecision"], "deny");
}

/// The control, and the reason why the registered name has no dot in it.
#[test]
fn a_name_with_a_dot_starts_nothing() {
    let Some(windows) = windows() else { return };
    let tree = windows.refusing_tree();
    let dispatch = tree.path().join("dispatch");
    for (from, to) in [
        ("hookkit-dispatch", "hookkit-1.0"),
        ("hookkit-dispatch.exe", "hookkit-1.0.exe"),
    ] {
        fs::copy(dispatch.join(from), dispatch.join(to)).unwrap();
    }
    let command = Wine::path(&dispatch.join("hookkit-1.0"));
    let Some(came) = start(&windows, &tree, &command, &[]) else {
        return;
    };
    assert_eq!(came["status"], Value::Null, "{came}");
    assert!(came["error"].is_string(), "{came}");
}

/// The other control: without the `.exe` the script is not started in its place.
#[test]
fn without_the_exe_nothing_starts() {
    let Some(windows) = windows() else { return };
    let tree = windows.refusing_tree();
    fs::remove_file(tree.path().join("dispatch/hookkit-dispatch.exe")).unwrap();
    let root = Wine::path(&tree.path());
    let (command, arguments) = told(&tree, "hooks/hooks.json", "command", &root);
    let Some(came) = start(&windows, &tree, &command, &arguments) else {
        return;
    };
    assert!(came["error"].is_string(), "{came}");
}

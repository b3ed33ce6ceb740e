//! The lines that hosts are told, started as they start them on Windows: by a parent written in
//! Rust, as Copilot CLI is, and by cmd, as Codex CLI does without a PowerShell.

use std::os::unix::fs::PermissionsExt as _;

use fs_err as fs;
use hookkit_tests::folder::Folder;
use hookkit_tests::foreign::Wine;
use hookkit_tests::process::Program;
use hookkit_tests::{Plugin, Ran, Tree};
use serde_json::Value;

use crate::{Windows, call, gate, windows};

impl Windows {
    /// The portable tree of a plugin, with the dispatcher for Windows in it.
    pub(crate) fn tree(&self, plugin: &Plugin) -> Tree {
        let tree = Tree::build_with(&plugin.path(), &self.dispatcher, &["--targets", "windows"]);
        // wine starts what the system would start; Windows starts no script of sh.
        let selector = tree.path().join("dispatch/hookkit-dispatch");
        fs::set_permissions(selector, std::fs::Permissions::from_mode(0o644)).unwrap();
        tree
    }

    pub(crate) fn refusing_tree(&self) -> Tree {
        self.tree(&self.plugin(gate(), &["read", "complain", "not today", "exit", "2"]))
    }

    /// A parent that starts a program by its name and hands over its own channels.
    fn parent(&self, command: &str, arguments: &[String]) -> Program {
        self.wine
            .program(&self.nasty)
            .args(["start", command])
            .args(arguments)
            .stdin(call())
    }
}

/// The first member of this name, wherever it is.
pub(crate) fn member(document: &Value, name: &str) -> Option<Value> {
    match document {
        Value::Object(members) => members
            .get(name)
            .cloned()
            .or_else(|| members.values().find_map(|value| member(value, name))),
        Value::Array(items) => items.iter().find_map(|value| member(value, name)),
        _ => None,
    }
}

/// What a host is told in one of the tree's files: a text with the tree's folder in it, and the
/// arguments where there are any.
pub(crate) fn told(tree: &Tree, file: &str, name: &str, root: &str) -> (String, Vec<String>) {
    let text = fs::read(tree.path().join(file)).unwrap();
    let document: Value = serde_json::from_slice(&text).unwrap();
    let line = member(&document, name).unwrap();
    let line = line
        .as_str()
        .unwrap()
        .replace("${CLAUDE_PLUGIN_ROOT}", root)
        .replace("${PLUGIN_ROOT}", root);
    let arguments = member(&document, "args").unwrap_or_default();
    let arguments = serde_json::from_value(arguments).unwrap_or_default();
    (line, arguments)
}

#[test]
fn a_parent_in_rust_starts_the_exe_beside_the_registered_name() {
    let Some(windows) = windows() else { return };
    let tree = windows.refusing_tree();
    let root = Wine::path(&tree.path());
    for root in [root.clone(), root.replace('\\', "/")] {
        for (file, name) in [
            ("hooks/hooks.json", "command"),
            ("hooks/copilot.json", "exec"),
        ] {
            let (command, arguments) = told(&tree, file, name, &root);
            assert!(command.ends_with("/dispatch/hookkit-dispatch"), "{command}");
            let ran = windows.parent(&command, &arguments).run();
            ran.assert_denies("not today");
        }
    }
}

/// No shell comes in between that would read these characters.
#[test]
fn hb_laun_12_a_folder_with_characters_of_cmd_is_no_trouble() {
    let Some(windows) = windows() else { return };
    let tree = windows.refusing_tree();
    let odd = tree.path().parent().unwrap().join("A&B 100%OS%");
    let copied = Program::new("cp")
        .arg("-r")
        .arg(tree.path())
        .arg(&odd)
        .run();
    assert!(copied.exited(0));
    let (command, arguments) = told(&tree, "hooks/hooks.json", "command", &Wine::path(&odd));
    let ran = windows.parent(&command, &arguments).run();
    ran.assert_denies("not today");
}

/// The control: without the `.exe` nothing starts, least of all the script.
#[test]
fn without_the_exe_nothing_starts() {
    let Some(windows) = windows() else { return };
    let tree = windows.refusing_tree();
    fs::remove_file(tree.path().join("dispatch/hookkit-dispatch.exe")).unwrap();
    let root = Wine::path(&tree.path());
    let (command, arguments) = told(&tree, "hooks/copilot.json", "exec", &root);
    let ran = windows.parent(&command, &arguments).run();
    assert!(ran.exited(127) && ran.stdout.is_empty());
}

#[test]
fn the_exit_code_reaches_the_parent() {
    let Some(windows) = windows() else { return };
    let dispatcher = Wine::path(&windows.dispatcher);
    let ran = windows
        .parent(&dispatcher, &[])
        .stdin_bytes("not json")
        .run();
    assert!(ran.exited(2));
    let ran = windows.parent(&dispatcher, &["--version".into()]).run();
    assert!(ran.exited(0) && ran.out().starts_with("hookkit-dispatch "));
}

/// As a file that cmd reads, so that no other program's quoting comes in between.
fn by_cmd(windows: &Windows, line: &str, stdin: &str) -> Ran {
    let folder = Folder::new("line");
    let script = folder.join("line.cmd");
    fs::write(&script, format!("@{line}\r\n")).unwrap();
    windows
        .wine
        .program("cmd".as_ref())
        .args(["/c", &Wine::path(&script)])
        .stdin_bytes(stdin)
        .run()
}

#[test]
fn cmd_starts_the_line_of_codex() {
    let Some(windows) = windows() else { return };
    let tree = windows.refusing_tree();
    let odd = tree.path().parent().unwrap().join("a b");
    let copied = Program::new("cp")
        .arg("-r")
        .arg(tree.path())
        .arg(&odd)
        .run();
    assert!(copied.exited(0));
    for folder in [tree.path(), odd] {
        let root = Wine::path(&folder);
        let (line, _) = told(&tree, "hooks/codex.json", "commandWindows", &root);
        assert!(line.contains("hookkit-dispatch.exe\"") && line.ends_with("exit $LASTEXITCODE"));
        by_cmd(&windows, &line, &call().to_string()).assert_denies("not today");
    }
}

#[test]
fn an_exit_code_comes_through_the_line_of_codex() {
    let Some(windows) = windows() else { return };
    let tree = windows.refusing_tree();
    let root = Wine::path(&tree.path());
    let (line, _) = told(&tree, "hooks/codex.json", "commandWindows", &root);
    // Of an unknown host, what is no document is refused by exit code 2.
    let (program, _) = line.split_once(" --host").unwrap();
    let line = format!("{program} end ; exit $LASTEXITCODE");
    assert!(by_cmd(&windows, &line, "not json").exited(2));
}

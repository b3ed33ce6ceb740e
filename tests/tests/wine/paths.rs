//! Folders with names as people have them.

use std::path::{Path, PathBuf};

use hookkit_tests::foreign::Wine;
use hookkit_tests::process::Program;
use hookkit_tests::{Plugin, payload};
use serde_json::json;

use crate::{CLAUDE, Windows, call, gate, windows};

/// What file systems, shells and code pages trip over.
const ODD: [&str; 3] = ["a b", "größe 中", "(x86) & 100%"];

fn copy(from: &Path, to: PathBuf) -> PathBuf {
    let copied = Program::new("cp").arg("-r").arg(from).arg(&to).run();
    assert!(copied.exited(0));
    to
}

fn refusing(windows: &Windows) -> Plugin {
    windows.plugin(gate(), &["read", "complain", "not today", "exit", "2"])
}

fn assert_works_in(name: &str) {
    let Some(windows) = windows() else { return };
    let plugin = refusing(&windows);
    let odd = copy(&plugin.path(), plugin.project().join(name));
    for root in [Wine::path(&odd), Wine::path(&odd).replace('\\', "/")] {
        let ran = windows
            .wine
            .program(&windows.dispatcher)
            .args(["--plugin-root", &root])
            .args(CLAUDE)
            .stdin(call())
            .run();
        ran.assert_denies("not today");
    }
}

#[test]
fn a_plugin_in_a_folder_with_a_blank_works() {
    assert_works_in(ODD[0]);
}

#[test]
fn a_plugin_in_a_folder_beyond_ascii_works() {
    assert_works_in(ODD[1]);
}

#[test]
fn a_plugin_in_a_folder_with_characters_of_shells_works() {
    assert_works_in(ODD[2]);
}

#[test]
fn the_dispatcher_finds_its_plugin_by_where_it_stands() {
    let Some(windows) = windows() else { return };
    let tree = windows.tree(&refusing(&windows));
    for name in ODD {
        let odd = copy(&tree.path(), tree.path().parent().unwrap().join(name));
        let ran = windows
            .wine
            .program(&odd.join("dispatch/hookkit-dispatch.exe"))
            .args(CLAUDE)
            .stdin(call())
            .run();
        ran.assert_denies("not today");
    }
}

#[test]
fn a_hook_runs_in_the_sessions_folder() {
    let Some(windows) = windows() else { return };
    let plugin = windows.plugin(gate(), &["read", "touch", "was here"]);
    let folder = plugin.project().join(ODD[1]);
    std::fs::create_dir(&folder).unwrap();
    let mut payload = call();
    payload["cwd"] = json!(Wine::path(&folder));
    windows
        .on_call(&plugin)
        .stdin(payload)
        .run()
        .assert_silent();
    assert!(folder.join("was here").is_file());
}

#[test]
fn arguments_of_a_hook_arrive_as_they_are_written() {
    let Some(windows) = windows() else { return };
    for text in [
        "a b",
        "größe 中",
        "say \"no\"",
        "100% & more",
        "back\\slash\\",
        "a\\\"b",
    ] {
        let plugin = windows.plugin(gate(), &["read", "complain", text, "exit", "2"]);
        windows.on_call(&plugin).run().assert_denies(text);
    }
}

#[test]
fn a_path_in_a_payload_is_left_as_it_is() {
    let Some(windows) = windows() else { return };
    let mut entry = gate();
    entry["mode"] = json!("direct");
    let plugin = windows.plugin(entry, &["cat"]);
    let input = json!({"file_path": "C:\\Users\\größe\\a b.txt", "content": "1\r\n"});
    let payload = payload::claude::pre_tool_use("Write", input);
    let ran = windows
        .dispatch(&plugin, &[&CLAUDE[..], &["--hook", "guard"]].concat())
        .stdin(payload.clone())
        .run();
    assert_eq!(ran.json(), payload);
}

//! The log on Windows.

use fs_err as fs;
use hookkit_tests::folder::Folder;
use hookkit_tests::process::Program;
use serde_json::{Value, json};

use crate::{CLAUDE, Windows, call, gate, windows};

/// A data folder with the plugin `demo` in it, whose gate refuses.
fn installed(windows: &Windows, log: &Value) -> Folder {
    let folder = Folder::new("log");
    for name in ["bin", "receipts", "store/demo"] {
        fs::create_dir_all(folder.join(name)).unwrap();
    }
    let plugin = windows.plugin(gate(), &["read", "complain", "not today", "exit", "2"]);
    let copied = Program::new("cp")
        .arg("-r")
        .arg(plugin.path())
        .arg(folder.join("store/demo/1.0.0"))
        .run();
    assert!(copied.exited(0));
    fs::copy(&windows.dispatcher, folder.join("bin/hookkit-dispatch.exe")).unwrap();
    let receipt = json!({"state": "installed", "version": "1.0.0", "log": log});
    fs::write(folder.join("receipts/demo"), receipt.to_string()).unwrap();
    folder
}

#[test]
fn a_hook_leaves_a_line_where_the_receipt_wants_it() {
    let Some(windows) = windows() else { return };
    for (log, lines) in [(json!(true), 2), (Value::Null, 0)] {
        let folder = installed(&windows, &log);
        for _ in 0..2 {
            windows
                .wine
                .program(&folder.join("bin/hookkit-dispatch.exe"))
                .args(["--plugin", "demo"])
                .args(CLAUDE)
                .cwd(folder.join("bin"))
                .stdin(call())
                .run()
                .assert_denies("not today");
        }
        let text = fs::read_to_string(folder.join("log.jsonl")).unwrap_or_default();
        assert_eq!(text.lines().count(), lines);
        for line in text.lines() {
            let line: Value = serde_json::from_str(line).unwrap();
            assert_eq!((&line["hook"], &line["exit"]), (&json!("guard"), &json!(2)));
        }
    }
}

#[test]
fn a_folder_in_its_place_changes_no_reply() {
    let Some(windows) = windows() else { return };
    let folder = installed(&windows, &json!(true));
    fs::create_dir(folder.join("log.jsonl")).unwrap();
    windows
        .wine
        .program(&folder.join("bin/hookkit-dispatch.exe"))
        .args(["--plugin", "demo"])
        .args(CLAUDE)
        .stdin(call())
        .run()
        .assert_denies("not today");
}

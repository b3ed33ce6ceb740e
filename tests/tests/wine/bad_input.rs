//! Input that no host should send, and plugins that cannot be read.

use hookkit_tests::Plugin;
use hookkit_tests::foreign::Wine;

use crate::{CLAUDE, call, gate, windows};

#[test]
fn what_is_no_document_is_refused() {
    let Some(windows) = windows() else { return };
    let plugin = windows.plugin(gate(), &["read"]);
    let text = call().to_string();
    for bytes in ["", "not json", "[1]", &text[..text.len() - 1]] {
        let ran = windows.dispatch(&plugin, &CLAUDE).stdin_bytes(bytes).run();
        ran.assert_denies("");
    }
    // The control: all of it.
    let ran = windows.dispatch(&plugin, &CLAUDE).stdin_bytes(text).run();
    ran.assert_silent();
}

#[test]
fn of_an_unknown_host_it_is_refused_by_exit_code_2() {
    let Some(windows) = windows() else { return };
    let plugin = windows.plugin(gate(), &["read"]);
    let ran = windows.dispatch(&plugin, &[]).stdin_bytes("not json").run();
    assert!(ran.exited(2) && ran.stdout.is_empty());
    assert_eq!(ran.err().lines().count(), 1);
}

#[test]
fn a_byte_order_mark_and_odd_characters_pass_through() {
    let Some(windows) = windows() else { return };
    // A direct hook prints what it was given: on Claude Code the original bytes.
    let mut entry = gate();
    entry["mode"] = "direct".into();
    let plugin = windows.plugin(entry, &["cat"]);
    let mut payload = call();
    payload["odd"] = "é中\u{0}\u{7f}".into();
    let text = payload.to_string().replacen("\"odd\"", "\"\\ud800\"", 1);
    let arguments = [&CLAUDE[..], &["--hook", "guard"]].concat();
    let ran = windows
        .dispatch(&plugin, &arguments)
        .stdin_bytes(format!("\u{feff}{text}"))
        .run();
    assert!(ran.exited(0));
    assert_eq!(ran.out(), text);
}

#[test]
fn the_end_of_stdin_is_not_waited_for() {
    let Some(windows) = windows() else { return };
    let plugin = windows.plugin(gate(), &["read", "complain", "no", "exit", "2"]);
    let ran = windows.on_call(&plugin).stdin_stays_open().run();
    ran.assert_denies("no");
    assert!(!ran.timed_out);
}

#[test]
fn a_manifest_that_is_broken_denies() {
    let Some(windows) = windows() else { return };
    for text in [
        "{",
        "[]",
        "{\"schema\":1,\"name\":\"demo\",\"version\":\"1\",\"hooks\":{}}",
    ] {
        let plugin = Plugin::new("demo").manifest_bytes(text);
        let ran = windows.on_call(&plugin).run();
        ran.assert_denies("hookkit.json");
    }
}

#[test]
fn a_program_outside_the_plugin_is_not_started() {
    let Some(windows) = windows() else { return };
    for run in ["./../nasty.exe", "./hooks\\..\\..\\nasty.exe"] {
        let mut entry = gate();
        entry["run"] = serde_json::json!([run, "read"]);
        let plugin = Plugin::new("demo").hook(entry);
        std::fs::copy(&windows.nasty, plugin.path().join("../nasty.exe")).unwrap();
        windows.on_call(&plugin).run().assert_denies("");
    }
}

#[test]
fn without_a_plugin_the_registered_answer_counts() {
    let Some(windows) = windows() else { return };
    let plugin = windows.plugin(gate(), &["read"]);
    let nowhere = Wine::path(&plugin.project());
    for (if_missing, denies) in [("deny", true), ("allow", false)] {
        let ran = windows
            .wine
            .program(&windows.dispatcher)
            .args(["--plugin-root", &nowhere, "--if-missing", if_missing])
            .args(CLAUDE)
            .stdin(call())
            .run();
        if denies {
            ran.assert_denies("");
        } else {
            assert!(ran.exited(0) && ran.stdout.is_empty(), "{if_missing}");
        }
        assert!(denies || !ran.stderr.is_empty(), "{if_missing}");
    }
}

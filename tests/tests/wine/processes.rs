//! Hooks that do not end, that leave children behind, and that use their channels badly.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::{Windows, call, gate, windows};
use hookkit_tests::foreign::Wine;
use hookkit_tests::{Plugin, Ran};

/// Starting a program takes wine half a second, more on a machine with other work to do.
const SLOW: Duration = Duration::from_secs(10);

/// A plugin whose hook first starts a child that makes the file `late` after so many seconds.
fn with_child(windows: &Windows, timeout: f64, after: &str, then: &[&str]) -> Plugin {
    let plugin = Plugin::new("demo");
    let late = Wine::path(&plugin.path().join("late"));
    let words = [&["later", after, late.as_str()], then].concat();
    let mut entry = gate();
    entry["timeout"] = json!(timeout);
    plugin.program(entry, &windows.nasty, &words)
}

fn appears(file: &Path, within: Duration) -> bool {
    let end = Instant::now() + within;
    while !file.exists() {
        if Instant::now() >= end {
            return false;
        }
        thread::sleep(Duration::from_millis(20));
    }
    true
}

fn assert_ended_early(ran: &Ran) {
    assert!(!ran.timed_out && !ran.left_open);
    assert!(ran.elapsed < SLOW, "{ran}");
}

#[test]
fn a_hook_that_does_not_end_is_ended_with_what_it_started() {
    let Some(windows) = windows() else { return };
    let plugin = with_child(&windows, 2.0, "5", &["sleep", "600"]);
    let ran = windows.on_call(&plugin).run();
    ran.assert_denies("did not end within 2 s");
    assert_ended_early(&ran);
    assert!(!appears(
        &plugin.path().join("late"),
        Duration::from_secs(6)
    ));
}

/// The control: the same child of a hook that ends by itself.
#[test]
fn what_a_hook_leaves_running_lives_on() {
    let Some(windows) = windows() else { return };
    let plugin = with_child(&windows, 20.0, "1", &[]);
    windows.on_call(&plugin).run().assert_silent();
    assert!(appears(&plugin.path().join("late"), SLOW));
}

#[test]
fn at_the_deadline_everything_ends() {
    let Some(windows) = windows() else { return };
    let plugin = with_child(&windows, 60.0, "6", &["sleep", "600"]);
    let arguments = [&crate::CLAUDE[..], &["--deadline", "2.5"]].concat();
    let ran = windows.dispatch(&plugin, &arguments).stdin(call()).run();
    ran.assert_denies("");
    assert_ended_early(&ran);
    assert!(!appears(
        &plugin.path().join("late"),
        Duration::from_secs(6)
    ));
}

#[test]
fn a_child_that_holds_stdout_is_not_waited_for() {
    let Some(windows) = windows() else { return };
    let plugin = Plugin::new("demo");
    let pid = Wine::path(&plugin.path().join("pid"));
    let words = [
        "read",
        "hold-stdout",
        &pid,
        "30",
        "complain",
        "no",
        "exit",
        "2",
    ];
    let plugin = plugin.program(gate(), &windows.nasty, &words);
    let ran = windows
        .on_call(&plugin)
        .limit(Duration::from_secs(25))
        .run();
    ran.assert_denies("no");
    assert!(ran.elapsed < SLOW, "{ran}");
}

#[test]
fn a_flood_on_stderr_is_drained() {
    let Some(windows) = windows() else { return };
    let plugin = windows.plugin(gate(), &["read", "stderr-flood", "exit", "2"]);
    windows.on_call(&plugin).run().assert_denies("");
}

#[test]
fn a_hook_that_never_reads_stops_nobody() {
    let Some(windows) = windows() else { return };
    let plugin = windows.plugin(gate(), &["never-read", "complain", "no", "exit", "2"]);
    let mut payload = call();
    payload["tool_input"]["command"] = json!("x".repeat(1 << 20));
    let ran = windows.on_call(&plugin).stdin(payload).run();
    ran.assert_denies("no");
}

#[test]
fn a_megabyte_arrives_whole() {
    let Some(windows) = windows() else { return };
    let mut entry = gate();
    entry["mode"] = json!("direct");
    let plugin = windows.plugin(entry, &["cat"]);
    let mut payload = call();
    payload["tool_input"]["command"] = json!("x".repeat(1 << 20));
    let arguments = [&crate::CLAUDE[..], &["--hook", "guard"]].concat();
    let ran = windows
        .dispatch(&plugin, &arguments)
        .stdin(payload.clone())
        .run();
    assert_eq!(ran.json(), payload);
}

#[test]
fn hooks_of_one_event_run_side_by_side_and_every_reason_is_told() {
    let Some(windows) = windows() else { return };
    let mut plugin = Plugin::new("demo");
    for (id, wait) in [("first", "1.5"), ("second", "0")] {
        let entry = json!({"id": id, "event": "PreToolUse", "timeout": 20});
        let words = ["read", "sleep", wait, "complain", id, "exit", "2"];
        plugin = plugin.program(entry, &windows.nasty, &words);
    }
    let ran = windows.on_call(&plugin).run();
    ran.assert_denies("second");
    let reason = ran.reason();
    assert!(reason.find("first") < reason.find("second"), "{reason}");
}

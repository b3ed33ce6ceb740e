//! The bench without clients: a program's end is seen as it was, and `nasty` is as nasty as it
//! says.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test reports by panicking")]

use std::path::Path;
use std::time::{Duration, Instant};

use hookkit_tests::folder::Folder;
use hookkit_tests::process::Program;
use hookkit_tests::{Plugin, payload, program};
use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use serde_json::json;

fn nasty(words: &[&str]) -> Program {
    Program::new(program::nasty())
        .args(words)
        .limit(Duration::from_secs(20))
}

/// The process whose pid is in the file; ended with the value.
struct Left(Pid);

impl Left {
    fn at(file: &Path) -> Self {
        let pid = std::fs::read_to_string(file).unwrap().parse().unwrap();
        Self(Pid::from_raw(pid).unwrap())
    }

    fn lives(&self) -> bool {
        test_kill_process(self.0).is_ok() && !self.stat().contains(") Z ")
    }

    fn stat(&self) -> String {
        std::fs::read_to_string(format!("/proc/{}/stat", self.0)).unwrap_or_default()
    }
}

impl Drop for Left {
    fn drop(&mut self) {
        let _ = kill_process(self.0, Signal::KILL);
    }
}

#[test]
fn both_channels_and_the_code_are_seen() {
    let ran = nasty(&["print", "out", "complain", "err", "exit", "7"]).run();
    assert_eq!((ran.out().as_str(), ran.err().as_str()), ("out", "err"));
    assert!(ran.exited(7));
}

#[test]
fn a_signal_is_no_code() {
    for (name, number) in [("SEGV", 11), ("ABRT", 6), ("KILL", 9)] {
        let ran = nasty(&["crash", name]).run();
        assert_eq!((ran.code, ran.signal), (None, Some(number)));
    }
}

#[test]
fn a_program_that_never_ends_is_killed_with_its_group() {
    let folder = Folder::new("pids");
    let file = folder.join("pid");
    let ran = nasty(&[
        "child",
        file.to_str().unwrap(),
        "ignore-sigterm",
        "sleep",
        "60",
    ])
    .limit(Duration::from_secs(1))
    .terminate_after(Duration::from_millis(300))
    .run();
    assert!(ran.timed_out);
    assert_eq!(ran.signal, Some(9));
    let end = Instant::now() + Duration::from_secs(5);
    let child = Left::at(&file);
    while child.lives() {
        assert!(Instant::now() < end);
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_program_can_be_ended_by_the_host() {
    let ran = nasty(&["sleep", "60"])
        .terminate_after(Duration::from_millis(200))
        .run();
    assert_eq!(ran.signal, Some(15));
}

#[test]
fn a_held_channel_is_told_from_a_running_program() {
    let folder = Folder::new("pids");
    let file = folder.join("pid");
    let held = nasty(&["print", "x", "hold-stdout", file.to_str().unwrap(), "1.5"]).run();
    assert!(
        held.exited(0) && held.elapsed < held.closed && held.closed > Duration::from_millis(1400)
    );
    let given_up = nasty(&["print", "x", "hold-stdout", file.to_str().unwrap(), "60"])
        .limit(Duration::from_secs(1))
        .run();
    assert!(given_up.left_open && given_up.out() == "x");
}

#[test]
fn children_outlive_their_parent_in_three_ways() {
    let folder = Folder::new("pids");
    for way in ["child", "setsid-child", "double-fork"] {
        let file = folder.join(way);
        assert!(nasty(&[way, file.to_str().unwrap()]).run().exited(0));
        assert!(Left::at(&file).lives(), "{way}");
    }
}

#[test]
fn stdin_is_written_in_every_way() {
    let big = "x".repeat(1 << 20);
    assert_eq!(
        nasty(&["cat"]).stdin_bytes(big.clone()).run().stdout.len(),
        big.len()
    );
    assert!(
        nasty(&["never-read", "exit", "3"])
            .stdin_bytes(big.clone())
            .run()
            .exited(3)
    );
    assert_eq!(
        nasty(&["close-early", "print", "unseen", "exit", "4"])
            .stdin_bytes(big)
            .run()
            .out(),
        ""
    );
    let trickled = nasty(&["cat"])
        .stdin(json!({"a": 1}))
        .in_pieces(2, Duration::from_millis(30))
        .run();
    assert_eq!(trickled.json(), json!({"a": 1}));
    assert!(trickled.elapsed > Duration::from_millis(100));
    assert!(
        nasty(&["read"])
            .stdin(json!({}))
            .stdin_stays_open()
            .limit(Duration::from_secs(1))
            .run()
            .timed_out
    );
}

#[test]
fn floods_arrive_whole() {
    assert_eq!(nasty(&["stderr-flood"]).run().stderr.len(), 64 << 20);
}

#[test]
fn a_plugin_is_what_the_test_wrote() {
    let plugin = Plugin::new("demo")
        .sh(json!({"id": "first", "event": "PreToolUse"}), "exit 2")
        .nasty(json!({"id": "second", "event": "Stop"}), &["exit", "1"])
        .with("order", json!("sequence"));
    let manifest: serde_json::Value =
        serde_json::from_slice(&std::fs::read(plugin.path().join("hookkit.json")).unwrap())
            .unwrap();
    assert_eq!(manifest["order"], "sequence");
    assert_eq!(
        manifest["hooks"][0]["run"],
        json!(["sh", "./hooks/first.sh"])
    );
    assert!(
        Program::new(plugin.path().join("hooks/nasty"))
            .args(["exit", "1"])
            .run()
            .exited(1)
    );
}

#[test]
fn a_dispatch_is_answered() {
    let plugin = Plugin::new("demo").sh(
        json!({"id": "no", "event": "PreToolUse"}),
        "echo No. >&2; exit 2",
    );
    let payload = payload::claude::pre_tool_use("Bash", json!({"command": "ls"}));
    let ran = plugin
        .dispatch(["--host", "claude-code"])
        .stdin(payload)
        .run();
    assert!(ran.exited(0));
    assert_eq!(
        ran.json()["hookSpecificOutput"]["permissionDecision"],
        "deny"
    );
}

//! How hooks are started and ended.

use std::time::Duration;

use hookkit_tests::{Plugin, program, survivors};
use serde_json::json;

use crate::{GIT_STATUS, KEEP, claude, one, saw};

#[test]
fn hb_proc_01_helpers_of_a_hook_end_with_it_at_its_timeout() {
    let entry = json!({"id": "slow", "event": "PreToolUse", "timeout": 1});
    let plugin = Plugin::new("demo").sh(entry, "sleep 987 &\nsleep 988\n");
    let ran = claude(&plugin, "PreToolUse", GIT_STATUS).run();
    ran.assert_denies("did not end within 1 s");
    assert!(ran.elapsed < Duration::from_secs(3));
    survivors::assert_none(&plugin);
    // A hook that ends by itself may leave something running.
    let plugin = one("PreToolUse", "sleep 987 >/dev/null 2>&1 & exit 0");
    claude(&plugin, "PreToolUse", GIT_STATUS)
        .run()
        .assert_silent();
    let left = survivors::of(&plugin);
    assert_eq!(left.len(), 1);
    end(&left);
}

fn end(processes: &[u32]) {
    for pid in processes {
        let pid = rustix::process::Pid::from_raw(i32::try_from(*pid).unwrap()).unwrap();
        rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
    }
}

#[test]
fn hb_proc_03_both_channels_are_drained_at_once() {
    if !program::needs(&["python3"]) {
        return;
    }
    let noisy = |rest: &str| {
        let script = format!("import sys\nsys.stderr.write('e'*1048576)\n{rest}\n");
        Plugin::new("demo").python(json!({"id": "noisy", "event": "PreToolUse"}), &script)
    };
    let ran = claude(&noisy("print('{}')"), "PreToolUse", GIT_STATUS).run();
    ran.assert_silent();
    assert!(ran.elapsed < Duration::from_secs(8));
    let ran = claude(&noisy("sys.exit(2)"), "PreToolUse", GIT_STATUS).run();
    ran.assert_denies("[hookkit cut this text:");
    assert!(ran.stdout.len() < 100_000);
}

#[test]
fn hb_proc_04_writing_and_reading_do_not_block_each_other() {
    let stdin = GIT_STATUS.replace("git status", &"B".repeat(2_000_000));
    // A hook that prints its input says nothing with it.
    claude(&one("PreToolUse", "cat"), "PreToolUse", stdin.as_str())
        .run()
        .assert_silent();
    claude(&one("PreToolUse", "cat; echo '{}'"), "PreToolUse", stdin)
        .run()
        .assert_denies("not exactly one JSON document");
}

#[test]
fn hb_proc_06_no_part_of_the_payload_is_in_arguments_or_variables() {
    let stdin = format!(
        "{{\"hook_event_name\":\"PostToolUse\",\"tool_name\":\"Read\",\"tool_response\":\"{}\"}}",
        "D".repeat(300_000)
    );
    let script = format!(
        "{KEEP}; date >/dev/null && {{ env; echo \"$0 $*\"; }} >\"$HOOKKIT_PLUGIN_ROOT/got\""
    );
    let plugin = one("PostToolUse", &script);
    claude(&plugin, "PostToolUse", stdin.as_str())
        .run()
        .assert_silent();
    let got = std::fs::read_to_string(plugin.path().join("got")).unwrap();
    assert!(got.contains("HOOKKIT_EVENT=PostToolUse"));
    assert!(!got.contains("DDD"));
    assert_eq!(saw(&plugin), stdin.as_bytes());
}

#[test]
fn hb_proc_07_a_gate_without_the_executable_bit_refuses_and_says_what_to_do() {
    let guard = |mode| {
        Plugin::new("demo")
            .file("guard.sh", "#!/bin/sh\necho no >&2\nexit 2\n", mode)
            .hook(json!({"id": "guard", "event": "PreToolUse", "run": ["./guard.sh"]}))
    };
    claude(&guard(0o644), "PreToolUse", GIT_STATUS)
        .run()
        .assert_denies("is not executable; run chmod +x");
    let ran = claude(&guard(0o755), "PreToolUse", GIT_STATUS).run();
    ran.assert_denies("no");
    assert_eq!(ran.reason(), "no");
}

#[test]
fn hb_proc_09_a_missing_script_and_a_missing_interpreter_are_the_same_fault() {
    let with = |run: &[&str]| {
        Plugin::new("demo")
            .file("h.py", "", 0o644)
            .hook(json!({"id": "guard", "event": "PreToolUse", "run": run}))
    };
    for run in [
        ["python", "./ghost.py"],
        ["ghostinterp", "./h.py"],
        ["sh", "./ghost.sh"],
    ] {
        claude(&with(&run), "PreToolUse", GIT_STATUS)
            .run()
            .assert_denies("Hook `guard` of plugin `demo` cannot start: ");
    }
    claude(&with(&["sh", "./h.py"]), "PreToolUse", GIT_STATUS)
        .run()
        .assert_silent();
}

#[test]
fn hb_proc_10_a_hook_that_fires_its_own_event_does_not_recurse() {
    let counted = |event: &str, mode: &str| {
        let script = "echo run >>\"$HOOKKIT_PLUGIN_ROOT/runs\"\n\"$DISPATCHER\" --plugin-root \"$HOOKKIT_PLUGIN_ROOT\" --host claude-code --event \"$HOOKKIT_EVENT\"";
        let plugin = Plugin::new("demo").sh(
            json!({"id": "again", "event": event, "mode": mode, "env": {"DISPATCHER": program::dispatcher()}}),
            script,
        );
        let payload = json!({"hook_event_name": event, "reason": "other", "tool_name": "Bash", "tool_input": {"command": "ls"}});
        let ran = claude(&plugin, event, payload.to_string()).run();
        let runs = std::fs::read_to_string(plugin.path().join("runs")).unwrap();
        (ran, runs.lines().count())
    };
    let (ran, runs) = counted("SessionEnd", "silent");
    ran.assert_silent();
    assert_eq!(runs, 1, "silent hooks run once");
    // The design lets gates run until depth 3: each is asked, and the third refuses.
    let (ran, runs) = counted("PreToolUse", "gate");
    ran.assert_denies("3 levels deep");
    assert_eq!(runs, 3);
}

/// A program that only looks like an interpreter, as Windows has one: a gate says so and refuses.
#[test]
fn hb_laun_08_an_interpreter_that_ends_with_49_is_no_silence() {
    let plugin = Plugin::new("demo")
        .file("bin/python3", "#!/bin/sh\nexit 49\n", 0o755)
        .python(json!({"id": "guard", "event": "PreToolUse"}), "print()");
    let path = plugin.path().join("bin");
    let ran = claude(&plugin, "PreToolUse", GIT_STATUS)
        .env("PATH", path)
        .run();
    ran.assert_denies("Hook `guard` of plugin `demo`");
    ran.assert_denies("49");
}

//! Hooks and their three channels.

use std::time::Duration;

use hookkit_tests::process::Program;
use hookkit_tests::{Plugin, program, survivors};
use serde_json::json;

use crate::live::wait_for;
use crate::{call, gate, note, on_call};

fn call_of(size: usize) -> String {
    let mut call = call();
    call["tool_input"]["command"] = json!("x".repeat(size));
    call.to_string()
}

#[test]
fn a_hook_that_closes_stdout_early_has_said_what_it_said() {
    let says = |exit: &str| {
        let words = [
            "complain",
            "the rule",
            "close-early",
            "sleep",
            "0.2",
            "exit",
            exit,
        ];
        let plugin = Plugin::new("demo").nasty(gate(10.0), &words);
        let ran = on_call(&plugin).stdin_bytes(call_of(200_000)).run();
        survivors::assert_none(&plugin);
        ran
    };
    says("0").assert_silent();
    says("2").assert_denies("the rule");
    says("1").assert_denies("exit code 1: the rule");
}

#[test]
fn a_hook_that_never_reads_a_large_payload_is_no_fault() {
    let ends = |exit: &str| {
        let plugin = Plugin::new("demo").nasty(
            gate(30.0),
            &["never-read", "complain", "rule", "exit", exit],
        );
        let ran = on_call(&plugin).stdin_bytes(call_of(10 << 20)).run();
        survivors::assert_none(&plugin);
        ran
    };
    ends("0").assert_silent();
    ends("2").assert_denies("rule");
    let plugin = Plugin::new("demo").nasty(gate(0.5), &["never-read", "sleep", "600"]);
    on_call(&plugin)
        .stdin_bytes(call_of(10 << 20))
        .run()
        .assert_denies("did not end within 0.5 s");
    survivors::assert_none(&plugin);
}

#[test]
fn a_gibibyte_on_stdout_is_a_fault_and_takes_no_memory() {
    let plugin = Plugin::new("demo");
    let file = note(&plugin, "peak");
    let script = format!(
        "\"$HOOKKIT_PLUGIN_ROOT/hooks/nasty\" write-1gib\ngrep VmHWM /proc/$PPID/status >{file}"
    );
    let other = json!({"id": "other", "event": "Stop"});
    let plugin = plugin.nasty(other, &["exit", "0"]).sh(gate(60.0), &script);
    let ran = on_call(&plugin).run();
    ran.assert_denies("printed more than 10 MiB on stdout");
    let peak: u64 = wait_for(&file)
        .split_whitespace()
        .nth(1)
        .unwrap()
        .parse()
        .unwrap();
    assert!(peak < 40 * 1024, "{peak} KiB for 10 MiB that are kept");
    survivors::assert_none(&plugin);
}

#[test]
fn just_under_the_limit_of_stdout_is_read() {
    let plugin = Plugin::new("demo").sh(
        gate(60.0),
        "printf '{\"systemMessage\":\"'; head -c 10000000 /dev/zero | tr '\\0' x; printf '\"}'",
    );
    let ran = on_call(&plugin).run();
    let reply = ran.json();
    let message = reply["systemMessage"].as_str().unwrap();
    assert!(message.contains("[hookkit cut this text:"));
}

#[test]
fn a_flood_on_stderr_is_drained_and_cut() {
    let flood = |exit: &str| {
        let plugin = Plugin::new("demo").nasty(gate(60.0), &["stderr-flood", "exit", exit]);
        let ran = on_call(&plugin).run();
        survivors::assert_none(&plugin);
        ran
    };
    flood("0").assert_silent();
    let refused = flood("2");
    refused.assert_denies("[hookkit cut this text:");
    assert!(refused.stdout.len() < 100_000);
}

#[test]
fn a_held_stdout_costs_half_a_second_and_its_holder_lives() {
    let plugin = Plugin::new("demo");
    let file = note(&plugin, "pid");
    let words = [
        "print",
        "{\"decision\":\"block\",\"reason\":\"no\"}",
        "hold-stdout",
        &file,
        "30",
    ];
    let plugin = plugin.nasty(gate(10.0), &words);
    let ran = on_call(&plugin).run();
    ran.assert_denies("no");
    assert!(
        ran.elapsed >= Duration::from_millis(450),
        "{:?}",
        ran.elapsed
    );
    assert!(ran.elapsed < Duration::from_secs(2), "{:?}", ran.elapsed);
    // The dispatcher's own stdout is not in its hands: the host sees the end at once.
    assert!(ran.closed < Duration::from_secs(2) && !ran.left_open);
    let holder: u32 = wait_for(&file).parse().unwrap();
    assert_eq!(survivors::of(&plugin), [holder]);
    let pid = rustix::process::Pid::from_raw(i32::try_from(holder).unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
}

/// A host with a channel that does not wait, which reads late.
const READS_LATE: &str = "
import os, subprocess, sys, time
reader, writer = os.pipe()
os.set_blocking(writer, sys.argv[1] == 'waits')
child = subprocess.Popen(sys.argv[2:], stdout=writer)
os.close(writer)
time.sleep(1)
said = os.fdopen(reader, 'rb').read()
child.wait()
sys.stdout.buffer.write(said)
";

#[test]
fn a_host_that_reads_late_gets_the_whole_reply() {
    if !program::needs(&["python3"]) {
        return;
    }
    // Larger than a pipe.
    let plugin = Plugin::new("demo").sh(
        gate(60.0),
        "printf '{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\"updatedInput\":{\"command\":\"'\n\
         head -c 2000000 /dev/zero | tr '\\0' x\nprintf '\"}}}'",
    );
    for channel in ["waits", "does not"] {
        let ran = Program::new(program::found("python3").unwrap())
            .args(["-c", READS_LATE, channel])
            .arg(program::dispatcher())
            .args([
                "--host",
                "claude-code",
                "--event",
                "PreToolUse",
                "--plugin-root",
            ])
            .arg(plugin.path())
            .stdin(call())
            .run();
        let command = &ran.json()["hookSpecificOutput"]["updatedInput"]["command"];
        assert_eq!(command.as_str().unwrap().len(), 2_000_000, "{channel}");
    }
}

//! The dispatcher's largest memory, by `VmHWM` of the living process.

use std::io::Read;

use hookkit_tests::Plugin;
use serde_json::json;

use crate::live::{Live, wait_for};
use crate::{call, gate, note};

/// What a debug build needs before it reads anything, in KiB. The budget of the shipped one, 4 MiB, is the benchmark's.
const SMALL: u64 = 10 * 1024;

/// The peak while a hook that has read everything still runs, in KiB.
fn peak_of(size: usize) -> u64 {
    let plugin = Plugin::new("demo");
    let file = note(&plugin, "pid");
    let plugin = plugin.nasty(gate(60.0), &["read", "pid", &file, "sleep", "600"]);
    let mut call = call();
    call["tool_input"]["command"] = json!("x".repeat(size));
    let live = Live::start(&plugin, call.to_string().as_bytes());
    wait_for(&file);
    let peak = live.kib("VmHWM");
    live.signal(rustix::process::Signal::TERM);
    let (said, _) = live.end();
    assert!(said.contains("deny"));
    peak
}

#[test]
fn a_payload_is_kept_at_most_three_times() {
    let small = peak_of(1024);
    assert!(small <= SMALL, "{small} KiB for 1 KiB");
    let large = peak_of(10 << 20);
    assert!(large <= SMALL + 3 * 10 * 1024, "{large} KiB for 10 MiB");
}

#[test]
fn a_large_rewrite_is_bounded_too() {
    let plugin = Plugin::new("demo").sh(
        gate(60.0),
        "cat >/dev/null\nprintf '{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\"updatedInput\":{\"command\":\"'\n\
         head -c 10000000 /dev/zero | tr '\\0' y\nprintf '\"}}}'",
    );
    let mut call = call();
    call["tool_input"]["command"] = json!("x".repeat(10_000_000));
    let mut live = Live::start(&plugin, call.to_string().as_bytes());
    let mut stdout = live.stdout();
    let mut first = [0; 1];
    stdout.read_exact(&mut first).unwrap();
    // It waits for us to read on: all of the work is done.
    let peak = live.kib("VmHWM");
    let mut rest = Vec::new();
    stdout.read_to_end(&mut rest).unwrap();
    assert!(rest.len() > 10_000_000);
    // The payload, what the hook printed, the arguments before and after, the reply.
    assert!(peak <= SMALL + 9 * 10 * 1024, "{peak} KiB");
}

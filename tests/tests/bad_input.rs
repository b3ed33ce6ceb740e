//! Bad input, and what it gets: a defined reply in time, with a gate and without one.
//!
//! - where the event cannot be read, a gate denies and nobody else is told anything
//! - where the needed fields can be read, every hook runs on the very bytes
#![cfg(target_os = "linux")]
#![expect(
    clippy::unwrap_used,
    reason = "a fixture that cannot be made fails the test"
)]

#[path = "bad_input/arguments.rs"]
mod arguments;
#[path = "bad_input/documents.rs"]
mod documents;
#[path = "bad_input/manifests.rs"]
mod manifests;
#[path = "bad_input/stdin.rs"]
mod stdin;
#[path = "bad_input/values.rs"]
mod values;

use hookkit_tests::process::Program;
use hookkit_tests::{Plugin, Ran, payload};
use serde_json::{Value, json};

const HOSTS: [&str; 2] = ["claude-code", "copilot-cli"];

/// The line of a panic, which must be on no channel.
const PANIC: &str = "panicked";

/// A gate on tool calls that keeps what it reads and says nothing, and an observer of sessions that does the same.
fn keeping() -> Plugin {
    let script = "cat >\"$HOOKKIT_PLUGIN_ROOT/$HOOKKIT_EVENT.saw\"";
    Plugin::new("demo")
        .sh(
            json!({"id": "gate", "event": "PreToolUse", "uninspectable": "allow"}),
            script,
        )
        .sh(
            json!({"id": "looks", "event": "SessionStart", "mode": "observe"}),
            script,
        )
}

/// What the hook on an event read; `None` when it did not run.
fn saw(plugin: &Plugin, event: &str) -> Option<Vec<u8>> {
    std::fs::read(plugin.path().join(format!("{event}.saw"))).ok()
}

fn start(plugin: &Plugin, host: &str, event: &str) -> Program {
    plugin.dispatch(["--host", host, "--event", event])
}

/// Unreadable on every host: refused where there is a gate, with the reason; passed where there is none.
fn assert_unreadable(words: &str, feed: impl Fn(Program) -> Program) {
    for host in HOSTS {
        let plugin = keeping();
        let gated = feed(start(&plugin, host, "PreToolUse")).run();
        gated.assert_denies(words);
        assert_no_panic(&gated);
        let free = feed(start(&plugin, host, "SessionStart")).run();
        free.assert_silent();
        assert!(free.err().contains(words), "{}", free.err());
        assert_no_panic(&free);
        // The event of these has no hook at all.
        feed(start(&plugin, host, "Stop")).run().assert_silent();
        assert!(saw(&plugin, "PreToolUse").is_none() && saw(&plugin, "SessionStart").is_none());
    }
}

/// Odd but readable: on every host both hooks run, and nobody is refused.
fn assert_readable(bytes: &[u8]) {
    for host in HOSTS {
        let plugin = keeping();
        for event in ["PreToolUse", "SessionStart"] {
            let bytes = on_event(bytes, event);
            let ran = start(&plugin, host, event).stdin_bytes(bytes.clone()).run();
            ran.assert_silent();
            assert_no_panic(&ran);
            let saw = saw(&plugin, event).unwrap();
            // Copilot's payload is translated, but nothing that is not a name changes.
            assert!(host != "claude-code" || saw == bytes, "{event}");
        }
    }
}

fn on_event(bytes: &[u8], event: &str) -> Vec<u8> {
    let name = b"PreToolUse";
    match bytes.windows(name.len()).position(|part| part == name) {
        Some(at) => [&bytes[..at], event.as_bytes(), &bytes[at + name.len()..]].concat(),
        None => bytes.to_vec(),
    }
}

fn assert_no_panic(ran: &Ran) {
    assert!(!ran.out().contains(PANIC) && !ran.err().contains(PANIC));
}

/// A call with this text in its command, which is no JSON escape.
fn call_with(raw: &[u8]) -> Vec<u8> {
    let call = call().to_string();
    let (before, after) = call.split_once("COMMAND").unwrap();
    [before.as_bytes(), raw, after.as_bytes()].concat()
}

fn call() -> Value {
    payload::claude::pre_tool_use("Bash", json!({"command": "COMMAND"}))
}

//! Hooks of bad manners as processes: how they are ended, drained, and held apart.
//!
//! After each of them nothing of the plugin may live, except what a hook left running deliberately.
#![cfg(target_os = "linux")]
#![expect(
    clippy::unwrap_used,
    reason = "a fixture that cannot be made fails the test"
)]

#[path = "processes/ended.rs"]
mod ended;
#[path = "processes/live.rs"]
mod live;
#[path = "processes/memory.rs"]
mod memory;
#[path = "processes/recursion.rs"]
mod recursion;
#[path = "processes/side_by_side.rs"]
mod side_by_side;
#[path = "processes/streams.rs"]
mod streams;

use hookkit_tests::process::Program;
use hookkit_tests::{Plugin, payload};
use serde_json::{Value, json};

/// A gate on tool calls with so many seconds to run.
fn gate(timeout: f64) -> Value {
    json!({"id": "guard", "event": "PreToolUse", "timeout": timeout})
}

/// The dispatcher on a tool call of Claude Code.
fn on_call(plugin: &Plugin) -> Program {
    plugin
        .dispatch(["--host", "claude-code", "--event", "PreToolUse"])
        .stdin(call())
}

fn call() -> Value {
    payload::claude::pre_tool_use("Bash", json!({"command": "ls"}))
}

/// The name of a file beside the plugin, for what a hook writes down.
fn note(plugin: &Plugin, name: &str) -> String {
    plugin.path().join(name).to_str().unwrap().to_owned()
}

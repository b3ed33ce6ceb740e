//! Every file that starts something, as the tree of `hookkit build` has it, run by the shells that
//! will run it; and the registrations beside it, value by value.

#![cfg(unix)]
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test reports by panicking"
)]

mod damaged;
mod environment;
mod lines;
mod machines;
mod odd_paths;
mod registrations;
mod shells;

use hookkit_tests::{Plugin, payload};
use serde_json::{Value, json};

/// A plugin with a required gate that denies every command with DENYME in it.
fn plugin() -> Plugin {
    Plugin::new("demo").sh(
        json!({"id": "gate", "event": "PreToolUse", "matcher": "Bash", "required": true}),
        "case $(cat) in *DENYME*) echo 'the gate says no' >&2; exit 2 ;; esac",
    )
}

/// The arguments that the tree's registration for Claude Code has.
const ARGUMENTS: [&str; 10] = [
    "--host",
    "claude-code",
    "--event",
    "PreToolUse",
    "--plugin",
    "demo",
    "--if-missing",
    "deny",
    "--deadline",
    "13",
];

/// A call that the gate denies.
fn refused() -> Value {
    payload::claude::pre_tool_use("Bash", json!({"command": "touch DENYME"}))
}

/// A call that it says nothing about.
fn allowed() -> Value {
    payload::claude::pre_tool_use("Bash", json!({"command": "touch allowed"}))
}

//! Rules about what a host is told and what it starts, where no other suite holds them. Which test holds which rule
//! stands in docs/requirements.md.
//!
//! - `vocabulary`: no word of hookkit's own, and no word of another host, reaches a host
//! - `permissions`: permission requests
//! - `merging`: several hooks, one document
//! - `quiet`: what hooks print and nobody is told
//! - `calls`: which calls are judged, and by what
//! - `trees`: registrations and manifests in a portable tree
//! - `launches`: the lines in them, run
#![cfg(target_os = "linux")]
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a fixture that cannot be made fails the test"
)]

#[path = "rules/calls.rs"]
mod calls;
#[path = "conformance/host.rs"]
mod host;
#[path = "rules/launches.rs"]
mod launches;
#[path = "rules/merging.rs"]
mod merging;
#[path = "rules/permissions.rs"]
mod permissions;
#[path = "rules/quiet.rs"]
mod quiet;
#[path = "rules/trees.rs"]
mod trees;
#[path = "rules/vocabulary.rs"]
mod vocabulary;

use hookkit_tests::process::Program;
use hookkit_tests::{Plugin, Ran};
use serde_json::{Value, json};

/// One of each family of replies.
const HOSTS: [&str; 2] = ["claude-code", "copilot-cli"];

/// A hook's output that prints one document.
fn prints(document: &Value) -> String {
    format!("cat >/dev/null\ncat <<'EOF'\n{document}\nEOF\n")
}

/// `hookSpecificOutput` of an event.
fn nested(event: &str, mut members: Value) -> Value {
    members["hookEventName"] = json!(event);
    json!({"hookSpecificOutput": members})
}

/// Hooks on an event in this mode, each with this script; their names are `one`, `two`, ...
fn hooks(event: &str, mode: &str, scripts: &[&str]) -> Plugin {
    let names = ["one", "two", "three", "four"];
    scripts
        .iter()
        .zip(names)
        .fold(Plugin::new("demo"), |plugin, (script, id)| {
            plugin.sh(json!({"id": id, "event": event, "mode": mode}), script)
        })
}

/// What a host sends on an event, to this plugin.
fn on(plugin: &Plugin, host: &str, event: &str) -> Program {
    plugin
        .dispatch(["--host", host, "--event", event])
        .stdin(host::named(host).payload(event))
}

/// What a host's model is told besides a decision.
fn context(ran: &Ran) -> Value {
    let told = ran.json();
    let nested = &told["hookSpecificOutput"]["additionalContext"];
    if nested.is_null() {
        told["additionalContext"].clone()
    } else {
        nested.clone()
    }
}

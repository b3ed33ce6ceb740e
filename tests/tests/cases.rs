//! Reported faults of other hook runners, each as the input that caused it. The id of a case is the first part of its
//! test's name.
//!
//! Left out here, because they need what is no dispatcher: HB-ROOT-04 (`doctor` on version folders), HB-ROOT-05 and
//! the shell half of HB-ROOT-10 (launcher strings), HB-ROOT-08 (VS Code Local), HB-PROC-12 and HB-PROC-13 (windows and
//! UNC folders).
#![cfg(target_os = "linux")]
#![expect(
    clippy::unwrap_used,
    reason = "a fixture that cannot be made fails the test"
)]

#[path = "cases/input.rs"]
mod input;
#[path = "cases/output.rs"]
mod output;
#[path = "cases/processes.rs"]
mod processes;
#[path = "cases/roots.rs"]
mod roots;

use hookkit_tests::Plugin;
use hookkit_tests::process::Program;
use serde_json::{Value, json};

/// What hosts send before `git status`.
const GIT_STATUS: &str = r#"{"session_id":"s1","cwd":"/work/app","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"git status"}}"#;

/// A script that keeps what it reads.
const KEEP: &str = "cat >\"$HOOKKIT_PLUGIN_ROOT/saw\"";

/// A plugin with one hook on an event, which `sh` runs.
fn one(event: &str, script: &str) -> Plugin {
    Plugin::new("demo").sh(json!({"id": "guard", "event": event}), script)
}

/// What the hook of [`KEEP`] read; empty when it did not run.
fn saw(plugin: &Plugin) -> Vec<u8> {
    std::fs::read(plugin.path().join("saw")).unwrap_or_default()
}

/// A hook's output that prints one document.
fn prints(document: &Value) -> String {
    format!("cat >/dev/null\ncat <<'EOF'\n{document}\nEOF\n")
}

fn claude(plugin: &Plugin, event: &str, stdin: impl Into<Vec<u8>>) -> Program {
    plugin
        .dispatch(["--host", "claude-code", "--event", event])
        .stdin_bytes(stdin)
}

fn copilot(plugin: &Plugin, event: &str, stdin: impl Into<Vec<u8>>) -> Program {
    plugin
        .dispatch(["--host", "copilot-cli", "--event", event])
        .stdin_bytes(stdin)
}

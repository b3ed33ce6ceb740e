//! The dispatcher for Windows, run by wine 8: what it answers, how it ends processes, how its start
//! lines start it. And `hookkit` for Windows, where it puts itself to use and replaces itself.
//!
//! wine copies how Windows finds and starts files, not the oddities of its shells. What needs a
//! PowerShell is not tested here.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test reports by panicking")]

mod answers;
mod bad_input;
mod itself;
mod launches;
mod log;
mod node;
mod paths;
mod policies;
mod processes;
mod sessions;
mod sources;
mod update;

use std::path::PathBuf;

use hookkit_tests::foreign::{self, Wine};
use hookkit_tests::process::Program;
use hookkit_tests::{Plugin, payload};
use serde_json::{Value, json};

/// wine and the programs that it runs.
struct Windows {
    wine: Wine,
    dispatcher: PathBuf,
    nasty: PathBuf,
}

/// What is needed, or `None` after saying what is missing.
fn windows() -> Option<Windows> {
    Some(Windows {
        dispatcher: foreign::dispatcher("hookkit-dispatch.exe")?,
        nasty: foreign::nasty("x86_64-pc-windows-gnu")?,
        wine: Wine::find()?,
    })
}

impl Windows {
    /// A plugin with one hook: `nasty` with these words.
    fn plugin(&self, entry: Value, words: &[&str]) -> Plugin {
        Plugin::new("demo").program(entry, &self.nasty, words)
    }

    /// The dispatcher on a plugin, with these arguments.
    fn dispatch(&self, plugin: &Plugin, arguments: &[&str]) -> Program {
        self.wine
            .program(&self.dispatcher)
            .args(["--plugin-root", &Wine::path(&plugin.path())])
            .args(arguments)
            .cwd(plugin.project())
    }

    /// The dispatcher on a tool call of Claude Code.
    fn on_call(&self, plugin: &Plugin) -> Program {
        self.dispatch(plugin, &CLAUDE).stdin(call())
    }
}

const CLAUDE: [&str; 4] = ["--host", "claude-code", "--event", "PreToolUse"];

/// A gate on tool calls.
fn gate() -> Value {
    json!({"id": "guard", "event": "PreToolUse", "timeout": 20})
}

fn call() -> Value {
    payload::claude::pre_tool_use("Bash", json!({"command": "git push --force"}))
}

//! Which plugin a dispatcher serves, by where it stands: copies of the real program in real places.
//!
//! 1. `--plugin-root`
//! 2. a data folder's `bin/`: the receipt beside it, and nothing after it
//! 3. inside a plugin: up to three folders above
//! 4. nowhere: the variable that this host sets, unless it leads into the project
#![cfg(target_os = "linux")]
#![expect(
    clippy::unwrap_used,
    reason = "a fixture that cannot be made fails the test"
)]

#[path = "roots/data.rs"]
mod data;
#[path = "roots/environment.rs"]
mod environment;
#[path = "roots/inside.rs"]
mod inside;
#[path = "roots/variables.rs"]
mod variables;

use std::path::{Path, PathBuf};

use hookkit_tests::process::Program;
use hookkit_tests::{Ran, payload, program};
use serde_json::json;
use tempfile::TempDir;

/// A folder with a plugin in it whose gate refuses with these words.
fn plugin(folder: &Path, name: &str, words: &str) {
    std::fs::create_dir_all(folder).unwrap();
    let hook = json!({"id": "guard", "event": "PreToolUse", "run": ["sh", "./guard.sh"]});
    let manifest = json!({"schema": 1, "name": name, "version": "1.0.0", "hooks": [hook]});
    std::fs::write(folder.join("hookkit.json"), manifest.to_string()).unwrap();
    std::fs::write(folder.join("guard.sh"), format!("echo {words} >&2; exit 2")).unwrap();
}

/// A throw-away place with an empty home and a project in it.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        let place = Self(TempDir::with_prefix("hookkit-roots-").unwrap());
        for folder in ["home", "project"] {
            std::fs::create_dir(place.at(folder)).unwrap();
        }
        place
    }

    fn at(&self, relative: &str) -> PathBuf {
        self.0.path().join(relative)
    }

    /// A plugin at a relative path, whose gate says that path.
    fn plugin(&self, relative: &str) -> PathBuf {
        let folder = self.at(relative);
        plugin(&folder, "demo", relative);
        folder
    }

    /// A dispatcher at a relative path.
    fn dispatcher(&self, relative: &str) -> PathBuf {
        program::dispatcher_at(&self.at(relative))
    }

    /// Starts this dispatcher on a call, in the project.
    fn start(&self, dispatcher: &Path, host: &str) -> Program {
        let mut call = payload::claude::pre_tool_use("Bash", json!({"command": "ls"}));
        call["cwd"] = json!(self.at("project"));
        Program::new(dispatcher)
            .args(["--host", host, "--event", "PreToolUse"])
            .cwd(self.at("project"))
            .env("HOME", self.at("home"))
            .stdin(call)
    }

    fn on_claude(&self, dispatcher: &Path) -> Program {
        self.start(dispatcher, "claude-code")
    }
}

/// No plugin was served: the call goes on, and somebody is told why.
fn assert_unserved(ran: &Ran, words: &str) {
    ran.assert_silent();
    let said = ran.err();
    assert!(
        said.contains("is not enforced") && said.contains(words),
        "`{words}` in {said}"
    );
}

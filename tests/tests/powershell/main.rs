//! The lines and the script that Windows is told, read by the shells' own rules and run where these
//! shells are.
//!
//! - `grammar` (Linux): parsed by tree-sitter's grammar of PowerShell
//! - `cmd`, `sh`: what these make of the one line that they may get as well
//! - `real`: run by Windows PowerShell and PowerShell 7 wherever they are installed, which the
//!   workflow's Windows machine has both of

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test reports by panicking"
)]

mod cmd;
#[cfg(target_os = "linux")]
mod grammar;
mod real;
#[cfg(unix)]
mod sh;

use std::path::{Path, PathBuf};

use fs_err as fs;
use hookkit_dispatch::host::HOSTS;
use hookkit_tests::folder::Folder;
use hookkit_tests::process::Program;
use hookkit_tests::{Plugin, Tree, program};
use serde_json::{Value, json};

/// How a line of a plugin names the plugin's folder; the host puts it in.
const ROOTS: [&str; 2] = ["${CLAUDE_PLUGIN_ROOT}", "${PLUGIN_ROOT}"];

/// A plugin with a required gate on every event of every host. Its hook is missing, so each refuses
/// without an interpreter.
fn plugin() -> Plugin {
    let mut events: Vec<&str> = HOSTS
        .iter()
        .flat_map(|host| host.contracts())
        .map(|row| row.event)
        .collect();
    events.sort_unstable();
    events.dedup();
    let run = ["./hooks/missing.exe"];
    Plugin::new("demo")
        .hook(json!({"id": "gate", "event": events, "mode": "gate", "required": true, "run": run}))
        .hook(json!({"id": "shown", "event": "MessageDisplay", "mode": "direct", "run": run}))
        .file("hooks/missing.exe", "", 0o644)
}

/// What is written for a plugin: its portable tree, and a repository that it guards.
struct Written {
    tree: Tree,
    repository: Folder,
}

/// A line for Windows, and the arguments that it hands to the dispatcher.
struct Line {
    key: String,
    text: String,
}

impl Written {
    fn new() -> Self {
        let plugin = plugin();
        let repository = Folder::new("repository");
        let git = Program::new("git")
            .args(["init", "--quiet"])
            .arg(&*repository)
            .run();
        assert!(git.exited(0));
        let built = Program::new(program::hookkit())
            .arg("install")
            .arg(plugin.path())
            .args(["--yes", "--host", "copilot-cloud", "--repo"])
            .arg(&*repository)
            .arg("--dispatcher")
            .arg(program::dispatcher())
            .env("HOME", plugin.project())
            .run();
        assert!(built.exited(0));
        let tree = plugin.build();
        // Where the machine is none of Windows, its dispatcher stands in for the other's.
        for folder in [tree.path(), repository.join(".github/hookkit/demo")] {
            let file = folder.join("dispatch/hookkit-dispatch.exe");
            if !file.exists() {
                program::dispatcher_at(&file);
            }
            fs::remove_file(folder.join("hooks/missing.exe")).unwrap();
        }
        Self { tree, repository }
    }

    #[cfg(target_os = "linux")]
    fn script(&self) -> PathBuf {
        self.repository.join(".github/hookkit/demo/run.ps1")
    }

    /// The text under this key on an event, in one of the files that hosts read.
    fn line(&self, file: &str, event: &str, key: &str) -> String {
        let document = read(&self.place(file));
        let found = lines_in(&document["hooks"][event]);
        let line = found.into_iter().find(|line| line.key == key);
        line.unwrap_or_else(|| panic!("{file} has no {key} on {event}"))
            .text
    }

    fn place(&self, file: &str) -> PathBuf {
        let folder = if file.starts_with(".github/hooks/") {
            self.repository.to_path_buf()
        } else {
            self.tree.path()
        };
        folder.join(file)
    }

    /// Every line for Windows in every file.
    #[cfg(target_os = "linux")]
    fn lines(&self) -> Vec<Line> {
        let files = ["hooks/hooks.json", "hooks/codex.json", "hooks/copilot.json"];
        files
            .iter()
            .chain(&[".github/hooks/demo.json"])
            .flat_map(|file| lines_in(&read(&self.place(file))))
            .collect()
    }
}

fn read(file: &Path) -> Value {
    serde_json::from_slice(&fs::read(file).unwrap()).unwrap()
}

fn lines_in(document: &Value) -> Vec<Line> {
    let of_members = document.as_object().into_iter().flatten();
    let own = of_members.clone().filter_map(|(key, value)| {
        let is_line = ["windows", "commandWindows", "powershell"].contains(&key.as_str());
        let text = value.as_str().filter(|_| is_line)?.to_owned();
        let key = key.clone();
        Some(Line { key, text })
    });
    let below = of_members.map(|(_, value)| value);
    let below = below.chain(document.as_array().into_iter().flatten());
    own.chain(below.flat_map(lines_in)).collect()
}

/// The words between the program and whatever follows it.
fn arguments<'l>(line: &'l str, program: &str) -> Vec<&'l str> {
    let (_, rest) = line.split_once(program).expect("the line has its program");
    let (arguments, _) = rest.split_once(';').expect("the line goes on");
    arguments.split_whitespace().collect()
}

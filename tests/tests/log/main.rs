//! The local log: what stands in it, that nothing of a session does, and that no fault of it changes
//! a reply.

#![cfg(target_os = "linux")]
#![expect(
    clippy::unwrap_used,
    reason = "a fixture that cannot be made fails the test"
)]

mod command;
mod faults;
mod lines;
mod size;

use std::path::{Path, PathBuf};

use fs_err as fs;
use hookkit_tests::folder::Folder;
use hookkit_tests::process::Program;
use hookkit_tests::{Ran, payload, program};
use serde_json::{Value, json};

/// A data folder with the plugin `demo` in it, whose hooks are scripts of sh.
struct Installed {
    folder: Folder,
    dispatcher: PathBuf,
    hooks: Vec<Value>,
}

impl Installed {
    /// With `log` in the receipt; null for none.
    fn new(log: &Value) -> Self {
        let folder = Folder::new("log");
        for name in ["data/receipts", "data/store/demo/1.0.0", "project", "home"] {
            fs::create_dir_all(folder.join(name)).unwrap();
        }
        let dispatcher = program::dispatcher_at(&folder.join("data/bin/hookkit-dispatch"));
        let installed = Self {
            folder,
            dispatcher,
            hooks: Vec::new(),
        };
        installed.receipt(&json!({"log": log}));
        installed
    }

    /// The log is on, and there is one gate that refuses.
    fn refusing() -> Self {
        let gate = json!({"id": "gate", "event": "PreToolUse"});
        Self::new(&json!(true)).hook(gate, "echo No. >&2; exit 2")
    }

    fn hook(mut self, mut entry: Value, script: &str) -> Self {
        let file = format!("{}.sh", entry["id"].as_str().unwrap());
        fs::write(self.store().join(&file), script).unwrap();
        entry["run"] = json!(["sh", format!("./{file}")]);
        self.hooks.push(entry);
        let manifest =
            json!({"schema": 1, "name": "demo", "version": "1.0.0", "hooks": self.hooks});
        fs::write(self.store().join("hookkit.json"), manifest.to_string()).unwrap();
        self
    }

    fn receipt(&self, members: &Value) {
        let mut receipt = json!({"state": "installed", "version": "1.0.0"});
        let receipt_members = receipt.as_object_mut().unwrap();
        receipt_members.extend(members.as_object().unwrap().clone());
        fs::write(self.data("receipts/demo"), receipt.to_string()).unwrap();
    }

    fn data(&self, name: &str) -> PathBuf {
        self.folder.join("data").join(name)
    }

    fn store(&self) -> PathBuf {
        self.data("store/demo/1.0.0")
    }

    fn file(&self) -> PathBuf {
        self.data("log.jsonl")
    }

    /// What an agent starts on an event of Claude Code.
    fn on(&self, event: &str, payload: Value) -> Program {
        Program::new(&self.dispatcher)
            .args(arguments(event))
            .cwd(self.folder.join("project"))
            .env("HOME", self.folder.join("home"))
            .stdin(payload)
    }

    fn call(&self) -> Program {
        self.on("PreToolUse", call())
    }

    fn lines(&self) -> Vec<Value> {
        lines(&self.file())
    }
}

fn arguments(event: &str) -> [&str; 6] {
    [
        "--host",
        "claude-code",
        "--event",
        event,
        "--plugin",
        "demo",
    ]
}

fn call() -> Value {
    payload::claude::pre_tool_use("Bash", json!({"command": "ls"}))
}

/// The lines of a log; none where it is not there.
fn lines(file: &Path) -> Vec<Value> {
    let text = fs::read_to_string(file).unwrap_or_default();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn assert_same(one: &Ran, other: &Ran) {
    assert_eq!(
        (one.out(), one.err(), one.code, one.signal),
        (other.out(), other.err(), other.code, other.signal)
    );
}

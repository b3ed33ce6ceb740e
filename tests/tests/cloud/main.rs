//! A plugin in the repository that it guards: what `hookkit install --scope project` writes for
//! Copilot, run as Copilot and its cloud agent run it.
#![cfg(target_os = "linux")]
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test reports by panicking"
)]

mod answers;
mod damaged;
mod events;
mod layout;
mod lines;
mod machines;
mod mounts;
mod odd_places;
mod servers;
mod session;

use std::path::{Path, PathBuf};

use fs_err as fs;
use hookkit_tests::folder::Folder;
use hookkit_tests::process::Program;
use hookkit_tests::{Plugin, Ran, payload, program};
use serde_json::{Value, json};

/// Where the plugin's files are.
const FOLDER: &str = ".github/hookkit/demo";

/// What says that it is installed.
const RECORD: &str = ".github/hookkit/demo.json";

/// The file by which Copilot is told.
const FILE: &str = ".github/hooks/demo.json";

/// What this machine is called in the tree.
fn target() -> String {
    format!("linux-{}", std::env::consts::ARCH)
}

/// The dispatcher of this machine in the repository.
fn dispatcher() -> String {
    format!("{FOLDER}/dispatch/{}/hookkit-dispatch", target())
}

/// A plugin with a required gate that denies every call with DENYME in it and notes each start, and
/// a required gate on the end of a turn.
fn plugin() -> Plugin {
    let gate = "payload=$(cat); echo start >>\"$HOOKKIT_PLUGIN_ROOT/../../../starts\"
case $payload in *DENYME*) echo 'the gate says no' >&2; exit 2 ;; esac";
    Plugin::new("demo")
        .sh(
            json!({"id": "gate", "event": "PreToolUse", "matcher": "Bash|Write", "required": true}),
            gate,
        )
        .sh(
            json!({"id": "end", "event": ["Stop", "SubagentStop"], "required": true}),
            "cat >/dev/null",
        )
}

/// A repository, gone with the value.
struct Repository {
    folder: Folder,
    path: PathBuf,
}

impl Repository {
    /// An empty one, in a folder of this name.
    fn new(name: &str) -> Self {
        let folder = Folder::new("repository");
        let path = folder.join(name);
        fs::create_dir(folder.join("home")).unwrap();
        fs::create_dir(folder.join("temp")).unwrap();
        let ran = Program::new("git")
            .args(["init", "--quiet"])
            .arg(&path)
            .run();
        assert!(ran.exited(0));
        Self { folder, path }
    }

    /// One with the plugin.
    fn guarded() -> Self {
        Self::new("project").with(&plugin())
    }

    fn with(self, plugin: &Plugin) -> Self {
        assert!(install(plugin, &self.path, &[]).exited(0));
        self
    }

    fn join(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// A program as the agent starts it: at the root, in an environment of its own.
    fn program(&self, file: &str) -> Program {
        Program::new(file)
            .cwd(&self.path)
            .env("HOME", self.folder.join("home"))
            .env("TMPDIR", self.folder.join("temp"))
    }

    /// The line that is registered for an event, run as Copilot does it.
    fn fire(&self, event: &str, payload: Value) -> Program {
        self.program("/bin/bash")
            .args(["--norc", "--noprofile", "-c"])
            .arg(self.line(event, "bash"))
            .stdin(payload)
    }

    /// A line of the registration.
    fn line(&self, event: &str, key: &str) -> String {
        let document: Value = serde_json::from_slice(&fs::read(self.join(FILE)).unwrap()).unwrap();
        let line = document["hooks"][event][0][key].as_str();
        line.expect("a line").to_owned()
    }

    /// The copies that the script made.
    fn copies(&self) -> Vec<PathBuf> {
        let all = |folder: PathBuf| {
            let entries = fs::read_dir(folder).into_iter().flatten();
            entries.map(|entry| entry.unwrap().path())
        };
        all(self.folder.join("temp")).flat_map(all).collect()
    }

    /// Changes the script, as a machine that is another one would see it.
    fn change_script(&self, from: &str, to: &str) {
        let file = self.join(FOLDER).join("run.sh");
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.contains(from));
        fs::write(file, text.replace(from, to)).unwrap();
    }
}

fn install(plugin: &Plugin, repository: &Path, more: &[&str]) -> Ran {
    change(plugin, repository, &[&["--yes"], more].concat())
}

/// The same without a word of what shall happen.
fn change(plugin: &Plugin, repository: &Path, more: &[&str]) -> Ran {
    Program::new(program::hookkit())
        .arg("install")
        .arg(plugin.path())
        .args(["--host", "copilot-cloud", "--repo"])
        .arg(repository)
        .arg("--dispatcher")
        .arg(program::dispatcher())
        .args(["--targets", &target()])
        .args(more)
        .env("HOME", plugin.project())
        .run()
}

/// A call that the gate denies.
fn refused() -> Value {
    payload::copilot_camel::pre_tool_use("bash", json!({"command": "touch DENYME"}))
}

/// A call that it says nothing about.
fn allowed() -> Value {
    payload::copilot_camel::pre_tool_use("bash", json!({"command": "touch allowed"}))
}

/// The gate itself was asked, and said no.
fn denied_by_the_gate(ran: &Ran) -> bool {
    ran.exited(0)
        && ran.json()["permissionDecision"] == "deny"
        && ran.out().contains("the gate says no")
}

/// The script said no, because it could not ask, for a reason with these words.
fn denied_by_the_script(ran: &Ran, why: &str) -> bool {
    let reply = ran.json();
    let nested = &reply["hookSpecificOutput"];
    ran.exited(0)
        && reply["permissionDecision"] == "deny"
        && nested["permissionDecision"] == "deny"
        && nested["permissionDecisionReason"] == reply["permissionDecisionReason"]
        && reply["permissionDecisionReason"]
            .as_str()
            .is_some_and(|reason| reason.contains(why) && reason.contains("(demo)"))
}

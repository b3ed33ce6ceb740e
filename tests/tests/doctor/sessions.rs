//! Sessions that run on after a plugin's folder has gone, of every kind of process that a client is.

use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use fs_err as fs;
use hookkit_tests::plugin::copy_program;
use hookkit_tests::process::{Program, Running};
use hookkit_tests::program;
use serde_json::{Value, json};

use crate::Scene;
use crate::scene::plugin;

/// A person with a plugin for Claude Code, whose folder goes away once `clients` run.
struct Loss {
    scene: Scene,
    clients: Vec<(u32, Running)>,
}

impl Loss {
    fn new() -> Self {
        let hook = json!({"type": "command", "command": "true"});
        let hooks = json!({"hooks": {"PreToolUse": [{"hooks": [hook]}]}});
        Self {
            scene: Scene::with(&plugin(&hooks)),
            clients: Vec::new(),
        }
    }

    /// The program of this name, which does what these words say, writes its process down and stays.
    fn runs(
        &mut self,
        name: &str,
        words: &[&str],
        environment: impl FnOnce(Program) -> Program,
    ) -> u32 {
        let file = self.program(name);
        let note = self.scene.path(&format!("{}.pid", self.clients.len()));
        let client = self.scene.places.program(file).args(words);
        let client = environment(client).arg("pid").arg(&note).arg("read");
        let client = client.start();
        let id = wait_for(|| fs::read_to_string(&note).ok()?.parse().ok());
        self.clients.push((id, client));
        id
    }

    fn program(&self, name: &str) -> PathBuf {
        let file = self.scene.path(name);
        if !file.exists() {
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            copy_program(&program::nasty(), &file);
        }
        file
    }

    /// The processes that are named with HK107; no other finding of it is there.
    fn named(&self) -> Vec<u32> {
        let findings = self.scene.findings();
        let of_sessions = findings.iter().filter(|found| found["code"] == "HK107");
        let mut named: Vec<u32> = of_sessions.map(|found| self.process_in(found)).collect();
        named.sort_unstable();
        named.dedup();
        named
    }

    fn process_in(&self, found: &Value) -> u32 {
        let said = format!("{} {}", found["what"], found["fix"]);
        let (id, _) = self
            .clients
            .iter()
            .find(|(id, _)| said.contains(&format!("end process {id} and start a new session")))
            .unwrap_or_else(|| panic!("none of ours: {said}"));
        assert_eq!(found["host"], "claude-code");
        *id
    }

    fn plugin_goes(&self) {
        assert_eq!(self.named(), [0; 0], "nothing is gone");
        fs::remove_dir_all(self.scene.path("tools")).unwrap();
    }
}

fn wait_for<T>(ask: impl Fn() -> Option<T>) -> T {
    let end = Instant::now() + Duration::from_secs(40);
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        assert!(Instant::now() < end, "the client does not start");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_session_is_named_while_it_runs() {
    let mut loss = Loss::new();
    let claude = loss.runs("bin/claude", &[], |claude| claude);
    loss.runs("bin/clod", &[], |other| other);
    loss.plugin_goes();
    assert_eq!(loss.named(), [claude]);
    loss.clients.clear();
    assert_eq!(loss.named(), [0; 0], "it has ended");
}

#[test]
fn a_session_with_other_settings_is_not_named() {
    let mut loss = Loss::new();
    let elsewhere = loss.scene.path("elsewhere");
    let own = loss.scene.path("home/.claude");
    let variable = "CLAUDE_CONFIG_DIR";
    loss.runs("bin/claude", &[], |claude| claude.env("HOME", &elsewhere));
    loss.runs("bin/claude", &[], |claude| claude.env(variable, &elsewhere));
    let named = loss.runs("bin/claude", &[], |claude| {
        claude.env("HOME", &elsewhere).env(variable, &own)
    });
    loss.plugin_goes();
    assert_eq!(loss.named(), [named]);
}

#[test]
fn a_client_from_npm_is_named_once() {
    let mut loss = Loss::new();
    let script = |package: &str| {
        let file = loss.scene.path("node_modules").join(package).join("cli.js");
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        file.display().to_string()
    };
    let of_claude = script("@anthropic-ai/claude-code");
    let of_other = script("@anthropic-ai/sdk");
    // The client is the script.
    let in_node = loss.runs("bin/node", &["touch", &of_claude], |node| node);
    loss.runs("bin/node", &["touch", &of_other], |node| node);
    // The script starts the client's program, which is `claude.exe` in its package, and waits.
    let program = loss.program("node_modules/@anthropic-ai/claude-code/bin/claude.exe");
    let program = program.display().to_string();
    let started = ["touch", &of_claude, "start", &program];
    let below_node = loss.runs("bin/node", &started, |node| node);
    loss.plugin_goes();
    let mut both = [in_node, below_node];
    both.sort_unstable();
    assert_eq!(loss.named(), both);
}

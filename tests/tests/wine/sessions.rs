//! `hookkit` for Windows finds the sessions that run, by the list of processes.

use fs_err as fs;
use hookkit_tests::folder::Folder;
use hookkit_tests::foreign::{self, Wine};
use hookkit_tests::plugin::copy_program;
use hookkit_tests::process::{Program, Running};
use hookkit_tests::{Plugin, Ran};
use serde_json::json;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

/// Programs and settings of one person.
struct Person {
    wine: Wine,
    folder: Folder,
}

impl Person {
    fn new() -> Option<Self> {
        let programs = [
            ("hookkit.exe", foreign::hookkit("windows/hookkit.exe")?),
            (
                "hookkit-dispatch.exe",
                foreign::dispatcher("hookkit-dispatch.exe")?,
            ),
            ("claude.exe", foreign::nasty("x86_64-pc-windows-gnu")?),
            ("clod.exe", foreign::nasty("x86_64-pc-windows-gnu")?),
            ("node.exe", foreign::nasty("x86_64-pc-windows-gnu")?),
        ];
        let person = Self {
            wine: Wine::find()?,
            folder: Folder::new("windows"),
        };
        for folder in ["programs", "data", "claude", "elsewhere"] {
            fs::create_dir(person.place(folder)).unwrap();
        }
        for (name, file) in programs {
            copy_program(&file, &person.place("programs").join(name));
        }
        Some(person)
    }

    fn place(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn program(&self, name: &str, settings: &str) -> Program {
        self.wine
            .program(&self.place("programs").join(name))
            .env("HOOKKIT_HOME", Wine::path(&self.place("data")))
            .env("CLAUDE_CONFIG_DIR", Wine::path(&self.place(settings)))
            .cwd(&*self.folder)
    }

    fn hookkit(&self, words: &[&str]) -> Ran {
        self.program("hookkit.exe", "claude").args(words).run()
    }

    /// A program that stays, and its number in Windows' list of processes, which it writes into `note`.
    fn stays(&self, name: &str, settings: &str, note: &str) -> (u32, Running) {
        let note = self.place(note);
        fs::create_dir_all(note.parent().unwrap()).unwrap();
        let program = self.program(name, settings).arg("pid");
        let program = program.arg(Wine::path(&note)).arg("read").start();
        let end = Instant::now() + Duration::from_secs(40);
        loop {
            let said = fs::read_to_string(&note).unwrap_or_default();
            if let Ok(id) = said.parse() {
                return (id, program);
            }
            assert!(Instant::now() < end, "{name} does not start");
            thread::sleep(Duration::from_millis(50));
        }
    }

    /// What doctor says and advises about sessions that hold what is gone.
    fn advice(&self) -> Vec<String> {
        let document = self
            .hookkit(&["doctor", "--json", "--host", "claude-code"])
            .json();
        let findings = document["findings"].as_array().unwrap();
        findings
            .iter()
            .filter(|found| found["code"] == "HK107")
            .map(|found| format!("{}: {}", found["what"], found["fix"]))
            .collect()
    }
}

#[test]
fn a_session_is_named_and_what_it_starts_stays_until_it_ends() {
    let Some(person) = Person::new() else { return };
    let plugin = Plugin::new("guard").sh(json!({"id": "no", "event": "PreToolUse"}), "exit 2");
    let plugin = Wine::path(&plugin.path());
    let install = ["install", "--yes", "--host", "claude-code", &plugin];
    assert!(person.hookkit(&install).exited(0));
    let script = "node_modules/@anthropic-ai/claude-code/cli.js";
    let sessions = [
        person.stays("claude.exe", "claude", "1.pid"),
        // As older versions of the client run from npm.
        person.stays("node.exe", "claude", script),
    ];
    // Another program, a client with other settings, and another script are nobody's session.
    let others = [
        person.stays("clod.exe", "claude", "2.pid"),
        person.stays("claude.exe", "elsewhere", "3.pid"),
        person.stays("node.exe", "claude", "node_modules/@anthropic-ai/sdk/4.js"),
    ];
    let ran = person.hookkit(&["doctor", "--host", "claude-code"]);
    assert!(
        ran.exited(0),
        "nothing is gone, and nothing else is wrong: {}",
        ran.out()
    );
    assert_eq!(person.advice(), [""; 0]);

    let (thin, away) = (person.place("data/market/guard"), person.place("away"));
    fs::rename(&thin, &away).unwrap();
    let advice = person.advice();
    let is_of = |(id, _): &(u32, Running), advice: &str| {
        advice.contains(&format!("end process {id} and start a new session"))
    };
    let is_named = |session| advice.iter().any(|advice| is_of(session, advice));
    assert!(sessions.iter().all(is_named), "{advice:?}");
    assert!(!others.iter().any(is_named), "{advice:?}");
    fs::rename(&away, &thin).unwrap();

    let uninstall = ["uninstall", "--yes", "guard"];
    let ran = person.hookkit(&uninstall);
    let mut ids = sessions.each_ref().map(|(id, _)| *id);
    ids.sort_unstable();
    let names = ids
        .map(|id| format!("claude-code (process {id})"))
        .join(", ");
    let stays = format!("stays and says nothing until {names} ends");
    assert!(ran.exited(0) && ran.out().contains(&stays), "{}", ran.out());
    assert!(thin.join("dispatch/hookkit-dispatch.exe").is_file());
    drop(sessions);
    let ran = person.hookkit(&uninstall);
    assert!(
        ran.exited(0) && !ran.out().contains("stays"),
        "{}",
        ran.out()
    );
    assert!(!thin.exists());
    drop(others);
}

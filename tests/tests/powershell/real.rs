//! The lines, run by PowerShell itself.

use hookkit_tests::process::Program;
use hookkit_tests::{Ran, payload, program, say};
use serde_json::{Value, json};

use crate::{ROOTS, Written};

/// A PowerShell, and the words with which hosts give it a line.
struct Shell {
    name: &'static str,
    words: &'static [&'static str],
}

const SHELLS: [Shell; 2] = [
    // As VS Code's Local harness starts it.
    Shell {
        name: "powershell",
        words: &[
            "-ExecutionPolicy",
            "Bypass",
            "-NoProfile",
            "-NoLogo",
            "-Command",
        ],
    },
    // As Codex CLI does; Copilot CLI says the same in short.
    Shell {
        name: "pwsh",
        words: &["-NoProfile", "-Command"],
    },
];

/// Those that are here. On Windows both have to be; elsewhere a missing one is named, past the test
/// runner.
fn shells() -> Vec<&'static Shell> {
    let is_there = |shell: &&Shell| {
        let found = program::found(shell.name).is_some();
        assert!(found || !cfg!(windows), "{} is not installed", shell.name);
        if !found {
            say(&format!(
                "SKIPPED the lines for Windows under {}: it is not installed",
                shell.name
            ));
        }
        found
    };
    SHELLS.iter().filter(is_there).collect()
}

impl Shell {
    fn run(&self, written: &Written, line: &str, payload: Value) -> Ran {
        let root = written.tree.path();
        let line = ROOTS.iter().fold(line.to_owned(), |line, name| {
            line.replace(name, root.to_str().unwrap())
        });
        Program::new(program::found(self.name).unwrap())
            .args(self.words)
            .arg(line)
            .cwd(&*written.repository)
            .stdin(payload)
            .run()
    }
}

#[test]
fn a_gate_refuses_by_each_line() {
    let shells = shells();
    let written = Written::new();
    let claudes = payload::claude::pre_tool_use("Bash", json!({"command": "ls"}));
    let copilots = payload::copilot_camel::pre_tool_use("bash", json!({"command": "ls"}));
    for (file, event, key, payload) in [
        ("hooks/hooks.json", "PreToolUse", "windows", &claudes),
        ("hooks/codex.json", "PreToolUse", "commandWindows", &claudes),
        (
            ".github/hooks/demo.json",
            "preToolUse",
            "powershell",
            &copilots,
        ),
    ] {
        let line = written.line(file, event, key);
        for shell in &shells {
            // Only Windows has a cmd, and only there run.ps1 looks for its dispatcher.
            if cfg!(windows) || key == "windows" {
                shell
                    .run(&written, &line, payload.clone())
                    .assert_denies("is missing");
            }
        }
    }
}

/// The control: PowerShell makes 1 of an exit code 2 unless the line says otherwise.
#[test]
fn an_exit_code_arrives_only_with_the_words_at_the_end_of_the_line() {
    let shells = shells();
    let written = Written::new();
    let line = written.line("hooks/hooks.json", "TeammateIdle", "windows");
    let bare = line.replace("; exit $LASTEXITCODE", "");
    assert_ne!(line, bare);
    let payload = payload::claude::event("TeammateIdle", json!({"teammate_name": "a"}));
    for shell in shells {
        assert_eq!(shell.run(&written, &line, payload.clone()).code, Some(2));
        assert_eq!(shell.run(&written, &bare, payload.clone()).code, Some(1));
    }
}

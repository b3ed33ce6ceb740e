//! The static dispatchers for Linux where there is nothing else: no loader, no library, no shell, no
//! `/proc`. The one for aarch64 is run by qemu.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]
#![expect(clippy::unwrap_used, reason = "a test reports by panicking")]

use std::time::Duration;

use fs_err as fs;
use hookkit_tests::foreign::{self, EmptyRoot};
use hookkit_tests::process::Program;
use hookkit_tests::{Ran, payload, program};
use serde_json::{Value, json};

/// One architecture, and who runs its programs.
#[derive(Clone, Copy)]
struct Machine {
    architecture: &'static str,
    place: &'static str,
    emulator: Option<&'static str>,
}

const X86_64: Machine = Machine {
    architecture: "x86_64",
    place: "linux-x86_64/hookkit-dispatch",
    emulator: None,
};

const AARCH64: Machine = Machine {
    architecture: "aarch64",
    place: "linux-aarch64/hookkit-dispatch",
    emulator: Some("qemu-aarch64-static"),
};

macro_rules! each_machine {
    ($($test:ident),* $(,)?) => {
        mod x86_64 {
            $(#[test] fn $test() { super::$test(super::X86_64); })*
        }
        mod aarch64 {
            $(#[test] fn $test() { super::$test(super::AARCH64); })*
        }
    };
}

each_machine!(
    it_starts_and_says_its_version,
    every_host_is_told_a_refusal_and_nothing_of_a_silent_hook,
    faults_and_what_is_no_document_are_refused,
    a_hook_that_does_not_end_is_ended,
    a_program_that_needs_a_loader_does_not_start,
);

/// An empty root with the dispatcher and `nasty` in it; `None` after saying what is missing.
///
/// qemu leaves the starting of programs to this machine, so the hook is one of its own.
fn root(machine: Machine) -> Option<EmptyRoot> {
    let dispatcher = foreign::dispatcher(machine.place)?;
    let nasty = foreign::nasty("x86_64-unknown-linux-musl")?;
    let root = EmptyRoot::find(machine.emulator)?;
    root.put(&dispatcher, "hookkit-dispatch");
    root.put(&nasty, "plugin/nasty");
    Some(root)
}

/// The dispatcher in there, with one hook: `nasty` with these words.
fn dispatch(root: &EmptyRoot, timeout: f64, words: &[&str], arguments: &[&str]) -> Program {
    let run = [&["./nasty"], words].concat();
    let manifest = json!({
        "schema": 1, "name": "demo", "version": "0.1.0",
        "hooks": [{"id": "guard", "event": "PreToolUse", "timeout": timeout, "run": run}],
    });
    let file = root.path().join("plugin/hookkit.json");
    fs::write(file, manifest.to_string()).unwrap();
    root.program("/hookkit-dispatch")
        .args(["--plugin-root", "/plugin"])
        .args(arguments)
}

const CLAUDE: [&str; 4] = ["--host", "claude-code", "--event", "PreToolUse"];

fn call() -> Value {
    payload::claude::pre_tool_use("Bash", json!({"command": "git push --force"}))
}

fn it_starts_and_says_its_version(machine: Machine) {
    let Some(root) = root(machine) else { return };
    let ran = root.program("/hookkit-dispatch").arg("--version").run();
    assert!(ran.exited(0));
    let name = format!(" {}-linux ", machine.architecture);
    assert!(ran.out().contains(&name));
}

fn every_host_is_told_a_refusal_and_nothing_of_a_silent_hook(machine: Machine) {
    let Some(root) = root(machine) else { return };
    let of_copilot = payload::copilot::pre_tool_use("Bash", json!({"command": "ls"}));
    let of_the_cloud = payload::copilot_camel::pre_tool_use("bash", json!({"command": "ls"}));
    for (host, payload) in [
        ("claude-code", &call()),
        ("vscode-local", &call()),
        ("codex", &call()),
        ("copilot-cli", &of_copilot),
        ("vscode-copilot", &of_copilot),
        ("copilot-cloud", &of_the_cloud),
    ] {
        let run = |words: &[&str]| -> Ran {
            dispatch(
                &root,
                20.0,
                words,
                &["--host", host, "--event", "PreToolUse"],
            )
            .stdin(payload.clone())
            .run()
        };
        run(&["read", "complain", "not today", "exit", "2"]).assert_denies("not today");
        run(&["read"]).assert_silent();
    }
}

fn faults_and_what_is_no_document_are_refused(machine: Machine) {
    let Some(root) = root(machine) else { return };
    for words in [
        &["read", "exit", "1"][..],
        &["read", "crash", "SEGV"],
        &["read", "print-two-documents"],
        &["stderr-flood", "exit", "2"],
    ] {
        let ran = dispatch(&root, 60.0, words, &CLAUDE).stdin(call()).run();
        ran.assert_denies("");
    }
    let ran = dispatch(&root, 20.0, &["read"], &CLAUDE)
        .stdin_bytes("no")
        .run();
    ran.assert_denies("");
    let ran = dispatch(&root, 20.0, &["read"], &[])
        .stdin_bytes("no")
        .run();
    assert!(ran.exited(2) && ran.stdout.is_empty());
}

fn a_hook_that_does_not_end_is_ended(machine: Machine) {
    let Some(root) = root(machine) else { return };
    let late = root.path().join("plugin/late");
    let run = |timeout| {
        let words = ["sleep", "3", "touch", "/plugin/late"];
        dispatch(&root, timeout, &words, &CLAUDE)
            .stdin(call())
            .run()
    };
    let ran = run(1.5);
    ran.assert_denies("did not end within 1.5 s");
    assert!(!ran.left_open && ran.elapsed < Duration::from_secs(6));
    std::thread::sleep(Duration::from_secs(3));
    assert!(!late.exists());
    // The control: with more time it does.
    run(30.0).assert_silent();
    assert!(late.exists());
}

/// The control: the root is empty.
fn a_program_that_needs_a_loader_does_not_start(machine: Machine) {
    let Some(root) = root(machine) else { return };
    let bash = program::found("bash").unwrap();
    root.put(&bash, "bash");
    assert!(root.program("/bash").arg("-c").arg(":").run().code != Some(0));
}

/// Whoever develops in Rust has this variable set; the library that makes backtraces then once ended
/// the program where it should have said what was wrong.
#[test]
fn hookkit_says_what_is_wrong_where_backtraces_are_wanted() {
    let Some(hookkit) = foreign::hookkit("linux-x86_64/hookkit") else {
        return;
    };
    let ran = Program::new(hookkit)
        .args(["verify", "/nowhere.zip", "--sha256", &"0".repeat(64)])
        .env("RUST_BACKTRACE", "1")
        .run();
    assert!(ran.exited(2) && ran.err().contains("/nowhere.zip"));
}

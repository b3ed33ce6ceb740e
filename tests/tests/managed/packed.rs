//! What the archive holds.

use fs_err as fs;
use hookkit_tests::folder::Folder;
use hookkit_tests::process::Program;
use hookkit_tests::program;
use serde_json::Value;

use crate::{Rollout, gate, package};

#[test]
fn everything_lies_below_the_root() {
    let Some(rollout) = Rollout::new() else {
        return;
    };
    let target = format!("linux-{}", std::env::consts::ARCH);
    let folder = "opt/hookkit/gatekeeper";
    let mut files: Vec<String> = [
        "check.sh",
        "codex-requirements.toml",
        "dispatch/hookkit-dispatch",
        &format!("dispatch/{target}/hookkit-dispatch"),
        "hookkit.json",
        "hooks/gate.sh",
    ]
    .map(|name| format!("{folder}/{name}"))
    .into();
    files.push("etc/claude-code/managed-settings.d/50-hookkit-gatekeeper.json".to_owned());
    files.push("etc/github-copilot/policy.d/hookkit-gatekeeper.json".to_owned());
    let ran = Program::new("find")
        .args([".", "-type", "f", "-printf", "%P\n"])
        .cwd(rollout.root())
        .run();
    let mut found: Vec<String> = ran.out().lines().map(str::to_owned).collect();
    found.sort();
    files.sort();
    assert_eq!(found, files);
    let settings = &files[0];
    let document: Value =
        serde_json::from_slice(&fs::read(rollout.join(settings)).unwrap()).unwrap();
    let keys: Vec<_> = document.as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        ["hooks"],
        "nothing else of a company's settings is touched"
    );
}

#[test]
fn the_same_plugin_makes_the_same_bytes_and_is_signed_alike() {
    let plugin = gate();
    let name = "gatekeeper-0.1.0-linux.zip";
    let (one, other) = (Folder::new("one"), Folder::new("other"));
    let keys = Folder::new("keys");
    let made = Program::new(program::hookkit())
        .arg("keygen")
        .cwd(&*keys)
        .env("HOME", plugin.project())
        .run();
    assert!(made.exited(0), "{}", made.err());
    let secret = keys.join("minisign.key");
    assert!(package(&plugin, &one, &["--sign-key", secret.to_str().unwrap()]).exited(0));
    assert!(package(&plugin, &other, &[]).exited(0));
    let read = |folder: &Folder| fs::read(folder.join(name)).unwrap();
    assert_eq!(read(&one), read(&other));
    let verify = |folder: &Folder| {
        Program::new(program::hookkit())
            .arg("verify")
            .arg(folder.join(name))
            .arg("--key")
            .arg(keys.join("minisign.pub"))
            .run()
    };
    assert!(verify(&one).exited(0));
    assert!(!verify(&other).exited(0), "the control: nobody signed it");
}

#[test]
fn a_machine_of_another_system_is_refused() {
    let ran = Program::new(program::hookkit())
        .arg("package")
        .arg(gate().path())
        .args(["--managed", "windows", "--targets", "macos"])
        .run();
    assert!(ran.exited(2) && ran.err().contains("macos does not run windows"));
}

//! The script that says what is in place.

use std::os::unix::fs::{PermissionsExt as _, chown, symlink};

use fs_err as fs;
use hookkit_tests::process::Program;
use hookkit_tests::{Ran, program};

use crate::{Package, Rollout};

const FOLDER: &str = "opt/hookkit/gatekeeper";

fn check(rollout: &Rollout, shell: &str) -> Ran {
    let mut words: Vec<&str> = shell.split(' ').collect();
    let first = words.remove(0);
    Program::new(first)
        .args(words)
        .arg(rollout.join(FOLDER).join("check.sh"))
        .arg(rollout.root())
        .run()
}

/// None, loudly, where files cannot belong to root.
fn packaged() -> Option<Package> {
    let is_root = rustix::process::geteuid().is_root();
    if !program::can(is_root, "files can only be given to root by root") {
        return None;
    }
    Package::new()
}

#[test]
fn everything_in_place_is_said_file_by_file() {
    let Some(package) = packaged() else { return };
    let rollout = package.placed();
    for shell in ["sh", "bash", "busybox sh"] {
        if program::found(shell.split(' ').next().unwrap()).is_none() {
            continue;
        }
        let ran = check(&rollout, shell);
        assert!(ran.exited(0), "{shell}: {}{}", ran.out(), ran.err());
        let out = ran.out();
        let ok = out.lines().filter(|line| line.starts_with("ok "));
        assert!(ok.clone().count() >= 12, "{out}");
        let mut hooks = ok.filter(|line| line.ends_with("hooks/gate.sh"));
        let hook = hooks.next().unwrap_or_default();
        assert!(hook.contains(" 0 -rw"), "owner and mode: {out}");
        assert!(ran.out().contains("Codex is not told"));
    }
    let codex = rollout.join("etc/codex");
    fs::create_dir(&codex).unwrap();
    let fragment = rollout.join(FOLDER).join("codex-requirements.toml");
    fs::copy(fragment, codex.join("requirements.toml")).unwrap();
    assert!(check(&rollout, "sh").out().contains("Codex is told"));
}

/// A file, what is said of it, and what was done to it.
type Fault<'f> = (&'f str, &'f str, &'f dyn Fn(&Rollout));

#[test]
fn whatever_is_wrong_is_named() {
    let Some(package) = packaged() else { return };
    let hook = &format!("{FOLDER}/hooks/gate.sh");
    let selector = &format!("{FOLDER}/dispatch/hookkit-dispatch");
    let policy = "etc/github-copilot/policy.d/hookkit-gatekeeper.json";
    let mode = |rollout: &Rollout, name: &str, mode| {
        fs::set_permissions(rollout.join(name), std::fs::Permissions::from_mode(mode)).unwrap();
    };
    let faults: [Fault; 8] = [
        (policy, "is missing", &|r| {
            fs::remove_file(r.join(policy)).unwrap();
        }),
        (hook, "is not what was packaged", &|r| {
            fs::write(r.join(hook), "exit 0\n").unwrap();
        }),
        (hook, "others than its owner may change it", &|r| {
            mode(r, hook, 0o666);
        }),
        (policy, "others than its owner may change it", &|r| {
            mode(r, policy, 0o664);
        }),
        (selector, "not everybody may start it", &|r| {
            mode(r, selector, 0o644);
        }),
        (policy, "not everybody may read it", &|r| {
            mode(r, policy, 0o600);
        }),
        (hook, "belongs to user 12345", &|r| {
            chown(r.join(hook), Some(12345), None).unwrap();
        }),
        (FOLDER, "others than its owner may change it", &|r| {
            mode(r, FOLDER, 0o777);
        }),
    ];
    for (name, words, make) in faults {
        let rollout = package.placed();
        make(&rollout);
        let ran = check(&rollout, "sh");
        assert!(ran.exited(1), "{words}: {}", ran.out());
        let lines: Vec<String> = ran.out().lines().map(str::to_owned).collect();
        let is_said = |line: &String| {
            line.starts_with("FAULT") && line.contains(name) && line.contains(words)
        };
        assert!(lines.iter().any(is_said), "{name} {words}: {lines:#?}");
    }
    let rollout = package.placed();
    let link = rollout.join(policy);
    fs::remove_file(&link).unwrap();
    symlink("/etc/passwd", &link).unwrap();
    assert!(check(&rollout, "sh").out().contains("is a link"));
}

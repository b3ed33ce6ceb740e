//! Packages: made twice, read by other programs, signed, changed on their way, and hostile.
#![cfg(target_os = "linux")]
#![expect(
    clippy::unwrap_used,
    reason = "a fixture that cannot be made fails the test"
)]

#[path = "packages/hostile.rs"]
mod hostile;
#[path = "packages/made.rs"]
mod made;
#[path = "packages/signed.rs"]
mod signed;
#[path = "packages/zip.rs"]
mod zip;

use std::path::{Path, PathBuf};

use fs_err as fs;
use hookkit_tests::folder::Folder;
use hookkit_tests::process::Program;
use hookkit_tests::{Plugin, Ran, program};
use serde_json::json;

/// A plugin with a gate that denies, in a file whose name is not ASCII.
fn guard() -> Plugin {
    Plugin::new("guard")
        .file("hooks/n\u{e9}.txt", "text\n", 0o644)
        .file("README.md", "# Guard\n", 0o644)
        .sh(
            json!({"id": "no", "event": "PreToolUse", "matcher": "Bash"}),
            "echo no >&2; exit 2",
        )
}

/// `hookkit` in an empty home.
fn hookkit(home: &Path, arguments: &[&str]) -> Program {
    Program::new(program::hookkit())
        .args(arguments)
        .env("HOME", home)
        .cwd(home)
}

/// Packs a plugin into a folder, and gives the package.
fn packed(plugin: &Plugin, out: &Path, more: &[&str]) -> PathBuf {
    let ran = package(plugin, out, more).run();
    assert!(ran.exited(0));
    out.join("guard-0.1.0.zip")
}

fn package(plugin: &Plugin, out: &Path, more: &[&str]) -> Program {
    hookkit(&plugin.project(), &["package"])
        .arg(plugin.path())
        .arg("--dispatcher")
        .arg(program::dispatcher())
        .arg("--out")
        .arg(out)
        .args(more)
}

/// Verifies a file by its own sum, so that only its content counts.
fn opened(file: &Path) -> Ran {
    let sum = sum(file);
    hookkit(file.parent().unwrap(), &["verify", "--sha256", &sum])
        .arg(file)
        .run()
}

/// The sha256 of a file, as another program sees it.
fn sum(file: &Path) -> String {
    let ran = Program::new("sha256sum").arg(file).run();
    ran.out()[..64].to_owned()
}

/// Writes bytes as a file of a throw-away folder.
fn file(folder: &Folder, name: &str, bytes: &[u8]) -> PathBuf {
    let file = folder.join(name);
    fs::write(&file, bytes).unwrap();
    file
}

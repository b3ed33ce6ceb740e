//! The command `hookkit`, started as people start it: what it prints, what it leaves on the disk,
//! and its exit code.
//!
//! 0 done, 1 found problems, 2 wrong use, 3 refused and nothing touched.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test reports by panicking")]

mod advice;
mod build;
mod check;
mod common;
mod hosts;
mod init;
mod refusals;
mod release;
mod test;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;

use fs_err as fs;
use hookkit_tests::process::Program;
use hookkit_tests::{Plugin, Ran, program};
use serde_json::json;

/// `hookkit` with these words, in a folder, with a home that is not there.
fn hookkit<A: AsRef<OsStr>>(cwd: &Path, words: impl IntoIterator<Item = A>) -> Program {
    Program::new(program::hookkit())
        .args(words)
        .cwd(cwd)
        .env("HOME", "/nonexistent/home")
}

/// A plugin whose gate denies what has DENYME in it.
fn plugin() -> Plugin {
    Plugin::new("demo").sh(
        json!({"id": "gate", "event": "PreToolUse", "matcher": "Bash", "mode": "gate"}),
        "case $(cat) in *force*) echo 'the gate says no' >&2; exit 2 ;; esac",
    )
}

/// Every file below a folder, with its bytes.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.is_symlink() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap();
                let bytes = fs::read(&path).unwrap_or_default();
                files.insert(name.to_string_lossy().into_owned(), bytes);
            }
        }
    }
    files
}

/// What it printed, with times and blanks as they happen to be made equal: `12 ms` becomes `T`,
/// runs of blanks one.
fn settled(ran: &Ran) -> Vec<String> {
    ran.out()
        .lines()
        .map(|line| {
            let mut words: Vec<&str> = line.split_whitespace().collect();
            while let Some(at) = words.iter().position(|word| word.starts_with("ms")) {
                let rest = &words[at]["ms".len()..];
                words[at - 1] = "T";
                if rest.is_empty() {
                    words.remove(at);
                } else {
                    words[at] = rest;
                }
            }
            words.join(" ")
        })
        .collect()
}

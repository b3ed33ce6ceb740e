//! A copy of the script that was cut off, or whose bytes were changed on the way, neither allows nor
//! refuses anything: it exits with 70, which Copilot takes for a hook that failed, and denies.
//!
//! bash has no way to make a script safe before its first command is complete. What is left is
//! written down here, byte for byte.

use std::process::{Command, Stdio};
use std::thread;

use fs_err as fs;

use crate::{FOLDER, Repository, refused};

/// The exit code of a damaged copy.
const DAMAGED: i32 = 70;

/// The length of the command at the start: from here on the trap is set.
const TRAP: usize = 17;

fn script(repository: &Repository) -> Vec<u8> {
    fs::read(repository.join(FOLDER).join("run.sh")).unwrap()
}

/// The exit code of the script's first bytes; nothing may be printed.
fn code(repository: &Repository, script: &[u8], length: usize) -> i32 {
    let file = repository.folder.join(length.to_string());
    fs::write(&file, &script[..length]).unwrap();
    let output = Command::new("bash")
        .arg(file)
        .args([
            "--host",
            "auto",
            "--event",
            "PreToolUse",
            "--if-missing",
            "allow",
        ])
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .unwrap();
    assert!(output.stdout.is_empty(), "{length}");
    output.status.code().unwrap()
}

#[test]
fn hb_rel_04_wherever_it_is_cut_off_it_neither_allows_nor_refuses() {
    let repository = Repository::guarded();
    let script = script(&repository);
    assert!(script.starts_with(b"trap \\ exit\\ 70 0 #\n"));
    // Every length at both ends and around every line end, every seventh between.
    let lengths: Vec<usize> = (0..script.len() - 1)
        .filter(|length| {
            let is_near_an_end = *length < 100 || length + 100 > script.len();
            let is_at_a_line_end =
                script[*length] == b'\n' || (*length > 0 && script[length - 1] == b'\n');
            is_near_an_end || is_at_a_line_end || length % 7 == 0
        })
        .collect();
    let halves = lengths.split_at(lengths.len() / 2);
    thread::scope(|scope| {
        for lengths in [halves.0, halves.1] {
            let (repository, script) = (&repository, &script);
            scope.spawn(move || {
                for length in lengths {
                    let code = code(repository, script, *length);
                    let is_right = match length {
                        // Nothing to run, or `trap` alone, which lists nothing.
                        0 | 4..=6 => code == 0,
                        // bash calls an incomplete `trap` wrong use.
                        7..TRAP => code == 2,
                        TRAP.. => code == DAMAGED,
                        // No such program, and `tr` without its arguments.
                        _ => !matches!(code, 0 | 2),
                    };
                    assert!(is_right, "with the first {length} bytes: {code}");
                }
            });
        }
    });
}

#[test]
fn windows_line_ends_and_a_byte_order_mark_are_damage() {
    let repository = Repository::guarded();
    let file = repository.join(FOLDER).join("run.sh");
    let script = String::from_utf8(script(&repository)).unwrap();
    for (name, text) in [
        ("line ends", script.replace('\n', "\r\n")),
        ("mark", format!("\u{feff}{script}")),
        ("both", format!("\u{feff}{}", script.replace('\n', "\r\n"))),
    ] {
        fs::write(&file, text).unwrap();
        let ran = repository.fire("preToolUse", refused()).run();
        assert!(ran.stdout.is_empty(), "{name}");
        // With both the first line is no command and its trap is not set: a syntax error stays one.
        let is_right = if name == "both" { 2 } else { DAMAGED };
        assert!(ran.exited(is_right), "{name}");
    }
    fs::remove_file(&file).unwrap();
    assert!(repository.fire("preToolUse", refused()).run().exited(127));
}

/// The control: all of it, with and without the last line end, does its work.
#[test]
fn whole_it_starts_the_dispatcher() {
    let repository = Repository::guarded();
    let file = repository.join(FOLDER).join("run.sh");
    let script = script(&repository);
    for bytes in [&script[..], &script[..script.len() - 1]] {
        fs::write(&file, bytes).unwrap();
        let ran = repository.fire("preToolUse", refused()).run();
        assert!(crate::denied_by_the_gate(&ran));
    }
}

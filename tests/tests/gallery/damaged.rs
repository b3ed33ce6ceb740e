//! A copy of the selector that was cut off, or whose bytes were changed on the way, neither allows
//! nor refuses anything: it exits with 70, which every host takes for a hook that failed.
//!
//! sh has no way to make a script safe before its first command is complete. What is left is
//! written down here, byte for byte.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use fs_err as fs;
use hookkit_tests::folder::Folder;
use hookkit_tests::process::Program;

use crate::shells::{self, Shell};
use crate::{ARGUMENTS, plugin, refused};

/// The exit code of a damaged copy.
const DAMAGED: i32 = 70;

/// The length of `#!/bin/sh` and its line end: as a script that is nothing at all.
const SHEBANG: usize = 10;

/// The length of the first two lines: from here on the trap is set.
const TRAP: usize = 27;

fn script() -> Vec<u8> {
    fs::read(plugin().build().path().join("dispatch/hookkit-dispatch")).unwrap()
}

/// The codes of one shell for the copies of these lengths.
fn codes(shell: Shell, folder: &Path, lengths: &[usize]) -> BTreeMap<usize, Option<i32>> {
    let (program, words) = shell.command();
    let workers = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let share = lengths.len().div_ceil(workers);
    thread::scope(|scope| {
        let shares: Vec<_> = lengths
            .chunks(share)
            .map(|lengths| {
                let program = &program;
                scope.spawn(move || -> Vec<(usize, Option<i32>)> {
                    let run = |length: &usize| {
                        let status = Command::new(program)
                            .args(words)
                            .arg(folder.join(length.to_string()))
                            .args(ARGUMENTS)
                            .stdin(Stdio::null())
                            .stdout(Stdio::null())
                            .stderr(Stdio::null())
                            .status()
                            .unwrap();
                        (*length, status.code())
                    };
                    lengths.iter().map(run).collect()
                })
            })
            .collect();
        shares
            .into_iter()
            .flat_map(|share| share.join().unwrap())
            .collect()
    })
}

/// One test for each shell: there are some two thousand copies.
macro_rules! wherever_it_is_cut_off_it_neither_allows_nor_refuses {
    ($($test:ident $shell:literal),*) => {
        mod wherever_it_is_cut_off_it_neither_allows_nor_refuses {
            $(#[test] fn $test() { super::cut_off($shell); })*
        }
    };
}

wherever_it_is_cut_off_it_neither_allows_nor_refuses!(
    under_dash "dash",
    under_bash "bash",
    under_busybox "busybox sh"
);

fn cut_off(name: &str) {
    let Some(shell) = shells::all().into_iter().find(|shell| shell.name == name) else {
        return;
    };
    let script = script();
    assert!(script.starts_with(b"#!/bin/sh\ntrap \\ exit\\ 70 0 $? #"));
    let folder = Folder::new("cut");
    for length in 0..script.len() {
        fs::write(folder.join(length.to_string()), &script[..length]).unwrap();
    }
    // Without the last line end it is complete.
    let lengths: Vec<usize> = (0..script.len() - 1).collect();
    for (length, code) in codes(shell, &folder, &lengths) {
        let what = format!("{name} with the first {length} bytes");
        let code = code.unwrap_or_else(|| panic!("{what}: no exit code"));
        let is_right = match length {
            // Nothing to run. The system itself does not start a file that is shorter than its
            // first line.
            ..=SHEBANG => code == 0,
            // `trap` alone lists what is trapped: nothing.
            14..=16 => matches!(code, 0 | 1),
            // bash calls an incomplete `trap` wrong use.
            17.. if length < TRAP && name == "bash" => code == 2,
            TRAP.. => code == DAMAGED,
            _ => !matches!(code, 0 | 2),
        };
        assert!(is_right, "{what}: {code}");
    }
}

/// The control: all of it, with and without the last line end, does its work; so does the first of
/// its two pairs of braces, which a shell has read to its end.
#[test]
fn whole_it_starts_the_dispatcher() {
    let tree = plugin().build();
    let selector = tree.path().join("dispatch/hookkit-dispatch");
    let script = fs::read_to_string(&selector).unwrap();
    let first = script.find("\n}\n").unwrap() + "\n}\n".len();
    for length in [script.len(), script.len() - 1, first, first + 100] {
        let bytes = &script[..length];
        fs::write(&selector, bytes).unwrap();
        for shell in shells::all() {
            let ran = shell.run(&selector).args(ARGUMENTS).stdin(refused()).run();
            assert!(ran.out().contains("the gate says no"), "{}", shell.name);
        }
    }
}

#[test]
fn windows_line_ends_and_a_byte_order_mark_are_damage() {
    let tree = plugin().build();
    let selector = tree.path().join("dispatch/hookkit-dispatch");
    let script = fs::read_to_string(&selector).unwrap();
    for (name, text) in [
        ("line ends", script.replace('\n', "\r\n")),
        ("mark", format!("\u{feff}{script}")),
        ("both", format!("\u{feff}{}", script.replace('\n', "\r\n"))),
    ] {
        fs::write(&selector, text).unwrap();
        for shell in shells::all() {
            let ran = shell.run(&selector).args(ARGUMENTS).stdin(refused()).run();
            let what = format!("{} with {name}", shell.name);
            if name == "both" {
                // The first line is no comment and its trap is not set: a syntax error stays one.
                assert!(ran.code.is_some_and(|code| code != 0), "{what}");
            } else {
                assert!(ran.exited(DAMAGED), "{what}");
            }
            assert!(ran.stdout.is_empty(), "{what}");
        }
    }
}

/// As hosts start it: the system finds no interpreter of that name, or no program at all.
#[test]
fn the_system_does_not_start_a_copy_with_windows_line_ends() {
    let tree = plugin().build();
    let selector = tree.path().join("dispatch/hookkit-dispatch");
    let script = fs::read_to_string(&selector).unwrap();
    let folder = Folder::new("crlf");
    fs::write(folder.join("draft"), script.replace('\n', "\r\n")).unwrap();
    crate::machines::install(&folder.join("draft"), &selector);
    let started = Command::new(&selector).args(ARGUMENTS).status();
    assert!(started.is_err(), "{started:?}");
    // The control: the same file with its own line ends.
    fs::write(folder.join("draft"), script).unwrap();
    crate::machines::install(&folder.join("draft"), &selector);
    let started = Program::new(&selector)
        .args(ARGUMENTS)
        .stdin(refused())
        .run();
    assert!(started.out().contains("the gate says no"));
}

//! Many dispatchers write at once, and the file never grows beyond its limit.

use fs_err as fs;
use serde_json::json;
use std::path::Path;
use std::thread;

use crate::{Installed, lines};

/// A file that is as large becomes the earlier one.
const FULL: usize = 4 << 20;

fn fill(file: &Path, length: usize) {
    let line = format!("{}\n", json!({"schema": 1, "filler": "x".repeat(1000)}));
    fs::write(file, &line.repeat(length / line.len() + 1)[..length]).unwrap();
}

fn length(file: &Path) -> usize {
    fs::metadata(file).map_or(0, |found| usize::try_from(found.len()).unwrap())
}

/// So many calls, eight at a time.
fn call_often(installed: &Installed, each: usize) {
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..each {
                    installed.call().run().assert_denies("No.");
                }
            });
        }
    });
}

#[test]
fn dispatchers_that_write_at_once_do_not_mix() {
    let installed =
        Installed::refusing().hook(json!({"id": "second", "event": "PreToolUse"}), "exit 2");
    call_often(&installed, 10);
    let lines = installed.lines();
    assert_eq!(lines.len(), 160);
    for hooks in lines.chunks(2) {
        assert_eq!(
            (&hooks[0]["hook"], &hooks[1]["hook"]),
            (&json!("gate"), &json!("second"))
        );
    }
}

#[test]
fn a_full_file_becomes_the_earlier_one_and_no_line_is_lost() {
    let installed = Installed::refusing();
    let earlier = installed.data("log.jsonl.1");
    fs::write(&earlier, "older\n").unwrap();
    fill(&installed.file(), FULL - 700);
    let before = fs::read(installed.file()).unwrap();
    // The line that is cut by the filling ends.
    fs::write(
        installed.file(),
        [&before[..before.len() - 1], b"\n"].concat(),
    )
    .unwrap();
    call_often(&installed, 3);
    let kept = fs::read_to_string(&earlier).unwrap();
    assert!(!kept.contains("older") && kept.len() >= FULL);
    let written = kept.matches("\"gate\"").count() / 2 + lines(&installed.file()).len();
    assert_eq!(written, 24);
    assert!(!lines(&installed.file()).is_empty());
    // One that is not full stays.
    let small = Installed::refusing();
    fill(&small.file(), FULL / 2);
    small.call().run();
    assert!(!small.data("log.jsonl.1").exists());
}

#[test]
fn a_file_that_cannot_be_moved_away_stops_growing() {
    let installed = Installed::refusing();
    fs::create_dir(installed.data("log.jsonl.1")).unwrap();
    fill(&installed.file(), FULL);
    installed.call().run().assert_denies("No.");
    let longer = length(&installed.file());
    assert!(longer > FULL, "there is some room left");
    fill(&installed.file(), 2 * FULL);
    installed.call().run().assert_denies("No.");
    assert_eq!(length(&installed.file()), 2 * FULL);
}

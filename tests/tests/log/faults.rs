//! What stands in the way of the log changes no reply, and leads it nowhere else.

use std::os::unix::fs::symlink;
use std::time::Duration;

use fs_err as fs;
use hookkit_tests::process::Program;
use hookkit_tests::{Ran, program};
use serde_json::json;

use crate::{Installed, arguments, assert_same, lines};

/// The reply without a log.
fn expected(installed: &Installed) -> Ran {
    installed.receipt(&json!({}));
    let ran = installed.call().run();
    installed.receipt(&json!({"log": true}));
    ran.assert_denies("No.");
    ran
}

#[test]
fn what_is_no_plain_file_is_left_alone() {
    let installed = Installed::refusing();
    let expected = expected(&installed);
    let elsewhere = installed.folder.join("elsewhere");
    fs::write(&elsewhere, "theirs").unwrap();
    let file = installed.file();
    let made = |what: &str| match what {
        "a link" => symlink(&elsewhere, &file).unwrap(),
        "a link to nothing" => symlink(installed.folder.join("nothing"), &file).unwrap(),
        "another name" => fs::hard_link(&elsewhere, &file).unwrap(),
        "a folder" => fs::create_dir(&file).unwrap(),
        "a pipe" => assert!(Program::new("mkfifo").arg(&file).run().exited(0)),
        _ => symlink("/dev/full", &file).unwrap(),
    };
    for what in [
        "a link",
        "a link to nothing",
        "another name",
        "a folder",
        "a pipe",
        "a device",
    ] {
        made(what);
        let ran = installed.call().limit(Duration::from_secs(10)).run();
        assert_same(&ran, &expected);
        assert_eq!(fs::read_to_string(&elsewhere).unwrap(), "theirs", "{what}");
        assert!(!installed.folder.join("nothing").exists());
        if file.is_dir() {
            fs::remove_dir(&file).unwrap();
        } else {
            fs::remove_file(&file).unwrap();
        }
    }
    installed.call().run();
    assert_eq!(installed.lines().len(), 1);
}

/// A pipe that somebody reads is no file either: its reader could stop.
#[test]
fn a_pipe_with_a_reader_gets_nothing() {
    let installed = Installed::refusing();
    let expected = expected(&installed);
    let file = installed.file();
    assert!(Program::new("mkfifo").arg(&file).run().exited(0));
    let held = std::fs::OpenOptions::new()
        .read(true)
        .write(true)
        .open(&file)
        .unwrap();
    assert_same(&installed.call().run(), &expected);
    drop(held);
    let seen = Program::new("sh")
        .args(["-c", "timeout 1 cat < \"$0\" & sleep 0.2; : > \"$0\"; wait"])
        .arg(&file)
        .run();
    assert_eq!(seen.out(), "");
}

#[test]
fn a_full_disk_and_one_that_cannot_be_written_change_nothing() {
    if !program::needs(&["unshare", "mount", "dd"]) {
        return;
    }
    let installed = Installed::refusing();
    let expected = expected(&installed);
    let disk = installed.folder.join("disk");
    fs::create_dir(&disk).unwrap();
    installed.receipt(&json!({"log": disk.join("collected")}));
    let can_mount = program::among_own_mounts("mount -t tmpfs tmpfs \"$1\"")
        .arg(&disk)
        .run();
    if !program::can(can_mount.exited(0), "a disk can only be mounted by root") {
        return;
    }
    for (state, is_written) in [
        ("mount -t tmpfs -o size=64k tmpfs \"$1\"", true),
        (
            "mount -t tmpfs -o size=64k tmpfs \"$1\"; dd if=/dev/zero of=\"$1/x\" 2>/dev/null || :",
            false,
        ),
        ("mount -t tmpfs -o ro tmpfs \"$1\"", false),
    ] {
        let copy = installed.folder.join("copy");
        let script = format!(
            "{state}; shift; code=0; \"$@\" || code=$?; cat {}/collected > {} 2>/dev/null || :; \
             exit $code",
            disk.display(),
            copy.display()
        );
        let ran = program::among_own_mounts(&script)
            .arg(&disk)
            .arg(&installed.dispatcher)
            .args(arguments("PreToolUse"))
            .cwd(installed.folder.join("project"))
            .env("HOME", installed.folder.join("home"))
            .stdin(crate::call())
            .run();
        assert_same(&ran, &expected);
        assert_eq!(lines(&copy).len(), usize::from(is_written), "{state}");
    }
}

/// A process whose file would grow over its limit is ended by a signal, unless it ignores that.
#[test]
fn a_limit_on_files_ends_nothing() {
    let installed = Installed::refusing();
    let expected = expected(&installed);
    for (limit, is_written) in [("0", false), ("unlimited", true)] {
        let ran = Program::new("sh")
            .args(["-c", &format!("ulimit -f {limit}; exec \"$0\" \"$@\"")])
            .arg(&installed.dispatcher)
            .args(arguments("PreToolUse"))
            .cwd(installed.folder.join("project"))
            .env("HOME", installed.folder.join("home"))
            .stdin(crate::call())
            .run();
        assert_same(&ran, &expected);
        assert_eq!(installed.lines().len(), usize::from(is_written));
    }
}

#[test]
fn a_collector_gets_its_file_by_the_receipt_alone() {
    let installed = Installed::refusing();
    let collected = installed.folder.join("collected.jsonl");
    installed.receipt(&json!({"log": collected}));
    installed.call().run().assert_denies("No.");
    assert_eq!(lines(&collected).len(), 1);
    assert!(!installed.file().exists());
}

//! Stopped at any step, and every step failing: the file is the old one or the new one, and the next
//! run leaves no trace of the one that was stopped.

use std::collections::BTreeMap;
use std::fs;

use hookkit_tests::process::Program;
use hookkit_tests::{Ran, program};

use crate::{Home, names};

const OLD: &str = "{\n  \"theirs\": 1\n}\n";
const NEW: &str = "{\n  \"theirs\": 1,\n  \"hooks\": {\n    \"a\": true\n  }\n}\n";
const EDIT: &[&str] = &["set", "true", "hooks", "a"];

/// The editor under strace, which does something at one of its system calls.
fn traced(home: &Home, options: &[String]) -> Ran {
    let strace = Program::new("strace")
        .args(["-f", "-qq", "-o"])
        .arg(home.path("trace"))
        .args(options)
        .arg(program::built("editor"));
    home.editor_under(strace, EDIT).run()
}

/// The system calls that an edit makes from the lock on, as their names and how often each had been
/// made before. `None` where nothing can be traced.
fn steps() -> Option<Vec<(String, usize)>> {
    if !program::needs(&["strace"]) {
        return None;
    }
    let home = Home::with(OLD);
    let ran = traced(&home, &[]);
    let trace = fs::read_to_string(home.path("trace")).unwrap_or_default();
    if !program::can(
        ran.exited(0) && !trace.is_empty(),
        "no process can be traced",
    ) {
        return None;
    }
    assert_eq!(home.text(), NEW);
    let mut counts = BTreeMap::new();
    let mut steps = Vec::new();
    let mut has_begun = false;
    for line in trace.lines() {
        let call = line.split_once(' ').map_or(line, |(_, call)| call.trim());
        let Some((name, rest)) = call.split_once('(') else {
            continue;
        };
        let count = counts.entry(name.to_owned()).or_insert(0);
        *count += 1;
        has_begun |= name != "execve" && rest.contains("/data");
        // Memory is not what an edit is about, and nobody survives its loss.
        let is_memory = matches!(
            name,
            "mmap" | "munmap" | "brk" | "mprotect" | "madvise" | "mremap"
        );
        if has_begun && !is_memory && !name.starts_with("exit") {
            steps.push((name.to_owned(), *count));
        }
    }
    assert!(steps.iter().any(|(name, _)| name.starts_with("rename")));
    Some(steps)
}

/// Whatever happened, the next run finishes the work and clears away what was left.
fn next_run_repairs(home: &Home) {
    assert!(home.editor(EDIT).run().exited(0));
    assert_eq!(home.text(), NEW);
    assert_eq!(names(home), ["settings.json"]);
}

#[test]
fn ended_at_any_step_the_file_is_old_or_new() {
    let Some(steps) = steps() else { return };
    let mut ends = BTreeMap::new();
    for (name, count) in steps {
        let home = Home::with(OLD);
        let ran = traced(
            &home,
            &[
                "-e".to_owned(),
                format!("inject={name}:signal=KILL:when={count}"),
            ],
        );
        assert!(!ran.exited(0), "{name} {count}: it was ended");
        let text = home.text();
        assert!(text == OLD || text == NEW, "{name} {count}: {text}");
        *ends.entry(text == NEW).or_insert(0) += 1;
        next_run_repairs(&home);
    }
    // The steps lie on both sides of the rename.
    assert!(ends[&false] > 10 && ends[&true] > 0, "{ends:?}");
}

#[test]
fn whatever_fails_the_file_is_old_or_new_and_the_end_says_which() {
    let Some(steps) = steps() else { return };
    let mut refused = 0;
    // The standard library and rustix hold it for impossible that these fail.
    let can_fail = |name: &str| !["geteuid", "close", "sigaltstack"].contains(&name);
    for (name, count) in steps.into_iter().filter(|(name, _)| can_fail(name)) {
        for error in ["EIO", "ENOSPC"] {
            let home = Home::with(OLD);
            let ran = traced(
                &home,
                &[
                    "-e".to_owned(),
                    format!("inject={name}:error={error}:when={count}"),
                ],
            );
            let text = home.text();
            let step = format!("{name} {count} {error}: {:?} {}", ran.code, ran.err());
            if ran.exited(0) {
                assert_eq!(text, NEW, "{step}");
            } else {
                assert_eq!(text, OLD, "{step}");
                assert!(ran.exited(3), "{step}");
                refused += 1;
            }
            if !name.starts_with("unlink") {
                assert_eq!(names(&home), ["settings.json"], "{step}");
            }
            next_run_repairs(&home);
        }
    }
    assert!(refused > 10, "{refused}");
}

#[test]
fn on_a_full_disk_nothing_changes() {
    if !program::needs(&["unshare", "mount", "dd"]) {
        return;
    }
    let home = Home::with(OLD);
    let small_disk = |script: &str| {
        let shell = program::among_own_mounts(script)
            .arg(home.path("home/.claude"))
            .arg(program::built("editor"));
        home.editor_under(shell, EDIT).run()
    };
    let mount = "mount -t tmpfs -o size=64k none \"$1\"; cd \"$1\"; printf '{\"x\": 1}' >settings.json; shift";
    if !program::can(
        small_disk(mount).exited(0),
        "this user may not mount anything",
    ) {
        return;
    }
    let fill = "dd if=/dev/zero of=fill bs=1k count=64 2>/dev/null || true";
    let look = "code=0; \"$@\" || code=$?; cat settings.json; ls -A; exit $code";
    let refused = small_disk(&format!("{mount}\n{fill}\n{look}"));
    assert!(refused.exited(3), "{refused:?}");
    assert_eq!(refused.out(), "{\"x\": 1}fill\nsettings.json\n");
    assert!(refused.err().contains("cannot be written: "), "{refused:?}");
    // The same with room.
    let room = small_disk(&format!("{mount}\n{look}"));
    assert!(room.exited(0), "{room:?}");
    assert!(room.out().contains("\"hooks\""), "{room:?}");
}

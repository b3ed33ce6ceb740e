//! How bytes come, or do not.

use std::time::Duration;

use hookkit_tests::process::Program;
use hookkit_tests::program;

use crate::{HOSTS, assert_unreadable, call, keeping, saw, start};

#[test]
fn bytes_that_trickle_make_one_document() {
    let text = call().to_string();
    for host in HOSTS {
        let plugin = keeping();
        let ran = start(&plugin, host, "PreToolUse")
            .stdin_bytes(format!("\u{feff}{text}"))
            .in_pieces(1, Duration::from_millis(2))
            .run();
        ran.assert_silent();
        assert!(ran.elapsed >= Duration::from_millis(500));
        assert!(saw(&plugin, "PreToolUse").is_some());
    }
}

#[test]
fn a_trickle_beyond_the_deadline_is_refused_at_the_deadline() {
    let plugin = keeping();
    let trickle = |pause| {
        start(&plugin, "claude-code", "PreToolUse")
            .args(["--deadline", "1.5"])
            .stdin(call())
            .in_pieces(30, Duration::from_millis(pause))
            .run()
    };
    let late = trickle(400);
    late.assert_denies("does not end");
    assert!(late.elapsed < Duration::from_secs(3), "{:?}", late.elapsed);
    trickle(1).assert_silent();
}

#[test]
fn stdin_that_stays_open_is_not_waited_for_after_the_document() {
    for host in HOSTS {
        let plugin = keeping();
        let ran = start(&plugin, host, "PreToolUse")
            .stdin(call())
            .stdin_stays_open()
            .run();
        ran.assert_silent();
        assert!(ran.elapsed < Duration::from_secs(3));
        assert!(saw(&plugin, "PreToolUse").is_some());
    }
}

#[test]
fn silence_is_waited_for_a_while_and_then_is_no_payload() {
    let plugin = keeping();
    for (begun, words) in [("", "nothing came"), ("{\"tool_name\":", "does not end")] {
        let ran = start(&plugin, "claude-code", "PreToolUse")
            .stdin_bytes(begun)
            .stdin_stays_open()
            .run();
        ran.assert_denies(words);
        assert!(ran.elapsed > Duration::from_secs(3) && ran.elapsed < Duration::from_secs(8));
    }
}

#[test]
fn silence_ends_at_the_deadline_where_that_is_earlier() {
    assert_unreadable("stdin", |program| {
        program
            .args(["--deadline", "0.5"])
            .stdin_bytes("")
            .stdin_stays_open()
            .limit(Duration::from_secs(4))
    });
}

/// The dispatcher behind a shell that does something to its channels first.
fn behind(redirection: &str, plugin: &hookkit_tests::Plugin, event: &str) -> hookkit_tests::Ran {
    Program::new(program::found("sh").unwrap())
        .args(["-c", &format!("exec \"$0\" \"$@\" {redirection}")])
        .arg(program::dispatcher())
        .args(["--host", "claude-code", "--event", event, "--plugin-root"])
        .arg(plugin.path())
        .stdin(call())
        .limit(Duration::from_secs(20))
        .run()
}

#[test]
fn a_stdin_that_is_closed_or_no_stream_is_unreadable() {
    let plugin = keeping();
    for redirection in ["<&-", "</dev/null", "</", "0>/dev/null"] {
        behind(redirection, &plugin, "PreToolUse").assert_denies("stdin");
        behind(redirection, &plugin, "SessionStart").assert_silent();
    }
    behind("", &plugin, "PreToolUse").assert_silent();
    assert!(saw(&plugin, "PreToolUse").is_some());
}

#[test]
fn a_host_that_does_not_listen_is_no_reason_to_hang() {
    let plugin = hookkit_tests::Plugin::new("demo").sh(
        serde_json::json!({"id": "gate", "event": "PreToolUse"}),
        "echo no >&2; exit 2",
    );
    for redirection in [">&-", ">/dev/full", "2>&-", ">&- 2>&-"] {
        let ran = behind(redirection, &plugin, "PreToolUse");
        assert!(!ran.timed_out && ran.signal.is_none(), "{redirection}");
        assert!(!ran.err().contains(crate::PANIC));
    }
    behind("", &plugin, "PreToolUse").assert_denies("no");
}

#[test]
fn few_handles_are_a_fault_and_no_hang() {
    let plugin = keeping();
    for handles in [4, 6, 8, 9, 10, 12] {
        let script = format!("ulimit -n {handles}; exec \"$0\" \"$@\"");
        let ran = Program::new(program::found("sh").unwrap())
            .args(["-c", &script])
            .arg(program::dispatcher())
            .args([
                "--host",
                "claude-code",
                "--event",
                "PreToolUse",
                "--plugin-root",
            ])
            .arg(plugin.path())
            .stdin(call())
            .limit(Duration::from_secs(20))
            .run();
        assert!(!ran.timed_out);
        if handles <= 8 {
            ran.assert_denies("");
        }
    }
}

//! Command lines that nobody wrote on purpose.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use hookkit_tests::Ran;
use hookkit_tests::payload;
use serde_json::{Value, json};

use crate::{call, keeping, saw};

fn with(arguments: &[&str], payload: &Value) -> Ran {
    keeping().dispatch(arguments).stdin(payload.clone()).run()
}

/// The one refusal that every host reads when nobody knows which host asks.
fn assert_stops_the_call(ran: &Ran) {
    assert_eq!(ran.out(), "");
    assert!(ran.exited(2));
    assert_eq!(ran.err().lines().count(), 1, "{}", ran.err());
    assert!(ran.err().starts_with("hookkit: "));
}

fn session() -> Value {
    payload::claude::session_start("startup")
}

#[test]
fn an_unknown_host_stops_tool_calls_and_nothing_else() {
    for host in ["cursor", "Claude-Code", "claude", "codex2"] {
        assert_stops_the_call(&with(&["--host", host, "--event", "PreToolUse"], &call()));
        assert_stops_the_call(&with(&["--host", host], &call()));
        for other in ["SessionStart", "Stop", "UserPromptSubmit"] {
            let payload = payload::claude::event(other, json!({}));
            let ran = with(&["--host", host, "--event", other], &payload);
            ran.assert_silent();
            assert!(ran.err().contains(host));
        }
    }
    with(&["--host", "claude-code", "--event", "PreToolUse"], &call()).assert_silent();
}

#[test]
fn an_unknown_event_passes() {
    for event in ["Frobnicate", "pretooluse"] {
        let mut payload = call();
        payload["hook_event_name"] = json!(event);
        let ran = with(&["--host", "claude-code", "--event", event], &payload);
        ran.assert_silent();
    }
}

#[test]
fn the_payload_names_the_event_where_the_command_line_errs() {
    for arguments in [
        &["--host", "claude-code", "--event", "Frobnicate"][..],
        &["--host", "claude-code", "--event", ""],
        &["--host", "claude-code"],
        &["--host", "", "--event", ""],
        &["--host", "auto"],
        &[],
    ] {
        let plugin = keeping();
        plugin
            .dispatch(arguments)
            .stdin(call())
            .run()
            .assert_silent();
        assert!(saw(&plugin, "PreToolUse").is_some(), "{arguments:?}");
    }
}

#[test]
fn an_empty_event_leaves_it_to_the_shape() {
    // As `--event "$EVENT"` does with a variable that is not set.
    let plugin = hookkit_tests::Plugin::new("demo").sh(
        json!({"id": "gate", "event": "PreToolUse"}),
        "echo no >&2; exit 2",
    );
    let call = payload::copilot_camel::pre_tool_use("bash", json!({"command": "ls"}));
    for arguments in [
        &["--host", "copilot-cli", "--event", ""][..],
        &["--host", "copilot-cli"],
        &["--host", "copilot-cli", "--event", "preToolUse"],
    ] {
        let ran = plugin.dispatch(arguments).stdin(call.clone()).run();
        ran.assert_denies("no");
    }
}

#[test]
fn a_broken_command_line_stops_tool_calls_and_nothing_else() {
    for broken in [
        &["--deadline", "soon"][..],
        &["--deadline", "0"],
        &["--deadline", "-1"],
        &["--deadline", "nan"],
        &["--deadline", "inf"],
        &["--deadline", "1e300"],
        &["--if-missing", "maybe"],
        &["--unknown"],
        &["-x"],
        &["stray"],
        &["--deadline"],
        &["--deadline=", "1"],
    ] {
        let line = |event| [&["--host", "claude-code", "--event", event], broken].concat();
        assert_stops_the_call(&with(&line("PreToolUse"), &call()));
        with(&line("SessionStart"), &session()).assert_silent();
    }
    let not_text = OsStr::from_bytes(b"\xff\xfe");
    let ran = keeping()
        .dispatch([
            OsStr::new("--event"),
            OsStr::new("PreToolUse"),
            OsStr::new("--host"),
            not_text,
        ])
        .stdin(call())
        .run();
    assert_stops_the_call(&ran);
}

#[test]
fn what_stands_after_end_is_ignored() {
    let plugin = keeping();
    plugin
        .dispatch([
            "--host",
            "claude-code",
            "--event",
            "PreToolUse",
            "end",
            ";",
            "exit",
            "$LASTEXITCODE",
            "--bogus",
        ])
        .stdin(call())
        .run()
        .assert_silent();
    assert!(saw(&plugin, "PreToolUse").is_some());
}

#[test]
fn a_payload_without_an_event_that_might_be_a_call_is_stopped() {
    assert_stops_the_call(&with(&[], &json!({"tool_name": 5})));
    for unreadable in ["", "{", "[]"] {
        let ran = keeping().dispatch::<&str>([]).stdin_bytes(unreadable).run();
        assert_stops_the_call(&ran);
    }
    with(&[], &json!({"something": "else"})).assert_silent();
}

//! Values inside a document that strict parsers refuse.

use serde_json::{Value, json};

use crate::{HOSTS, assert_readable, call, call_with, keeping, saw, start};

#[test]
fn odd_bytes_inside_a_text_are_passed_on() {
    for odd in [
        &b"\\ud83d"[..],
        b"\\udc00\\ud800",
        b"\\u0000",
        b"\0",
        b"\x01\x1b[31m\x7f",
        b"line\nline\r\n\tline",
        b"\xff\xfe\x80",
        b"\xed\xa0\x80",
        b"\xc0\xaf",
        b"\\x\\q\\u12",
        b"\xe2\x80\xa8",
    ] {
        assert_readable(&call_with(odd));
    }
}

#[test]
fn odd_numbers_and_words_are_passed_on() {
    for odd in [
        "123456789012345678901234567890",
        "1e999999",
        "-0",
        "0.1e-400",
        "NaN",
        "Infinity",
        "undefined",
        "00",
    ] {
        assert_readable(&call_with(
            format!("ls\",\"timeout\":{odd},\"w\":\"").as_bytes(),
        ));
    }
}

/// The bytes that a hook reads on Copilot, where names are translated.
fn seen_on_copilot(bytes: Vec<u8>) -> Vec<u8> {
    let plugin = keeping();
    start(&plugin, "copilot-cli", "PreToolUse")
        .stdin_bytes(bytes)
        .run()
        .assert_silent();
    saw(&plugin, "PreToolUse").unwrap()
}

#[test]
fn odd_bytes_survive_a_translation_of_names() {
    for odd in [&b"\\ud83d"[..], b"\xff\xfe", b"a\nb", b"\0", b"\\u0000"] {
        let call = json!({"toolName": "create", "toolArgs": {"path": "a", "file_text": "COMMAND"}, "sessionId": "s", "timestamp": 1});
        let call = call.to_string();
        let (before, after) = call.split_once("COMMAND").unwrap();
        let seen = seen_on_copilot([before.as_bytes(), odd, after.as_bytes()].concat());
        let wanted = [b"\"content\":\"", odd, b"\""].concat();
        assert!(
            seen.windows(wanted.len()).any(|part| part == wanted),
            "{}",
            seen.escape_ascii()
        );
    }
}

#[test]
fn of_two_members_with_one_name_the_later_counts() {
    // As in JavaScript, Python and jq: what the hook decides on is what hookkit selects by.
    let twice = |first: &str, second: &str| {
        format!(
            "{{\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"{first}\",\"tool_input\":{{\"command\":\"ls\",\"file_path\":\"a\"}},\"tool_name\":\"{second}\"}}"
        )
    };
    for host in HOSTS {
        let plugin = hookkit_tests::Plugin::new("demo").sh(
            json!({"id": "gate", "event": "PreToolUse", "matcher": "Bash"}),
            "echo no >&2; exit 2",
        );
        let ran = |bytes: String| start(&plugin, host, "PreToolUse").stdin_bytes(bytes).run();
        ran(twice("Read", "Bash")).assert_denies("no");
        ran(twice("Bash", "Read")).assert_silent();
        ran(twice("Read", "\\u0042ash")).assert_denies("no");
    }
}

#[test]
fn a_rewrite_of_an_argument_that_stands_twice_leaves_one() {
    let plugin = hookkit_tests::Plugin::new("demo").sh(
        json!({"id": "safe", "event": "PreToolUse"}),
        r#"echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"safe"}}}'"#,
    );
    let bytes = r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"a","command":"b"}}"#;
    let ran = start(&plugin, "claude-code", "PreToolUse")
        .stdin_bytes(bytes)
        .run();
    assert_eq!(ran.out().matches("command").count(), 1, "{}", ran.out());
    let ran = start(&plugin, "copilot-cli", "PreToolUse")
        .stdin_bytes(bytes)
        .run();
    assert_eq!(ran.json()["modifiedArgs"], json!({"command": "safe"}));
    assert_eq!(ran.out().matches("\"command\"").count(), 1, "{}", ran.out());
}

#[test]
fn a_rewrite_beside_odd_bytes_is_a_valid_reply() {
    // The hook changes one argument and gives the other back as well as it can.
    let script = r#"echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"safe","description":"\ud83d x"}}}'"#;
    let plugin = hookkit_tests::Plugin::new("demo")
        .file(
            "said",
            script.trim_start_matches("echo '").trim_end_matches('\''),
            0o644,
        )
        .hook(json!({"id": "safe", "event": "PreToolUse", "run": ["cat", "./said"]}));
    for odd in [&b"\xff"[..], b"\n", b"\\ud83d x", b"\0"] {
        let bytes = [
            &br#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"a","description":""#[..],
            odd,
            b"\"}}",
        ]
        .concat();
        for host in HOSTS {
            let ran = start(&plugin, host, "PreToolUse")
                .stdin_bytes(bytes.clone())
                .run();
            let said = ran.out();
            assert!(ran.stdout.is_ascii() && ran.exited(0));
            // serde_json does not read half a surrogate pair, which JavaScript does.
            let reply: Value = serde_json::from_str(&said.replace("\\ud83d", "?")).unwrap();
            let input = [
                &reply["hookSpecificOutput"]["updatedInput"],
                &reply["modifiedArgs"],
            ]
            .into_iter()
            .find(|input| input.is_object())
            .unwrap();
            assert_eq!(input["command"], "safe");
        }
    }
}

#[test]
fn a_member_of_another_type_is_as_good_as_absent() {
    for host in HOSTS {
        for (member, value) in [
            ("hook_event_name", json!(5)),
            ("hook_event_name", json!(null)),
            ("cwd", json!({"a": 1})),
            ("cwd", json!("/nowhere/at/all")),
            ("cwd", json!("relative")),
            ("cwd", json!("")),
            ("session_id", json!(["x"])),
            ("transcript_path", json!(null)),
        ] {
            let mut call = call();
            call[member] = value.clone();
            let plugin = keeping();
            start(&plugin, host, "PreToolUse")
                .stdin(call)
                .run()
                .assert_silent();
            assert!(
                saw(&plugin, "PreToolUse").is_some(),
                "{host} {member} {value}"
            );
        }
        // Without a tool's name a gate is not inert: it runs.
        let mut nameless = call();
        nameless["tool_name"] = json!(7);
        let plugin = hookkit_tests::Plugin::new("demo").sh(
            json!({"id": "gate", "event": "PreToolUse", "matcher": "Bash"}),
            "echo no >&2; exit 2",
        );
        start(&plugin, host, "PreToolUse")
            .stdin(nameless)
            .run()
            .assert_denies("no");
    }
}

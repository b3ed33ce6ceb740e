//! Documents that are none, or hardly.

use crate::{assert_readable, assert_unreadable, call, call_with};

#[test]
fn an_empty_stdin_is_unreadable() {
    assert_unreadable("stdin is empty", |program| program.stdin_bytes(""));
    assert_readable(&call_with(b"ls"));
}

#[test]
fn blanks_are_unreadable() {
    for blanks in [" ", "\r\n\r\n", "\t"] {
        assert_unreadable("does not begin with a JSON object", |program| {
            program.stdin_bytes(blanks)
        });
    }
}

#[test]
fn a_truncated_document_is_unreadable_wherever_it_ends() {
    let whole = call().to_string();
    for end in [1, 2, whole.len() / 3, whole.len() / 2, whole.len() - 1] {
        assert_unreadable("does not end", |program| {
            program.stdin_bytes(&whole.as_bytes()[..end])
        });
    }
    assert_readable(whole.as_bytes());
}

#[test]
fn what_is_no_object_is_unreadable() {
    for text in [
        "nope",
        "[]",
        "[{}]",
        "\"text\"",
        "1",
        "null",
        "true",
        "}",
        "\0{}",
        "<xml/>",
        "#!/bin/sh",
    ] {
        assert_unreadable("does not begin with a JSON object", |program| {
            program.stdin_bytes(text)
        });
    }
}

#[test]
fn an_object_whose_members_cannot_be_told_apart_is_unreadable() {
    for text in [
        "{\"a\":]}",
        "{\"a\"}",
        "{a:1}",
        "{\"a\":1,}",
        "{,}",
        "{'a':1}",
        "{\"a\":1 \"b\":2}",
        "{\"hook_event_name\":\"PreToolUse\"]",
        "{\"a\":1:2}",
        "{]",
    ] {
        assert_unreadable("no JSON object", |program| program.stdin_bytes(text));
    }
}

#[test]
fn other_encodings_than_utf_8_are_unreadable() {
    let text = call().to_string();
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let marked = [&b"\xff\xfe"[..], &little].concat();
    assert_unreadable("no JSON object", |program| {
        program.stdin_bytes(little.clone())
    });
    for bytes in [big, marked] {
        assert_unreadable("does not begin with a JSON object", |program| {
            program.stdin_bytes(bytes.clone())
        });
    }
}

#[test]
fn a_byte_order_mark_and_line_ends_of_windows_change_nothing() {
    let pretty = serde_json::to_string_pretty(&call()).unwrap();
    let windows = pretty.replace('\n', "\r\n");
    assert_readable(windows.as_bytes());
    for host in crate::HOSTS {
        let plugin = crate::keeping();
        let marked = format!("\u{feff}{windows}\r\n");
        let ran = crate::start(&plugin, host, "PreToolUse")
            .stdin_bytes(marked)
            .run();
        ran.assert_silent();
        assert!(crate::saw(&plugin, "PreToolUse").is_some());
    }
}

#[test]
fn what_follows_the_document_is_not_looked_at() {
    for after in ["\n", "garbage", "{\"tool_name\":\"Other\"}", "\0\0", "}"] {
        let plugin = crate::keeping();
        let text = call().to_string();
        crate::start(&plugin, "claude-code", "PreToolUse")
            .stdin_bytes(format!("{text}{after}"))
            .run()
            .assert_silent();
        assert_eq!(crate::saw(&plugin, "PreToolUse").unwrap(), text.as_bytes());
    }
}

#[test]
fn sixty_four_mebibytes_are_read_and_more_are_refused() {
    let empty = call_with(b"").len();
    let limit = 64 << 20;
    let plugin = crate::keeping();
    let at_limit = call_with(&vec![b'x'; limit - empty]);
    assert_eq!(at_limit.len(), limit);
    crate::start(&plugin, "claude-code", "PreToolUse")
        .stdin_bytes(at_limit)
        .run()
        .assert_silent();
    assert_eq!(crate::saw(&plugin, "PreToolUse").unwrap().len(), limit);
    let plugin = crate::keeping();
    let over = call_with(&vec![b'x'; limit + (1 << 20)]);
    let ran = crate::start(&plugin, "claude-code", "PreToolUse")
        .stdin_bytes(over.clone())
        .run();
    ran.assert_denies("over 64 MiB");
    crate::start(&plugin, "claude-code", "SessionStart")
        .stdin_bytes(over)
        .run()
        .assert_silent();
    assert!(crate::saw(&plugin, "PreToolUse").is_none());
}

#[test]
fn blanks_without_end_are_refused_as_well() {
    let plugin = crate::keeping();
    crate::start(&plugin, "claude-code", "PreToolUse")
        .stdin_bytes(vec![b' '; 65 << 20])
        .run()
        .assert_denies("over 64 MiB");
}

fn nested(open: &[u8], depth: usize, close: &[u8]) -> Vec<u8> {
    let value = [open.repeat(depth), b"1".to_vec(), close.repeat(depth)].concat();
    call_with(&[b"ls\",\"v\":", &value[..], b",\"w\":\""].concat())
}

#[test]
fn depth_costs_nothing() {
    for depth in [10_000, 1_000_000] {
        assert_readable(&nested(b"[", depth, b"]"));
    }
    assert_readable(&nested(b"{\"a\":", 10_000, b"}"));
    let open = nested(b"[", 1_000_000, b"");
    assert_unreadable("stdin", |program| program.stdin_bytes(open.clone()));
}

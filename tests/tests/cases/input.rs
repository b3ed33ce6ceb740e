//! What arrives on stdin.

use std::time::Duration;

use hookkit_tests::Plugin;
use serde_json::{Value, json};

use crate::{GIT_STATUS, KEEP, claude, copilot, one, saw};

/// Every byte reaches the hook, and the reply is that of the hook.
fn assert_passed_through(stdin: &[u8]) {
    let plugin = one("PreToolUse", KEEP);
    claude(&plugin, "PreToolUse", stdin).run().assert_silent();
    assert!(saw(&plugin) == stdin, "the bytes arrive unchanged");
}

/// The same document without its last byte is refused, and no hook sees it.
fn assert_cut_is_refused(stdin: &[u8]) {
    let plugin = one("PreToolUse", KEEP);
    let cut = &stdin[..stdin.len() - 1];
    claude(&plugin, "PreToolUse", cut)
        .run()
        .assert_denies("does not end");
    assert!(saw(&plugin).is_empty());
}

#[test]
fn hb_in_01_a_lone_surrogate_is_passed_through() {
    for half in [r"\ud83d", r"\udc00"] {
        let stdin = GIT_STATUS.replace("git status", &format!("echo {half} end"));
        assert_passed_through(stdin.as_bytes());
        assert_cut_is_refused(stdin.as_bytes());
    }
}

#[test]
fn hb_in_03_an_input_of_any_type_with_raw_newlines_is_passed_through() {
    let stdin = "{\"session_id\":\"s1\",\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Edit\",\
                 \"tool_input\":\"line one\nline two\"}";
    let gate = |matcher: &str, uninspectable: &str| {
        let entry = json!({"id": "guard", "event": "PreToolUse", "matcher": matcher, "uninspectable": uninspectable});
        Plugin::new("demo").sh(entry, KEEP)
    };
    let edit = gate("Edit", "allow");
    claude(&edit, "PreToolUse", stdin).run().assert_silent();
    let saw_of_edit = String::from_utf8(saw(&edit)).unwrap();
    assert!(saw_of_edit.contains("\"tool_input\":\"line one\nline two\""));
    // The design goes further than the case: an edit without a path cannot be judged, so a gate that says nothing
    // about it denies (R85).
    claude(&gate("Edit", "deny"), "PreToolUse", stdin)
        .run()
        .assert_denies("cannot judge");
    let write = gate("Write", "deny");
    claude(&write, "PreToolUse", stdin).run().assert_silent();
    assert!(saw(&write).is_empty());
}

#[test]
fn hb_in_04_copilots_camel_case_arrives_in_claudes_names() {
    let with_arguments = |arguments: &str| {
        json!({"sessionId": "s1", "timestamp": 1_760_000_000_000_u64, "cwd": "/work/app", "toolName": "bash", "toolArgs": arguments})
            .to_string()
    };
    let plugin = one("PreToolUse", KEEP);
    copilot(&plugin, "preToolUse", with_arguments(r#"{"command":"ls"}"#))
        .run()
        .assert_silent();
    let seen: Value = serde_json::from_slice(&saw(&plugin)).unwrap();
    assert_eq!(seen["hook_event_name"], "PreToolUse");
    assert_eq!(seen["tool_name"], "Bash");
    assert_eq!(seen["tool_input"], json!({"command": "ls"}));
    copilot(&plugin, "preToolUse", with_arguments("ls"))
        .run()
        .assert_denies("cannot judge");
}

#[test]
fn hb_in_06_three_megabytes_arrive_whole() {
    let content = "A".repeat(3_000_000);
    let stdin = json!({"hook_event_name": "PreToolUse", "tool_name": "Write", "tool_input": {"file_path": "/work/app/big.txt", "content": content}});
    let stdin = stdin.to_string().into_bytes();
    assert_passed_through(&stdin);
    assert_cut_is_refused(&stdin);
}

#[test]
fn hb_in_07_the_end_of_stdin_is_not_waited_for() {
    let plugin = one("PreToolUse", KEEP);
    let ran = claude(&plugin, "PreToolUse", GIT_STATUS)
        .stdin_stays_open()
        .run();
    ran.assert_silent();
    assert_eq!(saw(&plugin), GIT_STATUS.as_bytes());
    assert!(ran.elapsed < Duration::from_secs(4));
    let cut = &GIT_STATUS[..GIT_STATUS.len() - 1];
    claude(&plugin, "PreToolUse", cut)
        .stdin_stays_open()
        .args(["--deadline", "1"])
        .run()
        .assert_denies("does not end");
}

#[test]
fn hb_in_09_no_locale_changes_the_bytes() {
    let stdin = "{\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Bash\",\"tool_input\":\
                 {\"command\":\"echo \\\"表\\\" ソ\\n終\"}}";
    let plugin = one(
        "PreToolUse",
        &format!("{KEEP}; echo \"$LC_ALL\" >\"$HOOKKIT_PLUGIN_ROOT/locale\""),
    );
    claude(&plugin, "PreToolUse", stdin)
        .env("LANG", "ja_JP.SJIS")
        .env("LC_ALL", "ja_JP.SJIS")
        .env("PYTHONIOENCODING", "cp932")
        .run()
        .assert_silent();
    assert_eq!(saw(&plugin), stdin.as_bytes());
    let locale = std::fs::read_to_string(plugin.path().join("locale")).unwrap();
    assert_eq!(locale.trim(), "ja_JP.SJIS", "the locale was in force");
}

#[test]
fn hb_in_10_a_byte_order_mark_is_skipped() {
    let plugin = one("PreToolUse", KEEP);
    let marked = |mark: &str| format!("{mark}{GIT_STATUS}");
    claude(&plugin, "PreToolUse", marked("\u{feff}"))
        .run()
        .assert_silent();
    assert_eq!(saw(&plugin), GIT_STATUS.as_bytes());
    claude(&plugin, "PreToolUse", marked("\u{feff}\u{feff}"))
        .run()
        .assert_denies("does not begin with a JSON object");
}

/// Does a gate with this matcher run on this tool?
fn runs(matcher: &str, tool: &str) -> bool {
    let entry = json!({"id": "guard", "event": "PreToolUse", "matcher": matcher});
    let plugin = Plugin::new("demo").sh(entry, "echo hit >&2; exit 2");
    let ran = claude(&plugin, "PreToolUse", GIT_STATUS.replace("Bash", tool)).run();
    ran.decision() == "deny"
}

#[test]
fn hb_in_12_a_hyphen_in_a_matcher_is_no_pattern() {
    assert!(runs("mcp__brave-search", "mcp__brave-search"));
    assert!(!runs("mcp__brave-search", "mcp__brave-search__web"));
    assert!(runs("mcp__brave-search__.*", "mcp__brave-search__web"));
    assert!(!runs("mcp__brave-search__.*", "mcp__brave-search2__web"));
}

#[test]
fn hb_in_13_commas_and_bars_separate_exact_names() {
    for list in [
        "Bash, PowerShell",
        "Bash,PowerShell",
        "Bash|PowerShell",
        "Bash | PowerShell",
    ] {
        assert!(runs(list, "PowerShell") && runs(list, "Bash"), "{list}");
        assert!(!runs(list, "Power") && !runs(list, "Edit"), "{list}");
    }
}

#[test]
fn hb_in_15_silence_on_stdin_ends_in_the_events_own_failure() {
    let gate = one("PreToolUse", KEEP);
    let silent = one("SessionStart", KEEP);
    for (plugin, event) in [(&gate, "PreToolUse"), (&silent, "SessionStart")] {
        let start = || claude(plugin, event, "").args(["--deadline", "1"]);
        for ran in [start().run(), start().stdin_stays_open().run()] {
            assert!(ran.elapsed < Duration::from_secs(4));
            if event == "PreToolUse" {
                ran.assert_denies("stdin");
            } else {
                ran.assert_silent();
                assert!(ran.err().contains("stdin"), "{}", ran.err());
            }
        }
        assert!(saw(plugin).is_empty());
        claude(plugin, event, GIT_STATUS.replace("PreToolUse", event))
            .run()
            .assert_silent();
        assert!(!saw(plugin).is_empty());
    }
}

#[test]
fn hb_in_16_depth_is_no_limit() {
    for depth in [127, 128, 200, 100_000] {
        let stdin = format!(
            "{{\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"mcp__x__y\",\"tool_input\":{{\"v\":{}{}}}}}",
            "[".repeat(depth),
            "]".repeat(depth)
        );
        assert_passed_through(stdin.as_bytes());
        assert_cut_is_refused(stdin.as_bytes());
    }
}

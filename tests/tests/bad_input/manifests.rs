//! Manifests that cannot be read, or only in part.

use std::time::Duration;

use hookkit_tests::{Plugin, Ran, payload};
use serde_json::{Value, json};

use crate::{HOSTS, call, start};

const EVENTS: [&str; 3] = ["PreToolUse", "SessionStart", "Stop"];

fn on(plugin: &Plugin, host: &str, event: &str) -> Ran {
    let payload = match event {
        "PreToolUse" => call(),
        other => payload::claude::event(other, json!({})),
    };
    start(plugin, host, event).stdin(payload).run()
}

/// Two gates that pass, the first with a line of the manifest to break.
fn with_hook(hook: &str) -> Plugin {
    let text = format!(
        "{{\n\"schema\": 1, \"name\": \"demo\", \"version\": \"1.0.0\",\n\"hooks\": [\n{hook},\n\
         {{\"id\": \"stop\", \"event\": \"Stop\", \"run\": [\"sh\", \"./ok.sh\"]}},\n\
         {{\"id\": \"start\", \"event\": \"SessionStart\", \"run\": [\"sh\", \"./ok.sh\"]}}\n]}}\n"
    );
    Plugin::new("demo")
        .file("ok.sh", "cat >/dev/null", 0o644)
        .manifest_bytes(text)
}

#[test]
fn a_bad_group_denies_its_event_with_file_and_line_and_no_other() {
    for (bad, words) in [
        (
            r#"{"id": "bad", "event": "PreToolUse", "run": []}"#,
            "`run` is empty",
        ),
        (
            r#"{"id": "bad", "event": "PreToolUse"}"#,
            "`run` is missing",
        ),
        (
            r#"{"id": "bad", "event": "PreToolUse", "run": "sh ./ok.sh"}"#,
            "`run`",
        ),
        (
            r#"{"id": "bad", "event": "PreToolUse", "run": ["sh", "./../../etc/passwd"]}"#,
            "leaves the plugin",
        ),
        (
            r#"{"id": "bad", "event": "PreToolUse", "run": ["sh", "./ok.sh"], "mode": "gates"}"#,
            "`mode`",
        ),
        (
            r#"{"id": "bad", "event": "PreToolUse", "run": ["sh", "./ok.sh"], "timeout": 0}"#,
            "`timeout`",
        ),
        (
            r#"{"id": "bad", "event": "PreToolUse", "run": ["sh", "./ok.sh"], "matcher": 5}"#,
            "`matcher`",
        ),
        (
            r#"{"id": "bad", "event": "PreToolUse", "run": ["sh", "./ok.sh"], "run": ["sh"]}"#,
            "twice",
        ),
        (
            r#"{"id": "bad", "event": "PreToolUse", "run": ["sh", "./ok.sh"], "hosts": ["cursor"]}"#,
            "`hosts`",
        ),
        (
            r#"{"id": "bad", "event": "PreToolUse", "run": ["hooks/x.sh"]}"#,
            "`run`",
        ),
        (
            r#"{"id": "BAD ID", "event": "PreToolUse", "run": ["sh", "./ok.sh"]}"#,
            "`id`",
        ),
        (
            r#"{"event": "PreToolUse", "run": ["sh", "./ok.sh"]}"#,
            "`id`",
        ),
        (
            r#"{"id": "bad", "event": "PreToolUse", "run": ["sh", "./ok.sh"], "env": {"A=B": "c"}}"#,
            "`env`",
        ),
    ] {
        let plugin = with_hook(bad);
        for host in HOSTS {
            let ran = on(&plugin, host, "PreToolUse");
            ran.assert_denies(words);
            let reason = ran.reason();
            assert!(reason.contains("hookkit.json, line 4: "), "{reason}");
            on(&plugin, host, "Stop").assert_silent();
            on(&plugin, host, "SessionStart").assert_silent();
        }
    }
    let good = with_hook(r#"{"id": "good", "event": "PreToolUse", "run": ["sh", "./ok.sh"]}"#);
    for host in HOSTS {
        on(&good, host, "PreToolUse").assert_silent();
    }
}

#[test]
fn a_group_whose_event_cannot_be_read_might_be_a_gate_anywhere() {
    for bad in [
        r#"{"id": "bad", "run": ["sh", "./ok.sh"]}"#,
        r#"{"id": "bad", "event": 5, "run": ["sh", "./ok.sh"]}"#,
        r#"{"id": "bad", "event": [], "run": ["sh", "./ok.sh"]}"#,
        "5",
    ] {
        let plugin = with_hook(bad);
        for host in HOSTS {
            on(&plugin, host, "PreToolUse").assert_denies("line 4: ");
            on(&plugin, host, "Stop").assert_denies("line 4: ");
            let session = on(&plugin, host, "SessionStart");
            session.assert_silent();
            assert!(session.err().contains("line 4: "), "{}", session.err());
        }
    }
}

/// A whole manifest at fault: gates of every event deny, the others say one line.
fn assert_broken(plugin: &Plugin, words: &str) {
    for host in HOSTS {
        for event in EVENTS {
            let ran = on(plugin, host, event);
            if event == "SessionStart" {
                ran.assert_silent();
                assert!(ran.err().contains(words), "{}", ran.err());
            } else {
                ran.assert_denies(words);
                assert!(ran.reason().contains("hookkit.json"));
            }
        }
    }
}

#[test]
fn a_manifest_that_cannot_be_read_denies_at_every_gate() {
    let with = |bytes: &[u8]| Plugin::new("demo").manifest_bytes(bytes);
    assert_broken(&with(b""), "is no JSON");
    assert_broken(&with(b"{\n\"schema\": 1,\n"), "line 3: is no JSON");
    assert_broken(&with(b"[]"), "must be one JSON object");
    assert_broken(&with(b"{\"name\": \"caf\xe9\"}"), "is not UTF-8");
    assert_broken(&with(b"\xff\xfe{\0}\0"), "is not UTF-8");
    assert_broken(&with(b"{} {}"), "is no JSON");
    assert_broken(&with(b"{// comment\n}"), "is no JSON");
    assert_broken(&with(b"{}"), "is missing");
    assert_broken(
        &with(b"{\"schema\": 99, \"name\": \"demo\", \"version\": \"1\", \"hooks\": []}"),
        "update hookkit",
    );
}

#[test]
fn a_manifest_with_a_mark_or_unknown_keys_is_read() {
    let hook = json!({"id": "gate", "event": "PreToolUse", "run": ["sh", "./no.sh"], "later": 1});
    let manifest =
        json!({"schema": 1, "name": "demo", "version": "1", "hooks": [hook], "later": {}});
    let plugin = Plugin::new("demo")
        .file("no.sh", "echo no >&2; exit 2", 0o644)
        .manifest_bytes(format!("\u{feff}{manifest}\r\n"));
    on(&plugin, "claude-code", "PreToolUse").assert_denies("no");
}

#[test]
fn a_missing_manifest_is_what_the_registration_says() {
    let gone = |make: &dyn Fn(&std::path::Path)| {
        let plugin = Plugin::new("demo");
        let file = plugin.path().join("hookkit.json");
        std::fs::remove_file(&file).unwrap();
        make(&file);
        plugin
    };
    for plugin in [
        gone(&|_| ()),
        gone(&|file| std::fs::create_dir(file).unwrap()),
        gone(&|file| std::os::unix::fs::symlink("/nowhere/at/all", file).unwrap()),
        gone(&|file| std::os::unix::fs::symlink(file, file).unwrap()),
    ] {
        for host in HOSTS {
            let with = |event: &str, rule: &[&str]| {
                start(&plugin, host, event)
                    .args(rule)
                    .stdin(call_on(event))
                    .run()
            };
            for event in EVENTS {
                with(event, &["--if-missing", "allow"]).assert_silent();
                let unsaid = with(event, &[]);
                unsaid.assert_silent();
                assert!(unsaid.err().contains("is not enforced"), "{}", unsaid.err());
                let denied = with(event, &["--if-missing", "deny"]);
                if event == "SessionStart" {
                    denied.assert_silent();
                } else {
                    denied.assert_denies("has no hookkit.json");
                }
            }
        }
    }
}

fn call_on(event: &str) -> Value {
    let mut call = call();
    call["hook_event_name"] = json!(event);
    call
}

#[test]
fn a_turn_ends_although_its_gate_cannot_be_loaded() {
    let plugin = Plugin::new("demo").manifest_bytes("");
    let stop = |active: bool| {
        start(&plugin, "claude-code", "Stop")
            .stdin(payload::claude::stop(active))
            .run()
    };
    stop(false).assert_denies("is no JSON");
    stop(true).assert_silent();
}

#[test]
fn a_huge_manifest_takes_time_in_proportion() {
    let of = |entries: usize| {
        let hooks: Vec<Value> = (0..entries)
            .map(|index| json!({"id": format!("hook-{index}"), "event": "PreToolUse", "matcher": "Nothing", "run": ["sh", "./ok.sh", "some", "more", "words"]}))
            .collect();
        let manifest = json!({"schema": 1, "name": "demo", "version": "1", "hooks": hooks});
        let text = serde_json::to_string_pretty(&manifest).unwrap();
        Plugin::new("demo")
            .file("ok.sh", "", 0o644)
            .manifest_bytes(text)
    };
    let fastest = |plugin: &Plugin| {
        let runs = (0..3).map(|_| {
            let ran = on(plugin, "claude-code", "PreToolUse");
            ran.assert_silent();
            ran.elapsed
        });
        runs.min().unwrap()
    };
    let thousand = fastest(&of(1_000));
    let four_thousand = fastest(&of(4_000));
    assert!(thousand < Duration::from_secs(3), "{thousand:?}");
    assert!(
        four_thousand < thousand * 8 + Duration::from_millis(200),
        "{thousand:?} for 1,000 entries, {four_thousand:?} for 4,000"
    );
}

//! Calls that are not what they look like to a hook: patches of several files, fetches of several
//! pages, and calls without the argument that a gate needs.

#![expect(clippy::unwrap_used, reason = "a test reports by panicking")]

use hookkit_tests::{Plugin, Ran, payload};
use serde_json::{Value, json};

/// A gate on Write and Edit that refuses what goes into `secret`, and writes down what it saw.
fn guard() -> Plugin {
    let script = r#"
import json, os, sys
seen = json.load(sys.stdin)
with open(os.environ["SEEN"], "a") as out:
    out.write(json.dumps([seen["tool_name"], seen["tool_input"]]) + "\n")
if "secret" in seen["tool_input"].get("file_path", ""):
    print("secrets stay as they are", file=sys.stderr)
    sys.exit(2)
"#;
    let entry = json!({"id": "guard", "event": "PreToolUse", "matcher": "Write|Edit"});
    Plugin::new("demo").python(entry, script)
}

struct Judged {
    ran: Ran,
    seen: Vec<Value>,
}

fn judge(plugin: &Plugin, stdin: Value) -> Judged {
    let seen = plugin.project().join("seen.jsonl");
    let ran = plugin
        .dispatch(["--host", "copilot-cli"])
        .env("SEEN", &seen)
        .stdin(stdin)
        .run();
    let text = fs_err::read_to_string(&seen).unwrap_or_default();
    Judged {
        ran,
        seen: text
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect(),
    }
}

fn patch(sections: &str) -> Value {
    let text = format!("*** Begin Patch\n{sections}*** End Patch\n");
    payload::copilot::pre_tool_use("Edit", json!(text))
}

#[test]
fn each_file_of_a_patch_is_judged_by_itself() {
    let plugin = guard();
    let sections = "*** Add File: notes.txt\n+hello\n*** Update File: secret.txt\n@@\n-old\n+new\n";
    let judged = judge(&plugin, patch(sections));
    let mut seen = judged.seen.clone();
    seen.sort_by_key(|call| call[0].to_string());
    assert_eq!(
        seen,
        [
            json!(["Edit", {"file_path": "secret.txt", "old_string": "old\n", "new_string": "new\n"}]),
            json!(["Write", {"file_path": "notes.txt", "content": "hello\n"}]),
        ]
    );
    let told = judged.ran.json();
    assert_eq!(told["permissionDecision"], "deny");
    assert_eq!(told["permissionDecisionReason"], "secrets stay as they are");
}

#[test]
fn a_patch_without_the_secret_passes() {
    let judged = judge(
        &guard(),
        patch("*** Add File: a.txt\n+x\n*** Delete File: b.txt\n"),
    );
    assert_eq!(judged.seen.len(), 2);
    assert_eq!(judged.ran.out(), "");
}

#[test]
fn every_form_of_a_patch_is_one() {
    let text = "*** Begin Patch\n*** Add File: secret.txt\n+x\n*** End Patch\n";
    for stdin in [
        payload::copilot::pre_tool_use("Edit", json!(text)),
        payload::copilot::pre_tool_use("apply_patch", json!(text)),
        payload::copilot::pre_tool_use("apply_patch", json!({"input": text})),
        payload::copilot_camel::pre_tool_use("apply_patch", json!(text)),
        payload::copilot_camel::pre_tool_use(
            "apply_patch",
            json!({"command": ["apply_patch", text]}),
        ),
    ] {
        let mut stdin = stdin;
        stdin["hook_event_name"] = json!("PreToolUse");
        let judged = judge(&guard(), stdin.clone());
        assert_eq!(judged.ran.json()["permissionDecision"], "deny", "{stdin}");
    }
}

#[test]
fn a_patch_that_cannot_be_read_is_refused_by_gates_on_files_only() {
    let many = "*** Delete File: x\n".repeat(65);
    for sections in ["garbage\n", "*** Add File: a\nno plus\n", many.as_str()] {
        let judged = judge(&guard(), patch(sections));
        assert_eq!(judged.seen, Vec::<Value>::new(), "no hook ran");
        let reason = judged.ran.json()["permissionDecisionReason"].to_string();
        assert!(
            reason.contains("`guard` cannot look into this patch"),
            "{reason}"
        );
    }
    let entry = json!({"id": "shell", "event": "PreToolUse", "matcher": "Bash"});
    let shell = Plugin::new("demo").sh(entry, "exit 2");
    assert_eq!(judge(&shell, patch("garbage\n")).ran.out(), "");
}

#[test]
fn a_rewrite_of_one_file_of_a_patch_has_no_form_and_denies() {
    let script = r#"echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"file_path":"a.txt","content":"y"}}}'"#;
    let entry = json!({"id": "changes", "event": "PreToolUse", "matcher": "Write"});
    let plugin = Plugin::new("demo").sh(entry, script);
    let patched = judge(&plugin, patch("*** Add File: a.txt\n+x\n"));
    assert_eq!(patched.ran.json()["permissionDecision"], "deny");
    let created =
        payload::copilot::pre_tool_use("Write", json!({"path": "a.txt", "file_text": "x"}));
    let told = judge(&plugin, created).ran.json();
    assert_eq!(
        told,
        json!({"modifiedArgs": {"path": "a.txt", "file_text": "y"}})
    );
}

#[test]
fn a_gate_that_says_nothing_about_what_it_cannot_see_refuses() {
    let entry = |rule: Value| {
        let mut entry = json!({"id": "quiet", "event": "PreToolUse", "matcher": "Bash|Write"});
        if !rule.is_null() {
            entry["uninspectable"] = rule;
        }
        entry
    };
    let says = "grep -q '\"uninspectable\":true' && exit 0; exit 3";
    let strict = Plugin::new("demo").sh(entry(Value::Null), says);
    let lenient = Plugin::new("demo").sh(entry(json!("allow")), says);
    for stdin in [
        payload::claude::pre_tool_use("Bash", json!({"description": "d"})),
        payload::claude::pre_tool_use("Write", json!("not an object")),
    ] {
        let run = |plugin: &Plugin| {
            plugin
                .dispatch(["--host", "claude-code"])
                .stdin(stdin.clone())
                .run()
        };
        let told = run(&strict).json();
        let reason = told["hookSpecificOutput"]["permissionDecisionReason"].to_string();
        assert!(reason.contains("cannot judge this call"), "{reason}");
        assert_eq!(run(&lenient).out(), "");
    }
    // A call that can be seen carries no mark: the script's exit 3 is a fault, not a judgement.
    let seen = payload::claude::pre_tool_use("Bash", json!({"command": "ls"}));
    let told = strict
        .dispatch(["--host", "claude-code"])
        .stdin(seen)
        .run()
        .json();
    let reason = told["hookSpecificOutput"]["permissionDecisionReason"].to_string();
    assert!(reason.contains("exit code 3"), "{reason}");
}

/// VS Code's `fetch_webpage` takes a list of pages, Claude's WebFetch one.
#[test]
fn each_page_of_a_fetch_is_judged_by_itself() {
    let fetch = |script: &str, urls: &Value| {
        let entry = json!({"id": "pages", "event": "PreToolUse", "matcher": "WebFetch"});
        let plugin = Plugin::new("demo").sh(entry, script);
        let payload = json!({
            "hook_event_name": "PreToolUse", "timestamp": "2026-11-30T12:00:00.000Z", "cwd": "/",
            "tool_name": "fetch_webpage", "tool_input": {"urls": urls}, "tool_use_id": "t1",
        });
        let ran = plugin
            .dispatch(["--host", "vscode-local"])
            .stdin(payload)
            .run();
        ran.out()
    };
    let guard =
        r#"case $(cat) in *'"url":"http://inside'*) echo 'Stay outside.' >&2; exit 2 ;; esac"#;
    let denied = |out: &str, why: &str| out.contains("\"deny\"") && out.contains(why);
    for (urls, is_denied) in [
        (json!(["http://inside"]), true),
        (json!(["http://outside", "http://inside"]), true),
        (json!(["http://outside", "http://elsewhere"]), false),
        (json!(vec!["http://outside"; 64]), false),
    ] {
        let out = fetch(guard, &urls);
        assert_eq!(denied(&out, "Stay outside."), is_denied, "{urls}: {out}");
        assert_eq!(out.is_empty(), !is_denied, "{urls}: {out}");
    }
    let too_many = fetch(guard, &json!(vec!["http://outside"; 65]));
    assert!(denied(&too_many, "at most 64 pages"), "{too_many}");

    let said = json!({"hookSpecificOutput": {
        "hookEventName": "PreToolUse", "updatedInput": {"url": "http://mirror"},
    }});
    let rewrites = format!("cat >/dev/null; printf '%s' '{said}'");
    let one = fetch(&rewrites, &json!(["http://outside"]));
    assert!(
        one.contains(r#""updatedInput":{"urls":["http://mirror"]}"#),
        "{one}"
    );
    let two = fetch(&rewrites, &json!(["http://outside", "http://elsewhere"]));
    assert!(denied(&two, "one part of a call that has several"), "{two}");
}

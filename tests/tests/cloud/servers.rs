//! The real Copilot CLI and the tools of an MCP server, in the cloud's layout.

use fs_err as fs;
use hookkit_tests::client::{Client, Seen, Session};
use hookkit_tests::{Plugin, Turn, client_or_skip, program};
use serde_json::{Value, json};

use crate::session::guarded;

/// A session with the server `files`, whose tool the model calls once.
fn with_server(client: &dyn Client) -> Session<'_> {
    let session = client.session();
    let calls = session.project("calls");
    let server = json!({
        "type": "local", "command": program::built("note_server"), "args": [calls], "tools": ["*"],
    });
    let servers = json!({"mcpServers": {"files": server}}).to_string();
    fs::write(session.places().config().join("mcp-config.json"), servers).unwrap();
    let call = Turn::tool("files-note", json!({"text": "hello"}));
    session.turns([call, Turn::text("done")])
}

/// What reached the server.
fn call(seen: &Seen) -> Value {
    serde_json::from_str(&seen.content("calls")).unwrap()
}

fn hook(entry: Value, script: &str) -> Plugin {
    Plugin::new("demo").sh(entry, script)
}

/// On every event of a call under Claude's name, whatever the client calls it there.
#[test]
fn a_call_of_a_server_is_seen_under_claudes_name() {
    let client = client_or_skip!(copilot);
    let events = [
        "PreToolUse",
        "PermissionRequest",
        "PreMcpToolCall",
        "PostToolUse",
    ];
    let entry = json!({
        "id": "all", "event": events, "mode": "silent", "matcher": "mcp__files__note",
    });
    let seen = guarded(
        with_server(client),
        &hook(entry, "cat >> witness; echo >> witness"),
    )
    .run();
    let said = seen.content("witness");
    let said: Vec<Value> = said
        .lines()
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let native_names: Vec<_> = said
        .iter()
        .map(|said| {
            let native = &said["hookkit"]["native"];
            (
                said["hook_event_name"].as_str().unwrap(),
                native["toolName"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        native_names,
        [
            ("PreToolUse", "files-note"),
            ("PermissionRequest", "files/note"),
            ("PreMcpToolCall", "note"),
            ("PostToolUse", "files-note"),
        ]
    );
    for said in &said {
        assert_eq!(said["tool_name"], "mcp__files__note");
        assert_eq!(said["tool_input"], json!({"text": "hello"}));
    }
    assert_eq!(said[2]["server_name"], "files");
    assert!(said[2]["tool_use_id"].is_string());

    let control = with_server(client).run();
    assert!(!control.made("witness"));
    assert_eq!(call(&control)["name"], "note");
}

#[test]
fn a_gate_refuses_a_call_of_a_server_by_claudes_name() {
    let client = client_or_skip!(copilot);
    for (matcher, is_refused) in [
        ("mcp__files__note", true),
        ("mcp__files__.*", true),
        ("files-note", true),
        ("mcp__other__.*", false),
    ] {
        let entry =
            json!({"id": "gate", "event": "PreToolUse", "mode": "gate", "matcher": matcher});
        let plugin = hook(entry, "cat >/dev/null; echo 'Keep no notes.' >&2; exit 2");
        let seen = guarded(with_server(client), &plugin).run();
        assert_eq!(seen.made("calls"), !is_refused, "{matcher}");
        assert_eq!(seen.model.told("Keep no notes."), is_refused, "{matcher}");
    }
}

/// The event is for the request's `_meta`, and for nothing else: the client lets the call pass
/// whatever a hook says.
#[test]
fn what_is_said_right_before_a_server_is_asked_changes_its_meta_alone() {
    let client = client_or_skip!(copilot);
    let direct = |script: &str| {
        hook(
            json!({"id": "meta", "event": "PreMcpToolCall", "mode": "direct"}),
            script,
        )
    };
    let said = json!({"metaToUse": {"tenant": "demo"}});
    let plugin = direct(&format!("cat >/dev/null; printf '%s' '{said}'"));
    let seen = guarded(with_server(client), &plugin).run();
    assert_eq!(call(&seen)["_meta"]["tenant"], "demo");

    let refusal = json!({
        "permissionDecision": "deny", "decision": "block", "behavior": "deny", "reason": "No.",
        "hookSpecificOutput": {"hookEventName": "PreMcpToolCall", "permissionDecision": "deny"},
    });
    for script in [
        format!("cat >/dev/null; printf '%s' '{refusal}'"),
        "cat >/dev/null; echo 'No.' >&2; exit 2".to_owned(),
        "exit 1".to_owned(),
    ] {
        let seen = guarded(with_server(client), &direct(&script)).run();
        assert_eq!(
            call(&seen)["arguments"],
            json!({"text": "hello"}),
            "{script}"
        );
        assert_eq!(call(&seen)["_meta"].get("tenant"), None, "{script}");
        assert!(seen.model.told("It is noted."), "{script}");
    }
}

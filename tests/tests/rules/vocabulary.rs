//! Only words of the host's own contract reach it. The lists stand here on their own: they are taken from what the
//! vendors document and the clients were seen to read, not from hookkit's tables.

use hookkit_dispatch::host::{self, Host};
use hookkit_tests::{Plugin, payload};
use serde_json::{Value, json};

use crate::{nested, on, prints};

/// All that hooks may say, and much that they may not, as scripts.
fn everything_said(event: &str) -> Vec<String> {
    let documents = [
        json!({"decision": "approve", "reason": "R"}),
        json!({"decision": "block", "reason": "R"}),
        json!({"decision": "allow"}),
        json!({"decision": "deny", "reason": "R"}),
        json!({"decision": "ask", "reason": "R"}),
        json!({"permissionDecision": "deny", "permissionDecisionReason": "R", "additionalContext": "T"}),
        json!({"permissionDecision": "allow", "modifiedArgs": {"command": "T"}}),
        json!({"systemMessage": "N", "suppressOutput": true, "continue": true}),
        json!({"continue": false, "stopReason": "R"}),
        json!({"outcome": "deny", "reason": "R"}),
        json!({"rewrite": {"command": "T"}, "notice": "N", "none": true}),
        nested(event, json!({"permissionDecision": "allow"})),
        nested(
            event,
            json!({"permissionDecision": "ask", "permissionDecisionReason": "R"}),
        ),
        nested(
            event,
            json!({"permissionDecision": "defer", "permissionDecisionReason": "R"}),
        ),
        nested(event, json!({"permissionDecision": "deny"})),
        nested(event, json!({"additionalContext": "T"})),
        nested(event, json!({"updatedInput": {"command": "T"}})),
        nested(event, json!({"updatedToolOutput": "T"})),
        nested(event, json!({"decision": {"behavior": "allow"}})),
        nested(
            event,
            json!({"decision": {"behavior": "deny", "message": "R", "interrupt": true}}),
        ),
    ];
    let others = ["exit 0", "exit 1", "echo R >&2; exit 2", "echo some text"];
    documents
        .iter()
        .map(prints)
        .chain(others.map(str::to_owned))
        .collect()
}

/// The little of it that counts when an observer says it.
fn said_by_observers(event: &str) -> impl Iterator<Item = String> {
    [
        prints(&nested(event, json!({"additionalContext": "T"}))),
        prints(&json!({"systemMessage": "N", "suppressOutput": true})),
        "echo R >&2; exit 2".to_owned(),
        "echo some text".to_owned(),
    ]
    .into_iter()
}

/// Members that Copilot reads on an event, besides those that all of them know.
fn copilots_members(host: &str, event: &str) -> &'static [&'static str] {
    match (host, event) {
        ("copilot-cloud", "PreToolUse") => &[
            "permissionDecision",
            "permissionDecisionReason",
            "modifiedArgs",
        ],
        (_, "PreToolUse") => &[
            "permissionDecision",
            "permissionDecisionReason",
            "modifiedArgs",
            "additionalContext",
        ],
        ("copilot-cloud", "PostToolUse") => &["modifiedResult", "additionalContext"],
        (_, "PostToolUse") => &["modifiedResult", "additionalContext", "decision", "reason"],
        ("copilot-cloud", "PermissionRequest" | "UserPromptSubmit" | "Notification") => &[],
        (_, "PermissionRequest") => &["behavior", "message", "interrupt"],
        (_, "UserPromptSubmit") => &["decision", "reason", "additionalContext", "modifiedPrompt"],
        (_, "Stop") => &["decision", "reason"],
        (_, "SubagentStop") => &["decision", "reason", "modifiedResponse"],
        (_, "SessionStart" | "SubagentStart" | "Notification" | "PostToolUseFailure") => {
            &["additionalContext"]
        }
        _ => &[],
    }
}

/// Members at the root that Claude Code, Codex and VS Code Local read.
const NESTED_ROOT: &[&str] = &[
    "continue",
    "stopReason",
    "systemMessage",
    "decision",
    "reason",
    "hookSpecificOutput",
];

/// Members of `hookSpecificOutput`.
const NESTED: &[&str] = &[
    "hookEventName",
    "permissionDecision",
    "permissionDecisionReason",
    "additionalContext",
    "updatedInput",
    "updatedToolOutput",
    "decision",
    "reason",
    "retry",
    "action",
    "content",
];

/// What is wrong with a document for this host and event.
fn foreign_words(host: &dyn Host, event: &str, told: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    let is_copilot = matches!(
        host.name(),
        "copilot-cli" | "copilot-cloud" | "vscode-copilot"
    );
    let root = if is_copilot {
        copilots_members(host.name(), event)
    } else {
        NESTED_ROOT
    };
    let mut unknown = |object: &Value, known: &[&str]| {
        let keys = object.as_object().into_iter().flat_map(|all| all.keys());
        for key in keys.filter(|key| !known.contains(&key.as_str())) {
            faults.push(format!("`{key}`"));
        }
    };
    unknown(told, root);
    let inner = &told["hookSpecificOutput"];
    unknown(inner, NESTED);
    unknown(
        &inner["decision"],
        &["behavior", "message", "interrupt", "updatedInput"],
    );
    let permissions: &[&str] = match host.name() {
        "copilot-cloud" => &["allow", "deny"],
        "claude-code" => &["allow", "ask", "deny", "defer"],
        _ => &["allow", "ask", "deny"],
    };
    for (value, words) in [
        (&told["decision"], &["block"][..]),
        (&told["permissionDecision"], permissions),
        (&inner["permissionDecision"], permissions),
        (&told["behavior"], &["allow", "deny"]),
        (&inner["decision"]["behavior"], &["allow", "deny"]),
        (&inner["action"], &["accept", "decline"]),
        (&told["continue"], &[]),
    ] {
        if let Some(word) = value.as_str().filter(|word| !words.contains(word)) {
            faults.push(format!("the word `{word}`"));
        }
    }
    if !inner.is_null() && inner["hookEventName"] != event {
        faults.push(format!("the event {}", inner["hookEventName"]));
    }
    faults
}

#[test]
fn only_its_own_words_reach_claude_code() {
    only_words_of(host::by_name("claude-code").unwrap());
}

#[test]
fn only_its_own_words_reach_copilot_cli() {
    only_words_of(host::by_name("copilot-cli").unwrap());
}

#[test]
fn only_its_own_words_reach_copilot_cloud() {
    only_words_of(host::by_name("copilot-cloud").unwrap());
}

#[test]
fn only_its_own_words_reach_vscode_copilot() {
    only_words_of(host::by_name("vscode-copilot").unwrap());
}

#[test]
fn only_its_own_words_reach_vscode_local() {
    only_words_of(host::by_name("vscode-local").unwrap());
}

#[test]
fn only_its_own_words_reach_codex() {
    only_words_of(host::by_name("codex").unwrap());
}

fn only_words_of(host: &dyn Host) {
    let mut documents = 0;
    for contract in host.contracts() {
        let event = contract.event;
        let said_by_gates = everything_said(event)
            .into_iter()
            .map(|said| (said, "gate"));
        let said_by_observers = said_by_observers(event).map(|said| (said, "observe"));
        for (said, mode) in said_by_gates.chain(said_by_observers) {
            let entry =
                json!({"id": "says", "event": event, "mode": mode, "run": ["sh", "-c", said]});
            let ran = on(&Plugin::new("demo").hook(entry), host.name(), event).run();
            if ran.stdout.is_empty() {
                continue;
            }
            documents += 1;
            let faults = foreign_words(host, event, &ran.json());
            assert!(
                faults.is_empty(),
                "{} {event} is told {faults:?} for {said}",
                host.name()
            );
        }
    }
    assert!(documents > 20, "only {documents} documents were told");
}

/// The control of the tests above: a direct hook speaks for itself, and its foreign words are seen.
#[test]
fn foreign_words_of_a_direct_hook_are_seen() {
    for (host, said) in [
        ("claude-code", json!({"decision": "deny", "reason": "R"})),
        ("claude-code", json!({"decision": "allow"})),
        ("claude-code", json!({"outcome": "deny"})),
        ("claude-code", nested("Stop", json!({}))),
        ("copilot-cli", json!({"decision": "deny", "reason": "R"})),
        ("copilot-cli", json!({"suppressOutput": true})),
        (
            "copilot-cli",
            nested("PreToolUse", json!({"permissionDecision": "deny"})),
        ),
        ("copilot-cloud", json!({"permissionDecision": "ask"})),
    ] {
        let entry = json!({"id": "says", "event": "PreToolUse", "mode": "direct"});
        let plugin = Plugin::new("demo").sh(entry, &prints(&said));
        let ran = on(&plugin, host, "PreToolUse")
            .args(["--hook", "says"])
            .run();
        let host = host::by_name(host).unwrap();
        assert_ne!(foreign_words(host, "PreToolUse", &ran.json()), [""; 0]);
    }
}

#[test]
fn a_refused_call_never_ends_the_session() {
    let refusals = [
        "echo R >&2; exit 2".to_owned(),
        "exit 1".to_owned(),
        "kill -9 $$".to_owned(),
        "echo '{'".to_owned(),
        prints(&json!({"decision": "block", "reason": "R"})),
        prints(&nested("PreToolUse", json!({"permissionDecision": "deny"}))),
    ];
    let start = |host: &str, script: &str| {
        let plugin = Plugin::new("demo").sh(json!({"id": "gate", "event": "PreToolUse"}), script);
        on(&plugin, host, "PreToolUse").run()
    };
    for host in host::HOSTS {
        for script in &refusals {
            let ran = start(host.name(), script);
            ran.assert_denies("");
            assert!(ran.json()["continue"].is_null(), "{}", host.name());
        }
    }
    let stops = prints(&json!({"continue": false, "stopReason": "R"}));
    assert_eq!(start("claude-code", &stops).json()["continue"], false);
}

#[test]
fn a_document_for_another_event_is_a_fault() {
    for named in ["PostToolUse", "pretooluse", ""] {
        let said =
            json!({"hookSpecificOutput": {"hookEventName": named, "permissionDecision": "allow"}});
        let gate =
            Plugin::new("demo").sh(json!({"id": "gate", "event": "PreToolUse"}), &prints(&said));
        for host in crate::HOSTS {
            on(&gate, host, "PreToolUse")
                .run()
                .assert_denies(&format!("named the event `{named}` on PreToolUse"));
        }
    }
    let without = prints(&json!({"hookSpecificOutput": {"permissionDecision": "allow"}}));
    let gate = Plugin::new("demo").sh(json!({"id": "gate", "event": "PreToolUse"}), &without);
    on(&gate, "claude-code", "PreToolUse")
        .run()
        .assert_denies("without hookEventName");
    let right = prints(&nested(
        "PreToolUse",
        json!({"permissionDecision": "allow"}),
    ));
    let gate = Plugin::new("demo").sh(json!({"id": "gate", "event": "PreToolUse"}), &right);
    for host in crate::HOSTS {
        assert_eq!(on(&gate, host, "PreToolUse").run().decision(), "allow");
    }
}

#[test]
fn only_a_shared_registration_of_tool_calls_gets_both_forms_and_they_are_equal() {
    let gate = |event: &str| {
        let entry = json!({"id": "gate", "event": event, "mode": "gate"});
        Plugin::new("demo").sh(entry, "echo no >&2; exit 2")
    };
    let decision = || json!({"permissionDecision": "deny", "permissionDecisionReason": "no"});
    let call = json!({"command": "ls"});
    let of_claude = payload::claude::pre_tool_use("Bash", call.clone());
    let of_copilot = payload::copilot::pre_tool_use("Bash", call);
    for stdin in [of_claude.clone(), of_copilot.clone()] {
        let told = gate("PreToolUse")
            .dispatch(["--host", "auto"])
            .stdin(stdin)
            .run()
            .json();
        let mut both = nested("PreToolUse", decision());
        both["permissionDecision"] = decision()["permissionDecision"].take();
        both["permissionDecisionReason"] = decision()["permissionDecisionReason"].take();
        assert_eq!(told, both);
    }
    for (host, stdin, is_nested) in [
        ("claude-code", of_claude, true),
        ("copilot-cli", of_copilot, false),
    ] {
        let told = gate("PreToolUse")
            .dispatch(["--host", host])
            .stdin(stdin)
            .run()
            .json();
        assert_eq!(told["permissionDecision"].is_null(), is_nested);
        assert_eq!(told["hookSpecificOutput"].is_null(), !is_nested);
    }
    // Codex voids a document with a member that it does not know.
    let told = gate("PreToolUse")
        .dispatch(["--host", "auto"])
        .stdin(crate::host::named("codex").payload("PreToolUse"))
        .run()
        .json();
    assert_eq!(told, nested("PreToolUse", decision()));
    let told = gate("Stop")
        .dispatch(["--host", "auto"])
        .stdin(payload::copilot::stop(false))
        .run();
    assert_eq!(told.json(), json!({"decision": "block", "reason": "no"}));
}

/// Text becomes context only where Claude Code reads it; a notice is for the user and never context.
#[test]
fn text_is_context_on_few_events_and_a_notice_on_none() {
    let told = |host: &str, event: &str, script: &str| {
        let entry = json!({"id": "says", "event": event, "mode": "gate"});
        on(&Plugin::new("demo").sh(entry, script), host, event).run()
    };
    for host in crate::HOSTS {
        for event in ["SessionStart", "UserPromptSubmit"] {
            let ran = told(host, event, "echo some text");
            assert_eq!(crate::context(&ran), "some text", "{host} {event}");
        }
        for event in ["PreToolUse", "PostToolUse", "Stop", "PreCompact"] {
            told(host, event, "echo some text").assert_silent();
        }
    }
    let notice = prints(&json!({"systemMessage": "for the user"}));
    for event in ["SessionStart", "PreToolUse", "Stop"] {
        let told_claude = told("claude-code", event, &notice).json();
        assert_eq!(told_claude, json!({"systemMessage": "for the user"}));
        told("copilot-cli", event, &notice).assert_silent();
    }
}

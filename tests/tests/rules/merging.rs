//! Several hooks on one event make one document, or none.

use std::path::Path;

use hookkit_tests::{Plugin, Ran};
use serde_json::{Value, json};

use crate::{HOSTS, context, hooks, nested, on, prints};

fn says_context(event: &str, text: &str) -> String {
    prints(&nested(event, json!({"additionalContext": text})))
}

fn says_block(reason: &str) -> String {
    prints(&json!({"decision": "block", "reason": reason}))
}

#[test]
fn several_hooks_on_one_event_make_one_document() {
    for host in HOSTS {
        for event in ["Stop", "SubagentStop", "PreToolUse", "PermissionRequest"] {
            let refuses = ["echo one >&2; exit 2", "echo two >&2; exit 2"];
            let ran = on(&hooks(event, "gate", &refuses), host, event).run();
            ran.assert_denies("");
            assert_eq!(ran.reason(), "one\n\ntwo", "{host} {event}");
        }
        for event in ["SessionStart", "UserPromptSubmit", "PostToolUse"] {
            let says = [says_context(event, "one"), says_context(event, "two")];
            let plugin = hooks(event, "observe", &says.each_ref().map(String::as_str));
            let ran = on(&plugin, host, event).run();
            assert_eq!(context(&ran), "one\n\ntwo", "{host} {event}");
        }
        let different = [says_context("PreToolUse", "note"), says_block("no")];
        let plugin = hooks(
            "PreToolUse",
            "gate",
            &different.each_ref().map(String::as_str),
        );
        let ran = on(&plugin, host, "PreToolUse").run();
        ran.assert_denies("no");
        assert_eq!(context(&ran), "note");
    }
}

/// The control: what is written one after the other is two documents, of which hosts read none.
#[test]
fn documents_one_after_the_other_are_none() {
    let both = format!("{}{}", says_block("one"), says_block("two"));
    let entry = json!({"id": "both", "event": "Stop", "mode": "direct"});
    let plugin = Plugin::new("demo").sh(entry, &both);
    let ran = on(&plugin, "claude-code", "Stop")
        .args(["--hook", "both"])
        .run();
    assert!(serde_json::from_slice::<Value>(&ran.stdout).is_err());
}

#[test]
fn texts_of_observers_are_joined_in_order_by_one_blank_line() {
    for host in HOSTS {
        let texts = ["sleep 0.1; echo one", "exit 0", "echo two", "echo; echo"];
        let ran = on(
            &hooks("PostToolUse", "observe", &texts),
            host,
            "PostToolUse",
        )
        .run();
        assert_eq!(context(&ran), "one\n\ntwo");
        let silent = hooks("PostToolUse", "observe", &["exit 0", "echo", "true"]);
        on(&silent, host, "PostToolUse").run().assert_silent();
    }
}

#[test]
fn what_an_observer_printed_before_it_failed_is_dropped() {
    for host in HOSTS {
        for fails in ["exit 1", "kill -9 $$", "exec sleep 60"] {
            let entry = |id: &str| json!({"id": id, "event": "PostToolUse", "timeout": 1});
            let plugin = Plugin::new("demo")
                .sh(entry("fails"), &format!("echo half of it\n{fails}"))
                .sh(entry("works"), "echo all of it");
            let ran = on(&plugin, host, "PostToolUse").run();
            assert_eq!(context(&ran), "all of it", "{host} {fails}");
        }
        let whole = hooks("PostToolUse", "observe", &["echo half of it"]);
        let ran = on(&whole, host, "PostToolUse").run();
        assert_eq!(context(&ran), "half of it");
    }
}

#[test]
fn a_rewritten_result_is_never_mixed_with_text() {
    let rewrites = |result: &str| {
        prints(&nested(
            "PostToolUse",
            json!({ "updatedToolOutput": result }),
        ))
    };
    let result = |ran: &Ran| {
        let told = ran.json();
        match &told["modifiedResult"]["textResultForLlm"] {
            Value::Null => told["hookSpecificOutput"]["updatedToolOutput"].clone(),
            text => text.clone(),
        }
    };
    for host in HOSTS {
        let plugin = hooks("PostToolUse", "observe", &["echo note", &rewrites("new")]);
        let ran = on(&plugin, host, "PostToolUse").run();
        assert_eq!(result(&ran), "new");
        assert_eq!(context(&ran), "note");
    }
}

#[test]
fn text_stops_no_later_hook() {
    for host in HOSTS {
        for order in ["parallel", "sequence"] {
            let plugin = hooks(
                "PreToolUse",
                "gate",
                &["echo looked", "echo no >&2; exit 2"],
            );
            let plugin = match order {
                "sequence" => plugin.with("order", json!("sequence")),
                _ => plugin,
            };
            on(&plugin, host, "PreToolUse").run().assert_denies("no");
        }
        let plugin = hooks("PostToolUse", "observe", &["echo looked", "echo too"]);
        let ran = on(&plugin, host, "PostToolUse").run();
        assert_eq!(context(&ran), "looked\n\ntoo");
    }
}

/// Does a second hook run after the first has printed this?
fn goes_on_after(event: &str, document: &Value) -> bool {
    let plugin = hooks(
        event,
        "gate",
        &[
            &prints(document),
            "cat >/dev/null; touch \"$HOOKKIT_PLUGIN_ROOT/ran\"",
        ],
    )
    .with("order", json!("sequence"));
    on(&plugin, "claude-code", event).run();
    Path::new(&plugin.path()).join("ran").exists()
}

#[test]
fn only_refusals_of_the_running_event_end_a_sequence() {
    let deny = nested(
        "PreToolUse",
        json!({"permissionDecision": "deny", "permissionDecisionReason": "R"}),
    );
    let stop = json!({"continue": false, "stopReason": "R"});
    let block = json!({"decision": "block", "reason": "R"});
    for (event, document) in [
        ("PreToolUse", &deny),
        ("PreToolUse", &stop),
        ("Stop", &stop),
        ("Stop", &block),
        ("SubagentStop", &block),
    ] {
        assert!(!goes_on_after(event, document), "{event} {document}");
    }
    for (event, document) in [
        (
            "PreToolUse",
            nested("PreToolUse", json!({"permissionDecision": "allow"})),
        ),
        (
            "PreToolUse",
            nested("PreToolUse", json!({"additionalContext": "T"})),
        ),
        ("PreToolUse", json!({"continue": true})),
        ("PreToolUse", json!({"systemMessage": "N"})),
        ("PreToolUse", json!({})),
        ("Stop", json!({"decision": "approve"})),
        ("Stop", json!({"systemMessage": "N"})),
    ] {
        assert!(goes_on_after(event, &document), "{event} {document}");
    }
}

#[test]
fn what_cannot_be_understood_denies_in_a_gate_and_is_dropped_elsewhere() {
    let nonsense = [
        r#"{"decision":"#.to_owned(),
        r#"{"decision":"block"} and more"#.to_owned(),
        r#"["deny"]"#.to_owned(),
        json!({"decision": "allow"}).to_string(),
        json!({"decision": "maybe", "reason": "R"}).to_string(),
        json!({"decision": ["block"]}).to_string(),
        json!({"decision": "block", "reason": 5}).to_string(),
        json!({"continue": "false"}).to_string(),
        json!({"verdict": "fine"}).to_string(),
        json!({"hookSpecificOutput": "deny"}).to_string(),
        json!({"hookSpecificOutput": {"additionalContext": "T"}}).to_string(),
    ];
    for host in HOSTS {
        for said in &nonsense {
            let script = format!("cat >/dev/null\ncat <<'EOF'\n{said}\nEOF\n");
            for event in ["PreToolUse", "PermissionRequest", "Stop"] {
                let ran = on(&hooks(event, "gate", &[&script]), host, event).run();
                ran.assert_denies("`one`");
            }
            let plugin = hooks("PostToolUse", "observe", &[&script, "echo understood"]);
            let ran = on(&plugin, host, "PostToolUse").run();
            assert_eq!(context(&ran), "understood", "{said}");
        }
        for said in [json!({}), json!({"continue": true})] {
            let plugin = hooks("PreToolUse", "gate", &[&prints(&said)]);
            on(&plugin, host, "PreToolUse").run().assert_silent();
        }
    }
}

/// No hook sees what another makes of the result. Where a refusal takes the result away that is
/// enough; where it does not, the first change stands.
#[test]
fn unequal_results_are_a_conflict_that_shows_the_result_of_neither() {
    let another =
        |result: &str| prints(&nested("PostToolUse", json!({"updatedToolOutput": result})));
    let (one, two) = (another("one"), another("two"));
    let reason = "Hooks `one` and `two` change this result in different ways. Ask the user which of \
                  the two is meant.";
    let block = json!({"decision": "block", "reason": reason});
    let mut with_first = block.clone();
    with_first["hookSpecificOutput"] =
        json!({"hookEventName": "PostToolUse", "updatedToolOutput": "one"});
    let first = json!({"resultType": "success", "textResultForLlm": "one"});
    for mode in ["gate", "observe"] {
        for (host, told) in [
            ("claude-code", &with_first),
            ("copilot-cli", &block),
            ("vscode-copilot", &block),
            ("codex", &block),
            ("vscode-local", &block),
            ("copilot-cloud", &json!({"modifiedResult": first})),
        ] {
            let plugin = hooks("PostToolUse", mode, &[&one, &two]);
            assert_eq!(
                on(&plugin, host, "PostToolUse").run().json(),
                *told,
                "{host}"
            );
        }
        // The control: they agree.
        let plugin = hooks("PostToolUse", mode, &[&one, &one]);
        let told = on(&plugin, "codex", "PostToolUse").run().json();
        assert_eq!(told, json!({"decision": "block", "reason": "one"}));
    }
}

/// What one hook took out of a result stays out where another has something to say about it.
#[test]
fn feedback_does_not_bring_back_what_another_hook_took_out() {
    let another = prints(&nested("PostToolUse", json!({"updatedToolOutput": "less"})));
    let plugin = hooks("PostToolUse", "gate", &[&another, "echo no >&2; exit 2"]);
    let told = |host| on(&plugin, host, "PostToolUse").run().json();
    let block = json!({"decision": "block", "reason": "no"});
    let claudes = told("claude-code");
    assert_eq!(claudes["hookSpecificOutput"]["updatedToolOutput"], "less");
    assert_eq!(claudes["reason"], "no");
    assert_eq!(told("copilot-cli"), block);
    assert_eq!(told("codex"), block);
    let cloud = told("copilot-cloud");
    assert_eq!(cloud["modifiedResult"]["textResultForLlm"], "less");
}

/// The answer that a hook gives to a server's question goes with its consent.
#[test]
fn an_answer_to_a_question_is_the_hooks_own() {
    for (said, content) in [
        (
            json!({"action": "accept", "content": {"which": "a"}}),
            json!({"which": "a"}),
        ),
        (json!({"action": "accept"}), json!({})),
    ] {
        let script = prints(&nested("Elicitation", said));
        let plugin = hooks("Elicitation", "gate", &[&script]);
        let told = on(&plugin, "claude-code", "Elicitation").run().json();
        let expected = json!({
            "hookEventName": "Elicitation", "action": "accept", "content": content,
        });
        assert_eq!(told, json!({"hookSpecificOutput": expected}));
    }
}

//! Events of Codex CLI besides the call of a tool: each with what the client made of the answer, and
//! its control without the plugin.
//!
//! Permission requests and interruptions need somebody in front of the client, who is there through
//! its app-server; `codex exec` never asks.

use hookkit_tests::client::{Client, Permission, Person, Session};
use hookkit_tests::{Plugin, Turn, client_or_skip};
use serde_json::{Value, json};

fn hook(event: &str, mode: &str, script: &str) -> Plugin {
    Plugin::new("watchman").sh(json!({"id": "watch", "event": event, "mode": mode}), script)
}

/// A hook that prints this document.
fn saying(event: &str, mode: &str, document: &Value) -> Plugin {
    hook(
        event,
        mode,
        &format!("cat >/dev/null; printf '%s' '{document}'"),
    )
}

/// A hook that adds what it was sent to the project's file `witness`.
fn witness(event: &str, mode: &str) -> Plugin {
    hook(event, mode, "printf '%s\\n' \"$(cat)\" >> witness")
}

fn testimonies(content: &str) -> Vec<Value> {
    let lines = content.lines().map(serde_json::from_str);
    lines.collect::<Result<_, _>>().unwrap()
}

/// Calls for which the client wants the user's word.
fn asking(client: &dyn Client) -> Session<'_> {
    let call = |command: &str| {
        Turn::tool(
            "exec_command",
            json!({
                "cmd": command,
                "sandbox_permissions": "require_escalated", "justification": "to make a marker",
            }),
        )
    };
    let turns = ["touch forbidden", "touch consented", "touch unanswered"];
    client
        .session()
        .permission(Permission::Ask)
        .turns(turns.map(call).into_iter().chain([Turn::text("done")]))
}

#[test]
fn a_permission_request_is_answered_for_the_person() {
    let client = client_or_skip!(codex);
    let answer = |decision: Value| json!({"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": decision}});
    let denied = answer(json!({"behavior": "deny", "message": "The watchman forbids it."}));
    let allowed = answer(json!({"behavior": "allow"}));
    let plugin = hook(
        "PermissionRequest",
        "gate",
        &format!(
            "case $(cat) in *forbidden*) printf '%s' '{denied}' ;; *consented*) printf '%s' '{allowed}' ;; esac"
        ),
    );
    let seen = asking(client)
        .plugin(&plugin.build())
        .attended_by(Person::Declines);
    assert_eq!(seen.asked.len(), 1, "only about the call without an answer");
    assert!(seen.model.results()[0].contains("The watchman forbids it."));
    let made = |name| seen.project(name).exists();
    assert!(made("consented") && !made("forbidden") && !made("unanswered"));

    let control = asking(client).attended_by(Person::Declines);
    assert_eq!(control.asked.len(), 3);
    assert!(!control.project("consented").exists());
    assert!(!control.model.told("The watchman forbids it."));
}

#[test]
fn a_permission_gate_that_fails_refuses_for_the_person() {
    let client = client_or_skip!(codex);
    let plugin = hook("PermissionRequest", "gate", "kill -SEGV $$");
    let seen = asking(client)
        .plugin(&plugin.build())
        .attended_by(Person::Declines);
    assert_eq!(seen.asked, [""; 0]);
    assert!(seen.model.results()[0].contains("was ended by signal 11"));
    assert!(!seen.project("consented").exists());
}

#[test]
fn a_hook_runs_where_the_person_interrupts() {
    let client = client_or_skip!(codex);
    let plugin = witness("Interrupt", "silent");
    let session = || {
        let wait = client.shell("touch waiting; sleep 60");
        client.session().turns([wait, Turn::text("done")])
    };
    let seen = session()
        .plugin(&plugin.build())
        .attended_by(Person::Interrupts("waiting"));
    let said = std::fs::read_to_string(seen.project("witness")).unwrap();
    let said = testimonies(&said);
    assert_eq!(said.len(), 1);
    assert_eq!(said[0]["hook_event_name"], "Interrupt");
    assert_eq!(seen.model.calls(), 1);

    let control = session().attended_by(Person::Interrupts("waiting"));
    assert!(!control.project("witness").exists());
}

#[test]
fn what_a_hook_says_about_a_result_takes_its_place() {
    let client = client_or_skip!(codex);
    let session = || {
        let call = client.shell("echo the result");
        client.session().turns([call, Turn::text("done")])
    };
    let feedback = hook(
        "PostToolUse",
        "observe",
        "cat >/dev/null; echo 'Look again.' >&2; exit 2",
    );
    let rewritten = json!({"hookSpecificOutput": {
        "hookEventName": "PostToolUse", "updatedToolOutput": "Another result.",
    }});
    let rewrites = saying("PostToolUse", "gate", &rewritten);
    for (plugin, words) in [(feedback, "Look again."), (rewrites, "Another result.")] {
        let told = session().plugin(&plugin.build()).run().model.results();
        assert!(
            told[0].contains(words) && !told[0].contains("the result"),
            "{told:?}"
        );
    }
    assert!(session().run().model.results()[0].contains("the result"));
}

#[test]
fn what_an_observer_says_about_a_prompt_reaches_the_model() {
    let client = client_or_skip!(codex);
    let says = json!({"hookSpecificOutput": {
        "hookEventName": "UserPromptSubmit", "additionalContext": "It is raining.",
    }});
    let told = |mode| {
        let plugin = saying("UserPromptSubmit", mode, &says);
        client.session().plugin(&plugin.build()).run()
    };
    assert!(told("observe").model.told("It is raining."));
    assert!(!told("silent").model.told("It is raining."));
}

#[test]
fn a_session_can_be_stopped_before_it_starts() {
    let client = client_or_skip!(codex);
    let stops = json!({"continue": false, "stopReason": "Not today."});
    let seen = |mode| {
        let plugin = saying("SessionStart", mode, &stops);
        client.session().plugin(&plugin.build()).run()
    };
    assert_eq!(seen("gate").model.calls(), 0);
    assert_eq!(seen("silent").model.calls(), 1);
}

/// A session whose second turn finds the context full.
fn compacted(client: &dyn Client) -> Session<'_> {
    client
        .session()
        .small_context()
        .turns([client.shell("echo hello"), Turn::text("done")])
}

#[test]
fn hooks_run_before_and_after_the_context_is_compacted() {
    let client = client_or_skip!(codex);
    for event in ["PreCompact", "PostCompact"] {
        let plugin = witness(event, "silent").build();
        let seen = compacted(client).plugin(&plugin).run();
        assert!(seen.ran.exited(0));
        let said = testimonies(&seen.content("witness"));
        assert!(!said.is_empty());
        assert!(said.iter().all(|said| said["hook_event_name"] == event));
        assert_eq!(said[0]["trigger"], "auto");

        let roomy = client.session().turns([client.shell("echo hello")]);
        assert!(!roomy.plugin(&plugin).run().made("witness"));
    }
}

/// The client has no other way to keep the context: it ends the turn.
#[test]
fn a_refused_compaction_ends_the_turn() {
    let client = client_or_skip!(codex);
    let plugin = hook(
        "PreCompact",
        "gate",
        "cat >/dev/null; echo 'Keep it.' >&2; exit 2",
    );
    let seen = compacted(client).plugin(&plugin.build()).run();
    assert!(seen.ran.exited(1));
    assert_eq!(seen.model.calls(), 1);

    let control = compacted(client).run();
    assert!(control.ran.exited(0));
    assert_eq!(control.model.calls(), 2);
}

/// A session that waits, for a while, until its subagent has made a file.
fn with_a_subagent<'c>(client: &'c dyn Client, awaits: &str) -> Session<'c> {
    let wait = format!("for i in $(seq 50); do [ -e {awaits} ] && exit; sleep 0.1; done");
    client
        .session()
        .turns([client.errand(), client.shell(&wait), Turn::text("done")])
        .errand([
            client.shell("touch errand-run"),
            Turn::text("run"),
            client.shell("touch looked-over"),
            Turn::text("looked over"),
        ])
}

#[test]
fn a_subagent_that_is_kept_from_stopping_has_one_more_turn() {
    let client = client_or_skip!(codex);
    let plugin = hook(
        "SubagentStop",
        "gate",
        r#"case $(cat) in *'"stop_hook_active":false'*) echo 'Look it over.' >&2; exit 2 ;; esac"#,
    );
    let seen = with_a_subagent(client, "looked-over")
        .plugin(&plugin.build())
        .run();
    assert!(seen.made("looked-over"));
    assert!(seen.model.told("Look it over."));

    let control = with_a_subagent(client, "looked-over").run();
    assert!(control.made("errand-run") && !control.made("looked-over"));
}

/// The client itself would go on without end; hookkit lets the subagent end after eight blocks.
#[test]
fn a_subagent_is_not_kept_from_stopping_for_ever() {
    let client = client_or_skip!(codex);
    let plugin = hook("SubagentStop", "gate", "echo 'Never enough.' >&2; exit 2");
    let seen = with_a_subagent(client, "never")
        .plugin(&plugin.build())
        .run();
    assert!(seen.ran.exited(0));
    // Two calls, and a word at each of the nine times that it may stop.
    assert_eq!(seen.model.errand_calls(), 2 + 9);
}

#[test]
fn what_an_observer_says_at_the_start_of_a_subagent_reaches_it() {
    let client = client_or_skip!(codex);
    let says = json!({"hookSpecificOutput": {
        "hookEventName": "SubagentStart", "additionalContext": "Mind the gap.",
    }});
    let told = |mode| {
        let plugin = saying("SubagentStart", mode, &says);
        let session = with_a_subagent(client, "errand-run");
        session.plugin(&plugin.build()).run()
    };
    let seen = told("observe");
    assert!(seen.model.told("Mind the gap.") && seen.model.errand_calls() >= 2);
    assert!(!told("silent").model.told("Mind the gap."));
}

/// What they may answer is not known: hooks on them run directly.
#[test]
fn hooks_run_before_and_after_each_request_to_the_model() {
    let client = client_or_skip!(codex);
    for event in ["PreModelRequest", "PostModelRequest"] {
        let plugin = witness(event, "direct");
        let turns = [client.shell("echo hello"), Turn::text("done")];
        let seen = client.session().plugin(&plugin.build()).turns(turns).run();
        let said = testimonies(&seen.content("witness"));
        assert_eq!(said.len(), seen.model.calls());
        assert!(said.iter().all(|said| said["kind"] == "sampling"));
    }
}

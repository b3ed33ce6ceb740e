//! The real Copilot CLI, in a repository that it trusts, on every event that the cloud agent has: the
//! layout is the cloud's, so are the payloads by the vendor's reference, and the registration names
//! no host.

use hookkit_tests::client::{Client, Session};
use hookkit_tests::{Plugin, Turn, client_or_skip};
use serde_json::{Value, json};

use crate::session::guarded;

fn hook(event: &str, mode: &str, script: &str) -> Plugin {
    Plugin::new("demo").sh(json!({"id": "watch", "event": event, "mode": mode}), script)
}

/// A hook that prints this for Claude Code.
fn saying(event: &str, document: &Value) -> Plugin {
    hook(
        event,
        "observe",
        &format!("cat >/dev/null; printf '%s' '{document}'"),
    )
}

fn context(event: &str, words: &str) -> Plugin {
    let said = json!({"hookSpecificOutput": {"hookEventName": event, "additionalContext": words}});
    saying(event, &said)
}

/// A session that has all that can happen: a call that works, one that fails, a subagent, and a
/// model that does not answer.
fn eventful(client: &dyn Client) -> Session<'_> {
    let session = client.session();
    let absent = session.project("absent");
    session
        .turns([
            client.shell("touch marker"),
            client.read(&absent),
            client.errand(),
            Turn::error("the model is out"),
        ])
        .errand([Turn::text("run")])
}

#[test]
fn each_event_starts_its_hook() {
    let client = client_or_skip!(copilot);
    let events = [
        "SessionStart",
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUse",
        "PostToolUseFailure",
        "SubagentStart",
        "SubagentStop",
        "ErrorOccurred",
        "SessionEnd",
    ];
    // In one piece: hooks of the first two events may run at the same time.
    let notes = "printf '%s\\n' \"$(cat)\" >> witness";
    let plugin = Plugin::new("demo").sh(
        json!({"id": "all", "event": events, "mode": "observe"}),
        notes,
    );
    let seen = guarded(eventful(client), &plugin).run();
    let said = seen.content("witness");
    let said: Vec<Value> = said
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    for event in events {
        let own: Vec<_> = said
            .iter()
            .filter(|said| said["hook_event_name"] == event)
            .collect();
        assert!(!own.is_empty(), "{event}");
        for said in own {
            let native = &said["hookkit"]["native"];
            assert!(native["timestamp"].is_number(), "{event} is in camelCase");
        }
    }
    assert!(!eventful(client).run().made("witness"));
}

#[test]
fn what_observers_say_reaches_the_model() {
    let client = client_or_skip!(copilot);
    for event in [
        "SessionStart",
        "UserPromptSubmit",
        "PostToolUse",
        "PostToolUseFailure",
        "SubagentStart",
    ] {
        let words = format!("The watchman saw {event}.");
        let seen = guarded(eventful(client), &context(event, &words)).run();
        assert!(seen.model.told(&words), "{event}");
    }
    let seen = guarded(
        eventful(client),
        &hook("PreToolUse", "silent", "cat >/dev/null"),
    )
    .run();
    assert!(!seen.model.told("The watchman saw"));
}

#[test]
fn a_turn_and_an_errand_go_on_once_where_a_gate_wants_it() {
    let client = client_or_skip!(copilot);
    let script =
        r#"case $(cat) in *'"stop_hook_active":false'*) echo 'Look it over.' >&2; exit 2 ;; esac"#;
    let session = || {
        client
            .session()
            .turns([
                client.errand(),
                Turn::text("done"),
                Turn::text("really done"),
            ])
            .errand([Turn::text("run"), Turn::text("looked over")])
    };
    let control = session().run();
    let (calls, errands) = (control.model.calls(), control.model.errand_calls());
    for event in ["Stop", "SubagentStop"] {
        let seen = guarded(session(), &hook(event, "gate", script)).run();
        assert!(seen.model.told("Look it over."), "{event}");
        assert_eq!(seen.model.calls(), calls + 1, "{event}");
        let more = usize::from(event == "SubagentStop");
        assert_eq!(seen.model.errand_calls(), errands + more, "{event}");
    }
    assert!(!control.model.told("Look it over."));
}

/// The cloud's reference knows no refusal of a prompt; the client does.
#[test]
fn a_refused_prompt_reaches_no_model() {
    let client = client_or_skip!(copilot);
    let plugin = hook(
        "UserPromptSubmit",
        "gate",
        "cat >/dev/null; echo 'Not a word.' >&2; exit 2",
    );
    let seen = guarded(client.session(), &plugin).run();
    assert!(seen.ran.exited(1));
    assert_eq!(seen.model.calls(), 0);
    assert!((seen.ran.out() + &seen.ran.err()).contains("Not a word."));

    assert_eq!(client.session().run().model.calls(), 1);
}

#[test]
fn a_rewritten_result_is_what_the_model_sees() {
    let client = client_or_skip!(copilot);
    let said = json!({"hookSpecificOutput": {
        "hookEventName": "PostToolUse", "updatedToolOutput": "Another result.",
    }});
    let plugin = hook(
        "PostToolUse",
        "gate",
        &format!("cat >/dev/null; printf '%s' '{said}'"),
    );
    let session = || {
        let call = client.shell("echo the result");
        client.session().turns([call, Turn::text("done")])
    };
    let told = guarded(session(), &plugin).run().model.results();
    assert!(told[0].contains("Another result.") && !told[0].contains("the result"));
    assert!(session().run().model.results()[0].contains("the result"));
}

#[test]
fn a_hook_runs_before_the_context_is_compacted() {
    let client = client_or_skip!(copilot);
    let talked = client.session().turns([Turn::text("done")]).run();
    let session = || client.session().continues(&talked).prompt("/compact");
    assert!(!session().run().made("witness"));
    let seen = guarded(session(), &hook("PreCompact", "silent", "cat > witness")).run();
    let said: Value = serde_json::from_str(&seen.content("witness")).unwrap();
    assert_eq!(said["hook_event_name"], "PreCompact");
    assert_eq!(said["trigger"], "manual");
}

/// Its output is no decision, so the hook speaks to the client itself.
#[test]
fn a_direct_hook_rewrites_the_prompt_that_is_sent() {
    let client = client_or_skip!(copilot);
    let said = json!({"modifiedTransformedPrompt": "Please go home."});
    let script = format!("cat >/dev/null; printf '%s' '{said}'");
    let plugin = hook("UserPromptTransformed", "direct", &script);
    let seen = guarded(client.session(), &plugin).run();
    assert!(seen.model.told("Please go home.") && !seen.model.told("Please go on."));
    assert!(client.session().run().model.told("Please go on."));
}

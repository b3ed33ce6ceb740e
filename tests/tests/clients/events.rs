//! Events besides the call of a tool, as far as the clients fire them in print mode.

use hookkit_tests::client::{Client, Permission, Seen, Session};
use hookkit_tests::receipt::{Receipt, Refused};
use hookkit_tests::{Plugin, Turn};
use serde_json::{Value, json};

use crate::each_client;

each_client!(
    a_hook_runs_at_the_end_of_a_session;
    but Codex CLI:
    a_permission_request_is_answered_for_the_person,
    a_permission_request_fires_only_where_copilot_asks_about_everything,
    a_refused_prompt_reaches_no_model,
    a_subagent_that_is_kept_from_stopping_has_one_more_turn,
    a_subagent_is_not_kept_from_stopping_for_ever,
    what_a_hook_says_after_a_failed_call_reaches_the_model,
    a_hook_runs_before_the_context_is_compacted,
    a_compaction_is_refused_where_the_client_takes_a_refusal,
);

/// A plugin of one hook that `sh` runs.
fn hook(event: &str, mode: &str, script: &str) -> Plugin {
    Plugin::new("watchman").sh(json!({"id": "watch", "event": event, "mode": mode}), script)
}

/// A hook that leaves what it was sent in the project's file `witness`.
fn witness(event: &str) -> Plugin {
    hook(event, "observe", "cat > witness")
}

fn testimony(seen: &Seen) -> Value {
    serde_json::from_str(&seen.content("witness")).unwrap()
}

/// Allows one call and denies another, as a person would.
fn answering() -> Plugin {
    let answer = |decision: Value| json!({"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": decision}});
    let denied = answer(json!({"behavior": "deny", "message": "The watchman forbids it."}));
    let allowed = answer(json!({"behavior": "allow"}));
    hook(
        "PermissionRequest",
        "gate",
        &format!(
            "case $(cat) in *forbidden*) printf '%s' '{denied}' ;; *consented*) printf '%s' '{allowed}' ;; esac"
        ),
    )
}

fn some_requests(client: &dyn Client, permission: Permission) -> Session<'_> {
    client.session().permission(permission).turns([
        client.shell("touch forbidden"),
        client.shell("touch consented"),
        client.shell("touch unanswered"),
        Turn::text("done"),
    ])
}

fn a_permission_request_is_answered_for_the_person(client: &dyn Client) {
    let session = || some_requests(client, Permission::Ask);
    let seen = session().plugin(&answering().build()).run();
    assert!(!seen.made("forbidden") && seen.made("consented") && !seen.made("unanswered"));
    let told = &seen.model.results()[0];
    assert!(told.contains("The watchman forbids it."));
    let refused = Refused::new("touch forbidden", told);
    Receipt::check(
        client,
        "watchman",
        "PermissionRequest",
        "touch consented",
        refused,
    );

    let control = session().run();
    assert!(!control.made("forbidden") && !control.made("consented"));
    assert!(!control.model.told("The watchman forbids it."));
}

/// Copilot asks its hooks even where everything is allowed; Claude Code does not.
fn a_permission_request_fires_only_where_copilot_asks_about_everything(client: &dyn Client) {
    let session = || some_requests(client, Permission::AllowAll);
    let seen = session().plugin(&answering().build()).run();
    let asks = client.host() == "copilot-cli";
    assert_eq!(seen.made("forbidden"), !asks);
    assert_eq!(seen.model.told("The watchman forbids it."), asks);
    assert!(seen.made("consented") && seen.made("unanswered"));

    assert!(session().run().made("forbidden"));
}

fn a_refused_prompt_reaches_no_model(client: &dyn Client) {
    let refusing = hook(
        "UserPromptSubmit",
        "gate",
        r#"case $(cat) in *launch*) echo "The watchman hears no such words." >&2; exit 2 ;; esac"#,
    );
    let tree = refusing.build();
    let seen = client
        .session()
        .plugin(&tree)
        .prompt("Please launch.")
        .run();
    assert_eq!(seen.model.calls(), 0);
    let said = seen.ran.out() + &seen.ran.err();
    assert!(said.contains("The watchman hears no such words."));
    assert_eq!(seen.ran.exited(1), client.host() == "copilot-cli");

    let harmless = client.session().plugin(&tree).prompt("Please land.").run();
    assert_eq!(harmless.model.calls(), 1);
    let control = client.session().prompt("Please launch.").run();
    assert_eq!(control.model.calls(), 1);
}

/// A session whose subagent would stop after two turns.
fn with_a_subagent(client: &dyn Client) -> Session<'_> {
    client
        .session()
        .turns([client.errand(), Turn::text("done")])
        .errand([client.shell("touch errand-run"), Turn::text("run")])
}

fn a_subagent_that_is_kept_from_stopping_has_one_more_turn(client: &dyn Client) {
    let once = hook(
        "SubagentStop",
        "gate",
        r#"case $(cat) in
*'"stop_hook_active":false'*) echo "The watchman wants the errand looked over." >&2; exit 2 ;;
esac"#,
    );
    let seen = with_a_subagent(client).plugin(&once.build()).run();
    assert!(seen.made("errand-run"));
    assert_eq!(seen.model.errand_calls(), 3);
    assert!(
        seen.model
            .told("The watchman wants the errand looked over.")
    );

    let control = with_a_subagent(client).run();
    assert!(control.made("errand-run"));
    assert_eq!(control.model.errand_calls(), 2);
}

/// Copilot itself would go on without end; hookkit lets the subagent end after eight blocks.
fn a_subagent_is_not_kept_from_stopping_for_ever(client: &dyn Client) {
    let always = hook("SubagentStop", "gate", "echo 'Never enough.' >&2; exit 2");
    let seen = with_a_subagent(client).plugin(&always.build()).run();
    assert!(seen.ran.exited(0));
    assert_eq!(seen.model.errand_calls(), 10);
}

fn what_a_hook_says_after_a_failed_call_reaches_the_model(client: &dyn Client) {
    let words = "The watchman saw it fail.";
    let answer = json!({"hookSpecificOutput": {
        "hookEventName": "PostToolUseFailure", "additionalContext": words,
    }});
    let observing = hook(
        "PostToolUseFailure",
        "observe",
        &format!("printf '%s' '{answer}'"),
    );
    let session = || {
        let session = client.session();
        let absent = session.project("absent");
        session.turns([client.read(&absent), Turn::text("done")])
    };
    let seen = session().plugin(&observing.build()).run();
    assert!(seen.model.told(words));
    assert!(!session().run().model.told(words));
}

fn a_hook_runs_before_the_context_is_compacted(client: &dyn Client) {
    let talked = client.session().turns([Turn::text("done")]).run();
    let session = || client.session().continues(&talked).prompt("/compact");
    assert!(!session().run().made("witness"));

    let seen = session().plugin(&witness("PreCompact").build()).run();
    assert_eq!(testimony(&seen)["hook_event_name"], "PreCompact");
    assert_eq!(testimony(&seen)["trigger"], "manual");
}

/// Claude Code keeps the context; Copilot has no form for a refusal here and compacts it.
fn a_compaction_is_refused_where_the_client_takes_a_refusal(client: &dyn Client) {
    let refusing = hook(
        "PreCompact",
        "gate",
        "echo 'The watchman keeps the context.' >&2; exit 2",
    );
    let talked = client.session().turns([Turn::text("done")]).run();
    let session = || client.session().continues(&talked).prompt("/compact");
    let seen = session().plugin(&refusing.build()).run();
    let is_refused = seen.ran.out().contains("The watchman keeps the context.");
    assert_eq!(is_refused, client.host() == "claude-code");
    assert!(seen.ran.exited(0));

    assert!(!session().run().ran.out().contains("The watchman"));
}

fn a_hook_runs_at_the_end_of_a_session(client: &dyn Client) {
    let session = || client.session().turns([Turn::text("done")]);
    let seen = session().plugin(&witness("SessionEnd").build()).run();
    assert_eq!(testimony(&seen)["hook_event_name"], "SessionEnd");
    let reason = if client.host() == "copilot-cli" {
        "complete"
    } else {
        "other"
    };
    assert_eq!(testimony(&seen)["reason"], reason);
    assert!(!session().run().made("witness"));
}

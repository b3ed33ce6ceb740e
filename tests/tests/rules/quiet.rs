//! What hooks print and nobody is told.

use hookkit_tests::Plugin;
use serde_json::{Value, json};

use crate::{HOSTS, context, hooks, on};

/// Prints on both channels: by itself, through descriptors, by a child, and by a child that outlives it a little.
const LOUD: &str = r#"
cat >/dev/null
touch "$HOOKKIT_PLUGIN_ROOT/ran"
echo noise; echo noise >&2
printf 'noise\n' >/proc/self/fd/1; printf 'noise\n' >/proc/self/fd/2
sh -c 'echo noise; echo noise >&2'
(sleep 0.1; echo noise; echo noise >&2) &
"#;

/// Events on which an author has to say that a hook's text may reach the model.
const RESERVED: [&str; 3] = ["SessionStart", "UserPromptSubmit", "PreCompact"];

fn unsaid(event: &str, script: &str) -> Plugin {
    Plugin::new("demo").sh(json!({"id": "loud", "event": event}), script)
}

#[test]
fn a_mode_that_nobody_chose_lets_nothing_through_on_either_channel() {
    for host in HOSTS {
        for event in RESERVED {
            let plugin = unsaid(event, LOUD);
            let ran = on(&plugin, host, event).run();
            ran.assert_silent();
            assert_eq!(ran.err(), "", "{host} {event}");
            assert!(plugin.path().join("ran").exists(), "it ran all the same");
        }
    }
}

#[test]
fn failing_changes_nothing_about_that() {
    for host in HOSTS {
        for event in RESERVED {
            for end in ["exit 1", "echo no >&2; exit 2", "kill -9 $$"] {
                let ran = on(&unsaid(event, &format!("{LOUD}{end}")), host, event).run();
                ran.assert_silent();
                assert_eq!(ran.err(), "", "{host} {event} {end}");
            }
        }
    }
}

/// The control of the tests above: the same hook is loud when it is started directly.
#[test]
fn a_direct_hook_is_heard_on_both_channels() {
    for event in RESERVED {
        let ran = on(&hooks(event, "direct", &[LOUD]), "claude-code", event)
            .args(["--hook", "one"])
            .run();
        for channel in [ran.out(), ran.err()] {
            assert!(channel.matches("noise").count() >= 3, "{channel}");
        }
    }
}

#[test]
fn an_author_can_let_the_text_of_a_session_start_through() {
    for host in HOSTS {
        let chosen = hooks("SessionStart", "observe", &["echo said; echo unheard >&2"]);
        let ran = on(&chosen, host, "SessionStart").run();
        assert_eq!(context(&ran), "said");
        assert_eq!(ran.err(), "");
    }
}

#[test]
fn notices_and_the_end_of_a_session_are_quiet_too() {
    for (host, event) in [
        ("claude-code", "SessionEnd"),
        ("claude-code", "Notification"),
        ("copilot-cli", "SessionEnd"),
        ("copilot-cli", "Notification"),
        ("copilot-cli", "ErrorOccurred"),
    ] {
        let ran = on(&unsaid(event, LOUD), host, event).run();
        ran.assert_silent();
        assert_eq!(ran.err(), "", "{host} {event}");
    }
}

/// A gate's own stderr is for its reason, and only when it refuses.
#[test]
fn what_a_passing_gate_complains_of_is_not_passed_on() {
    for host in HOSTS {
        let passes = hooks("PreToolUse", "gate", &["echo careless >&2"]);
        let ran = on(&passes, host, "PreToolUse").run();
        ran.assert_silent();
        assert_eq!(ran.err(), "");
        let refuses = hooks("PreToolUse", "gate", &["echo careless >&2; exit 2"]);
        on(&refuses, host, "PreToolUse")
            .run()
            .assert_denies("careless");
    }
}

/// What to do about a failed call is what an observer is for: exit 2 tells the model on every host that can be told.
#[test]
fn advice_after_a_failed_call_reaches_the_model() {
    let advises = hooks(
        "PostToolUseFailure",
        "observe",
        &["echo try -v >&2; exit 2"],
    );
    let of = |host: &str| on(&advises, host, "PostToolUseFailure").run().json();
    assert_eq!(
        of("claude-code"),
        json!({"decision": "block", "reason": "try -v"})
    );
    assert_eq!(of("copilot-cli"), json!({"additionalContext": "try -v"}));
    for host in HOSTS {
        let fails = hooks(
            "PostToolUseFailure",
            "observe",
            &["echo try -v >&2; exit 1"],
        );
        on(&fails, host, "PostToolUseFailure").run().assert_silent();
    }
}

/// A hook on a tool call that decides nothing is observed by default nowhere: before a call it is a gate.
#[test]
fn an_observer_is_what_an_author_wrote_or_a_call_that_is_over() {
    let told = |host: &str, event: &str, entry: Value| {
        let mut entry = entry;
        entry["id"] = json!("loud");
        entry["event"] = json!(event);
        let plugin = Plugin::new("demo").sh(entry, "echo no >&2; exit 3");
        on(&plugin, host, event).run()
    };
    for host in HOSTS {
        for event in ["PreToolUse", "PermissionRequest", "Stop", "SubagentStop"] {
            told(host, event, json!({})).assert_denies("exit code 3");
            told(host, event, json!({"mode": "observe"})).assert_silent();
        }
        for event in ["PostToolUse", "PostToolUseFailure"] {
            told(host, event, json!({})).assert_silent();
        }
    }
    // An event that this build has never heard of is left to whoever registered it directly.
    let plugin = Plugin::new("demo").sh(json!({"id": "new", "event": "BrandNew"}), "echo {}");
    let start = |arguments: &[&str]| {
        plugin
            .dispatch(["--host", "claude-code", "--event", "BrandNew"])
            .args(arguments)
            .stdin(json!({"hook_event_name": "BrandNew"}))
            .run()
    };
    start(&[]).assert_silent();
    assert_eq!(start(&["--hook", "new"]).out(), "{}\n");
}

//! The end of a turn: what a gate may hold up, how often, and what a broken one may not.

use hookkit_tests::{Plugin, payload};
use serde_json::{Value, json};

fn gate(event: &str, script: &str) -> Plugin {
    Plugin::new("demo").sh(json!({"id": "tests", "event": event}), script)
}

const BLOCKS: &str = r#"echo '{"decision":"block","reason":"run the tests"}'"#;

#[test]
fn a_deliberate_block_passes_and_carries_its_reason() {
    for active in [false, true] {
        let told = gate("Stop", BLOCKS)
            .dispatch(["--host", "claude-code"])
            .stdin(payload::claude::stop(active))
            .run();
        assert_eq!(
            told.json(),
            json!({"decision": "block", "reason": "run the tests"})
        );
        let told = gate("Stop", BLOCKS)
            .dispatch(["--host", "copilot-cli"])
            .stdin(payload::copilot::stop(active))
            .run();
        assert_eq!(
            told.json(),
            json!({"decision": "block", "reason": "run the tests"})
        );
    }
}

#[test]
fn a_broken_gate_blocks_once_and_never_again() {
    for script in ["exit 7", "kill -9 $$", "echo '{'", "sleep 60"] {
        let entry = json!({"id": "broken", "event": "Stop", "timeout": 0.3});
        let plugin = Plugin::new("demo").sh(entry, script);
        let run = |active| {
            plugin
                .dispatch(["--host", "claude-code"])
                .stdin(payload::claude::stop(active))
                .run()
        };
        assert_eq!(run(false).json()["decision"], "block", "{script}");
        assert_eq!(run(true).out(), "", "{script}");
    }
}

/// Copilot's subagents, whose blocks the client never counts.
fn subagent(session: &str, agent: &str, active: bool) -> Value {
    payload::copilot::event(
        "SubagentStop",
        json!({"session_id": session, "agent_id": agent, "agent_type": "explore",
               "stop_reason": "end_turn", "stop_hook_active": active}),
    )
}

#[test]
fn a_subagent_is_let_go_after_eight_blocks_in_a_row() {
    let plugin = gate("SubagentStop", BLOCKS);
    let session = format!("s-{}", std::process::id());
    let run = |agent: &str, active| {
        plugin
            .dispatch(["--host", "copilot-cli"])
            .stdin(subagent(&session, agent, active))
            .run()
    };
    for count in 1..=8 {
        assert_ne!(run("a", count > 1).out(), "", "block {count}");
    }
    assert_eq!(run("a", true).out(), "", "the ninth lets it end");
    // Another agent of the session has its own count, and a new turn of the first begins again.
    assert_ne!(run("b", true).out(), "");
    assert_ne!(run("a", false).out(), "");
    // Nothing is left of a turn that ended.
    let quiet = gate("SubagentStop", "exit 0");
    for agent in ["a", "b"] {
        let ended = quiet
            .dispatch(["--host", "copilot-cli"])
            .stdin(subagent(&session, agent, true))
            .run();
        assert_eq!(ended.out(), "");
    }
}

#[test]
fn a_hosts_own_cap_is_left_to_it() {
    let plugin = gate("SubagentStop", BLOCKS);
    for _ in 0..12 {
        let fields = json!({"stop_hook_active": true, "agent_id": "a", "agent_type": "explore"});
        let told = plugin
            .dispatch(["--host", "claude-code"])
            .stdin(payload::claude::event("SubagentStop", fields))
            .run();
        assert_ne!(told.out(), "");
    }
}

//! What the hosts send to a hook, as seen on Claude Code 2.1.332 and Copilot CLI 1.0.102.

/// Claude Code's payloads.
pub mod claude {
    use serde_json::{Value, json};

    use super::merged;

    /// What every event carries, with these fields beside it.
    pub fn event(name: &str, fields: Value) -> Value {
        let common = json!({
            "session_id": "7d1c1a2e-0000-4000-8000-000000000001",
            "transcript_path": "/home/someone/.claude/projects/p/7d1c1a2e.jsonl",
            "cwd": "/",
            "prompt_id": "7d1c1a2e-0000-4000-8000-000000000002",
            "permission_mode": "default",
            "hook_event_name": name,
        });
        merged(common, fields)
    }

    /// Before a call.
    pub fn pre_tool_use(tool: &str, input: Value) -> Value {
        event(
            "PreToolUse",
            json!({"tool_name": tool, "tool_input": input, "tool_use_id": "toolu_01"}),
        )
    }

    /// After a call.
    pub fn post_tool_use(tool: &str, input: Value, response: Value) -> Value {
        let fields = json!({
            "tool_name": tool, "tool_input": input, "tool_response": response,
            "tool_use_id": "toolu_01", "duration_ms": 12,
        });
        event("PostToolUse", fields)
    }

    /// At the end of a turn.
    pub fn stop(stop_hook_active: bool) -> Value {
        let fields = json!({
            "stop_hook_active": stop_hook_active, "last_assistant_message": "Done.",
            "background_tasks": [], "session_crons": [],
        });
        event("Stop", fields)
    }

    /// At the start of a session.
    pub fn session_start(source: &str) -> Value {
        event("SessionStart", json!({"source": source}))
    }
}

/// Codex CLI's payloads.
pub mod codex {
    use serde_json::{Value, json};

    /// Before a call.
    pub fn pre_tool_use(tool: &str, input: Value) -> Value {
        json!({
            "session_id": "7d1c1a2e-0000-4000-8000-000000000001",
            "transcript_path": null,
            "cwd": "/",
            "hook_event_name": "PreToolUse",
            "turn_id": "7d1c1a2e-0000-4000-8000-000000000003",
            "model": "gpt",
            "permission_mode": "default",
            "tool_name": tool, "tool_input": input, "tool_use_id": "call_01",
        })
    }
}

/// Copilot CLI's payloads for PascalCase event names, which is how a portable tree registers.
pub mod copilot {
    use serde_json::{Value, json};

    use super::merged;

    /// What every event carries, with these fields beside it.
    pub fn event(name: &str, fields: Value) -> Value {
        let common = json!({
            "hook_event_name": name,
            "session_id": "7d1c1a2e-0000-4000-8000-000000000001",
            "timestamp": "2026-11-30T12:00:00.000Z",
            "cwd": "/",
        });
        merged(common, fields)
    }

    /// Before a call. The tool has its name in Claude's spelling, its arguments have Copilot's own
    /// names.
    pub fn pre_tool_use(tool: &str, input: Value) -> Value {
        event(
            "PreToolUse",
            json!({"tool_name": tool, "tool_input": input}),
        )
    }

    /// After a call.
    pub fn post_tool_use(tool: &str, input: Value, result: &str) -> Value {
        let result = json!({"result_type": "success", "text_result_for_llm": result});
        event(
            "PostToolUse",
            json!({"tool_name": tool, "tool_input": input, "tool_result": result}),
        )
    }

    /// At the end of a turn.
    pub fn stop(stop_hook_active: bool) -> Value {
        let fields = json!({
            "transcript_path": "/home/someone/.copilot/session-state/7d1c1a2e/events.jsonl",
            "stop_reason": "end_turn", "stop_hook_active": stop_hook_active,
        });
        event("Stop", fields)
    }

    /// At the start of a session. A fresh one has the source `new`.
    pub fn session_start(source: &str) -> Value {
        event(
            "SessionStart",
            json!({"source": source, "initial_prompt": "Please go on."}),
        )
    }
}

/// Copilot CLI's payloads for its own camelCase event names, which do not name the event.
pub mod copilot_camel {
    use serde_json::{Value, json};

    use super::merged;

    /// What every event carries, with these fields beside it.
    pub fn event(fields: serde_json::Value) -> Value {
        let common = json!({
            "sessionId": "7d1c1a2e-0000-4000-8000-000000000001",
            "timestamp": 1_796_040_000_000_u64,
            "cwd": "/",
        });
        merged(common, fields)
    }

    /// Before a call, with Copilot's own tool name.
    pub fn pre_tool_use(tool: &str, input: Value) -> Value {
        event(json!({"toolName": tool, "toolArgs": input}))
    }

    /// After a call.
    pub fn post_tool_use(tool: &str, input: Value, result: &str) -> Value {
        let result = json!({"resultType": "success", "textResultForLlm": result});
        event(json!({"toolName": tool, "toolArgs": input, "toolResult": result}))
    }

    /// At the end of a turn.
    pub fn stop(stop_hook_active: bool) -> Value {
        let fields = json!({
            "transcriptPath": "/home/someone/.copilot/session-state/7d1c1a2e/events.jsonl",
            "stopReason": "end_turn", "stop_hook_active": stop_hook_active,
        });
        event(fields)
    }

    /// At the start of a session.
    pub fn session_start(source: &str) -> Value {
        event(json!({"source": source, "initialPrompt": "Please go on."}))
    }
}

/// The fields over the common ones.
fn merged(mut common: serde_json::Value, fields: serde_json::Value) -> serde_json::Value {
    let (serde_json::Value::Object(all), serde_json::Value::Object(fields)) = (&mut common, fields)
    else {
        panic!("the fields of a payload are an object");
    };
    all.extend(fields);
    common
}

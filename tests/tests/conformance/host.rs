//! The hosts under test, and what they send.

use hookkit_tests::payload::{claude, copilot, copilot_camel};
use serde_json::{Value, json};

pub(crate) struct Host {
    pub(crate) name: &'static str,
}

const HOSTS: &[Host] = &[
    Host {
        name: "claude-code",
    },
    Host {
        name: "copilot-cli",
    },
    Host {
        name: "copilot-cloud",
    },
    Host {
        name: "vscode-copilot",
    },
    Host {
        name: "vscode-local",
    },
    Host { name: "codex" },
];

/// The host of a name.
pub(crate) fn named(name: &str) -> &'static Host {
    let host = HOSTS.iter().find(|host| host.name == name);
    host.unwrap_or_else(|| panic!("no host {name}"))
}

impl Host {
    /// A payload of an event, registered under `name`.
    pub(crate) fn payload(&self, event: &str, name: &str) -> Value {
        match self.name {
            "claude-code" => claude::event(event, fields(event)),
            "codex" => codex(event),
            "vscode-local" => vscode_local(event),
            _ => copilot_payload(event, name),
        }
    }
}

fn copilot_payload(event: &str, name: &str) -> Value {
    let is_camel = name.starts_with(|first: char| first.is_ascii_lowercase());
    // These come in camelCase whatever the registration (seen on 1.0.102).
    let stays_camel = matches!(event, "PermissionRequest" | "SubagentStart");
    if is_camel || stays_camel {
        return copilot_camel::event(camel_fields(event));
    }
    let mut fields = fields(event);
    let result = fields
        .as_object_mut()
        .and_then(|all| all.remove("tool_response"));
    if let Some(result) = result {
        fields["tool_result"] =
            json!({"result_type": "success", "text_result_for_llm": result["stdout"]});
    }
    copilot::event(event, fields)
}

fn codex(event: &str) -> Value {
    let mut payload = json!({
        "session_id": "s", "transcript_path": null, "cwd": "/", "hook_event_name": event,
        "turn_id": "1", "model": "m", "permission_mode": "default",
    });
    add(&mut payload, fields(event));
    if event == "PostToolUse" {
        payload["tool_response"] = json!("a");
    }
    payload
}

fn vscode_local(event: &str) -> Value {
    let mut payload = json!({
        "timestamp": "2026-11-30T12:00:00.000Z", "session_id": "s", "transcript_path": "/t",
        "cwd": "/", "hook_event_name": event,
    });
    add(&mut payload, fields(event));
    if payload["tool_name"] == "Bash" {
        payload["tool_name"] = json!("run_in_terminal");
        payload["tool_use_id"] = json!("call_1");
    }
    payload
}

fn add(payload: &mut Value, fields: Value) {
    let (Value::Object(payload), Value::Object(fields)) = (payload, fields) else {
        panic!("a payload is an object");
    };
    payload.extend(fields);
}

fn fields(event: &str) -> Value {
    match event {
        "PreToolUse" | "PermissionRequest" | "PermissionDenied" => {
            json!({"tool_name": "Bash", "tool_input": {"command": "ls"}})
        }
        "PostToolUse" => {
            json!({"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_response": {"stdout": "a"}})
        }
        "PostToolUseFailure" => {
            json!({"tool_name": "Bash", "tool_input": {"command": "ls"}, "error": "exit 3"})
        }
        "Stop" | "SubagentStop" => json!({"stop_hook_active": false, "agent_type": "explore"}),
        "SessionStart" => json!({"source": "startup"}),
        "UserPromptSubmit" => json!({"prompt": "hi"}),
        _ => json!({}),
    }
}

fn camel_fields(event: &str) -> Value {
    match event {
        "PreToolUse" | "PreMcpToolCall" => {
            json!({"toolName": "bash", "toolArgs": {"command": "ls"}})
        }
        "PermissionRequest" => {
            json!({"hookName": "permissionRequest", "toolName": "bash", "toolInput": {"command": "ls"}})
        }
        "PostToolUse" => json!({
            "toolName": "bash", "toolArgs": {"command": "ls"},
            "toolResult": {"resultType": "success", "textResultForLlm": "a"},
        }),
        "PostToolUseFailure" => {
            json!({"toolName": "bash", "toolArgs": {"command": "ls"}, "error": "exit 3"})
        }
        "Stop" => json!({"stopReason": "end_turn", "stop_hook_active": false}),
        "SubagentStop" => {
            json!({"agentName": "explore", "stopReason": "end_turn", "stop_hook_active": false})
        }
        "SubagentStart" => json!({"agentName": "explore", "agent_type": "explore"}),
        "SessionStart" => json!({"source": "new", "initialPrompt": "hi"}),
        "SessionEnd" => json!({"reason": "complete"}),
        "UserPromptSubmit" => json!({"prompt": "hi"}),
        "UserPromptTransformed" => json!({"prompt": "hi", "transformedPrompt": "hi"}),
        "Notification" => json!({"notification_type": "idle", "message": "m"}),
        "PreCompact" => json!({"trigger": "manual", "customInstructions": ""}),
        "ErrorOccurred" => json!({"errorContext": "model", "recoverable": true}),
        other => panic!("no payload for {other}"),
    }
}

//! The hosts under test, and what they send.

use hookkit_tests::payload::{claude, copilot, copilot_camel};
use serde_json::{Value, json};

pub(crate) struct Host {
    pub(crate) name: &'static str,
}

pub(crate) const HOSTS: &[Host] = &[
    Host {
        name: "claude-code",
    },
    Host {
        name: "copilot-cli",
    },
];

impl Host {
    /// A payload of an event, registered under `name`.
    pub(crate) fn payload(&self, event: &str, name: &str) -> Value {
        if self.name == "claude-code" {
            return claude::event(event, fields(event, "command"));
        }
        let is_camel = name.starts_with(|first: char| first.is_ascii_lowercase());
        // These come in camelCase whatever the registration (seen on 1.0.102).
        let stays_camel = matches!(event, "PermissionRequest" | "SubagentStart");
        if is_camel || stays_camel {
            return copilot_camel::event(camel_fields(event));
        }
        let mut fields = fields(event, "command");
        if let Some(result) = fields
            .as_object_mut()
            .and_then(|all| all.remove("tool_response"))
        {
            fields["tool_result"] =
                json!({"result_type": "success", "text_result_for_llm": result["stdout"]});
        }
        copilot::event(event, fields)
    }
}

fn fields(event: &str, argument: &str) -> Value {
    match event {
        "PreToolUse" | "PermissionRequest" | "PermissionDenied" => {
            json!({"tool_name": "Bash", "tool_input": {argument: "ls"}})
        }
        "PostToolUse" => {
            json!({"tool_name": "Bash", "tool_input": {argument: "ls"}, "tool_response": {"stdout": "a"}})
        }
        "PostToolUseFailure" => {
            json!({"tool_name": "Bash", "tool_input": {argument: "ls"}, "error": "exit 3"})
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

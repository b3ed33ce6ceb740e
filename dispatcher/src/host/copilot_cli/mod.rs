//! GitHub Copilot CLI: root-level replies, and two casings of the same events.
//!
//! Forms, names and limits as the client 1.0.102 showed them. An event registered in camelCase
//! arrives with camelCase members, one in PascalCase mostly with Claude's; PermissionRequest,
//! Notification, SubagentStart and PreMcpToolCall keep camelCase under both. Both spellings are read everywhere.

pub(super) mod contracts;
mod tools;

use super::tools::natives;
use super::{Decoded, Host, Wire, results, translate};
use crate::contract::Contract;
use crate::payload::Fields;
use std::borrow::Cow;

/// A host of Copilot's family: one way to speak, and the events that each of them has.
pub(super) struct Copilot {
    pub(super) name: &'static str,
    pub(super) contracts: &'static [Contract],
}

/// The host of the name `copilot-cli`.
pub(super) const COPILOT_CLI: Copilot = Copilot {
    name: "copilot-cli",
    contracts: contracts::CONTRACTS,
};

impl Host for Copilot {
    fn name(&self) -> &'static str {
        self.name
    }

    fn contracts(&self) -> &'static [Contract] {
        self.contracts
    }

    fn root_variables(&self) -> &'static [&'static str] {
        &["COPILOT_PLUGIN_ROOT", "CLAUDE_PLUGIN_ROOT", "PLUGIN_ROOT"]
    }

    /// The client protects hooks from bare repositories by `GIT_CONFIG_COUNT` and its like; a
    /// repository's settings do not reach hooks here.
    fn own_variables(&self) -> &'static [&'static str] {
        &["GIT_CONFIG_"]
    }

    /// Joined context is cut at about 10,000 characters.
    fn longest_text(&self) -> usize {
        9_900
    }

    fn wire(&self) -> Wire {
        Wire::Root
    }

    fn event_of_shape(&self, fields: &Fields) -> Option<&'static str> {
        let has = |name| fields.get(name).is_some();
        Some(if has("toolInput") || has("hookName") {
            "PermissionRequest"
        } else if has("serverName") {
            "PreMcpToolCall"
        } else if has("toolName") || has("tool_name") {
            if has("toolResult") || has("tool_result") {
                "PostToolUse"
            } else if has("error") {
                "PostToolUseFailure"
            } else {
                "PreToolUse"
            }
        } else if has("notification_type") {
            "Notification"
        } else if has("transformedPrompt") {
            "UserPromptTransformed"
        } else if has("initialPrompt") || has("initial_prompt") || has("source") {
            "SessionStart"
        } else if has("prompt") {
            "UserPromptSubmit"
        } else if has("errorContext") || has("error_context") {
            "ErrorOccurred"
        } else if has("trigger") {
            "PreCompact"
        } else if has("agentName") || has("agent_name") || has("agent_type") || has("agentType") {
            if has("stopReason") || has("stop_reason") || has("stop_hook_active") {
                "SubagentStop"
            } else {
                "SubagentStart"
            }
        } else if has("stopReason") || has("stop_reason") {
            "Stop"
        } else if has("reason") {
            "SessionEnd"
        } else {
            return None;
        })
    }

    fn decode<'p>(
        &self,
        document: &'p [u8],
        fields: &Fields<'p>,
        contract: &Contract,
    ) -> Decoded<'p> {
        translate::decode(&tools::NAMING, document, fields, contract)
    }

    fn native_tools(&self, claude: &str) -> &'static [&'static str] {
        natives(tools::TOOLS, claude)
    }

    fn own_input<'v>(&self, fields: &Fields, input: &'v [u8]) -> Cow<'v, [u8]> {
        translate::own_input(&tools::NAMING, fields, input)
    }

    fn own_result<'v>(&self, result: &'v [u8]) -> Option<Cow<'v, [u8]>> {
        results::to_copilot(result).map(Cow::Owned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(payload: &str, event: &str) -> Vec<serde_json::Value> {
        let fields = Fields::read(payload.as_bytes()).expect("an object");
        let contract = COPILOT_CLI.contract(event).expect("an event");
        COPILOT_CLI
            .decode(payload.as_bytes(), &fields, contract)
            .views
            .iter()
            .map(|view| serde_json::from_slice(&view.bytes()).expect("valid JSON"))
            .collect()
    }

    #[test]
    fn both_casings_arrive_as_claudes_payload() {
        for payload in [
            r#"{"sessionId":"s","timestamp":1,"cwd":"/w","toolName":"create","toolArgs":{"path":"/a","file_text":"x"}}"#,
            r#"{"sessionId":"s","timestamp":1,"cwd":"/w","toolName":"create","toolArgs":"{\"path\":\"/a\",\"file_text\":\"x\"}"}"#,
            r#"{"hook_event_name":"PreToolUse","session_id":"s","timestamp":"1","cwd":"/w","tool_name":"Write","tool_input":{"path":"/a","file_text":"x"}}"#,
        ] {
            let seen = &decoded(payload, "PreToolUse")[0];
            assert_eq!(seen["hook_event_name"], "PreToolUse");
            assert_eq!(seen["session_id"], "s");
            assert_eq!(seen["tool_name"], "Write");
            assert_eq!(
                seen["tool_input"],
                serde_json::json!({"file_path": "/a", "content": "x"})
            );
            let native: serde_json::Value = serde_json::from_str(payload).expect("JSON");
            assert_eq!(seen["hookkit"]["native"], native);
        }
    }

    #[test]
    fn a_fresh_session_is_a_startup() {
        let seen = &decoded(
            r#"{"sessionId":"s","timestamp":1,"source":"new","initialPrompt":"hi"}"#,
            "sessionStart",
        )[0];
        assert_eq!(seen["source"], "startup");
        assert_eq!(seen["initial_prompt"], "hi");
    }

    #[test]
    fn a_patch_is_one_write_or_edit_for_each_file() {
        let payload = r#"{"timestamp":1,"toolName":"apply_patch","toolArgs":"*** Begin Patch\n*** Add File: a.txt\n+one\n*** Update File: b.txt\n@@\n-x\n+y\n*** End Patch\n"}"#;
        let seen = decoded(payload, "preToolUse");
        assert_eq!(seen.len(), 2);
        assert_eq!(seen[0]["tool_name"], "Write");
        assert_eq!(seen[0]["tool_input"]["content"], "one\n");
        assert_eq!(seen[1]["tool_name"], "Edit");
        assert_eq!(seen[1]["tool_input"]["new_string"], "y\n");
    }

    #[test]
    fn a_call_without_its_argument_says_so() {
        let seen = &decoded(
            r#"{"timestamp":1,"toolName":"bash","toolArgs":{}}"#,
            "preToolUse",
        )[0];
        assert_eq!(seen["hookkit"]["uninspectable"], true);
    }

    /// As the client names them: `server-tool` around a call, `server/tool` for a permission, apart
    /// right before the server is asked.
    #[test]
    fn a_tool_of_a_server_has_claudes_name() {
        for (event, call) in [
            (
                "preToolUse",
                r#""toolName":"files-note","toolArgs":{"text":"x"}"#,
            ),
            (
                "postToolUse",
                r#""toolName":"files-note","toolArgs":{"text":"x"},"toolResult":{}"#,
            ),
            (
                "permissionRequest",
                r#""toolName":"files/note","toolInput":{"text":"x"}"#,
            ),
            (
                "preMcpToolCall",
                r#""serverName":"files","toolName":"note","arguments":{"text":"x"}"#,
            ),
        ] {
            let seen = &decoded(&format!(r#"{{"timestamp":1,{call}}}"#), event)[0];
            assert_eq!(seen["tool_name"], "mcp__files__note", "{event}");
            assert_eq!(seen["tool_input"]["text"], "x", "{event}");
        }
        let seen = &decoded(
            r#"{"toolName":"my-files-note","toolArgs":{}}"#,
            "preToolUse",
        )[0];
        assert_eq!(
            seen["tool_name"], "my-files-note",
            "whose tool it is cannot be told"
        );
    }

    #[test]
    fn a_permission_request_has_claudes_names_already() {
        let seen = &decoded(
            r#"{"hookName":"permissionRequest","sessionId":"s","timestamp":1,"toolName":"edit","toolInput":{"file_path":"/a","diff":"d"}}"#,
            "permissionRequest",
        )[0];
        assert_eq!(seen["tool_name"], "Edit");
        assert_eq!(seen["tool_input"]["file_path"], "/a");
    }
}

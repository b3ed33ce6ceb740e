//! How each family of hosts words what it sends.
//!
//! As Claude Code 2.1.332, Copilot CLI 1.0.102 and Codex CLI 0.171.0 were seen to word it, and as the
//! vendor's pages and source have it for VS Code's Local harness.

use super::Call;
use hookkit_dispatch::host::{Host, Wire};
use hookkit_dispatch::payload::Fields;
use serde_json::{Map, Value, json};

/// A way of wording payloads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    Claude,
    /// Copilot under PascalCase keys, as in its plugins.
    Copilot,
    /// Copilot under camelCase keys, as in a repository.
    CopilotCamel,
    Codex,
    VscodeLocal,
}

const SESSION: &str = "7d1c1a2e-0000-4000-8000-00000000e57e";

const TIME: &str = "2026-11-30T12:00:00.000Z";

impl Dialect {
    pub(super) fn of(host: &dyn Host) -> Self {
        match (host.name(), host.wire()) {
            ("codex", _) => Self::Codex,
            ("vscode-local", _) => Self::VscodeLocal,
            ("copilot-cloud", _) => Self::CopilotCamel,
            (_, Wire::Root) => Self::Copilot,
            (_, Wire::Nested) => Self::Claude,
        }
    }

    /// As a host words it for a hook under this key: Copilot has its own names and Claude's.
    pub(super) fn under(key: &str, host: &dyn Host) -> Self {
        let is_native = || {
            let row = host.contract(key);
            row.is_some_and(|row| row.native == Some(key) && row.event != key)
        };
        match Self::of(host) {
            Self::Copilot if is_native() => Self::CopilotCamel,
            dialect => dialect,
        }
    }

    /// What comes with every event.
    pub(super) fn common(self, event: &str) -> Map<String, Value> {
        let common = match self {
            Self::Claude => json!({
                "session_id": SESSION,
                "transcript_path": "$CWD/transcript.jsonl",
                "cwd": "$CWD",
                "permission_mode": "default",
                "hook_event_name": event,
            }),
            Self::Copilot if !keeps_camel_case(event) => json!({
                "hook_event_name": event,
                "session_id": SESSION,
                "timestamp": TIME,
                "cwd": "$CWD",
            }),
            Self::Copilot | Self::CopilotCamel => json!({
                "sessionId": SESSION,
                "timestamp": 1_796_040_000_000_u64,
                "cwd": "$CWD",
            }),
            Self::VscodeLocal => json!({
                "timestamp": TIME,
                "hook_event_name": event,
                "session_id": SESSION,
                "transcript_path": "$CWD/transcript.json",
                "cwd": "$CWD",
            }),
            Self::Codex => json!({
                "session_id": SESSION,
                "transcript_path": "$CWD/rollout.jsonl",
                "cwd": "$CWD",
                "hook_event_name": event,
            }),
        };
        match common {
            Value::Object(common) => common,
            _ => Map::new(),
        }
    }

    /// The name of a member as it is sent.
    pub(super) fn name(self, event: &str, field: &str) -> String {
        if self != Self::Copilot {
            return field.to_owned();
        }
        match (event, field) {
            ("SubagentStart", "agentId" | "agentType" | "parentAgentId") => snake_case(field),
            ("SubagentStop", "response") => "last_assistant_message".to_owned(),
            _ if keeps_camel_case(event) => field.to_owned(),
            (_, "toolArgs") => "tool_input".to_owned(),
            _ => snake_case(field),
        }
    }

    /// The member that matchers look at, as it is sent; `None` where it never has this value.
    pub(super) fn subject(self, event: &str, subject: &str) -> Option<Value> {
        match (self, event, subject) {
            // A fresh session.
            (Self::Copilot | Self::CopilotCamel | Self::VscodeLocal, "SessionStart", "startup") => {
                Some(json!("new"))
            }
            (Self::VscodeLocal, "SessionStart", _) => None,
            // Never because somebody asks for it.
            (Self::VscodeLocal | Self::CopilotCamel, "PreCompact", trigger) => {
                (trigger == "auto").then(|| json!(trigger))
            }
            _ => Some(json!(subject)),
        }
    }

    /// Is there such a tool? Of a name that no sample is known of, there may be.
    pub(super) fn has(self, tool: &str) -> bool {
        match self {
            Self::Claude => true,
            Self::Copilot | Self::CopilotCamel => !matches!(tool, "MultiEdit" | "NotebookEdit"),
            Self::VscodeLocal => !matches!(tool, "MultiEdit" | "WebSearch" | "AskUserQuestion"),
            Self::Codex => !matches!(
                tool,
                "Read"
                    | "Grep"
                    | "Glob"
                    | "MultiEdit"
                    | "NotebookEdit"
                    | "WebFetch"
                    | "Agent"
                    | "TodoWrite"
                    | "AskUserQuestion"
            ),
        }
    }

    /// A member that says which call it is about; `None` for every other member.
    pub(super) fn of_call(
        self,
        event: &str,
        name: &str,
        call: &Call,
        host: &dyn Host,
    ) -> Option<Value> {
        let patch = (self == Self::Codex).then(|| patch(call)).flatten();
        Some(match (name, patch) {
            ("tool_name", Some(_)) => json!("apply_patch"),
            ("server_name", None) => json!(mcp(&call.tool)?.0),
            ("tool_name", None) if event == "PreMcpToolCall" => json!(mcp(&call.tool)?.1),
            ("arguments", None) => call.input.clone(),
            ("tool_name", None) if event == "PermissionRequest" && mcp(&call.tool).is_some() => {
                json!(self.tool(&call.tool, host).replacen('-', "/", 1))
            }
            ("tool_name", None) => json!(self.tool(&call.tool, host)),
            ("tool_input", Some(patch)) => json!({"command": patch}),
            // A permission request of Copilot's has Claude's argument names.
            ("tool_input" | "tool_args", None) if event == "PermissionRequest" => {
                call.input.clone()
            }
            ("tool_input" | "tool_args", None) => input(call, host),
            ("tool_response", _) if self != Self::Claude => json!(call.result_text),
            ("tool_response", _) => call.response.clone(),
            ("tool_result", _) if self == Self::CopilotCamel => json!({
                "resultType": "success",
                "textResultForLlm": call.result_text,
            }),
            ("tool_result", _) => json!({
                "result_type": "success",
                "text_result_for_llm": call.result_text,
            }),
            _ => return None,
        })
    }

    /// A tool's name as it is sent.
    fn tool(self, claude: &str, host: &dyn Host) -> String {
        if let (Self::Copilot | Self::CopilotCamel, Some((server, tool))) = (self, mcp(claude)) {
            return format!("{server}-{tool}");
        }
        let natives = match self {
            Self::CopilotCamel | Self::VscodeLocal => host.native_tools(claude),
            // These send Claude's names.
            Self::Claude | Self::Copilot | Self::Codex => &[],
        };
        natives.first().copied().unwrap_or(claude).to_owned()
    }

    /// Other members that this family alone has.
    pub(super) fn value(self, name: &str) -> Option<Value> {
        match (self, name) {
            (Self::Codex, "model") => Some(json!("gpt-5.1-codex")),
            (Self::Codex, "permission_mode") => Some(json!("default")),
            _ => None,
        }
    }
}

/// Events that Copilot CLI sends in its own casing whatever the key says.
fn keeps_camel_case(event: &str) -> bool {
    matches!(
        event,
        "PermissionRequest"
            | "Notification"
            | "SubagentStart"
            | "UserPromptTransformed"
            | "PreMcpToolCall"
    )
}

/// The server and the tool in Claude's name of an MCP tool.
fn mcp(tool: &str) -> Option<(&str, &str)> {
    tool.strip_prefix("mcp__")?.split_once("__")
}

pub(super) fn snake_case(name: &str) -> String {
    let mut snake = String::with_capacity(name.len() + 4);
    for character in name.chars() {
        if character.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(character.to_ascii_lowercase());
    }
    snake
}

/// The arguments of a call in the names that a host has for them.
fn input(call: &Call, host: &dyn Host) -> Value {
    let said = json!({"tool_name": call.tool}).to_string();
    let input = call.input.to_string();
    let own = Fields::read(said.as_bytes())
        .map(|fields| host.own_input(&fields, input.as_bytes()).into_owned());
    own.and_then(|own| serde_json::from_slice(&own).ok())
        .unwrap_or_else(|| call.input.clone())
}

/// Codex writes files by patches alone.
fn patch(call: &Call) -> Option<String> {
    let text = |name: &str| call.input.get(name)?.as_str();
    let path = text("file_path")?.trim_start_matches("$CWD/");
    let marked = |mark: &str, text: &str| -> String {
        text.lines()
            .map(|line| [mark, line, "\n"].concat())
            .collect()
    };
    let change = match &*call.tool {
        "Write" => format!("*** Add File: {path}\n{}", marked("+", text("content")?)),
        "Edit" => format!(
            "*** Update File: {path}\n@@\n{}{}",
            marked("-", text("old_string")?),
            marked("+", text("new_string")?)
        ),
        _ => return None,
    };
    Some(format!("*** Begin Patch\n{change}*** End Patch\n"))
}

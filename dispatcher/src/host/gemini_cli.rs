//! Gemini CLI, an experiment: built only with the feature `gemini-cli`.
//!
//! Read in the vendor's page (google-gemini/gemini-cli @06c0d81, docs/hooks/reference.md), not seen
//! live. It has names of its own for Claude's moments, refuses at the root, and takes a rewritten
//! input as `hookSpecificOutput.tool_input`.

use super::tools::{Naming, Tool};
use super::{Decoded, Host, Wire, translate};
use crate::contract::{Contract, Effect, Failure, Form, Grade, Subject};
use crate::payload::Fields;
use std::borrow::Cow;

/// The host of the name `gemini-cli`.
pub(super) struct GeminiCli;

impl Host for GeminiCli {
    fn name(&self) -> &'static str {
        "gemini-cli"
    }

    fn contracts(&self) -> &'static [Contract] {
        CONTRACTS
    }

    /// The page names no variable for an extension's folder.
    fn root_variables(&self) -> &'static [&'static str] {
        &[]
    }

    fn longest_text(&self) -> usize {
        9_900
    }

    fn wire(&self) -> Wire {
        Wire::Root
    }

    fn decode<'p>(
        &self,
        document: &'p [u8],
        fields: &Fields<'p>,
        contract: &Contract,
    ) -> Decoded<'p> {
        translate::decode(&Naming::of(TOOLS), document, fields, contract)
    }

    fn own_input<'v>(&self, fields: &Fields, input: &'v [u8]) -> Cow<'v, [u8]> {
        translate::own_input(&Naming::of(TOOLS), fields, input)
    }

    fn own_result<'v>(&self, _result: &'v [u8]) -> Option<Cow<'v, [u8]>> {
        None
    }
}

const TOOLS: &[Tool] = &[
    Tool::same(&["run_shell_command"], "Bash"),
    Tool::same(&["write_file"], "Write"),
    Tool::same(&["replace"], "Edit"),
    Tool {
        natives: &["read_file"],
        claude: "Read",
        arguments: &[("absolute_path", "file_path")],
    },
    Tool::same(&["search_file_content", "grep_search"], "Grep"),
    Tool::same(&["glob"], "Glob"),
    Tool::same(&["web_fetch"], "WebFetch"),
    Tool::same(&["google_web_search"], "WebSearch"),
];

const NOTICE: Contract = Contract {
    notice: Form::SystemMessage,
    grade: Grade::Official,
    ..Contract::told(
        "",
        60.0,
        "geminicli.com/docs/hooks/reference; not seen live",
    )
};

const OPEN_BUT_EXIT_2: Failure = Failure {
    timeout: Effect::Unknown,
    malformed: Effect::Unknown,
    exit_2: Effect::Closed,
    ..Failure::always(Effect::Open)
};

/// What can be refused, by `decision: "deny"`.
const REFUSABLE: Contract = Contract {
    deny: Form::RootDeny,
    block: Form::RootDeny,
    stop: Form::StopTurn,
    failure: OPEN_BUT_EXIT_2,
    ..NOTICE
};

/// The 11 events of the page.
const CONTRACTS: &[Contract] = &[
    Contract {
        event: "PreToolUse",
        native: Some("BeforeTool"),
        subject: Subject::Tool,
        rewrite_input: Form::NestedToolInput,
        fields: &["tool_name", "tool_input", "mcp_context"],
        ..REFUSABLE
    },
    Contract {
        event: "PostToolUse",
        native: Some("AfterTool"),
        subject: Subject::Tool,
        context: Form::NestedContext,
        fields: &["tool_name", "tool_input", "tool_response", "mcp_context"],
        ..REFUSABLE
    },
    Contract {
        event: "UserPromptSubmit",
        native: Some("BeforeAgent"),
        context: Form::NestedContext,
        fields: &["prompt"],
        ..REFUSABLE
    },
    Contract {
        event: "Stop",
        native: Some("AfterAgent"),
        is_uncapped: true,
        fields: &["prompt", "prompt_response", "stop_hook_active"],
        ..REFUSABLE
    },
    Contract {
        event: "SessionStart",
        subject: Subject::Field("source"),
        context: Form::NestedContext,
        fields: &["source"],
        ..NOTICE
    },
    Contract {
        event: "SessionEnd",
        subject: Subject::Field("reason"),
        fields: &["reason"],
        ..NOTICE
    },
    Contract {
        event: "Notification",
        subject: Subject::Field("notification_type"),
        fields: &["notification_type", "message", "details"],
        ..NOTICE
    },
    Contract {
        event: "PreCompact",
        native: Some("PreCompress"),
        subject: Subject::Field("trigger"),
        fields: &["trigger"],
        ..NOTICE
    },
    // Claude has no such moments: hooks on them run directly.
    Contract {
        event: "BeforeModel",
        fields: &["llm_request"],
        ..REFUSABLE
    },
    Contract {
        event: "AfterModel",
        fields: &["llm_request", "llm_response"],
        ..REFUSABLE
    },
    Contract {
        event: "BeforeToolSelection",
        fields: &["llm_request"],
        ..NOTICE
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::merge::Outcome;
    use crate::reply::{Wording, encode};

    fn told(outcome: &Outcome, input: Option<&[u8]>) -> String {
        let wording = Wording {
            input,
            result: None,
            longest_text: 1000,
        };
        let contract = GeminiCli.contract("BeforeTool").expect("an event");
        let reply = encode(&[contract], outcome, &wording);
        String::from_utf8(reply.stdout).expect("ASCII")
    }

    #[test]
    fn a_call_arrives_as_claudes_and_a_refusal_goes_back_as_its_own() {
        let payload = br#"{"session_id":"s","hook_event_name":"BeforeTool","timestamp":"t","tool_name":"run_shell_command","tool_input":{"command":"ls"}}"#;
        let fields = Fields::read(payload).expect("an object");
        let contract = GeminiCli.contract("BeforeTool").expect("an event");
        let view = &GeminiCli.decode(payload, &fields, contract).views[0];
        let seen: serde_json::Value = serde_json::from_slice(&view.bytes()).expect("JSON");
        assert_eq!(seen["hook_event_name"], "PreToolUse");
        assert_eq!(seen["tool_name"], "Bash");
        assert_eq!(
            told(&Outcome::deny("no"), None),
            "{\"decision\":\"deny\",\"reason\":\"no\"}\n"
        );
        assert_eq!(
            told(&Outcome::default(), Some(b"{\"command\":\"x\"}")),
            "{\"hookSpecificOutput\":{\"hookEventName\":\"BeforeTool\",\"tool_input\":{\"command\":\"x\"}}}\n"
        );
        assert_eq!(told(&Outcome::default(), None), "");
    }
}

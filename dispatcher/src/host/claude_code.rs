//! Claude Code: the contract that hooks are written against.
//!
//! Forms and limits as the client 2.1.332 showed them; rows that were only read in its vendor's
//! types are graded so.

use super::{Decoded, Host, View, Wire};
use crate::contract::{Contract, Form, Grade, Subject};
use crate::json;
use crate::payload::Fields;
use std::borrow::Cow;

/// The host of the name `claude-code`.
pub(super) struct ClaudeCode;

impl Host for ClaudeCode {
    fn name(&self) -> &'static str {
        "claude-code"
    }

    fn contracts(&self) -> &'static [Contract] {
        CONTRACTS
    }

    fn root_variables(&self) -> &'static [&'static str] {
        &["CLAUDE_PLUGIN_ROOT"]
    }

    /// Texts of over 10,000 characters are put in a file and the model sees 2 kB of them.
    fn longest_text(&self) -> usize {
        9_900
    }

    fn wire(&self) -> Wire {
        Wire::Nested
    }

    fn event_of_shape(&self, _fields: &Fields) -> Option<&'static str> {
        None
    }

    fn decode<'p>(
        &self,
        document: &'p [u8],
        fields: &Fields<'p>,
        contract: &Contract,
    ) -> Decoded<'p> {
        let tool = fields.text("tool_name");
        let input = fields.get("tool_input");
        let uninspectable = contract.subject == Subject::Tool
            && tool
                .as_deref()
                .is_some_and(|tool| super::is_uninspectable(tool, input));
        Decoded {
            cwd: fields.text("cwd"),
            stop_hook_active: fields.get("stop_hook_active") == Some(b"true"),
            uninspectable,
            views: vec![View {
                subject: super::subject(fields, contract, tool),
                document: document_pieces(document, input, uninspectable),
                input: input.map(Cow::Borrowed),
                input_piece: input.map(|_| 1),
                file: None,
            }],
            unreadable: None,
        }
    }

    fn own_input<'v>(&self, _fields: &Fields, input: &'v [u8]) -> Cow<'v, [u8]> {
        Cow::Borrowed(input)
    }

    fn own_result<'v>(&self, result: &'v [u8]) -> Option<Cow<'v, [u8]>> {
        Some(Cow::Borrowed(result))
    }
}

/// The original bytes, split around the tool's input so that a rewrite can take its place.
fn document_pieces<'p>(
    document: &'p [u8],
    input: Option<&'p [u8]>,
    uninspectable: bool,
) -> Vec<Cow<'p, [u8]>> {
    let mut pieces = match input.and_then(|input| json::span_in(document, input)) {
        Some(span) => vec![
            Cow::Borrowed(&document[..span.start]),
            Cow::Borrowed(&document[span.clone()]),
            Cow::Borrowed(&document[span.end..]),
        ],
        None => vec![Cow::Borrowed(document)],
    };
    if uninspectable {
        pieces[0] =
            Cow::Owned([b"{\"hookkit\":{\"uninspectable\":true},", &pieces[0][1..]].concat());
    }
    pieces
}

const SECONDS: f64 = 600.0;

const PRE_TOOL_USE: Contract = Contract {
    event: "PreToolUse",
    subject: Subject::Tool,
    allow: Form::NestedDecision("allow"),
    ask: Form::NestedDecision("ask"),
    defer: Form::NestedDecision("defer"),
    deny: Form::NestedDecision("deny"),
    block: Form::NestedDecision("deny"),
    context: Form::NestedContext,
    rewrite_input: Form::NestedInput,
    stop: Form::StopTurnAndDeny,
    grade: Grade::Observed,
    ..NOTICE
};

const NOTICE: Contract = Contract {
    notice: Form::SystemMessage,
    ..Contract::notice("", SECONDS, Grade::Official)
};

/// Events that take `decision: "block"`, and nothing beside it but what is named.
const BLOCKABLE: Contract = Contract {
    deny: Form::Block,
    block: Form::Block,
    ..NOTICE
};

/// After a tool ran: feedback, context, the end of the turn.
const AFTER_TOOL: Contract = Contract {
    context: Form::NestedContext,
    stop: Form::StopTurn,
    subject: Subject::Tool,
    grade: Grade::Observed,
    ..BLOCKABLE
};

const STOP: Contract = Contract {
    event: "Stop",
    context: Form::NestedContext,
    stop: Form::StopTurn,
    grade: Grade::Observed,
    ..BLOCKABLE
};

const PROMPT: Contract = Contract {
    event: "UserPromptSubmit",
    context: Form::NestedContext,
    stop: Form::StopTurn,
    default_timeout: 30.0,
    grade: Grade::Observed,
    ..BLOCKABLE
};

/// Events of a team of agents: only the exit code speaks, stderr is the reason.
const TEAM: Contract = Contract {
    deny: Form::Exit(2),
    block: Form::Exit(2),
    stop: Form::StopTurn,
    ..NOTICE
};

const START: Contract = Contract {
    event: "SessionStart",
    subject: Subject::Field("source"),
    context: Form::NestedContext,
    stop: Form::StopTurn,
    grade: Grade::Observed,
    ..NOTICE
};

/// The 34 events of 2.1.332.
const CONTRACTS: &[Contract] = &[
    PRE_TOOL_USE,
    Contract {
        event: "PostToolUse",
        rewrite_result: Form::NestedOutput,
        ..AFTER_TOOL
    },
    Contract {
        event: "PostToolUseFailure",
        ..AFTER_TOOL
    },
    Contract {
        event: "PostToolBatch",
        subject: Subject::Nothing,
        ..AFTER_TOOL
    },
    STOP,
    Contract {
        event: "SubagentStop",
        subject: Subject::Field("agent_type"),
        ..STOP
    },
    START,
    Contract {
        event: "Setup",
        subject: Subject::Field("trigger"),
        ..START
    },
    Contract {
        event: "SubagentStart",
        subject: Subject::Field("agent_type"),
        stop: Form::Absent,
        ..START
    },
    Contract {
        event: "SessionEnd",
        subject: Subject::Field("reason"),
        default_timeout: 1.5,
        grade: Grade::Observed,
        ..NOTICE
    },
    PROMPT,
    Contract {
        event: "UserPromptExpansion",
        subject: Subject::Field("command_name"),
        ..PROMPT
    },
    Contract {
        event: "PermissionRequest",
        allow: Form::NestedBehavior("allow"),
        ask: Form::Silence,
        defer: Form::Absent,
        deny: Form::NestedBehavior("deny"),
        block: Form::NestedBehavior("deny"),
        context: Form::Absent,
        rewrite_input: Form::BehaviorInput,
        stop: Form::DenyAndInterrupt,
        ..PRE_TOOL_USE
    },
    Contract {
        event: "PermissionDenied",
        subject: Subject::Tool,
        allow: Form::Retry,
        deny: Form::Silence,
        block: Form::Silence,
        ..NOTICE
    },
    Contract {
        event: "PreSkillShellCommand",
        subject: Subject::Nothing,
        allow: Form::Silence,
        defer: Form::Absent,
        context: Form::Absent,
        rewrite_input: Form::Absent,
        stop: Form::Absent,
        grade: Grade::Official,
        ..PRE_TOOL_USE
    },
    Contract {
        event: "PreCompact",
        subject: Subject::Field("trigger"),
        ..BLOCKABLE
    },
    Contract {
        event: "PostCompact",
        subject: Subject::Field("trigger"),
        ..NOTICE
    },
    Contract {
        event: "ConfigChange",
        subject: Subject::Field("source"),
        grade: Grade::Observed,
        ..BLOCKABLE
    },
    Contract {
        event: "TaskCreated",
        ..BLOCKABLE
    },
    Contract {
        event: "TaskCompleted",
        ..TEAM
    },
    Contract {
        event: "TeammateIdle",
        ..TEAM
    },
    Contract {
        event: "PreModelSwitch",
        subject: Subject::Field("to_model"),
        allow: Form::NestedDecision("allow"),
        ask: Form::NestedDecision("ask"),
        deny: Form::NestedDecision("deny"),
        default_timeout: 10.0,
        ..BLOCKABLE
    },
    Contract {
        event: "PostModelSwitch",
        subject: Subject::Field("to_model"),
        context: Form::NestedContext,
        ..NOTICE
    },
    Contract {
        event: "Elicitation",
        subject: Subject::Field("mcp_server_name"),
        allow: Form::NestedAction("accept"),
        deny: Form::NestedAction("decline"),
        block: Form::Exit(2),
        ..NOTICE
    },
    Contract {
        event: "ElicitationResult",
        subject: Subject::Field("mcp_server_name"),
        deny: Form::NestedAction("decline"),
        block: Form::Exit(2),
        rewrite_result: Form::NestedContent,
        ..NOTICE
    },
    Contract {
        event: "Notification",
        subject: Subject::Field("notification_type"),
        ..NOTICE
    },
    Contract {
        event: "StopFailure",
        subject: Subject::Field("error"),
        ..NOTICE
    },
    Contract {
        event: "InstructionsLoaded",
        subject: Subject::Field("load_reason"),
        grade: Grade::Observed,
        ..NOTICE
    },
    Contract {
        event: "CwdChanged",
        grade: Grade::Observed,
        ..NOTICE
    },
    Contract {
        event: "FileChanged",
        subject: Subject::FileName("file_path"),
        ..NOTICE
    },
    Contract {
        event: "WorktreeRemove",
        ..NOTICE
    },
    Contract {
        event: "DirectoryAdded",
        subject: Subject::Field("source"),
        context: Form::SystemMessage,
        ..NOTICE
    },
    // Their stdout is no decision: a path, a text to show. Hooks of theirs run direct.
    Contract {
        event: "WorktreeCreate",
        deny: Form::Exit(1),
        block: Form::Exit(1),
        ..NOTICE
    },
    Contract {
        event: "MessageDisplay",
        grade: Grade::Observed,
        ..NOTICE
    },
];

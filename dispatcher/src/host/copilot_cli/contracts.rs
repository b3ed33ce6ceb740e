//! The 15 events of Copilot CLI 1.0.102.

use crate::contract::{Contract, Form, Grade, Subject};

/// A hook that names no limit gets 30 s.
const SECONDS: f64 = 30.0;

const NOTICE: Contract = Contract::notice("", SECONDS, Grade::Observed);

const PRE_TOOL_USE: Contract = Contract {
    event: "PreToolUse",
    native: Some("preToolUse"),
    subject: Subject::Tool,
    allow: Form::RootDecision("allow"),
    ask: Form::RootDecision("ask"),
    deny: Form::RootDecision("deny"),
    block: Form::RootDecision("deny"),
    context: Form::RootContext,
    rewrite_input: Form::RootArgs,
    ..NOTICE
};

const STOP: Contract = Contract {
    event: "Stop",
    native: Some("agentStop"),
    deny: Form::Block,
    block: Form::Block,
    ..NOTICE
};

pub(super) const CONTRACTS: &[Contract] = &[
    PRE_TOOL_USE,
    Contract {
        event: "PostToolUse",
        native: Some("postToolUse"),
        subject: Subject::Tool,
        deny: Form::Block,
        block: Form::Block,
        context: Form::RootContext,
        rewrite_result: Form::RootResult,
        ..NOTICE
    },
    Contract {
        event: "PostToolUseFailure",
        native: Some("postToolUseFailure"),
        subject: Subject::Tool,
        context: Form::RootContext,
        ..NOTICE
    },
    Contract {
        event: "PermissionRequest",
        native: Some("permissionRequest"),
        subject: Subject::Tool,
        allow: Form::RootBehavior("allow"),
        ask: Form::Silence,
        deny: Form::RootBehavior("deny"),
        block: Form::RootBehavior("deny"),
        stop: Form::DenyAndInterrupt,
        ..NOTICE
    },
    Contract {
        event: "SessionStart",
        native: Some("sessionStart"),
        subject: Subject::Field("source"),
        context: Form::RootContext,
        ..NOTICE
    },
    Contract {
        event: "SessionEnd",
        native: Some("sessionEnd"),
        subject: Subject::Field("reason"),
        ..NOTICE
    },
    Contract {
        event: "UserPromptSubmit",
        native: Some("userPromptSubmitted"),
        deny: Form::Block,
        block: Form::Block,
        context: Form::RootContext,
        rewrite_input: Form::RootPrompt,
        ..NOTICE
    },
    Contract {
        event: "UserPromptTransformed",
        native: Some("userPromptTransformed"),
        ..NOTICE
    },
    STOP,
    // Its block has no limit in the client: hookkit keeps count.
    Contract {
        event: "SubagentStop",
        native: Some("subagentStop"),
        subject: Subject::Field("agent_type"),
        rewrite_result: Form::RootResponse,
        ..STOP
    },
    Contract {
        event: "SubagentStart",
        native: Some("subagentStart"),
        subject: Subject::Field("agent_type"),
        context: Form::RootContext,
        ..NOTICE
    },
    Contract {
        event: "Notification",
        native: Some("notification"),
        subject: Subject::Field("notification_type"),
        context: Form::RootContext,
        ..NOTICE
    },
    Contract {
        event: "PreCompact",
        native: Some("preCompact"),
        subject: Subject::Field("trigger"),
        ..NOTICE
    },
    Contract {
        event: "ErrorOccurred",
        native: Some("errorOccurred"),
        ..NOTICE
    },
    Contract {
        event: "PreMcpToolCall",
        native: Some("preMcpToolCall"),
        ..NOTICE
    },
];

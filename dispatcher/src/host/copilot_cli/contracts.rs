//! The 15 events of Copilot CLI 1.0.102.

use crate::contract::{Contract, Effect, Failure, Form, Grade, Subject};

/// A hook that names no limit gets 30 s.
const SECONDS: f64 = 30.0;

const NOTICE: Contract = Contract {
    grade: Grade::Observed,
    ..Contract::told("", SECONDS, "seen on 1.0.102")
};

/// Every failure refuses, except a timeout and output that cannot be read.
const CLOSED_BUT_TIMEOUT: Failure = Failure {
    timeout: Effect::Open,
    ..Failure::always(Effect::Closed)
};

pub(in crate::host) const PRE_TOOL_USE: Contract = Contract {
    event: "PreToolUse",
    native: Some("preToolUse"),
    fields: &["toolName", "toolArgs"],
    subject: Subject::Tool,
    allow: Form::RootDecision("allow"),
    ask: Form::RootDecision("ask"),
    deny: Form::RootDecision("deny"),
    block: Form::RootDecision("deny"),
    context: Form::RootContext,
    rewrite_input: Form::RootArgs,
    failure: Failure {
        malformed: Effect::Open,
        ..CLOSED_BUT_TIMEOUT
    },
    ..NOTICE
};

pub(in crate::host) const STOP: Contract = Contract {
    event: "Stop",
    native: Some("agentStop"),
    fields: &["transcriptPath", "stopReason", "stop_hook_active"],
    deny: Form::Block,
    block: Form::Block,
    failure: Failure::always(Effect::Open),
    ..NOTICE
};

pub(in crate::host) const POST_TOOL_USE: Contract = Contract {
    event: "PostToolUse",
    native: Some("postToolUse"),
    fields: &["toolName", "toolArgs", "toolResult"],
    subject: Subject::Tool,
    deny: Form::Block,
    block: Form::Block,
    context: Form::RootContext,
    rewrite_result: Form::RootResult,
    ..NOTICE
};

pub(in crate::host) const POST_TOOL_USE_FAILURE: Contract = Contract {
    event: "PostToolUseFailure",
    native: Some("postToolUseFailure"),
    fields: &["toolName", "toolArgs", "error"],
    subject: Subject::Tool,
    context: Form::RootContext,
    failure: Failure {
        exit_2: Effect::Told,
        ..Failure::always(Effect::NoGate)
    },
    ..NOTICE
};

pub(in crate::host) const PERMISSION_REQUEST: Contract = Contract {
    event: "PermissionRequest",
    native: Some("permissionRequest"),
    fields: &["hookName", "toolName", "toolInput", "permissionSuggestions"],
    subject: Subject::Tool,
    allow: Form::RootBehavior("allow"),
    ask: Form::Silence,
    deny: Form::RootBehavior("deny"),
    block: Form::RootBehavior("deny"),
    stop: Form::DenyAndInterrupt,
    failure: CLOSED_BUT_TIMEOUT,
    ..NOTICE
};

pub(in crate::host) const SESSION_START: Contract = Contract {
    event: "SessionStart",
    native: Some("sessionStart"),
    fields: &["source", "initialPrompt"],
    subject: Subject::Field("source"),
    context: Form::RootContext,
    ..NOTICE
};

pub(in crate::host) const SESSION_END: Contract = Contract {
    event: "SessionEnd",
    native: Some("sessionEnd"),
    fields: &["reason"],
    subject: Subject::Field("reason"),
    ..NOTICE
};

pub(in crate::host) const USER_PROMPT_SUBMIT: Contract = Contract {
    event: "UserPromptSubmit",
    native: Some("userPromptSubmitted"),
    fields: &["prompt"],
    deny: Form::Block,
    block: Form::Block,
    context: Form::RootContext,
    rewrite_input: Form::RootPrompt,
    failure: Failure::always(Effect::Open),
    ..NOTICE
};

pub(in crate::host) const USER_PROMPT_TRANSFORMED: Contract = Contract {
    event: "UserPromptTransformed",
    native: Some("userPromptTransformed"),
    fields: &["prompt", "transformedPrompt"],
    ..NOTICE
};

/// Its block has no limit in the client: hookkit keeps count.
pub(in crate::host) const SUBAGENT_STOP: Contract = Contract {
    event: "SubagentStop",
    native: Some("subagentStop"),
    fields: &[
        "transcriptPath",
        "agentId",
        "agentType",
        "agentName",
        "response",
        "stopReason",
        "stop_hook_active",
        "parentAgentId",
    ],
    subject: Subject::Field("agent_type"),
    rewrite_result: Form::RootResponse,
    is_uncapped: true,
    ..STOP
};

pub(in crate::host) const SUBAGENT_START: Contract = Contract {
    event: "SubagentStart",
    native: Some("subagentStart"),
    fields: &[
        "transcriptPath",
        "agentName",
        "agentId",
        "agentType",
        "parentAgentId",
    ],
    subject: Subject::Field("agent_type"),
    context: Form::RootContext,
    ..NOTICE
};

pub(in crate::host) const NOTIFICATION: Contract = Contract {
    event: "Notification",
    native: Some("notification"),
    fields: &["message", "title", "notification_type"],
    subject: Subject::Field("notification_type"),
    context: Form::RootContext,
    ..NOTICE
};

pub(in crate::host) const PRE_COMPACT: Contract = Contract {
    event: "PreCompact",
    native: Some("preCompact"),
    fields: &["transcriptPath", "trigger", "customInstructions"],
    subject: Subject::Field("trigger"),
    ..NOTICE
};

pub(in crate::host) const ERROR_OCCURRED: Contract = Contract {
    event: "ErrorOccurred",
    native: Some("errorOccurred"),
    fields: &["errorContext", "recoverable", "error"],
    ..NOTICE
};

/// Fires after PreToolUse, right before the server is asked. Nothing that a hook says or does
/// refuses the call; all that the client reads is `metaToUse`, for the request's `_meta`, which a
/// direct hook writes itself.
pub(in crate::host) const PRE_MCP_TOOL_CALL: Contract = Contract {
    event: "PreMcpToolCall",
    native: Some("preMcpToolCall"),
    fields: &["toolCallId", "serverName", "toolName", "arguments"],
    subject: Subject::Tool,
    ..NOTICE
};

pub(super) const CONTRACTS: &[Contract] = &[
    PRE_TOOL_USE,
    POST_TOOL_USE,
    POST_TOOL_USE_FAILURE,
    PERMISSION_REQUEST,
    SESSION_START,
    SESSION_END,
    USER_PROMPT_SUBMIT,
    USER_PROMPT_TRANSFORMED,
    STOP,
    SUBAGENT_STOP,
    SUBAGENT_START,
    NOTIFICATION,
    PRE_COMPACT,
    ERROR_OCCURRED,
    PRE_MCP_TOOL_CALL,
];

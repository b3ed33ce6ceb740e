//! The eight events of the Local harness.

use crate::contract::{Contract, Effect, Failure, Form, Grade, Subject};

const NOTICE: Contract = Contract {
    notice: Form::SystemMessage,
    grade: Grade::Official,
    ..Contract::told(
        "",
        30.0,
        "microsoft/vscode-copilot-chat @31acd00; not seen live",
    )
};

/// Anything but exit 2 is a warning.
const OPEN_BUT_EXIT_2: Failure = Failure {
    exit_2: Effect::Closed,
    malformed: Effect::Unknown,
    ..Failure::always(Effect::Open)
};

const START: Contract = Contract {
    event: "SessionStart",
    subject: Subject::Field("source"),
    context: Form::NestedContext,
    stop: Form::StopTurn,
    fields: &["source"],
    ..NOTICE
};

/// The vendor's pages and source disagree about where a block is read, so it stands in both
/// places; members that the harness does not know are ignored.
const STOP: Contract = Contract {
    event: "Stop",
    deny: Form::BlockTwice,
    block: Form::BlockTwice,
    stop: Form::StopTurn,
    is_uncapped: true,
    failure: Failure {
        exit_2: Effect::Continues,
        malformed: Effect::Unknown,
        ..Failure::always(Effect::Open)
    },
    fields: &["stop_hook_active"],
    ..NOTICE
};

pub(super) const CONTRACTS: &[Contract] = &[
    Contract {
        event: "PreToolUse",
        subject: Subject::Tool,
        allow: Form::NestedDecision("allow"),
        ask: Form::NestedDecision("ask"),
        deny: Form::NestedDecision("deny"),
        block: Form::NestedDecision("deny"),
        context: Form::NestedContext,
        rewrite_input: Form::NestedInputAsked,
        stop: Form::StopTurnAndDeny,
        failure: OPEN_BUT_EXIT_2,
        fields: &["tool_name", "tool_input", "tool_use_id"],
        ..NOTICE
    },
    Contract {
        event: "PostToolUse",
        subject: Subject::Tool,
        deny: Form::Block,
        block: Form::Block,
        context: Form::NestedContext,
        stop: Form::StopTurn,
        failure: OPEN_BUT_EXIT_2,
        fields: &["tool_name", "tool_input", "tool_use_id", "tool_response"],
        ..NOTICE
    },
    Contract {
        event: "UserPromptSubmit",
        deny: Form::Exit(2),
        block: Form::Exit(2),
        stop: Form::StopTurn,
        failure: OPEN_BUT_EXIT_2,
        fields: &["prompt"],
        ..NOTICE
    },
    START,
    Contract {
        event: "SubagentStart",
        subject: Subject::Field("agent_type"),
        fields: &["agent_id", "agent_type"],
        ..START
    },
    STOP,
    Contract {
        event: "SubagentStop",
        subject: Subject::Field("agent_type"),
        fields: &["agent_id", "agent_type", "stop_hook_active"],
        ..STOP
    },
    Contract {
        event: "PreCompact",
        subject: Subject::Field("trigger"),
        stop: Form::StopTurn,
        fields: &["trigger"],
        ..NOTICE
    },
];

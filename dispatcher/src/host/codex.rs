//! Codex CLI: Claude's words, read strictly.
//!
//! Seen on the client 0.171.0: one member outside its schema, a refusal without a reason, `ask`, or
//! an `allow` without a rewrite voids the whole document, and the tool runs. So nothing is said for
//! allow and none, ask becomes deny, and no reply of another host is mixed in. The end of a turn can
//! be blocked without end (775 times in 25 s), so hookkit counts.

use super::tools::{Naming, Tool};
use super::{Decoded, Host, Wire, results, translate};
use crate::contract::{Contract, Effect, Failure, Form, Grade, Subject};
use crate::payload::Fields;
use std::borrow::Cow;

/// The host of the name `codex`.
pub(super) struct Codex;

impl Host for Codex {
    fn name(&self) -> &'static str {
        "codex"
    }

    fn contracts(&self) -> &'static [Contract] {
        CONTRACTS
    }

    fn root_variables(&self) -> &'static [&'static str] {
        &["PLUGIN_ROOT", "CLAUDE_PLUGIN_ROOT"]
    }

    /// Context over about 2,500 tokens is cut and put in a file.
    fn longest_text(&self) -> usize {
        7_500
    }

    fn wire(&self) -> Wire {
        Wire::Nested
    }

    /// One member that it does not know voids the whole document, and the tool runs (seen on
    /// 0.171.0).
    fn bears_other_forms(&self) -> bool {
        false
    }

    fn decode<'p>(
        &self,
        document: &'p [u8],
        fields: &Fields<'p>,
        contract: &Contract,
    ) -> Decoded<'p> {
        translate::decode(&Naming::of(TOOLS), document, fields, contract)
    }

    fn own_input<'v>(&self, _fields: &Fields, input: &'v [u8]) -> Cow<'v, [u8]> {
        Cow::Borrowed(input)
    }

    /// A result can only be replaced by a text.
    fn own_result<'v>(&self, result: &'v [u8]) -> Option<Cow<'v, [u8]>> {
        results::to_text(result).map(Cow::Owned)
    }
}

/// The shell is called Bash already; a patch arrives as `{"command": PATCH}`.
const TOOLS: &[Tool] = &[Tool::same(&["apply_patch"], "Edit")];

const NOTICE: Contract = Contract {
    notice: Form::SystemMessage,
    grade: Grade::Observed,
    ..Contract::told("", 600.0, "seen on 0.171.0")
};

/// Whatever goes wrong lets the action go on, except exit 2 with something on stderr.
const OPEN_BUT_EXIT_2: Failure = Failure {
    exit_2: Effect::Closed,
    ..Failure::always(Effect::Open)
};

/// The last moments of a session: 1 s unless more is asked for, 3 s at most.
const LAST_MOMENT: Contract = Contract {
    notice: Form::Absent,
    default_timeout: 1.0,
    ..NOTICE
};

const START: Contract = Contract {
    event: "SessionStart",
    subject: Subject::Field("source"),
    context: Form::NestedContext,
    stop: Form::StopTurn,
    fields: &["model", "permission_mode", "source"],
    ..NOTICE
};

const STOP: Contract = Contract {
    event: "Stop",
    deny: Form::Block,
    block: Form::Block,
    stop: Form::StopTurn,
    is_uncapped: true,
    failure: Failure {
        exit_2: Effect::Continues,
        ..Failure::always(Effect::Open)
    },
    fields: &[
        "turn_id",
        "model",
        "permission_mode",
        "stop_hook_active",
        "last_assistant_message",
    ],
    ..NOTICE
};

/// The 14 events of 0.171.0.
const CONTRACTS: &[Contract] = &[
    Contract {
        event: "PreToolUse",
        subject: Subject::Tool,
        deny: Form::NestedDecision("deny"),
        block: Form::NestedDecision("deny"),
        context: Form::NestedContext,
        rewrite_input: Form::NestedInputAllowed,
        failure: OPEN_BUT_EXIT_2,
        fields: &[
            "turn_id",
            "model",
            "permission_mode",
            "tool_name",
            "tool_input",
            "tool_use_id",
        ],
        ..NOTICE
    },
    // It fires only when the client would ask, and never under `codex exec`.
    Contract {
        event: "PermissionRequest",
        subject: Subject::Tool,
        allow: Form::NestedBehavior("allow"),
        ask: Form::Silence,
        deny: Form::NestedBehavior("deny"),
        block: Form::NestedBehavior("deny"),
        failure: OPEN_BUT_EXIT_2,
        fields: &[
            "turn_id",
            "model",
            "permission_mode",
            "tool_name",
            "tool_input",
        ],
        ..NOTICE
    },
    Contract {
        event: "PostToolUse",
        subject: Subject::Tool,
        deny: Form::Block,
        block: Form::Block,
        context: Form::NestedContext,
        rewrite_result: Form::BlockWithResult,
        stop: Form::StopTurn,
        failure: Failure {
            exit_2: Effect::Told,
            ..Failure::always(Effect::NoGate)
        },
        fields: &[
            "turn_id",
            "model",
            "permission_mode",
            "tool_name",
            "tool_input",
            "tool_use_id",
            "tool_response",
        ],
        ..NOTICE
    },
    START,
    Contract {
        event: "SubagentStart",
        subject: Subject::Field("agent_type"),
        stop: Form::Absent,
        fields: &[
            "turn_id",
            "model",
            "permission_mode",
            "agent_id",
            "agent_type",
        ],
        ..START
    },
    Contract {
        event: "UserPromptSubmit",
        deny: Form::Block,
        block: Form::Block,
        context: Form::NestedContext,
        stop: Form::StopTurn,
        failure: OPEN_BUT_EXIT_2,
        fields: &["turn_id", "model", "permission_mode", "prompt"],
        ..NOTICE
    },
    STOP,
    Contract {
        event: "SubagentStop",
        subject: Subject::Field("agent_type"),
        fields: &[
            "turn_id",
            "model",
            "permission_mode",
            "agent_id",
            "agent_type",
            "agent_transcript_path",
            "stop_hook_active",
            "last_assistant_message",
        ],
        ..STOP
    },
    // `continue: false` aborts the whole turn.
    Contract {
        event: "PreCompact",
        subject: Subject::Field("trigger"),
        deny: Form::StopTurn,
        block: Form::StopTurn,
        stop: Form::StopTurn,
        failure: Failure::always(Effect::Open),
        fields: &["turn_id", "model", "trigger"],
        ..NOTICE
    },
    Contract {
        event: "PostCompact",
        subject: Subject::Field("trigger"),
        stop: Form::StopTurn,
        fields: &["turn_id", "model", "trigger"],
        ..NOTICE
    },
    Contract {
        event: "SessionEnd",
        subject: Subject::Field("reason"),
        fields: &["reason"],
        ..LAST_MOMENT
    },
    Contract {
        event: "Interrupt",
        context: Form::SystemMessage,
        notice: Form::SystemMessage,
        fields: &["turn_id", "model", "permission_mode"],
        ..LAST_MOMENT
    },
    // Once for each request to the model; what they may answer is not known.
    Contract {
        event: "PreModelRequest",
        notice: Form::Absent,
        failure: Failure::always(Effect::Unknown),
        fields: &[
            "turn_id",
            "model",
            "kind",
            "request_id",
            "attempt_number",
            "thread_id",
        ],
        ..NOTICE
    },
    Contract {
        event: "PostModelRequest",
        notice: Form::Absent,
        failure: Failure::always(Effect::Unknown),
        fields: &[
            "turn_id",
            "model",
            "kind",
            "request_id",
            "attempt_number",
            "thread_id",
            "status",
            "error",
            "token_usage",
        ],
        ..NOTICE
    },
];

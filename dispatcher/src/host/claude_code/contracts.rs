//! The 34 events of Claude Code 2.1.332.

use crate::contract::{Contract, Effect, Failure, Form, Grade, Subject};

/// A hook that names no limit gets 10 minutes.
const SECONDS: f64 = 600.0;

const PRE_TOOL_USE: Contract = Contract {
    event: "PreToolUse",
    fields: &["tool_name", "tool_input", "tool_use_id", "mcp_server"],
    subject: Subject::Tool,
    allow: Form::NestedDecision("allow"),
    ask: Form::NestedDecision("ask"),
    defer: Form::NestedDecision("defer"),
    deny: Form::NestedDecision("deny"),
    block: Form::NestedDecision("deny"),
    context: Form::NestedContext,
    rewrite_input: Form::NestedInput,
    stop: Form::StopTurnAndDeny,
    failure: OPEN_BUT_EXIT_2,
    grade: Grade::Observed,
    source: CLIENT,
    ..NOTICE
};

/// The vendor's reference page for hooks.
const PAGE: &str = "code.claude.com/docs/en/hooks";
/// The vendor's type declarations.
const TYPES: &str = "@anthropic-ai/claude-agent-sdk 0.3.332, types";
/// What the real client did in print mode.
const CLIENT: &str = "seen on 2.1.332";

const NOTICE: Contract = Contract {
    notice: Form::SystemMessage,
    grade: Grade::Official,
    ..Contract::told("", SECONDS, PAGE)
};

/// A hook that cannot decide lets the call through; exit 2 refuses.
const OPEN_BUT_EXIT_2: Failure = Failure {
    exit_2: Effect::Closed,
    ..Failure::always(Effect::Open)
};

/// The same where a refusal makes the agent go on.
const OPEN_BUT_CONTINUES: Failure = Failure {
    exit_2: Effect::Continues,
    ..Failure::always(Effect::Open)
};

/// After a tool ran nothing can be refused any more; exit 2 tells the model.
const TOLD_BY_EXIT_2: Failure = Failure {
    exit_2: Effect::Told,
    ..Failure::always(Effect::NoGate)
};

/// Events that take `decision: "block"`, and nothing beside it but what is named.
const BLOCKABLE: Contract = Contract {
    deny: Form::Block,
    block: Form::Block,
    failure: OPEN_BUT_EXIT_2,
    ..NOTICE
};

/// After a tool ran: feedback, context, the end of the turn.
const AFTER_TOOL: Contract = Contract {
    context: Form::NestedContext,
    stop: Form::StopTurn,
    subject: Subject::Tool,
    failure: TOLD_BY_EXIT_2,
    grade: Grade::Observed,
    source: CLIENT,
    ..BLOCKABLE
};

const STOP: Contract = Contract {
    event: "Stop",
    fields: &[
        "stop_hook_active",
        "last_assistant_message",
        "background_tasks",
        "session_crons",
    ],
    context: Form::NestedContext,
    stop: Form::StopTurn,
    failure: OPEN_BUT_CONTINUES,
    grade: Grade::Observed,
    source: CLIENT,
    ..BLOCKABLE
};

const PROMPT: Contract = Contract {
    event: "UserPromptSubmit",
    fields: &["prompt", "source", "session_title"],
    context: Form::NestedContext,
    stop: Form::StopTurn,
    default_timeout: 30.0,
    grade: Grade::Observed,
    source: CLIENT,
    ..BLOCKABLE
};

/// Events of a team of agents: only the exit code speaks, stderr is the reason.
const TEAM: Contract = Contract {
    deny: Form::Exit(2),
    block: Form::Exit(2),
    stop: Form::StopTurn,
    failure: OPEN_BUT_CONTINUES,
    ..NOTICE
};

const START: Contract = Contract {
    event: "SessionStart",
    fields: &[
        "source",
        "model",
        "agent_type",
        "session_title",
        "seconds_since_last_response",
        "context_tokens",
        "prompt_cache_likely_expired",
        "estimated_cache_write_usd",
    ],
    subject: Subject::Field("source"),
    context: Form::NestedContext,
    stop: Form::StopTurn,
    grade: Grade::Observed,
    source: CLIENT,
    ..NOTICE
};

pub(super) const CONTRACTS: &[Contract] = &[
    PRE_TOOL_USE,
    Contract {
        event: "PostToolUse",
        fields: &[
            "tool_name",
            "tool_input",
            "tool_use_id",
            "mcp_server",
            "tool_response",
            "duration_ms",
        ],
        rewrite_result: Form::NestedOutput,
        ..AFTER_TOOL
    },
    Contract {
        event: "PostToolUseFailure",
        fields: &[
            "tool_name",
            "tool_input",
            "tool_use_id",
            "mcp_server",
            "error",
            "is_interrupt",
            "duration_ms",
        ],
        ..AFTER_TOOL
    },
    Contract {
        event: "PostToolBatch",
        fields: &["tool_calls"],
        subject: Subject::Nothing,
        ..AFTER_TOOL
    },
    STOP,
    Contract {
        event: "SubagentStop",
        fields: &[
            "stop_hook_active",
            "agent_id",
            "agent_type",
            "agent_transcript_path",
            "last_assistant_message",
            "background_tasks",
            "session_crons",
        ],
        subject: Subject::Field("agent_type"),
        ..STOP
    },
    START,
    Contract {
        event: "Setup",
        fields: &["trigger"],
        subject: Subject::Field("trigger"),
        ..START
    },
    Contract {
        event: "SubagentStart",
        fields: &["agent_id", "agent_type"],
        subject: Subject::Field("agent_type"),
        stop: Form::Absent,
        ..START
    },
    Contract {
        event: "SessionEnd",
        fields: &["reason"],
        subject: Subject::Field("reason"),
        default_timeout: 1.5,
        grade: Grade::Observed,
        source: CLIENT,
        ..NOTICE
    },
    PROMPT,
    Contract {
        event: "UserPromptExpansion",
        fields: &[
            "expansion_type",
            "command_name",
            "command_args",
            "command_source",
            "prompt",
        ],
        subject: Subject::Field("command_name"),
        ..PROMPT
    },
    Contract {
        event: "PermissionRequest",
        fields: &[
            "tool_name",
            "tool_input",
            "permission_suggestions",
            "mcp_server",
        ],
        allow: Form::NestedBehavior("allow"),
        ask: Form::Silence,
        defer: Form::Absent,
        deny: Form::NestedBehavior("deny"),
        block: Form::NestedBehavior("deny"),
        context: Form::Absent,
        rewrite_input: Form::BehaviorInput,
        stop: Form::DenyAndInterrupt,
        failure: Failure::always(Effect::Open),
        ..PRE_TOOL_USE
    },
    Contract {
        event: "PermissionDenied",
        fields: &[
            "tool_name",
            "tool_input",
            "tool_use_id",
            "reason",
            "mcp_server",
        ],
        subject: Subject::Tool,
        allow: Form::Retry,
        deny: Form::Silence,
        block: Form::Silence,
        ..NOTICE
    },
    Contract {
        event: "PreSkillShellCommand",
        fields: &[
            "tool_name",
            "tool_input",
            "tool_use_id",
            "command_name",
            "command_source",
            "invoked_by",
        ],
        subject: Subject::Nothing,
        allow: Form::Silence,
        defer: Form::Absent,
        context: Form::Absent,
        rewrite_input: Form::Absent,
        stop: Form::Absent,
        failure: Failure::always(Effect::Unknown),
        since: Some("2.1.332"),
        grade: Grade::Official,
        source: TYPES,
        ..PRE_TOOL_USE
    },
    Contract {
        event: "PreCompact",
        fields: &["trigger", "custom_instructions"],
        subject: Subject::Field("trigger"),
        grade: Grade::Observed,
        source: CLIENT,
        ..BLOCKABLE
    },
    Contract {
        event: "PostCompact",
        fields: &["trigger", "compact_summary"],
        subject: Subject::Field("trigger"),
        ..NOTICE
    },
    Contract {
        event: "ConfigChange",
        fields: &["source", "file_path"],
        subject: Subject::Field("source"),
        grade: Grade::Observed,
        source: CLIENT,
        ..BLOCKABLE
    },
    Contract {
        event: "TaskCreated",
        fields: &[
            "task_id",
            "task_subject",
            "task_description",
            "teammate_name",
            "team_name",
        ],
        ..BLOCKABLE
    },
    Contract {
        event: "TaskCompleted",
        fields: &[
            "task_id",
            "task_subject",
            "task_description",
            "teammate_name",
            "team_name",
        ],
        ..TEAM
    },
    Contract {
        event: "TeammateIdle",
        fields: &["teammate_name", "team_name"],
        ..TEAM
    },
    Contract {
        event: "PreModelSwitch",
        fields: &[
            "from_model",
            "to_model",
            "requested_model",
            "source",
            "context_tokens",
            "prompt_cache_warm",
            "cache_ttl",
            "estimated_cache_write_usd",
            "pricing",
        ],
        subject: Subject::Field("to_model"),
        allow: Form::NestedDecision("allow"),
        ask: Form::NestedDecision("ask"),
        deny: Form::NestedDecision("deny"),
        default_timeout: 30.0,
        failure: Failure {
            timeout: Effect::Closed,
            ..OPEN_BUT_EXIT_2
        },
        since: Some("2.1.251"),
        source: TYPES,
        ..BLOCKABLE
    },
    Contract {
        event: "PostModelSwitch",
        fields: &[
            "from_model",
            "to_model",
            "requested_model",
            "source",
            "context_tokens",
            "prompt_cache_warm",
            "cache_ttl",
            "estimated_cache_write_usd",
            "pricing",
        ],
        subject: Subject::Field("to_model"),
        context: Form::NestedContext,
        default_timeout: 30.0,
        since: Some("2.1.251"),
        source: TYPES,
        ..NOTICE
    },
    Contract {
        event: "Elicitation",
        fields: &[
            "mcp_server_name",
            "message",
            "mode",
            "url",
            "elicitation_id",
            "requested_schema",
        ],
        failure: OPEN_BUT_EXIT_2,
        subject: Subject::Field("mcp_server_name"),
        allow: Form::NestedAction("accept"),
        rewrite_result: Form::NestedContent,
        deny: Form::NestedAction("decline"),
        block: Form::Exit(2),
        ..NOTICE
    },
    Contract {
        event: "ElicitationResult",
        fields: &[
            "mcp_server_name",
            "action",
            "content",
            "mode",
            "elicitation_id",
        ],
        failure: OPEN_BUT_EXIT_2,
        subject: Subject::Field("mcp_server_name"),
        deny: Form::NestedAction("decline"),
        block: Form::Exit(2),
        rewrite_result: Form::NestedContent,
        ..NOTICE
    },
    Contract {
        event: "Notification",
        fields: &["message", "title", "notification_type"],
        subject: Subject::Field("notification_type"),
        ..NOTICE
    },
    Contract {
        event: "StopFailure",
        fields: &["error", "error_details", "last_assistant_message"],
        subject: Subject::Field("error"),
        ..NOTICE
    },
    Contract {
        event: "InstructionsLoaded",
        fields: &[
            "file_path",
            "memory_type",
            "load_reason",
            "globs",
            "trigger_file_path",
            "parent_file_path",
        ],
        subject: Subject::Field("load_reason"),
        grade: Grade::Observed,
        source: CLIENT,
        ..NOTICE
    },
    Contract {
        event: "CwdChanged",
        fields: &["old_cwd", "new_cwd"],
        grade: Grade::Observed,
        source: CLIENT,
        ..NOTICE
    },
    Contract {
        event: "FileChanged",
        fields: &["file_path", "event"],
        subject: Subject::FileName("file_path"),
        ..NOTICE
    },
    Contract {
        event: "WorktreeRemove",
        fields: &["worktree_path"],
        ..NOTICE
    },
    Contract {
        event: "DirectoryAdded",
        fields: &["directory", "source"],
        subject: Subject::Field("source"),
        context: Form::SystemMessage,
        ..NOTICE
    },
    // Their stdout is no decision: a path, a text to show. Hooks of theirs run direct.
    Contract {
        event: "WorktreeCreate",
        fields: &["name"],
        deny: Form::Exit(1),
        block: Form::Exit(1),
        failure: Failure::always(Effect::Closed),
        ..NOTICE
    },
    Contract {
        event: "MessageDisplay",
        fields: &["turn_id", "message_id", "index", "final", "delta"],
        default_timeout: 10.0,
        failure: Failure::always(Effect::Open),
        grade: Grade::Observed,
        source: CLIENT,
        ..NOTICE
    },
];

//! What a host promises about one event: the rows from which replies, checks and pages are made.

/// How far a row is proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grade {
    /// Seen on the real client, at the version the host names.
    Observed,
    /// The vendor's own page, package or type declaration says so.
    Official,
    /// The vendor says nothing; the row is the careful reading.
    Silent,
}

/// The value of a payload that this event's matcher looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The event knows no matcher: a pattern is ignored, every call matches.
    Nothing,
    /// The tool's name.
    Tool,
    /// A string member of the payload, by Claude's name.
    Field(&'static str),
    /// The last component of a path in the payload, by Claude's name.
    FileName(&'static str),
}

/// How one outcome is written for a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The host has no form for it.
    Absent,
    /// Saying nothing says it.
    Silence,
    /// `hookSpecificOutput.permissionDecision`, with `permissionDecisionReason`.
    NestedDecision(&'static str),
    /// Root `permissionDecision`, with `permissionDecisionReason`.
    RootDecision(&'static str),
    /// Root `decision: "block"` with `reason`.
    Block,
    /// `hookSpecificOutput.decision.behavior`, with `message`.
    NestedBehavior(&'static str),
    /// Root `behavior`, with `message`.
    RootBehavior(&'static str),
    /// `hookSpecificOutput.action`.
    NestedAction(&'static str),
    /// `hookSpecificOutput.retry: true`.
    Retry,
    /// The reason on stderr and this exit code; nothing on stdout.
    Exit(i32),
    /// `hookSpecificOutput.additionalContext`.
    NestedContext,
    /// Root `additionalContext`.
    RootContext,
    /// Root `systemMessage`.
    SystemMessage,
    /// `hookSpecificOutput.updatedInput`, the whole object.
    NestedInput,
    /// `hookSpecificOutput.decision.updatedInput`, beside behavior allow.
    BehaviorInput,
    /// Root `modifiedArgs`, the whole object.
    RootArgs,
    /// Root `modifiedPrompt`.
    RootPrompt,
    /// `hookSpecificOutput.updatedToolOutput`, in the tool's own shape.
    NestedOutput,
    /// `hookSpecificOutput.content`, with action accept.
    NestedContent,
    /// Root `modifiedResult: {resultType, textResultForLlm}`.
    RootResult,
    /// Root `modifiedResponse`.
    RootResponse,
    /// Root `continue: false` with `stopReason`.
    StopTurn,
    /// [`Form::StopTurn`], and the event's own deny beside it: the call would still run otherwise.
    StopTurnAndDeny,
    /// The event's own deny with `interrupt: true`.
    DenyAndInterrupt,
}

/// One event of one host.
#[derive(Clone, Copy, Debug)]
pub struct Contract {
    /// Claude Code's name for the event, or the host's own where Claude has none.
    pub event: &'static str,
    /// The host's other spelling of the event, where it has one.
    pub native: Option<&'static str>,
    /// What matchers look at.
    pub subject: Subject,
    pub allow: Form,
    pub ask: Form,
    /// Ends the session until somebody decides; falls to `ask` where it is absent.
    pub defer: Form,
    pub deny: Form,
    pub block: Form,
    pub context: Form,
    pub rewrite_input: Form,
    pub rewrite_result: Form,
    pub stop: Form,
    /// A message for the user that the model does not see.
    pub notice: Form,
    /// The host's own limit for a hook that names none, in seconds.
    pub default_timeout: f64,
    /// How far the row is proved.
    pub grade: Grade,
}

impl Contract {
    /// A row with no form at all: the event is only told.
    pub const fn notice(event: &'static str, default_timeout: f64, grade: Grade) -> Self {
        Self {
            event,
            native: None,
            subject: Subject::Nothing,
            allow: Form::Silence,
            ask: Form::Absent,
            defer: Form::Absent,
            deny: Form::Absent,
            block: Form::Absent,
            context: Form::Absent,
            rewrite_input: Form::Absent,
            rewrite_result: Form::Absent,
            stop: Form::Absent,
            notice: Form::Absent,
            default_timeout,
            grade,
        }
    }

    /// Can a hook refuse anything here?
    pub fn can_block(&self) -> bool {
        !matches!(self.deny, Form::Absent | Form::Silence)
    }

    /// Can a hook speak to the model here?
    pub fn has_context(&self) -> bool {
        self.context != Form::Absent
    }
}

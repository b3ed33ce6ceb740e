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
    /// Root `decision: "deny"` with `reason`.
    RootDeny,
    /// [`Form::Block`], and the same inside `hookSpecificOutput`.
    BlockTwice,
    /// [`Form::Block`] with the rewritten result as its reason: the host knows no other way.
    BlockWithResult,
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
    /// `hookSpecificOutput.tool_input`, the whole object.
    NestedToolInput,
    /// [`Form::NestedInput`] beside `permissionDecision: "allow"`, without which the host takes no
    /// rewrite; it asks for approval all the same.
    NestedInputAllowed,
    /// [`Form::NestedInput`] beside `permissionDecision: "ask"` unless a hook decided.
    NestedInputAsked,
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

impl Form {
    /// Does it refuse what the hook was asked about?
    pub fn refuses(self) -> bool {
        match self {
            Self::NestedDecision(word)
            | Self::RootDecision(word)
            | Self::NestedBehavior(word)
            | Self::RootBehavior(word) => word == "deny",
            Self::NestedAction(word) => word == "decline",
            Self::Block
            | Self::RootDeny
            | Self::BlockTwice
            | Self::Exit(_)
            | Self::StopTurn
            | Self::StopTurnAndDeny
            | Self::DenyAndInterrupt => true,
            _ => false,
        }
    }
}

/// What a host does when a hook fails in one way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The action goes on as if there were no hook.
    Open,
    /// The action is refused.
    Closed,
    /// The agent goes on working instead of stopping.
    Continues,
    /// The hook's stderr reaches the model.
    Told,
    /// Nothing waits for this event.
    NoGate,
    /// Neither seen nor documented.
    Unknown,
}

/// What a host does when a hook fails. hookkit's own replies do not depend on it: they say a
/// refusal in the form that the host reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure {
    pub timeout: Effect,
    /// Ended by a signal.
    pub crash: Effect,
    /// Any exit code but 0 and 2.
    pub exit_1: Effect,
    pub exit_2: Effect,
    /// Exit 0 with output that cannot be read.
    pub malformed: Effect,
    /// The program cannot be started.
    pub not_started: Effect,
}

impl Failure {
    /// The same effect for every way to fail.
    pub const fn always(effect: Effect) -> Self {
        Self {
            timeout: effect,
            crash: effect,
            exit_1: effect,
            exit_2: effect,
            malformed: effect,
            not_started: effect,
        }
    }
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
    /// Blocks of this event have no limit in the host: hookkit counts them itself.
    pub is_uncapped: bool,
    /// What the host does when a hook fails.
    pub failure: Failure,
    /// Members of the payload besides the common ones, by the host's names.
    pub fields: &'static [&'static str],
    /// The first version that has the event, where that is known.
    pub since: Option<&'static str>,
    /// How far the row is proved.
    pub grade: Grade,
    /// Where the row comes from.
    pub source: &'static str,
}

impl Contract {
    /// A row with no form at all: the event is only told.
    pub const fn told(event: &'static str, default_timeout: f64, source: &'static str) -> Self {
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
            is_uncapped: false,
            failure: Failure::always(Effect::NoGate),
            fields: &[],
            since: None,
            grade: Grade::Silent,
            source,
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

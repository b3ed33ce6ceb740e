//! Events by Claude Code's names, and how a hook takes part in one.

/// How a hook takes part in an event (design: section 5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Its decision counts; a failure of it denies.
    Gate,
    /// Its text may become context; its decisions do not count; a failure drops its output.
    Observe,
    /// Runs for its side effects; nothing it prints goes anywhere.
    Silent,
    /// stdout, stderr and exit code go to the host unchanged. One registration per hook.
    Direct,
}

impl Mode {
    /// Every mode, in the order of the documentation.
    pub const ALL: [Self; 4] = [Self::Gate, Self::Observe, Self::Silent, Self::Direct];

    /// The word in `hookkit.json`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Gate => "gate",
            Self::Observe => "observe",
            Self::Silent => "silent",
            Self::Direct => "direct",
        }
    }

    /// The mode of a word in `hookkit.json`.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.word() == word)
    }

    /// The mode of a hook that names none.
    ///
    /// Text that a program prints while a session starts, a prompt is sent or the context is
    /// compacted would speak to the model with the user's voice; there only the author can say
    /// that it may (requirement R64).
    pub fn default_for(event: &str) -> Self {
        match event {
            "PreToolUse"
            | "PermissionRequest"
            | "Stop"
            | "SubagentStop"
            | "UserPromptExpansion"
            | "PostToolBatch"
            | "TaskCreated"
            | "TaskCompleted"
            | "TeammateIdle"
            | "ConfigChange"
            | "PreModelSwitch"
            | "PreSkillShellCommand"
            | "Elicitation"
            | "ElicitationResult" => Self::Gate,
            "PostToolUse" | "PostToolUseFailure" | "SubagentStart" | "PostModelSwitch"
            | "Setup" => Self::Observe,
            "SessionStart" | "UserPromptSubmit" | "PreCompact" | "PostCompact" | "SessionEnd"
            | "Notification" | "PermissionDenied" | "StopFailure" | "WorktreeRemove"
            | "InstructionsLoaded" | "CwdChanged" | "FileChanged" | "DirectoryAdded"
            | "ErrorOccurred" => Self::Silent,
            // WorktreeCreate, MessageDisplay, UserPromptTransformed, PreMcpToolCall, and what no
            // host had when this was written: only its author knows what its output means.
            _ => Self::Direct,
        }
    }
}

/// Events whose refusal makes the agent go on instead of stopping something.
pub fn continues_the_turn(event: &str) -> bool {
    matches!(event, "Stop" | "SubagentStop")
}

/// Events at which exit 2 of an observing hook is feedback for the model, not a decision.
pub fn takes_feedback(event: &str) -> bool {
    matches!(
        event,
        "PostToolUse" | "PostToolUseFailure" | "PostToolBatch"
    )
}

/// Events at which Claude Code itself reads plain text on stdout as context.
pub fn reads_plain_text(event: &str) -> bool {
    matches!(
        event,
        "SessionStart" | "UserPromptSubmit" | "UserPromptExpansion" | "PostModelSwitch"
    )
}

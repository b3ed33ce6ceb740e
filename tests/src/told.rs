//! What a host makes of a reply.

use serde_json::Value;

use crate::Ran;

impl Ran {
    /// The decision that the host is told, in either family's form: `allow`, `ask`, `deny`, `block`; empty when there
    /// is none. Anything on stdout but exactly one ASCII document is no reply at all.
    pub fn decision(&self) -> String {
        let Some(reply) = self.reply() else {
            return String::new();
        };
        let nested = &reply["hookSpecificOutput"];
        [
            &nested["permissionDecision"],
            &reply["permissionDecision"],
            &nested["decision"]["behavior"],
            &reply["behavior"],
            &reply["decision"],
        ]
        .into_iter()
        .find_map(Value::as_str)
        .unwrap_or_default()
        .to_owned()
    }

    /// The reason that goes with the decision, or what an exit code 2 says on stderr.
    pub fn reason(&self) -> String {
        let Some(reply) = self.reply() else {
            return self.err();
        };
        let nested = &reply["hookSpecificOutput"];
        [
            &nested["permissionDecisionReason"],
            &reply["permissionDecisionReason"],
            &nested["decision"]["message"],
            &reply["message"],
            &reply["reason"],
        ]
        .into_iter()
        .find_map(Value::as_str)
        .unwrap_or_default()
        .to_owned()
    }

    /// Panics unless the host is told to refuse, by a document with exit code 0, and with these words in the reason.
    pub fn assert_denies(&self, words: &str) {
        assert!(self.exited(0), "a refusal comes with exit code 0");
        assert!(
            matches!(self.decision().as_str(), "deny" | "block"),
            "refused, not `{}`",
            self.decision()
        );
        let reason = self.reason();
        assert!(
            !reason.trim().is_empty() && reason.contains(words),
            "`{words}` in the reason: {reason}"
        );
    }

    /// Panics unless the host is told nothing, so that it goes on as without hooks.
    pub fn assert_silent(&self) {
        assert_eq!(self.out(), "", "nothing on stdout");
        assert!(self.exited(0), "exit code 0");
    }

    fn reply(&self) -> Option<Value> {
        assert!(self.stdout.is_ascii(), "stdout is ASCII");
        (!self.stdout.is_empty()).then(|| self.json())
    }
}

//! Hooks that say one thing, in Claude Code's contract, and hooks that fail.

use crate::rows::Expected;
use hookkit_tests::Plugin;
use serde_json::{Value, json};

/// What a hook prints and how it ends.
pub(crate) struct Said {
    stdout: String,
    stderr: &'static str,
    exit: i32,
}

impl Said {
    pub(crate) fn nothing() -> Self {
        Self {
            stdout: String::new(),
            stderr: "",
            exit: 0,
        }
    }

    fn document(document: &Value) -> Self {
        Self {
            stdout: document.to_string(),
            ..Self::nothing()
        }
    }

    /// A direct hook prints what the host is to be told.
    pub(crate) fn as_told(expected: &Expected) -> Self {
        Self {
            stdout: match &expected.document {
                Value::String(text) => text.clone(),
                document => document.to_string(),
            },
            stderr: if expected.stderr.is_some() { "R" } else { "" },
            exit: expected.exit,
        }
    }

    pub(crate) fn script(&self) -> String {
        format!(
            "cat >/dev/null\ncat <<'EOF'\n{}\nEOF\nprintf '%s' '{}' >&2\nexit {}\n",
            self.stdout, self.stderr, self.exit
        )
    }
}

fn nested(event: &str, members: &Value) -> Said {
    let mut output = json!({"hookEventName": event});
    output
        .as_object_mut()
        .unwrap()
        .extend(members.as_object().unwrap().clone());
    Said::document(&json!({"hookSpecificOutput": output}))
}

/// How a hook says an outcome on an event; `None` when Claude's contract has no words for it.
pub(crate) fn outcome(event: &str, outcome: &str, has_context: bool) -> Option<Said> {
    let permission = |word: &str| {
        let members = json!({"permissionDecision": word, "permissionDecisionReason": "R"});
        nested(event, &members)
    };
    let behavior = |members: Value| nested(event, &json!({"decision": members}));
    let decides = matches!(
        event,
        "PreToolUse" | "PreModelSwitch" | "PreSkillShellCommand"
    );
    Some(match (outcome, event) {
        ("allow" | "ask" | "deny", _) if decides => permission(outcome),
        ("allow", "PermissionRequest") => behavior(json!({"behavior": "allow"})),
        ("allow", "PermissionDenied") => nested(event, &json!({"retry": true})),
        ("allow", "Elicitation") => nested(event, &json!({"action": "accept", "content": {}})),
        ("allow", _) => Said::nothing(),
        ("ask", "PermissionRequest") => Said::document(&json!({"decision": "ask", "reason": "R"})),
        ("deny", "PermissionRequest") => behavior(json!({"behavior": "deny", "message": "R"})),
        ("deny", "Elicitation" | "ElicitationResult") => {
            nested(event, &json!({"action": "decline"}))
        }
        ("deny", _) => Said {
            stderr: "R",
            exit: 2,
            ..Said::nothing()
        },
        ("block", _) => Said::document(&json!({"decision": "block", "reason": "R"})),
        ("context", "DirectoryAdded") => Said::document(&json!({"systemMessage": "T"})),
        ("context", _) if has_context => nested(event, &json!({"additionalContext": "T"})),
        ("modify_input", "PreToolUse") => nested(event, &json!({"updatedInput": {"command": "T"}})),
        ("modify_input", "PermissionRequest") => {
            behavior(json!({"behavior": "allow", "updatedInput": {"command": "T"}}))
        }
        ("modify_result", "PostToolUse") => nested(event, &json!({"updatedToolOutput": "T"})),
        ("modify_result", "ElicitationResult") => {
            nested(event, &json!({"action": "accept", "content": {}}))
        }
        ("stop", "PermissionRequest") => {
            behavior(json!({"behavior": "deny", "message": "R", "interrupt": true}))
        }
        ("stop", _) => Said::document(&json!({"continue": false, "stopReason": "R"})),
        _ => return None,
    })
}

/// A way for a hook to fail.
pub(crate) struct Fault {
    pub(crate) name: &'static str,
    /// Words of the reason that the host is told.
    pub(crate) says: &'static str,
    script: Option<&'static str>,
}

pub(crate) const FAULTS: &[Fault] = &[
    Fault {
        name: "timeout",
        says: "did not end within 0.2 s",
        script: Some("sleep 60"),
    },
    Fault {
        name: "crash",
        says: "was ended by signal 11",
        script: Some("kill -SEGV $$"),
    },
    Fault {
        name: "killed",
        says: "was ended by signal 9",
        script: Some("kill -KILL $$"),
    },
    Fault {
        name: "exit 1",
        says: "ended with exit code 1: oh no",
        script: Some("echo oh no >&2; exit 1"),
    },
    Fault {
        name: "exit 2",
        says: "the rule",
        script: Some("echo the rule >&2; exit 2"),
    },
    Fault {
        name: "malformed",
        says: "not exactly one JSON document",
        script: Some(r#"echo '{"decision": "block"'"#),
    },
    Fault {
        name: "not found",
        says: "is missing",
        script: None,
    },
];

impl Fault {
    /// What the failure comes to: a hook's own exit 2 blocks, except where a call is denied.
    pub(crate) fn outcome(&self, event: &str) -> &'static str {
        let denies_calls = matches!(event, "PreToolUse" | "PermissionRequest");
        if self.name == "exit 2" && !denies_calls {
            "block"
        } else {
            "deny"
        }
    }

    pub(crate) fn plugin(&self, event: &str) -> Plugin {
        let entry = json!({"id": "fails", "event": event, "mode": "gate", "timeout": 0.2});
        match self.script {
            Some(script) if self.name == "timeout" => Plugin::new("demo").sh(entry, script),
            Some(script) => {
                let mut entry = entry;
                entry["timeout"] = json!(20);
                Plugin::new("demo").sh(entry, script)
            }
            None => {
                let mut entry = entry;
                entry["run"] = json!(["sh", "./hooks/ghost.sh"]);
                Plugin::new("demo").hook(entry)
            }
        }
    }
}

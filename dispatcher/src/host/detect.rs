//! Which host speaks: the command line names it, or the payload's shape gives it away.

use super::{Host, by_name};
use crate::env::Env;
use crate::json::{self, Kind};
use crate::payload::Fields;

/// The host of this event, and whether the registration may be read by others as well.
#[derive(Clone, Copy)]
pub struct Chosen {
    pub host: &'static dyn Host,
    /// The registration names no host: several may read the file it stands in.
    pub shared: bool,
}

/// Chooses the host: the one that the registration names, else by what only one of them sends.
///
/// Claude Code and VS Code's Local harness load the same plugin file, so there the payload corrects
/// the name. `None` only for a name that this build does not know.
pub fn choose(named: Option<&str>, fields: Option<&Fields>, env: &Env) -> Option<Chosen> {
    let (name, shared) = match named {
        Some(name @ ("claude-code" | "vscode-local")) => {
            (fields.map_or(name, |fields| of_claudes_file(fields)), false)
        }
        Some(name) if name != "auto" => (name, false),
        _ => (detect(fields, env), true),
    };
    Some(Chosen {
        host: by_name(name)?,
        shared,
    })
}

/// Claude Code never stamps a payload with the time, VS Code always does.
fn of_claudes_file(fields: &Fields) -> &'static str {
    if fields.get("timestamp").is_some() {
        "vscode-local"
    } else {
        "claude-code"
    }
}

/// A mark in a payload, and the host that alone sends it. The first that is there decides.
struct Mark {
    is_there: fn(&Fields) -> bool,
    host: &'static str,
}

/// | pair that no mark tells apart | why the reply is right on both |
/// |---|---|
/// | Codex and Claude Code, SessionStart and SessionEnd | the same forms; neither can refuse |
/// | Copilot CLI, its cloud agent and its harness in VS Code | one contract; the cloud's registration names it |
/// | Copilot and VS Code Local, UserPromptSubmit and PreCompact | not the same: each registration that hookkit writes names its host |
const MARKS: &[Mark] = &[
    // Milliseconds: Copilot's camelCase registrations.
    Mark {
        is_there: |fields| kind(fields, "timestamp") == Some(Kind::Number),
        host: "copilot-cli",
    },
    Mark {
        is_there: |fields| has(fields, "timestamp") && has(fields, "hookEventName"),
        host: "vscode-local",
    },
    Mark {
        is_there: |fields| has(fields, "timestamp") && has(fields, "tool_use_id"),
        host: "vscode-local",
    },
    // The end of a turn: Copilot says why it ends.
    Mark {
        is_there: |fields| {
            has(fields, "timestamp")
                && has(fields, "stop_hook_active")
                && !has(fields, "stop_reason")
                && !has(fields, "agent_name")
        },
        host: "vscode-local",
    },
    Mark {
        is_there: |fields| has(fields, "timestamp"),
        host: "copilot-cli",
    },
    Mark {
        is_there: |fields| has(fields, "sessionId") || has(fields, "toolName"),
        host: "copilot-cli",
    },
    Mark {
        is_there: |fields| has(fields, "turn_id") && has(fields, "model"),
        host: "codex",
    },
];

fn has(fields: &Fields, name: &str) -> bool {
    fields.get(name).is_some()
}

fn kind(fields: &Fields, name: &str) -> Option<Kind> {
    fields.get(name).and_then(json::kind)
}

/// Without a payload the variable that only Copilot CLI sets is all there is.
fn detect(fields: Option<&Fields>, env: &Env) -> &'static str {
    let Some(fields) = fields else {
        let in_copilot = env.get("COPILOT_CLI").is_some();
        return if in_copilot {
            "copilot-cli"
        } else {
            "claude-code"
        };
    };
    MARKS
        .iter()
        .find(|mark| (mark.is_there)(fields))
        .map_or("claude-code", |mark| mark.host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_payload_gives_its_host_away() {
        let nowhere = Env::given(Vec::new(), "/".into(), "/x".into());
        for (payload, expected) in [
            (
                r#"{"hook_event_name":"PreToolUse","tool_use_id":"t","tool_name":"Bash"}"#,
                "claude-code",
            ),
            (
                r#"{"hook_event_name":"SessionStart","source":"startup"}"#,
                "claude-code",
            ),
            (
                r#"{"timestamp":1760000000000,"toolName":"bash","toolArgs":{}}"#,
                "copilot-cli",
            ),
            (
                r#"{"timestamp":"2026-11-30T12:00:00Z","tool_name":"Bash","tool_input":{}}"#,
                "copilot-cli",
            ),
            (
                r#"{"timestamp":"2026-11-30T12:00:00Z","hook_event_name":"Stop","stop_reason":"end_turn","stop_hook_active":false}"#,
                "copilot-cli",
            ),
            (r#"{"sessionId":"s","toolName":"bash"}"#, "copilot-cli"),
            (
                r#"{"timestamp":"2026-11-30T12:00:00Z","tool_name":"run_in_terminal","tool_use_id":"t"}"#,
                "vscode-local",
            ),
            (
                r#"{"timestamp":"2026-11-30T12:00:00Z","hook_event_name":"Stop","stop_hook_active":false}"#,
                "vscode-local",
            ),
            (
                r#"{"timestamp":"2026-11-30T12:00:00Z","hookEventName":"SessionStart","sessionId":"s"}"#,
                "vscode-local",
            ),
            (
                r#"{"turn_id":"1","model":"m","hook_event_name":"PreToolUse","tool_name":"Bash"}"#,
                "codex",
            ),
        ] {
            let fields = Fields::read(payload.as_bytes());
            let chosen = choose(None, fields.as_ref(), &nowhere).expect("a host");
            assert_eq!(chosen.host.name(), expected, "{payload}");
            assert!(chosen.shared);
        }
    }

    #[test]
    fn only_claudes_file_is_corrected_by_the_payload() {
        let nowhere = Env::given(Vec::new(), "/".into(), "/x".into());
        let stamped = Fields::read(br#"{"timestamp":"2026-11-30T12:00:00Z"}"#);
        let plain = Fields::read(b"{}");
        for (named, fields, expected) in [
            ("claude-code", &stamped, "vscode-local"),
            ("vscode-local", &plain, "claude-code"),
            ("copilot-cli", &plain, "copilot-cli"),
            ("codex", &stamped, "codex"),
        ] {
            let chosen = choose(Some(named), fields.as_ref(), &nowhere).expect("a host");
            assert_eq!(chosen.host.name(), expected);
            assert!(!chosen.shared);
        }
        assert!(choose(Some("nobody"), plain.as_ref(), &nowhere).is_none());
    }
}

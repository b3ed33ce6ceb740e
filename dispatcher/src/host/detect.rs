//! Which host speaks: the command line names it, or the payload's shape gives it away.

use super::{Host, by_name};
use crate::env::Env;
use crate::json::{self, Kind};
use crate::payload::Fields;

/// The host of this event, and who else may read the reply.
#[derive(Clone, Copy)]
pub struct Chosen {
    pub host: &'static dyn Host,
    /// The registration names no host: several may read the file it stands in.
    pub shared: bool,
    /// Another host sends the very same payload but reads other words, so the reply has to be right
    /// for both. Only ever there where the registration is shared.
    pub or: Option<&'static dyn Host>,
}

/// Chooses the host: the one that the registration names, else by what only one of them sends.
///
/// Claude Code and VS Code's Local harness load the same plugin file, so there the payload corrects
/// the name. `None` only for a name that this build does not know.
pub fn choose(named: Option<&str>, fields: Option<&Fields>, env: &Env) -> Option<Chosen> {
    let (name, or, shared) = match named {
        Some(name @ ("claude-code" | "vscode-local")) => (
            fields.map_or(name, |fields| of_claudes_file(fields)),
            None,
            false,
        ),
        Some(name) if name != "auto" => (name, None, false),
        _ => {
            let (name, or) = detect(fields, env);
            (name, or, true)
        }
    };
    Some(Chosen {
        host: by_name(name)?,
        shared,
        or: or.and_then(by_name),
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

/// A mark in a payload, and the host that sends it. The first that is there decides.
struct Mark {
    is_there: fn(&Fields) -> bool,
    host: &'static str,
    /// The host that may send it as well.
    or: Option<&'static str>,
}

impl Mark {
    const fn of(host: &'static str, is_there: fn(&Fields) -> bool) -> Self {
        Self {
            is_there,
            host,
            or: None,
        }
    }

    const fn or(mut self, host: &'static str) -> Self {
        self.or = Some(host);
        self
    }
}

const MARKS: &[Mark] = &[
    // Milliseconds: Copilot's camelCase registrations.
    Mark::of("copilot-cli", |fields| {
        kind(fields, "timestamp") == Some(Kind::Number)
    }),
    // From here on a timestamp is a text: VS Code's Local harness, or Copilot under PascalCase.
    Mark::of("vscode-local", |fields| {
        has(fields, "timestamp") && has(fields, "hookEventName")
    }),
    Mark::of("vscode-local", |fields| {
        has(fields, "timestamp") && has(fields, "tool_use_id")
    }),
    // Copilot's subagents have names, and their starts arrive in camelCase.
    Mark::of("vscode-local", |fields| {
        has(fields, "timestamp")
            && has(fields, "agent_id")
            && !has(fields, "agent_name")
            && !has(fields, "tool_name")
    }),
    // The end of a turn: Copilot says why it ends.
    Mark::of("vscode-local", |fields| {
        has(fields, "timestamp")
            && has(fields, "stop_hook_active")
            && !has(fields, "stop_reason")
            && !has(fields, "agent_name")
    }),
    Mark::of("vscode-local", |fields| {
        has(fields, "timestamp") && has(fields, "trigger") && !has(fields, "custom_instructions")
    }),
    Mark::of("copilot-cli", |fields| has(fields, "initial_prompt")),
    // Prompts and starts of sessions: Copilot sends no transcript there, VS Code may leave it out.
    Mark::of("vscode-local", |fields| {
        is_prompt_or_start(fields) && has(fields, "transcript_path")
    })
    .or("copilot-cli"),
    Mark::of("copilot-cli", is_prompt_or_start).or("vscode-local"),
    Mark::of("copilot-cli", |fields| has(fields, "timestamp")),
    Mark::of("copilot-cli", |fields| {
        has(fields, "sessionId") || has(fields, "toolName")
    }),
    Mark::of("codex", |fields| {
        has(fields, "turn_id") && has(fields, "model")
    }),
];

fn has(fields: &Fields, name: &str) -> bool {
    fields.get(name).is_some()
}

fn kind(fields: &Fields, name: &str) -> Option<Kind> {
    fields.get(name).and_then(json::kind)
}

fn is_prompt_or_start(fields: &Fields) -> bool {
    has(fields, "timestamp")
        && (has(fields, "prompt") || has(fields, "source"))
        && !has(fields, "tool_name")
}

/// Without a payload the variable that only Copilot CLI sets is all there is.
fn detect(fields: Option<&Fields>, env: &Env) -> (&'static str, Option<&'static str>) {
    let Some(fields) = fields else {
        let in_copilot = env.get("COPILOT_CLI").is_some();
        let host = if in_copilot {
            "copilot-cli"
        } else {
            "claude-code"
        };
        return (host, None);
    };
    MARKS
        .iter()
        .find(|mark| (mark.is_there)(fields))
        .map_or(("claude-code", None), |mark| (mark.host, mark.or))
}

/// Payloads of one host that `--host auto` takes for another's, because nothing tells them apart.
///
/// docs/host-detection.md prints this table; `tests/tests/detection.rs` holds it against what every
/// host sends, and each `why` against what the dispatcher says there.
pub const ALIKE: &[Alike] = &[
    Alike {
        host: "copilot-cloud",
        taken_for: "copilot-cli",
        events: &[],
        why: "one contract: a refusal has one form on both, `ask` acts as deny in the cloud by the \
              vendor's own rule, and members that its reference does not list are ignored there",
    },
    Alike {
        host: "vscode-copilot",
        taken_for: "copilot-cli",
        events: &[],
        why: "one contract, by reference: every reply is the same",
    },
    Alike {
        host: "codex",
        taken_for: "claude-code",
        events: &["SessionStart", "SessionEnd"],
        why: "neither event can be refused, and both hosts read the same words; no form of a third \
              host is mixed in, which Codex would not bear",
    },
    Alike {
        host: "vscode-local",
        taken_for: "copilot-cli",
        events: &["SessionStart", "UserPromptSubmit"],
        why: "only without `transcript_path`; the reply carries the words of both, of which each \
              reads its own: `decision: \"block\"` refuses a prompt on Copilot CLI, `continue: false` \
              on VS Code Local",
    },
];

/// One row of [`ALIKE`].
#[derive(Clone, Copy, Debug)]
pub struct Alike {
    /// Who sends it.
    pub host: &'static str,
    /// Whom it is taken for.
    pub taken_for: &'static str,
    /// On which events, by Claude's names; none stands for all.
    pub events: &'static [&'static str],
    /// Why the reply is right all the same.
    pub why: &'static str,
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

//! What a host reads of what a hook printed before it ended with 0.
//!
//! As seen on Claude Code 2.1.332, Copilot CLI 1.0.102 and Codex 0.171.0, and by VS Code's source. The
//! members that a host looks for are those of its row's forms, and a few that hookkit never writes.

use hookkit_dispatch::contract::{Contract, Form};
use hookkit_dispatch::event::reads_plain_text;
use serde_json::{Map, Value};

/// What becomes of an output.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Reading {
    /// Why the host takes nothing of it.
    pub(super) dropped: Option<String>,
    /// Does the host read a refusal in it?
    pub(super) refuses: bool,
    /// Is there a refusal in it that the host does not read?
    pub(super) loses_refusal: bool,
    /// Did the hook say anything at all?
    pub(super) is_silent: bool,
}

/// Reads stdout as a host does; the event is by the key under which the hook stands.
pub(super) fn read(host: &str, event: &str, contract: &Contract, stdout: &[u8]) -> Reading {
    let text = String::from_utf8_lossy(stdout);
    let (has_mark, text) = match text.strip_prefix('\u{feff}') {
        Some(text) => (true, text),
        None => (false, &*text),
    };
    let text = match host {
        "copilot-cli" | "copilot-cloud" | "vscode-copilot" => without_progress(text),
        _ => text.to_owned(),
    };
    let text = text.trim();
    if text.is_empty() {
        return Reading {
            is_silent: true,
            ..Reading::default()
        };
    }
    let taken = match serde_json::from_str::<Value>(text) {
        Ok(Value::Object(_)) if has_mark && host == "codex" => {
            Err("begins with a byte order mark".to_owned())
        }
        Ok(Value::Object(members)) => document(host, event, contract, &members),
        Ok(_) => Err("is JSON, but no object".to_owned()),
        Err(_) if text.starts_with(['{', '[']) || has_document(text) => {
            Err("is not exactly one JSON document".to_owned())
        }
        Err(_) => plain(host, event, contract),
    };
    let says_no = documents(text).any(|value| refuses(&value));
    match taken {
        Ok(is_refusal) => Reading {
            refuses: is_refusal,
            loses_refusal: says_no && !is_refusal,
            ..Reading::default()
        },
        Err(why) => Reading {
            dropped: Some(why),
            loses_refusal: says_no,
            ..Reading::default()
        },
    }
}

/// Lines that Copilot CLI takes for the progress of a hook.
fn without_progress(text: &str) -> String {
    let is_progress = |line: &&str| {
        serde_json::from_str::<Value>(line).is_ok_and(|value| value["type"] == "progress")
    };
    let lines: Vec<&str> = text.lines().filter(|line| !is_progress(line)).collect();
    lines.join("\n")
}

/// Every object in a text: all of it, or one in a line.
fn documents(text: &str) -> impl Iterator<Item = Value> {
    std::iter::once(text)
        .chain(text.lines())
        .filter_map(|part| serde_json::from_str::<Value>(part.trim()).ok())
        .filter(Value::is_object)
}

fn has_document(text: &str) -> bool {
    documents(text).next().is_some()
}

/// Plain text is context on a few events, and nothing on the others.
fn plain(host: &str, event: &str, contract: &Contract) -> Result<bool, String> {
    let is_read = match host {
        "claude-code" => reads_plain_text(event),
        "codex" => matches!(event, "SessionStart" | "SubagentStart" | "UserPromptSubmit"),
        _ => false,
    };
    // Nobody expects an answer to be read there.
    let is_told_only = !contract.can_block() && !contract.has_context();
    if is_read || is_told_only {
        return Ok(false);
    }
    Err("is no JSON".to_owned())
}

/// Does a document that the host takes refuse something? Else why it takes nothing of it.
fn document(
    host: &str,
    event: &str,
    contract: &Contract,
    members: &Map<String, Value>,
) -> Result<bool, String> {
    let reads = Reads::of(host, event, contract);
    if members.is_empty() {
        return Ok(false);
    }
    if matches!(host, "claude-code" | "codex") {
        sound(host, contract, members)?;
    }
    if host == "codex" {
        let unknown = members
            .keys()
            .find(|key| !COMMON.contains(&&***key) && !reads.root.contains(&&***key));
        if let Some(unknown) = unknown.filter(|key| *key != "hookSpecificOutput") {
            return Err(format!(
                "holds `{unknown}`, for which codex drops all of it"
            ));
        }
    }
    let empty = Map::new();
    let nested = members
        .get("hookSpecificOutput")
        .and_then(Value::as_object)
        .unwrap_or(&empty);
    let is_read = members.keys().any(|key| reads.root.contains(&&**key))
        || nested.keys().any(|key| reads.nested.contains(&&**key))
        || (reads.has_common && members.keys().any(|key| COMMON.contains(&&**key)));
    if !is_read {
        let names: Vec<String> = members.keys().map(|key| format!("`{key}`")).collect();
        return Err(format!(
            "holds {}, which {host} does not read there",
            names.join(", ")
        ));
    }
    let says = |members: &Map<String, Value>, keys: &[&str]| {
        let known = members
            .iter()
            .filter(|(key, _)| keys.contains(&&***key))
            .map(|(key, value)| (key.clone(), value.clone()));
        refuses(&Value::Object(known.collect()))
    };
    let stops = contract.stop.refuses() && members.get("continue") == Some(&Value::Bool(false));
    Ok(stops || says(members, &reads.root) || says(nested, &reads.nested))
}

/// Members that Claude Code, Codex and VS Code's Local harness read on every event.
const COMMON: [&str; 4] = ["continue", "stopReason", "suppressOutput", "systemMessage"];

/// The members that a host reads on an event.
struct Reads {
    root: Vec<&'static str>,
    nested: Vec<&'static str>,
    has_common: bool,
}

impl Reads {
    fn of(host: &str, event: &str, contract: &Contract) -> Self {
        let mut root = Vec::new();
        let mut nested = Vec::new();
        for form in [
            contract.allow,
            contract.ask,
            contract.defer,
            contract.deny,
            contract.block,
            contract.context,
            contract.rewrite_input,
            contract.rewrite_result,
            contract.stop,
            contract.notice,
        ] {
            let (at_root, inside) = members(form);
            root.extend_from_slice(at_root);
            nested.extend_from_slice(inside);
        }
        let is_copilot = matches!(host, "copilot-cli" | "copilot-cloud" | "vscode-copilot");
        match host {
            // A legacy form, and what sends a hook into the background.
            "claude-code" => root.extend(["decision", "reason", "async"]),
            "codex" if matches!(contract.event, "PreToolUse" | "PostToolUse") => {
                root.extend(["decision", "reason"]);
            }
            _ => {}
        }
        if is_copilot {
            match contract.event {
                // Under Claude's key its own form is read, and counts more.
                "PreToolUse" if contract.native != Some(event) => {
                    nested.extend(["permissionDecision", "updatedInput", "additionalContext"]);
                }
                "UserPromptSubmit" => root.extend(["handled", "responseContent"]),
                "UserPromptTransformed" => root.push("modifiedTransformedPrompt"),
                "SubagentStart" | "Notification" => root.push("additionalContext"),
                _ => {}
            }
        }
        Self {
            root,
            nested,
            has_common: !is_copilot,
        }
    }
}

/// The members of a form: at the root, and in `hookSpecificOutput`.
fn members(form: Form) -> (&'static [&'static str], &'static [&'static str]) {
    match form {
        Form::Absent | Form::Silence | Form::Exit(_) => (&[], &[]),
        Form::NestedDecision(_) => (&[], &["permissionDecision"]),
        Form::RootDecision(_) => (&["permissionDecision"], &[]),
        Form::Block | Form::RootDeny | Form::BlockWithResult => (&["decision", "reason"], &[]),
        Form::BlockTwice => (&["decision", "reason"], &["decision", "reason"]),
        Form::NestedBehavior(_) | Form::BehaviorInput => (&[], &["decision"]),
        Form::RootBehavior(_) | Form::DenyAndInterrupt => (&["behavior", "message"], &[]),
        Form::NestedAction(_) => (&[], &["action"]),
        Form::Retry => (&[], &["retry"]),
        Form::NestedContext => (&[], &["additionalContext"]),
        Form::RootContext => (&["additionalContext"], &[]),
        Form::SystemMessage => (&["systemMessage"], &[]),
        Form::NestedInput | Form::NestedInputAllowed | Form::NestedInputAsked => {
            (&[], &["updatedInput"])
        }
        Form::NestedToolInput => (&[], &["tool_input"]),
        Form::RootArgs => (&["modifiedArgs"], &[]),
        Form::RootPrompt => (&["modifiedPrompt"], &[]),
        Form::NestedOutput => (&[], &["updatedToolOutput", "updatedMCPToolOutput"]),
        Form::NestedContent => (&[], &["content"]),
        Form::RootResult => (&["modifiedResult"], &[]),
        Form::RootResponse => (&["modifiedResponse"], &[]),
        Form::StopTurn | Form::StopTurnAndDeny => (&["continue", "stopReason"], &[]),
    }
}

/// What makes Claude Code or Codex drop all of a document.
fn sound(host: &str, contract: &Contract, members: &Map<String, Value>) -> Result<(), String> {
    let drops = |what: String| Err(format!("{what}, for which {host} drops all of it"));
    if members
        .get("continue")
        .is_some_and(|value| !value.is_boolean())
    {
        return drops("holds a `continue` that is neither true nor false".to_owned());
    }
    let words: &[&str] = if host == "codex" {
        &["block"]
    } else {
        &["approve", "block"]
    };
    if let Some(word) = members.get("decision")
        && !word.as_str().is_some_and(|word| words.contains(&word))
    {
        return drops(format!("holds the decision {word}"));
    }
    let Some(nested) = members.get("hookSpecificOutput") else {
        return Ok(());
    };
    let Some(event) = nested["hookEventName"].as_str() else {
        return drops("has no hookEventName in `hookSpecificOutput`".to_owned());
    };
    if event != contract.event && host == "claude-code" {
        return drops(format!("is about {event}"));
    }
    let text = |key: &str| nested[key].as_str().unwrap_or_default();
    match (
        host,
        nested
            .get("permissionDecision")
            .map(|_| text("permissionDecision")),
    ) {
        ("codex", Some("deny")) if !text("permissionDecisionReason").is_empty() => Ok(()),
        ("codex", Some("deny")) => drops("denies without a reason".to_owned()),
        ("codex", Some("allow")) if nested.get("updatedInput").is_some() => Ok(()),
        (_, None) | ("claude-code", Some("allow" | "deny" | "ask" | "defer")) => Ok(()),
        (_, Some(other)) => drops(format!("holds the permissionDecision `{other}`")),
    }
}

/// Does an object refuse something in any host's words?
fn refuses(value: &Value) -> bool {
    let is_no = |members: &Value| {
        members["permissionDecision"] == "deny"
            || members["decision"] == "block"
            || members["decision"] == "deny"
            || members["decision"]["behavior"] == "deny"
            || members["behavior"] == "deny"
            || members["action"] == "decline"
    };
    is_no(value) || is_no(&value["hookSpecificOutput"])
}

#[cfg(test)]
mod tests {
    use super::*;
    use hookkit_dispatch::host::by_name;

    fn of(host: &str, event: &str, stdout: &str) -> Reading {
        let contract = by_name(host).and_then(|host| host.contract(event));
        read(host, event, contract.expect("a row"), stdout.as_bytes())
    }

    const NESTED: &str = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}"#;
    const ROOT: &str = r#"{"permissionDecision":"deny","permissionDecisionReason":"no"}"#;

    /// As the clients were seen to read: Claude Code 2.1.332, Copilot CLI 1.0.102, Codex 0.171.0.
    #[test]
    fn each_host_reads_a_refusal_where_it_looks_for_one() {
        for (host, event, stdout, is_read) in [
            ("claude-code", "PreToolUse", NESTED, true),
            ("claude-code", "PreToolUse", ROOT, false),
            (
                "claude-code",
                "PreToolUse",
                r#"{"decision":"block","reason":"no"}"#,
                true,
            ),
            ("claude-code", "PreToolUse", r#"{"decision":"deny"}"#, false),
            ("copilot-cli", "preToolUse", ROOT, true),
            ("copilot-cli", "preToolUse", NESTED, false),
            ("copilot-cli", "PreToolUse", NESTED, true),
            (
                "copilot-cli",
                "PreToolUse",
                r#"{"decision":"block"}"#,
                false,
            ),
            (
                "copilot-cli",
                "PermissionRequest",
                r#"{"behavior":"deny"}"#,
                true,
            ),
            ("codex", "PreToolUse", NESTED, true),
            ("codex", "PreToolUse", ROOT, false),
            (
                "codex",
                "Stop",
                r#"{"decision":"block","reason":"more"}"#,
                true,
            ),
        ] {
            let reading = of(host, event, stdout);
            assert_eq!(reading.refuses, is_read, "{host} {event} {stdout}");
            assert_eq!(reading.loses_refusal, !is_read, "{host} {event} {stdout}");
        }
        // Noise takes a refusal away on every host.
        for host in ["claude-code", "copilot-cli", "codex", "vscode-local"] {
            let reading = of(host, "PreToolUse", &format!("checking\n{NESTED}"));
            assert!(reading.dropped.is_some() && reading.loses_refusal, "{host}");
        }
        let progress = format!("{{\"type\":\"progress\",\"message\":\"a\"}}\n{ROOT}");
        assert!(of("copilot-cli", "preToolUse", &progress).refuses);
    }

    #[test]
    fn what_no_host_reads_is_dropped_and_silence_is_not() {
        for (host, event, stdout, is_dropped) in [
            ("claude-code", "PreToolUse", "", false),
            ("claude-code", "PreToolUse", "{}", false),
            ("claude-code", "PreToolUse", "checked", true),
            ("claude-code", "SessionStart", "the branch is main", false),
            ("copilot-cli", "sessionStart", "the branch is main", true),
            ("codex", "SessionStart", "the branch is main", false),
            ("codex", "Stop", "done", true),
            ("claude-code", "SessionEnd", "bye", false),
            (
                "claude-code",
                "PostToolUse",
                r#"{"additionalContext":"x"}"#,
                true,
            ),
            (
                "claude-code",
                "PostToolUse",
                r#"{"systemMessage":"x"}"#,
                false,
            ),
            (
                "codex",
                "PreToolUse",
                r#"{"systemMessage":"x","more":1}"#,
                true,
            ),
            ("codex", "PreToolUse", "[]", true),
            (
                "copilot-cli",
                "postToolUse",
                r#"{"additionalContext":"x"}"#,
                false,
            ),
        ] {
            let reading = of(host, event, stdout);
            assert_eq!(
                reading.dropped.is_some(),
                is_dropped,
                "{host} {event} {stdout}"
            );
            assert!(!reading.refuses && !reading.loses_refusal);
        }
    }
}

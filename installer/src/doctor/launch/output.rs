//! Lines that print a decision in a form that their host ignores.

use super::words::Line;
use super::{Judged, Place, Reader, Text};
use crate::doctor::codes::sources as code;
use serde_json::{Map, Value};

pub(super) fn judge(text: &Text, place: &Place, judged: &mut Judged) {
    if text.reader == Reader::PowerShell || !place.can_block {
        return;
    }
    for (_, words) in Line::read(&text.text).commands() {
        let words: Vec<String> = words.iter().map(|word| word.plain()).collect();
        if !words
            .iter()
            .any(|word| matches!(&**word, "echo" | "printf"))
        {
            continue;
        }
        let printed = words.iter().find_map(|word| {
            let document: Value = serde_json::from_str(word.trim_end_matches("\\n")).ok()?;
            document.as_object().cloned()
        });
        if let Some(why) = printed
            .filter(refuses)
            .and_then(|said| ignored(&said, place))
        {
            judged.add(&code::OUTPUT, why);
        }
    }
}

/// Does it mean to refuse something?
fn refuses(said: &Map<String, Value>) -> bool {
    let is_no = |value: &Value| matches!(value.as_str(), Some("deny" | "block" | "ask"));
    said.iter().any(|(key, value)| match (&**key, value) {
        ("decision" | "permissionDecision" | "behavior", value) => is_no(value),
        ("continue", value) => *value == Value::Bool(false),
        ("hookSpecificOutput", Value::Object(nested)) => refuses(nested),
        _ => false,
    })
}

/// Why the host takes it for nothing (claude-code.md section 6, copilot-cli.md section 6,
/// codex-and-vscode.md section 1.7). PreToolUse alone was seen for all of them.
fn ignored(said: &Map<String, Value>, place: &Place) -> Option<String> {
    if !place.event.eq_ignore_ascii_case("PreToolUse") {
        return None;
    }
    let root = |key: &str| said.get(key).and_then(Value::as_str);
    let nested = said.get("hookSpecificOutput").and_then(Value::as_object);
    let nested_decision = nested.and_then(|nested| nested.get("permissionDecision"));
    match place.host {
        "claude-code" => match (root("decision"), nested) {
            (Some(word @ ("deny" | "allow" | "ask")), _) => Some(format!(
                "prints `decision: {word}`, for which Claude Code drops the whole output and runs the call"
            )),
            (None, None) if root("permissionDecision").is_some() => Some(
                "prints `permissionDecision` at the top, which Claude Code ignores; it belongs into \
                 `hookSpecificOutput`"
                    .to_owned(),
            ),
            (None, Some(nested)) if !nested.contains_key("hookEventName") => Some(
                "prints `hookSpecificOutput` without `hookEventName`, for which Claude Code drops \
                 the whole output"
                    .to_owned(),
            ),
            (None, None) if said.get("continue") == Some(&Value::Bool(false)) => Some(
                "prints `continue: false`, for which Claude Code still runs the call".to_owned(),
            ),
            _ => None,
        },
        "copilot-cli" => {
            let is_camel = place.event.starts_with('p');
            let has_form = root("permissionDecision").is_some()
                || (nested_decision.is_some() && !is_camel);
            (!has_form).then(|| {
                "prints a refusal without `permissionDecision` at the top, which Copilot CLI ignores"
                    .to_owned()
            })
        }
        "codex" => {
            const KNOWN: [&str; 7] = [
                "continue", "stopReason", "suppressOutput", "systemMessage", "decision", "reason",
                "hookSpecificOutput",
            ];
            let unknown = said.keys().find(|key| !KNOWN.contains(&&***key));
            unknown.map(|key| {
                format!("prints `{key}` at the top, for which Codex drops the whole output")
            })
        }
        _ => None,
    }
}

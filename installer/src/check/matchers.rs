//! Matchers that match nothing, or more than they seem to.

use super::finding::{Finding, Level};
use crate::trial::samples;
use hookkit_dispatch::contract::{Contract, Subject};
use hookkit_dispatch::host::Host;
use hookkit_dispatch::manifest::{Hook, Manifest};
use hookkit_dispatch::matcher::Matcher;
use hookkit_dispatch::payload::Fields;
use hookkit_launchers::host;
use serde_json::json;

/// Tools of Claude Code, by which patterns are judged.
const TOOLS: [&str; 24] = [
    "Agent",
    "AskUserQuestion",
    "Bash",
    "BashOutput",
    "Edit",
    "EnterPlanMode",
    "ExitPlanMode",
    "Glob",
    "Grep",
    "KillShell",
    "Monitor",
    "MultiEdit",
    "NotebookEdit",
    "PowerShell",
    "Read",
    "Skill",
    "SlashCommand",
    "TaskCreate",
    "TaskUpdate",
    "TodoWrite",
    "ToolSearch",
    "WebFetch",
    "WebSearch",
    "Write",
];

pub(super) fn look(manifest: &Manifest, file: &str, findings: &mut Vec<Finding>) {
    for hook in &manifest.hooks {
        let Some(pattern) = hook.matcher.as_deref() else {
            continue;
        };
        for event in &hook.events {
            let contract = host::ALL
                .iter()
                .find_map(|host| host.host().contract(event));
            let Some(contract) = contract else {
                continue;
            };
            for (level, code, what) in judge(pattern, contract) {
                findings.push(Finding::hook(level, code, file, hook, what));
            }
        }
    }
}

/// How bad it is, its code, and what is said.
pub(crate) type Judgement = (Level, &'static str, String);

pub(crate) fn judge(pattern: &str, contract: &Contract) -> Vec<Judgement> {
    let event = contract.event;
    if contract.subject == Subject::Nothing {
        let what =
            format!("its matcher is ignored: {event} has nothing to match, so it always runs");
        return vec![(Level::Warning, "matcher-ignored", what)];
    }
    match Matcher::read(pattern) {
        Matcher::Names(names) if names.is_empty() => {
            let what = format!("its matcher `{pattern}` names nothing, so the hook never runs");
            vec![(Level::Error, "matcher-empty", what)]
        }
        Matcher::Names(names) if contract.subject == Subject::Tool => {
            names.into_iter().filter_map(tool_name).collect()
        }
        Matcher::Names(names) => names
            .into_iter()
            .filter_map(|name| value(name, event))
            .collect(),
        Matcher::Pattern(pattern) if contract.subject == Subject::Tool => {
            tool_pattern(&pattern).into_iter().collect()
        }
        Matcher::Pattern(_) | Matcher::Everything => Vec::new(),
    }
}

/// A name of a tool that hooks never see.
fn tool_name(name: &str) -> Option<Judgement> {
    if TOOLS.contains(&name) || name == "Task" || name.starts_with("mcp__") {
        return None;
    }
    let similar = TOOLS.iter().find(|tool| tool.eq_ignore_ascii_case(name));
    let translated = host::ALL
        .iter()
        .find_map(|host| Some((host.host().name(), translated(host.host(), name)?)));
    let what = match (similar, translated) {
        (_, Some((host, tool))) => {
            format!("its matcher names `{name}`, which {host} has but hooks see as `{tool}`")
        }
        (Some(tool), None) => {
            format!("its matcher names `{name}`, but the tool is `{tool}`: case counts")
        }
        (None, None) => return None,
    };
    Some((Level::Warning, "matcher-name", what))
}

/// The name under which hooks see a tool of a host, where it is another one.
fn translated(host: &dyn Host, name: &str) -> Option<String> {
    let contract = host.contract("PreToolUse")?;
    let document = json!({"tool_name": name, "tool_input": {}}).to_string();
    let fields = Fields::read(document.as_bytes())?;
    let decoded = host.decode(document.as_bytes(), &fields, contract);
    let seen = decoded.views.first()?.subject.clone()?;
    (seen != name).then(|| seen.into_owned())
}

/// A value that the event never has, where all are known.
fn value(name: &str, event: &str) -> Option<Judgement> {
    let all_are_known = matches!(
        event,
        "SessionStart" | "PreCompact" | "PostCompact" | "Setup"
    );
    let known = samples::subjects(event);
    if !all_are_known || known.contains(&name) {
        return None;
    }
    let what = format!(
        "its matcher names `{name}`, which {event} never has: it is one of {}",
        known.join(", ")
    );
    Some((Level::Warning, "matcher-value", what))
}

/// A pattern that may stand anywhere in a name, which is how Claude Code reads it too.
fn tool_pattern(pattern: &str) -> Option<Judgement> {
    let matched = |pattern: &str| -> Vec<&str> {
        let pattern = Matcher::Pattern(pattern.into());
        let tools = TOOLS.iter().copied();
        tools
            .filter(|tool| pattern.matches(tool).unwrap_or(false))
            .collect()
    };
    let whole = matched(&format!("^(?:{pattern})$"));
    let anywhere = matched(pattern);
    if anywhere.is_empty() && !pattern.contains("mcp") {
        let what = format!(
            "its matcher `{pattern}` fits no tool that hookkit knows: a matcher sees the tool's \
             name, never its arguments"
        );
        return Some((Level::Warning, "matcher-none", what));
    }
    let beyond: Vec<&str> = anywhere
        .into_iter()
        .filter(|tool| !whole.contains(tool))
        .collect();
    if beyond.is_empty() || whole.is_empty() {
        return None;
    }
    let what = format!(
        "its matcher `{pattern}` may stand anywhere in a name, so it also fits {}; begin it with ^ \
         and end it with $ if that is not meant",
        beyond.join(", ")
    );
    Some((Level::Warning, "matcher-wide", what))
}

/// Does none of the tools that a hook names exist on a host?
pub(super) fn names_no_tool_of(hook: &Hook, host: &dyn Host, contract: &Contract) -> bool {
    if contract.subject != Subject::Tool {
        return false;
    }
    let pattern = hook.matcher.as_deref().unwrap_or_default();
    match Matcher::read(pattern) {
        Matcher::Names(names) => {
            !names.is_empty() && !names.iter().any(|name| samples::has_tool(host, name))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(pattern: &str, event: &str) -> Vec<&'static str> {
        let contract = host::ALL
            .iter()
            .find_map(|host| host.host().contract(event))
            .expect("an event");
        judge(pattern, contract)
            .iter()
            .map(|(_, code, _)| *code)
            .collect()
    }

    #[test]
    fn matchers_are_judged_by_what_they_match() {
        for (pattern, event, expected) in [
            ("Bash", "PreToolUse", &[][..]),
            ("Bash|Write", "PreToolUse", &[]),
            ("Task", "PreToolUse", &[]),
            ("mcp__x__y", "PreToolUse", &[]),
            ("mcp__.*", "PreToolUse", &[]),
            ("^(Write|Edit)$", "PreToolUse", &[]),
            ("*", "PreToolUse", &[]),
            ("SomeTool", "PreToolUse", &[]),
            ("bash", "PreToolUse", &["matcher-name"]),
            (
                "create|view",
                "PreToolUse",
                &["matcher-name", "matcher-name"],
            ),
            ("|", "PreToolUse", &["matcher-empty"]),
            ("Write.*|Edit", "PreToolUse", &["matcher-wide"]),
            ("Bash(git *)", "PreToolUse", &["matcher-none"]),
            ("Bash", "Stop", &["matcher-ignored"]),
            ("startup", "SessionStart", &[]),
            ("new", "SessionStart", &["matcher-value"]),
            (".envrc|.env", "FileChanged", &[]),
        ] {
            assert_eq!(codes(pattern, event), expected, "{pattern} on {event}");
        }
    }
}

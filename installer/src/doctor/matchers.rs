//! Matchers that match nothing, everything, or more than they seem to, by each host's rule.

use super::code::Code;
use super::codes::files as code;
use super::finding::Finding;
use crate::check::matchers as rule;
use crate::survey::{Hook, Source, looks_at_matchers};
use hookkit_dispatch::contract::{Contract, Subject};
use hookkit_dispatch::matcher::Matcher;

pub(super) fn judge(source: &Source, hook: &Hook, findings: &mut Vec<Finding>) {
    let Some(contract) = hook.contract else {
        return;
    };
    for node in &hook.matchers {
        let pattern = node
            .text()
            .filter(|text| !matches!(*text, "" | "*" | "**" | ".*"));
        let verdict = pattern.and_then(|text| verdict(source.host, &hook.event, text, contract));
        findings.extend(verdict.map(|(code, what)| {
            Finding::new(code, what)
                .of(source.host)
                .at(&source.file, Some(node.line))
        }));
    }
}

type Verdict = (&'static Code, String);

fn verdict(host: &str, event: &str, pattern: &str, contract: &Contract) -> Option<Verdict> {
    // What begins a session is written for several hosts, of which one looks at it.
    let is_ignored = contract.subject == Subject::Tool && !looks_at_matchers(host, contract);
    if contract.subject == Subject::Nothing || host == "vscode-local" || is_ignored {
        let what = format!("`{pattern}` is not looked at on {event}: it runs every time");
        return Some((&code::MATCHER_IGNORED, what));
    }
    if contract.subject != Subject::Tool {
        return (host == "claude-code")
            .then(|| of_claude(pattern, contract))
            .flatten();
    }
    match host {
        "claude-code" => of_claude(pattern, contract),
        "codex" => of_codex(pattern, contract),
        "copilot-cli" | "vscode-copilot" => of_copilot(event, pattern),
        _ => None,
    }
}

/// The rule is that of `hookkit.json`; a name that only another host has is no mistake as long as
/// one of the others may be meant.
fn of_claude(pattern: &str, contract: &Contract) -> Option<Verdict> {
    // JavaScript has what this dialect lacks.
    if pattern.contains("(?") {
        return None;
    }
    if Matcher::read(pattern).check().is_err() {
        let what = format!("`{pattern}` is no expression, so it never matches");
        return Some((&code::MATCHER_INVALID, what));
    }
    let all = match Matcher::read(pattern) {
        Matcher::Names(names) => names.len(),
        _ => 1,
    };
    let judged = rule::judge(pattern, contract);
    let dead: Vec<&String> = judged
        .iter()
        .filter(|(_, code, _)| match *code {
            "matcher-name" | "matcher-empty" | "matcher-value" => true,
            // Another expression may fit a tool of an MCP server.
            "matcher-none" => names_arguments(pattern),
            _ => false,
        })
        .map(|(.., what)| what)
        .collect();
    if !dead.is_empty() && dead.len() >= all {
        return Some((&code::MATCHER_DEAD, dead[0].clone()));
    }
    if let Some(name) = whole_server(pattern) {
        let what = format!("`{name}` is a server, and no name of a tool; write `{name}__.*`");
        return Some((&code::MATCHER_DEAD, what));
    }
    let wide = judged
        .into_iter()
        .find(|(_, code, _)| *code == "matcher-wide");
    wide.map(|(.., what)| (&code::MATCHER_WIDE, what))
}

/// `Bash(git *)`, as permission rules are written.
fn names_arguments(pattern: &str) -> bool {
    let name = pattern.split_once('(').map_or("", |(name, _)| name);
    let is_known = COPILOT
        .iter()
        .any(|(native, claude)| name == *native || name == *claude);
    pattern.ends_with(')') && !name.is_empty() && is_known
}

/// `mcp__server`, which is the name of no tool.
fn whole_server(pattern: &str) -> Option<&str> {
    let Matcher::Names(names) = Matcher::read(pattern) else {
        return None;
    };
    let is_server = |name: &&str| {
        name.strip_prefix("mcp__")
            .is_some_and(|rest| !rest.trim_end_matches('_').contains("__"))
    };
    (!names.is_empty() && names.iter().all(is_server)).then(|| names[0])
}

/// Tools of Claude Code that Codex does not have.
const NOT_IN_CODEX: [&str; 6] = ["Read", "Glob", "Grep", "MultiEdit", "WebFetch", "TodoWrite"];

/// A list is of letters, digits, `_` and `|` alone; anything else is an expression.
fn of_codex(pattern: &str, contract: &Contract) -> Option<Verdict> {
    let is_list = pattern
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'|'));
    if is_list {
        let mut names = pattern.split('|').filter(|name| !name.is_empty());
        let first = pattern.split('|').next().unwrap_or_default();
        return names.all(|name| NOT_IN_CODEX.contains(&name)).then(|| {
            let what = format!(
                "Codex has no tool `{first}`, and none of the others that `{pattern}` names"
            );
            (&code::MATCHER_DEAD, what)
        });
    }
    if pattern.contains([',', ' ']) && !pattern.contains(['.', '*', '[', '(', '^', '$']) {
        let what =
            format!("`{pattern}` is one expression to Codex, which knows `|` alone between names");
        return Some((&code::MATCHER_DEAD, what));
    }
    of_claude(pattern, contract).filter(|(found, _)| **found != code::MATCHER_DEAD)
}

/// Names that Copilot CLI 1.0.102 sends, and Claude Code's for the same tools.
const COPILOT: [(&str, &str); 27] = [
    ("bash", "Bash"),
    ("powershell", "Bash"),
    ("create", "Write"),
    ("edit", "Edit"),
    ("apply_patch", "Edit"),
    ("str_replace_editor", "Edit"),
    ("view", "Read"),
    ("grep", "Grep"),
    ("rg", "Grep"),
    ("glob", "Glob"),
    ("task", "Agent"),
    ("web_fetch", "WebFetch"),
    ("web_search", "WebSearch"),
    ("ask_user", "AskUserQuestion"),
    ("update_todo", "TodoWrite"),
    ("skill", ""),
    ("sql", ""),
    ("lsp", ""),
    ("read_bash", ""),
    ("write_bash", ""),
    ("stop_bash", ""),
    ("list_bash", ""),
    ("str_replace", ""),
    ("insert", ""),
    ("multi_edit", ""),
    ("exit_plan_mode", ""),
    ("report_intent", ""),
];

fn of_copilot(event: &str, pattern: &str) -> Option<Verdict> {
    let natives = || COPILOT.iter().map(|(native, _)| *native);
    let claudes = || {
        COPILOT
            .iter()
            .map(|(_, claude)| *claude)
            .filter(|name| !name.is_empty())
            .chain(["Task"])
    };
    let is_native = event.starts_with(|first: char| first.is_ascii_lowercase());
    if is_native {
        let whole = Matcher::Pattern(format!("^(?:{pattern})$").into());
        let fits = natives().any(|name| whole.matches(name).unwrap_or(true));
        let names_claude = pattern
            .split('|')
            .all(|name| claudes().any(|known| known == name));
        return (!fits && (names_claude || pattern.contains(','))).then(|| {
            let what = format!(
                "`{pattern}` is compared with Copilot's own names on {event}: bash, create, edit, view, ..."
            );
            (&code::MATCHER_DEAD, what)
        });
    }
    if pattern.contains(',') {
        let what = format!("`{pattern}` is no list to Copilot CLI, which knows `|` alone");
        return Some((&code::MATCHER_DEAD, what));
    }
    if names_arguments(pattern) {
        let what =
            format!("`{pattern}` never matches: a matcher sees a tool's name, never its arguments");
        return Some((&code::MATCHER_DEAD, what));
    }
    let mut items = pattern.split('|');
    let is_dead = |item: &str| {
        let is_name = item
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let known = || natives().chain(claudes());
        is_name
            && !known().any(|name| name == item)
            && known().any(|name| name.eq_ignore_ascii_case(item))
            || item.trim() != item
    };
    items.all(is_dead).then(|| {
        let what = format!("`{pattern}` fits no tool: case counts, and blanks belong to a name");
        (&code::MATCHER_DEAD, what)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use hookkit_dispatch::host::by_name;

    fn found(host: &str, event: &str, pattern: &str) -> Option<&'static str> {
        let contract = by_name(host)?.contract(event)?;
        verdict(host, event, pattern, contract).map(|(code, _)| code.id)
    }

    #[test]
    fn each_host_has_its_own_rule() {
        for (host, event, pattern, expected) in [
            ("claude-code", "PreToolUse", "Bash", None),
            ("claude-code", "PreToolUse", "Bash,Edit", None),
            ("claude-code", "PreToolUse", "bash|Bash", None),
            ("claude-code", "PreToolUse", "bash", Some("HK421")),
            ("claude-code", "PreToolUse", "Bash(git *)", Some("HK421")),
            ("claude-code", "PreToolUse", ".*prompt_engine", None),
            ("claude-code", "PreToolUse", "(", Some("HK420")),
            ("claude-code", "PreToolUse", "^(?!Read)", None),
            ("claude-code", "PreToolUse", "mcp__server", Some("HK421")),
            ("claude-code", "PreToolUse", "mcp__server__.*", None),
            ("claude-code", "PreToolUse", "Write.*|Edit", Some("HK423")),
            ("claude-code", "Stop", "Bash", Some("HK422")),
            ("claude-code", "SessionStart", "new", Some("HK421")),
            ("codex", "PreToolUse", "Bash", None),
            ("codex", "PreToolUse", "Read|Glob", Some("HK421")),
            ("codex", "PreToolUse", "Read|Bash", None),
            ("codex", "PreToolUse", "Bash,Edit", Some("HK421")),
            ("copilot-cli", "preToolUse", "bash", None),
            ("copilot-cli", "preToolUse", "Bash", Some("HK421")),
            ("copilot-cli", "PreToolUse", "Bash|Write", None),
            ("copilot-cli", "PreToolUse", "view", None),
            ("copilot-cli", "PreToolUse", "BASH", Some("HK421")),
            ("copilot-cli", "PreToolUse", "Bash, Write", Some("HK421")),
            ("copilot-cli", "PreToolUse", "Bash(git *)", Some("HK421")),
            ("copilot-cli", "PreToolUse", "mcp__a__(b|c)", None),
            ("vscode-local", "PreToolUse", "Bash", Some("HK422")),
        ] {
            assert_eq!(
                found(host, event, pattern),
                expected,
                "{host} {event} {pattern}"
            );
        }
    }
}

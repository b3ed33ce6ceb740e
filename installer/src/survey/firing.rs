//! Which hooks fire when something happens, by the rules of each host, and why the others do not.

use super::fault::Fault;
use super::pattern::{self, Match};
use super::source::{Hook, HookState, Kind, Source, State};
use crate::edit::outline::Node;
use hookkit_dispatch::contract::{Contract, Subject};
use hookkit_dispatch::host;
use hookkit_dispatch::matcher::Matcher;

/// What happens.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    /// By Claude Code's name or the host's own.
    pub(crate) event: Option<String>,
    pub(crate) tool: Option<String>,
}

/// Does a hook fire?
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fires {
    Yes,
    /// It depends on what nobody said: on what.
    Perhaps(String),
    /// Why not.
    No(String),
}

impl Moment {
    /// Is it about this event of this host?
    pub(crate) fn is_about(&self, host: &str, hook: &Hook) -> bool {
        let Some(event) = &self.event else {
            return self.tool.is_none() || hook.contract.is_none_or(is_of_tools);
        };
        let row = host::by_name(host).and_then(|host| host.contract(event));
        match (row, hook.contract) {
            (Some(asked), Some(own)) => asked.event == own.event,
            _ => *event == *hook.event,
        }
    }

    /// Does this hook fire then?
    pub(crate) fn fires(&self, source: &Source, hook: &Hook) -> Fires {
        if let Some(why) = source.why().or_else(|| hook.why()) {
            return Fires::No(why);
        }
        let Some(contract) = hook.contract else {
            return Fires::No(format!("this host has no event `{}`", hook.event));
        };
        let mut fires = Fires::Yes;
        for matcher in hook.matchers.iter().filter_map(Node::text) {
            match self.matches(source, hook, contract, matcher) {
                Fires::Yes => {}
                other @ Fires::No(_) => return other,
                perhaps @ Fires::Perhaps(_) => fires = perhaps,
            }
        }
        match (self.condition(source, hook), hook.only()) {
            (Fires::Yes, Some(only)) if fires == Fires::Yes => Fires::Perhaps(only),
            (Fires::Yes, _) => fires,
            (other, _) => other,
        }
    }

    fn matches(&self, source: &Source, hook: &Hook, contract: &Contract, matcher: &str) -> Fires {
        if !looks_at_matchers(source.host, contract) {
            return Fires::Yes;
        }
        let rule = Rule::of(source.host, hook, contract);
        if rule.takes_all(matcher) {
            return Fires::Yes;
        }
        let tool = self
            .tool
            .as_deref()
            .filter(|_| contract.subject == Subject::Tool);
        let Some(tool) = tool else {
            return Fires::Perhaps(format!("its matcher is `{matcher}`"));
        };
        let names = names(source.host, hook, contract, tool);
        let mut answer = Match::No;
        for name in &names {
            match rule.matches(matcher, name) {
                Match::Yes => return Fires::Yes,
                Match::Unknown => answer = Match::Unknown,
                Match::No => {}
            }
        }
        let shown = names.join("`, `");
        match answer {
            Match::Unknown => Fires::Perhaps(format!(
                "its matcher `{matcher}` is a pattern that hookkit does not judge"
            )),
            _ => Fires::No(format!("its matcher `{matcher}` does not match `{shown}`")),
        }
    }

    /// Claude Code's `if`: a permission rule, `Tool` or `Tool(what)`.
    fn condition(&self, source: &Source, hook: &Hook) -> Fires {
        let is_claudes = matches!(
            source.kind,
            Kind::ClaudeSettings
                | Kind::ClaudeManaged
                | Kind::ClaudePlugin
                | Kind::ClaudeSkill
                | Kind::ClaudeAgent
        );
        let rule = hook.entry.get("if").and_then(Node::text);
        let Some(rule) = rule.filter(|_| is_claudes) else {
            return Fires::Yes;
        };
        let (tool, what) = rule.split_once('(').unwrap_or((rule, ""));
        match &self.tool {
            Some(asked) if asked != tool => {
                Fires::No(format!("its `if` is `{rule}`, which is not about {asked}"))
            }
            Some(_) if what.is_empty() => Fires::Yes,
            _ => Fires::Perhaps(format!("its `if` is `{rule}`")),
        }
    }
}

impl Source {
    /// Does a hook of it fire on this value: a tool, by any host's name of it, or what else the
    /// event's matchers look at?
    pub(crate) fn fits(&self, hook: &Hook, value: &str) -> bool {
        let Some(contract) = hook
            .contract
            .filter(|row| looks_at_matchers(self.host, row))
        else {
            return true;
        };
        let names = match contract.subject {
            Subject::Tool => names(self.host, hook, contract, value),
            _ => vec![value.to_owned()],
        };
        let rule = Rule::of(self.host, hook, contract);
        let mut matchers = hook.matchers.iter().filter_map(Node::text);
        matchers.all(|matcher| {
            let is_named = |name: &String| rule.matches(matcher, name) == Match::Yes;
            rule.takes_all(matcher) || names.iter().any(is_named)
        })
    }

    /// Why the host leaves all of it out.
    pub(crate) fn why(&self) -> Option<String> {
        match &self.state {
            State::Read => None,
            State::Dropped(fault) => Some(dropped(fault)),
            State::Off(cause) => Some(format!("off: {}", cause.sentence())),
        }
    }
}

impl Hook {
    /// Why the host leaves it out.
    pub(crate) fn why(&self) -> Option<String> {
        match &self.state {
            HookState::Armed | HookState::Within(_) => None,
            HookState::Dropped(fault) => Some(dropped(fault)),
            HookState::Off(cause) => Some(format!("off: {}", cause.sentence())),
        }
    }

    /// During what alone it fires.
    pub(crate) fn only(&self) -> Option<String> {
        match &self.state {
            HookState::Within(what) => Some(format!("only while {what} is active")),
            _ => None,
        }
    }
}

fn dropped(fault: &Fault) -> String {
    match fault.line {
        0 => format!("dropped: {}", fault.wrong.sentence()),
        line => format!("dropped: line {line}: {}", fault.wrong.sentence()),
    }
}

fn is_of_tools(contract: &Contract) -> bool {
    contract.subject == Subject::Tool
}

/// The events on which Copilot CLI 1.0.102 was seen to look at matchers. On any other it does not even
/// check them.
const MATCHED_BY_COPILOT: &[&str] = &[
    "PreToolUse",
    "PreMcpToolCall",
    "PostToolUse",
    "PermissionRequest",
    "SubagentStart",
    "PreCompact",
    "Notification",
];

/// Does the host look at matchers on this event?
pub(crate) fn looks_at_matchers(host: &str, contract: &Contract) -> bool {
    match host {
        "vscode-local" => false,
        "copilot-cli" | "copilot-cloud" | "vscode-copilot" => {
            MATCHED_BY_COPILOT.contains(&contract.event)
        }
        _ => contract.subject != Subject::Nothing,
    }
}

/// How a host reads a matcher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    Claude,
    /// Copilot under a key in camelCase: a pattern for the whole native name.
    CopilotNative,
    /// Copilot under one of Claude's keys.
    CopilotNamed,
    Codex,
}

impl Rule {
    fn of(host: &str, hook: &Hook, contract: &Contract) -> Self {
        match host {
            "claude-code" => Self::Claude,
            "codex" => Self::Codex,
            _ if contract.native == Some(&*hook.event) => Self::CopilotNative,
            _ => Self::CopilotNamed,
        }
    }

    fn takes_all(self, matcher: &str) -> bool {
        match self {
            Self::Claude => Matcher::read(matcher) == Matcher::Everything,
            Self::CopilotNative => matcher == ".*",
            Self::CopilotNamed => matches!(matcher, "*" | "**" | ".*"),
            Self::Codex => matches!(matcher, "" | "*"),
        }
    }

    fn matches(self, matcher: &str, name: &str) -> Match {
        let is_list = |others: &[char]| {
            matcher
                .chars()
                .all(|one| one.is_ascii_alphanumeric() || others.contains(&one))
        };
        match self {
            Self::Claude => match Matcher::read(matcher).matches(name) {
                Ok(true) => Match::Yes,
                Ok(false) => Match::No,
                Err(_) => pattern::anywhere(matcher, name),
            },
            // A blank or a comma breaks a list.
            Self::CopilotNamed if is_list(&['_', '-', '|']) => listed(matcher, name),
            Self::CopilotNative | Self::CopilotNamed => pattern::whole(matcher, name),
            Self::Codex if is_list(&['_', '|']) => listed(matcher, name),
            Self::Codex => pattern::anywhere(matcher, name),
        }
    }
}

fn listed(matcher: &str, name: &str) -> Match {
    let is_it =
        |one: &str| one == name || matches!((one, name), ("Task", "Agent") | ("Agent", "Task"));
    if matcher.split('|').any(is_it) {
        Match::Yes
    } else {
        Match::No
    }
}

/// The tools that Claude Code has a name for and other hosts another.
const NAMED: &[&str] = &[
    "Bash",
    "Write",
    "Edit",
    "Read",
    "Grep",
    "Glob",
    "Agent",
    "WebFetch",
    "WebSearch",
    "AskUserQuestion",
    "TodoWrite",
];

/// The names under which a host shows a tool to a matcher.
fn names(host: &str, hook: &Hook, contract: &Contract, tool: &str) -> Vec<String> {
    let Some(known) = host::by_name(host) else {
        return vec![tool.to_owned()];
    };
    let natives = known.native_tools(tool);
    let claudes = NAMED
        .iter()
        .find(|name| known.native_tools(name).contains(&tool))
        .copied();
    let own = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    if host == "codex" {
        return match tool {
            // Every edit is a patch there, and matches under all three names.
            "Write" | "Edit" | "apply_patch" => own(&["apply_patch", "Edit", "Write"]),
            _ => vec![tool.to_owned()],
        };
    }
    if host == "claude-code" {
        return vec![tool.to_owned()];
    }
    // A permission to make a file is asked as one to edit.
    if contract.event == "PermissionRequest" && (tool == "Write" || claudes == Some("Write")) {
        return own(&["edit", "Edit"]);
    }
    if contract.native == Some(&*hook.event) {
        return match natives {
            [] => vec![tool.to_owned()],
            natives => own(natives),
        };
    }
    let claude = claudes.unwrap_or(tool).to_owned();
    let mut names = vec![claude];
    let natives = if natives.is_empty() {
        std::slice::from_ref(&tool)
    } else {
        natives
    };
    // Native names count in lists, as Claude's do.
    for native in natives {
        if !names.iter().any(|name| name == native) {
            names.push((*native).to_owned());
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As the clients were seen to match: Claude Code 2.1.332, Copilot CLI 1.0.102, Codex 0.171.0.
    #[test]
    fn each_host_has_its_own_rule() {
        use Match::{No, Unknown, Yes};
        use Rule::{Claude, Codex, CopilotNamed, CopilotNative};
        for (rule, matcher, name, expected) in [
            (Claude, "Bash|Edit", "Edit", Yes),
            (Claude, "^Ba", "Bash", Yes),
            (Claude, "bash", "Bash", No),
            (Claude, "(", "Bash", No),
            (Claude, "(?!Read).*", "Bash", Unknown),
            (CopilotNative, "bas.", "bash", Yes),
            (CopilotNative, "bash|create", "create", Yes),
            (CopilotNative, "ba", "bash", No),
            (CopilotNative, "Bash", "bash", No),
            (CopilotNamed, "Bash|Write", "Write", Yes),
            (CopilotNamed, "Task", "Agent", Yes),
            (CopilotNamed, "B.*", "Bash", Yes),
            (CopilotNamed, "Bash,Write", "Bash", No),
            (CopilotNamed, "Bash | Write", "Bash", No),
            (Codex, "Bash|apply_patch", "apply_patch", Yes),
            (Codex, "B.*h", "Bash", Yes),
            (Codex, "^as", "Bash", No),
            (Codex, "Bash(git *)", "Bash", No),
        ] {
            assert_eq!(
                rule.matches(matcher, name),
                expected,
                "{rule:?} {matcher} {name}"
            );
        }
    }
}

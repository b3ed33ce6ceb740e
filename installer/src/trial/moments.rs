//! Which moments a plugin is tried on: few, but so that every hook has its turn.

use super::samples::{Call, Moment, calls_on, subjects};
use hookkit_dispatch::contract::Subject;
use hookkit_dispatch::manifest::{Hook, Manifest};
use hookkit_dispatch::matcher::Matcher;
use hookkit_launchers::host::Launch;

/// What the person asked for; everything may be left open.
#[derive(Default)]
pub(crate) struct Asked<'a> {
    /// By Claude Code's name.
    pub(crate) event: Option<&'static str>,
    pub(crate) tool: Option<&'a str>,
}

/// What the plugin is tried on, and what it cannot be tried on.
#[derive(Default)]
pub(crate) struct Chosen {
    pub(crate) moments: Vec<Moment>,
    pub(crate) untried: Vec<Untried>,
}

/// A hook that no moment is known for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Untried {
    pub(crate) hook: String,
    pub(crate) event: String,
    pub(crate) why: String,
}

/// Chooses moments for all hooks that are for one of the hosts.
pub(crate) fn choose(manifest: &Manifest, hosts: &[&'static dyn Launch], asked: &Asked) -> Chosen {
    let mut chosen = Chosen::default();
    let mut done: Vec<&str> = Vec::new();
    for event in manifest.hooks.iter().flat_map(|hook| &hook.events) {
        let is_meant = asked.event.is_none_or(|asked| asked == event);
        if !is_meant || done.contains(&&**event) {
            continue;
        }
        done.push(event);
        let hooks: Vec<&Hook> = manifest
            .hooks
            .iter()
            .filter(|hook| hook.is_on(event))
            .filter(|hook| hosts.iter().any(|host| concerns(hook, *host)))
            .collect();
        let contract = hosts
            .iter()
            .filter_map(|host| host.host().contract(event))
            .find(|contract| contract.event == event);
        let Some(contract) = contract else {
            let why = "none of these hosts has the event".to_owned();
            chosen.leave(&hooks, event, &why);
            continue;
        };
        match contract.subject {
            Subject::Tool => calls(contract.event, &hooks, asked.tool, &mut chosen),
            _ if asked.tool.is_some() => {}
            Subject::Nothing => chosen.moments.push(Moment {
                event: contract.event,
                subject: None,
                call: None,
            }),
            Subject::Field(_) | Subject::FileName(_) => {
                plain(contract.event, &hooks, &mut chosen);
            }
        }
    }
    chosen
}

/// Is a hook for this host, or for the one whose registration it reads?
fn concerns(hook: &Hook, host: &dyn Launch) -> bool {
    let told = host.told_as().map(|told| told.host().name());
    hook.is_for(host.host().name()) || told.is_some_and(|told| hook.is_for(told))
}

impl Chosen {
    fn leave(&mut self, hooks: &[&Hook], event: &str, why: &str) {
        self.untried.extend(hooks.iter().map(|hook| Untried {
            hook: hook.id.to_string(),
            event: event.to_owned(),
            why: why.to_owned(),
        }));
    }

    fn push_calls(&mut self, event: &'static str, calls: Vec<Call>) {
        self.moments.extend(calls.into_iter().map(|call| Moment {
            event,
            subject: Some(call.tool.clone()),
            call: Some(call),
        }));
    }
}

/// Calls of tools, so that each hook matches at least one.
fn calls(event: &'static str, hooks: &[&Hook], asked: Option<&str>, chosen: &mut Chosen) {
    if let Some(tool) = asked {
        return chosen.push_calls(event, samples_of(event, tool));
    }
    let mut tools: Vec<String> = Vec::new();
    for hook in hooks {
        if tools.iter().any(|tool| matches(hook, tool)) {
            continue;
        }
        match tool_for(event, hook) {
            Some(tool) => {
                chosen.push_calls(event, samples_of(event, &tool));
                tools.push(tool);
            }
            None => chosen.leave(&[hook], event, &unmatched(hook)),
        }
    }
}

/// The tool that a hook is tried on.
fn tool_for(event: &str, hook: &Hook) -> Option<String> {
    let known = calls_on(event)
        .into_iter()
        .map(|call| call.tool)
        .find(|tool| matches(hook, tool));
    known.or_else(|| first_name(hook))
}

fn samples_of(event: &str, tool: &str) -> Vec<Call> {
    let known: Vec<Call> = calls_on(event)
        .into_iter()
        .filter(|call| call.tool == tool)
        .collect();
    if known.is_empty() {
        vec![Call::unknown(tool)]
    } else {
        known
    }
}

/// Moments of an event without a tool, so that each hook matches at least one.
fn plain(event: &'static str, hooks: &[&Hook], chosen: &mut Chosen) {
    let mut values: Vec<String> = Vec::new();
    for hook in hooks {
        if values.iter().any(|value| matches(hook, value)) {
            continue;
        }
        let value = subjects(event)
            .iter()
            .find(|value| matches(hook, value))
            .map(|value| (*value).to_owned())
            .or_else(|| first_name(hook));
        match value {
            Some(value) => {
                chosen.moments.push(Moment {
                    event,
                    subject: Some(value.clone()),
                    call: None,
                });
                values.push(value);
            }
            None => chosen.leave(&[hook], event, &unmatched(hook)),
        }
    }
}

fn matches(hook: &Hook, subject: &str) -> bool {
    let pattern = hook.matcher.as_deref().unwrap_or_default();
    Matcher::read(pattern).matches(subject).unwrap_or(false)
}

/// A name that a matcher lists can be taken as it is.
fn first_name(hook: &Hook) -> Option<String> {
    match Matcher::read(hook.matcher.as_deref()?) {
        Matcher::Names(names) => names.first().map(|name| (*name).to_owned()),
        _ => None,
    }
}

fn unmatched(hook: &Hook) -> String {
    format!(
        "no built-in payload fits its matcher `{}`; give one with --payload, or a tool with --tool",
        hook.matcher.as_deref().unwrap_or_default()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use hookkit_launchers::host;

    fn titles(hooks: &str, asked: &Asked) -> (Vec<String>, Vec<String>) {
        let text = format!(r#"{{"schema":1,"name":"demo","version":"1","hooks":[{hooks}]}}"#);
        let manifest = Manifest::read(&text).expect("JSON");
        let hosts: Vec<_> = host::every().take(2).collect();
        let chosen = choose(&manifest, &hosts, asked);
        (
            chosen
                .moments
                .iter()
                .map(|moment| format!("{}: {}", moment.event, moment.title()))
                .collect(),
            chosen.untried.iter().map(|one| one.hook.clone()).collect(),
        )
    }

    #[test]
    fn every_hook_has_a_moment_and_no_tool_comes_twice() {
        let hooks = r#"{"id":"a","event":"PreToolUse","matcher":"Bash","run":["x"]},
            {"id":"b","event":"PreToolUse","matcher":"Write|Bash","run":["x"]},
            {"id":"c","event":"PreToolUse","matcher":"Read","run":["x"]},
            {"id":"d","event":"PreToolUse","matcher":"mcp__mine__do","run":["x"]},
            {"id":"e","event":"SessionStart","matcher":"resume","run":["x"]},
            {"id":"f","event":"Stop","run":["x"]},
            {"id":"g","event":"PreToolUse","matcher":"^Foo.*bar$","run":["x"]},
            {"id":"h","event":"Unheard","run":["x"]}"#;
        let (titles, untried) = titles(hooks, &Asked::default());
        assert_eq!(
            titles,
            [
                "PreToolUse: Bash, git status",
                "PreToolUse: Bash, git push --force origin main",
                "PreToolUse: Read, README.md",
                "PreToolUse: Read, .env",
                "PreToolUse: mcp__mine__do, {}",
                "SessionStart: resume",
                "Stop: ",
            ]
        );
        assert_eq!(untried, ["g", "h"]);
    }

    #[test]
    fn what_was_asked_for_is_all_there_is() {
        let hooks = r#"{"id":"a","event":["PreToolUse","PostToolUse","Stop"],"run":["x"]}"#;
        let asked = Asked {
            event: Some("PostToolUse"),
            tool: Some("Glob"),
        };
        assert_eq!(titles(hooks, &asked).0, ["PostToolUse: Glob, **/*.py"]);
    }
}

//! Copilot CLI: `hooks.discover` of its headless mode.

use super::{About, PATIENCE, Said};
use crate::rpc::{Framing, Server, offline};
use crate::survey::{Cause, HookState, Kind, Places, Scope, Source, State, Survey, Switch};
use anyhow::Result;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

const HOST: &str = "copilot-cli";

pub(super) fn ask(program: &Path, survey: &Survey, places: &Places) -> Result<Vec<Said>> {
    let mut command = offline(program, places.project());
    command
        .args([
            "--headless",
            "--no-auto-update",
            "--stdio",
            "--no-auto-login",
        ])
        .env("COPILOT_OFFLINE", "true")
        .env("COPILOT_AUTO_UPDATE", "false");
    let mut server = Server::start(command, Framing::Headers, PATIENCE)?;
    let folders = json!({"projectPaths": [places.project()]});
    let answer = server.call("hooks.discover", &folders)?;
    let mut said = compare(&theirs(&answer), &ours(survey, places));
    for error in answer["errors"].as_array().into_iter().flatten() {
        let error = error.as_str().unwrap_or_default();
        said.push(Said::new(HOST, About::Error, format!("it says: {error}")));
    }
    Ok(said)
}

/// How many hooks of each source are on, and how many off, by the client's names for sources.
type Counts = BTreeMap<String, (usize, usize)>;

fn theirs(answer: &Value) -> Counts {
    let mut counts = Counts::new();
    for hook in answer["hooks"].as_array().into_iter().flatten() {
        let source = hook["source"].as_str().unwrap_or_default();
        count(&mut counts, source, hook["enabled"] == true);
    }
    counts
}

/// What the client drops it does not list, nor what is in a folder that nobody trusts or in a plugin
/// that nobody enabled.
fn ours(survey: &Survey, places: &Places) -> Counts {
    let mut counts = Counts::new();
    for source in survey.of(HOST) {
        let is_on = match &source.state {
            State::Read => true,
            State::Dropped(_) => continue,
            State::Off(Cause { switch, .. }) => match switch {
                Switch::AllHooksDisabled | Switch::ManagedOnly => false,
                _ => continue,
            },
        };
        let name = name(source, places);
        for hook in &source.hooks {
            if !matches!(hook.state, HookState::Dropped(_)) {
                let is_on = is_on && hook.state == HookState::Armed;
                count(&mut counts, &name, is_on);
            }
        }
    }
    counts
}

fn count(counts: &mut Counts, source: &str, is_on: bool) {
    let (on, off) = counts.entry(source.to_owned()).or_default();
    *(if is_on { on } else { off }) += 1;
}

/// What the client calls a source.
fn name(source: &Source, places: &Places) -> String {
    if let Some(plugin) = &source.plugin {
        return plugin.id.clone();
    }
    match (source.kind, source.scope) {
        (Kind::CopilotSettings, Scope::User) => "global settings".to_owned(),
        (Kind::CopilotSettings, _) => "repo settings".to_owned(),
        (_, Scope::Project) => {
            let below = source.file.strip_prefix(places.project());
            below.unwrap_or(&source.file).display().to_string()
        }
        _ => source.file.display().to_string(),
    }
}

fn compare(theirs: &Counts, ours: &Counts) -> Vec<Said> {
    let mut names: Vec<&String> = theirs.keys().chain(ours.keys()).collect();
    names.sort();
    names.dedup();
    let of = |counts: &Counts, name: &String| counts.get(name).copied().unwrap_or_default();
    names
        .into_iter()
        .filter(|name| of(theirs, name) != of(ours, name))
        .map(|name| {
            let words = |(on, off): (usize, usize)| match (on, off) {
                (on, 0) => format!("{on} on"),
                (on, off) => format!("{on} on and {off} off"),
            };
            let what = format!(
                "of `{name}` it has {} hooks, and hookkit reads {}",
                words(of(theirs, name)),
                words(of(ours, name)),
            );
            let said = Said::new(HOST, About::Difference, what);
            if Path::new(name).is_absolute() {
                said.at(name)
            } else {
                said
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_counted_otherwise_is_a_difference() {
        let hook = |source: &str, is_on: bool| json!({"source": source, "enabled": is_on});
        let answer = json!({"hooks": [hook("/a.json", true), hook("p@m", false)]});
        let theirs = theirs(&answer);
        let mut ours = Counts::new();
        count(&mut ours, "/a.json", true);
        count(&mut ours, "p@m", false);
        assert_eq!(compare(&theirs, &ours), []);
        count(&mut ours, "p@m", true);
        count(&mut ours, "/b.json", true);
        let said = compare(&theirs, &ours);
        assert_eq!(said.len(), 2);
        assert!(
            said[1].what.contains("`p@m` it has 0 on and 1 off"),
            "{}",
            said[1].what
        );
    }
}

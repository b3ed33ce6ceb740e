//! Codex CLI: `hooks/list` of its app-server, which also knows whether trust still fits.

use super::{About, PATIENCE, Said};
use crate::edit::outline::Node;
use crate::rpc::{Server, offline};
use crate::survey::{Cause, HookState, Places, State, Survey, Switch};
use anyhow::Result;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

const HOST: &str = "codex";

pub(super) fn ask(program: &Path, survey: &Survey, places: &Places) -> Result<Vec<Said>> {
    let mut server = Server::of_codex(offline(program, &places.start), PATIENCE)?;
    let answer = server.call("hooks/list", &json!({"cwds": [places.start]}))?;
    let listed = &answer["data"][0];
    let mut said = compare(&theirs(listed), &ours(survey));
    for error in listed["errors"].as_array().into_iter().flatten() {
        let error = error["message"]
            .as_str()
            .or(error.as_str())
            .unwrap_or_default();
        said.push(Said::new(HOST, About::Error, format!("it says: {error}")));
    }
    Ok(said)
}

/// By what is started: how often it is there, and how often it runs.
type Counts = BTreeMap<String, Standing>;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Standing {
    there: usize,
    runs: usize,
    changed: usize,
}

fn theirs(listed: &Value) -> Counts {
    let mut counts = Counts::new();
    for hook in listed["hooks"].as_array().into_iter().flatten() {
        let Some(command) = hook["command"].as_str() else {
            continue;
        };
        let standing = counts.entry(command.to_owned()).or_default();
        let trust = hook["trustStatus"].as_str().unwrap_or_default();
        standing.there += 1;
        standing.changed += usize::from(trust == "modified");
        let runs = hook["enabled"] == true && matches!(trust, "trusted" | "managed");
        standing.runs += usize::from(runs);
    }
    counts
}

fn ours(survey: &Survey) -> Counts {
    let mut counts = Counts::new();
    for source in survey.of(HOST) {
        match &source.state {
            State::Dropped(_)
            | State::Off(Cause {
                switch: Switch::FolderUntrusted | Switch::FeatureOff | Switch::NotEnabled,
                ..
            }) => continue,
            State::Read | State::Off(_) => {}
        }
        let root = source
            .plugin
            .as_ref()
            .and_then(|plugin| plugin.root.as_ref());
        for hook in &source.hooks {
            let Some(command) = hook.entry.get("command").and_then(Node::text) else {
                continue;
            };
            if matches!(hook.state, HookState::Dropped(_)) {
                continue;
            }
            // It lists a plugin's command with the root in it.
            let command = root.map_or_else(
                || command.to_owned(),
                |root| {
                    let root = root.display().to_string();
                    ["${PLUGIN_ROOT}", "${CLAUDE_PLUGIN_ROOT}"]
                        .iter()
                        .fold(command.to_owned(), |text, name| text.replace(name, &root))
                },
            );
            let standing = counts.entry(command).or_default();
            standing.there += 1;
            standing.runs += usize::from(hook.state == HookState::Armed && source.is_read());
        }
    }
    counts
}

fn compare(theirs: &Counts, ours: &Counts) -> Vec<Said> {
    let mut commands: Vec<&String> = theirs.keys().chain(ours.keys()).collect();
    commands.sort();
    commands.dedup();
    let mut said = Vec::new();
    for command in commands {
        let of = |counts: &Counts| counts.get(command).copied().unwrap_or_default();
        let (its, own) = (of(theirs), of(ours));
        let what = if its.changed > 0 && its.runs != own.runs {
            format!("`{command}` has changed since somebody trusted it, so it does not run")
        } else if its.there != own.there {
            format!(
                "it lists `{command}` {} times, and hookkit reads it {} times",
                its.there, own.there
            )
        } else if its.runs != own.runs {
            format!(
                "it would run `{command}` {} times, and hookkit reads that it runs {} times",
                its.runs, own.runs
            )
        } else {
            continue;
        };
        said.push(Said::new(HOST, About::Difference, what));
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trust_that_no_longer_fits_is_a_difference() {
        let hook = |trust: &str| json!({"hooks": [{"command": "x", "enabled": true, "trustStatus": trust}]});
        let ours = Counts::from([(
            "x".to_owned(),
            Standing {
                there: 1,
                runs: 1,
                changed: 0,
            },
        )]);
        assert_eq!(compare(&theirs(&hook("trusted")), &ours), []);
        let said = compare(&theirs(&hook("modified")), &ours);
        assert!(said[0].what.contains("has changed"), "{}", said[0].what);
        let said = compare(&theirs(&json!({"hooks": []})), &ours);
        assert!(said[0].what.contains("0 times"), "{}", said[0].what);
    }
}

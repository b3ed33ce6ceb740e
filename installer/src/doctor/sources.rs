//! What sources say together: the same hook twice, and what a repository's settings bring along.

use super::codes::{files, sources as code};
use super::finding::Finding;
use crate::edit::Outline;
use crate::edit::outline::{Node, Value};
use crate::survey::{Hook, HookState, Places, Scope, Source, Survey, Twins};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A hook that starts the same in another place, and is not joined with it by its host.
pub(super) fn doubled<'s>(
    twins: &Twins<'s>,
    source: &'s Source,
    hook: &'s Hook,
) -> Option<Finding> {
    // Claude Code runs a line once that stands in several files of settings.
    let joins = |other: &Source| {
        source.host == "claude-code" && source.plugin.is_none() && other.plugin.is_none()
    };
    let (other, twin) = twins
        .again(source, hook)
        .find(|(other, _)| other.file != source.file && !joins(other))?;
    // Said once of two: where the settings name what a plugin brings.
    let is_first = (other.plugin.is_none(), &other.file) < (source.plugin.is_none(), &source.file);
    let place = format!("{}:{}", other.file.display(), twin.line);
    let what = match &other.plugin {
        Some(plugin) => {
            format!(
                "already active through plugin {}: the same hook stands in {place}",
                plugin.id
            )
        }
        None => format!("the same hook stands in {place}"),
    };
    let finding = Finding::new(&code::DOUBLE, what).of(source.host);
    is_first.then(|| finding.at(&source.file, Some(hook.line)))
}

/// A plugin in a repository whose `.github/hooks` and whose `.claude` settings are both read by one
/// agent: the lines differ, so they are no twins, and it runs twice all the same. VS Code's Local agent
/// does with `chat.useClaudeHooks` (its pages of 2026-09); Copilot CLI is given entries that do nothing.
pub(super) fn in_repository_twice(survey: &Survey, findings: &mut Vec<Finding>) {
    let mut known: BTreeMap<(&str, String), &Source> = BTreeMap::new();
    let mut said = BTreeSet::new();
    for source in survey.of("vscode-local").filter(|source| source.is_read()) {
        let is_project = source.scope == Scope::Project && source.plugin.is_none();
        let armed = source
            .hooks
            .iter()
            .filter(|hook| hook.state == HookState::Armed);
        for hook in armed.filter(|_| is_project) {
            let (Some(contract), Some(name)) = (hook.contract, repository_plugin(hook)) else {
                continue;
            };
            let first = *known
                .entry((contract.event, name.clone()))
                .or_insert(source);
            if first.file != source.file && said.insert((name.clone(), &source.file)) {
                let what = format!(
                    "{} starts {name} of this repository too",
                    first.file.display()
                );
                let finding = Finding::new(&code::DOUBLE, what).of(source.host);
                findings.push(
                    finding
                        .at(&source.file, Some(hook.line))
                        .fixed_by("switch `chat.useClaudeHooks` off for this repository"),
                );
            }
        }
    }
}

/// The plugin below `.github/hookkit` that an entry starts.
fn repository_plugin(hook: &Hook) -> Option<String> {
    let text = hook.entry.json().to_string();
    let (_, rest) = text.split_once(".github/hookkit/")?;
    let (name, _) = rest.split_once('/')?;
    Some(name.to_owned())
}

/// Variables by which a program loads code that its author did not choose.
const LOADS_CODE: [&str; 14] = [
    "PATH",
    "BASH_ENV",
    "ENV",
    "NODE_OPTIONS",
    "NODE_PATH",
    "PYTHONPATH",
    "PYTHONSTARTUP",
    "PYTHONHOME",
    "LD_PRELOAD",
    "LD_LIBRARY_PATH",
    "DYLD_INSERT_LIBRARIES",
    "RUBYOPT",
    "PERL5OPT",
    "BUN_OPTIONS",
];

/// `env` of a project's Claude settings, with or without hooks beside it: names alone are said, never
/// values.
pub(super) fn environment(places: &Places, findings: &mut Vec<Finding>) {
    for name in ["settings.json", "settings.local.json"] {
        let file = places.start.join(".claude").join(name);
        let Ok(bytes) = fs_err::read(&file) else {
            continue;
        };
        let outline = Outline::json(&bytes);
        let env = outline.root().and_then(|root| root.get("env"));
        for member in env.map_or(&[][..], Node::members) {
            if LOADS_CODE.contains(&&*member.key) || member.key.starts_with("HOOKKIT_") {
                let what = format!("`env` sets {} for every hook of a session here", member.key);
                findings.push(
                    Finding::new(&code::ENV_CODE, what)
                        .of("claude-code")
                        .at(&file, Some(member.line)),
                );
            }
        }
    }
}

/// Keys that stand twice in one object.
pub(super) fn twice(source: &Source, findings: &mut Vec<Finding>) {
    if let Some(root) = source.root() {
        walk(root, &source.file, findings);
    }
}

fn walk(node: &Node, file: &Path, findings: &mut Vec<Finding>) {
    match &node.value {
        Value::Table(members) => {
            for (index, member) in members.iter().enumerate() {
                let later = members[index + 1..]
                    .iter()
                    .find(|other| other.key == member.key);
                if let Some(later) = later {
                    let what = format!(
                        "`{}` stands here and again in line {}",
                        member.key, later.line
                    );
                    findings.push(Finding::new(&files::TWICE, what).at(file, Some(member.line)));
                }
                walk(&member.node, file, findings);
            }
        }
        Value::List(elements) => {
            for element in elements.iter() {
                walk(element, file, findings);
            }
        }
        _ => {}
    }
}

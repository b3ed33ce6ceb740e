//! What is said of a plugin that goes into a repository.

use super::missing;
use crate::install::project::{Place, Prepared, Record, Told};
use crate::outcome::Stop;
use crate::screen::{BOLD, CAREFUL, GOOD};
use crate::tree::{self, Drift, Standing, Tree, standing};
use hookkit_dispatch::args::IfMissing;
use hookkit_launchers::Role;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// What it is, and what has to be looked at before.
pub(super) fn heading(
    place: &Place,
    prepared: &Prepared,
    old: Option<&Record>,
    warnings: &[String],
) -> String {
    let record = &prepared.record;
    let what = match old {
        _ if prepared.plan.is_empty() => "Nothing to do for",
        Some(old) if old.version != record.version => "Update",
        Some(_) => "Install again:",
        None => "Install",
    };
    let mut text = format!(
        "{what} {BOLD}{} {}{BOLD:#} for everybody who works on {}\n",
        record.name,
        record.version,
        place.root.display()
    );
    for warning in warnings {
        // Writing to a text does not fail.
        let _ = writeln!(text, "  {CAREFUL}careful{CAREFUL:#}: {warning}");
    }
    text.push('\n');
    text
}

/// How things are then, and what nobody should take them for.
pub(super) fn text(place: &Place, prepared: &Prepared) -> String {
    let record = &prepared.record;
    let mut text = format!(
        "\n{GOOD}Installed{GOOD:#} {BOLD}{} {}{BOLD:#} in {}; a clone has it when this is committed\n",
        record.name,
        record.version,
        place.root.display()
    );
    for told in &prepared.told {
        for host in &told.hosts {
            // Writing to a text does not fail.
            let _ = writeln!(text, "  {host:13} runs on {}, {}", events(told), when(host));
        }
    }
    text.push_str(
        "  An agent can change its own checkout: review what it does below .github and .claude\n",
    );
    text
}

/// When a host reads it.
fn when(host: &str) -> &'static str {
    match host {
        "claude-code" => {
            "for a session that starts in the root of the repository: in a subfolder it does not read \
             the root's settings"
        }
        "copilot-cli" => "in a folder that its user trusts",
        _ => "from the default branch",
    }
}

fn events(told: &Told) -> String {
    let mut events: Vec<String> = Vec::new();
    for entry in &told.registration.entries {
        let required = match entry.if_missing {
            IfMissing::Deny => " (required)",
            IfMissing::Allow => "",
        };
        let event = format!("{}{required}", entry.contract.event);
        if !events.contains(&event) {
            events.push(event);
        }
    }
    events.join(", ")
}

/// The same for programs.
pub(super) fn json(place: &Place, prepared: &Prepared, warnings: &[String]) -> Value {
    let hosts: Vec<Value> = prepared
        .told
        .iter()
        .flat_map(|told| told.hosts.iter().map(move |host| (told, host)))
        .map(|(told, host)| {
            let entries = &told.registration.entries;
            let events: Vec<&str> = entries.iter().map(|entry| entry.contract.event).collect();
            json!({"host": host, "events": events, "when": when(host)})
        })
        .collect();
    json!({
        "plugin": prepared.record.name, "version": prepared.record.version, "scope": "project",
        "repository": place.root, "hosts": hosts, "targets": prepared.record.targets,
        "warnings": warnings,
    })
}

/// What keeps a clone from being guarded, each as a sentence.
pub(super) fn careful(place: &Place, prepared: &Prepared) -> Vec<String> {
    let mut warnings = Vec::new();
    let mut written = vec![&place.record];
    for told in &prepared.told {
        let file = if told.is_claude_code() {
            &place.settings
        } else {
            &place.copilot
        };
        written.push(file);
    }
    for file in written {
        if standing(&place.root, &place.below(file)) == Some(Standing::Ignored) {
            warnings.push(format!(
                "git ignores {}, so that no clone has it; take it with `git add --force`",
                file.display()
            ));
        }
    }
    let missing = missing(&prepared.record);
    let claude = prepared.told.iter().find(|told| told.is_claude_code());
    if let Some(claude) = claude.filter(|_| !missing.is_empty()) {
        let entries = &claude.registration.entries;
        let is_required = entries
            .iter()
            .any(|entry| entry.if_missing == IfMissing::Deny);
        let then = if is_required {
            "every call of a required gate is refused"
        } else {
            "its hooks do not run"
        };
        warnings.push(format!(
            "there is a dispatcher for {} alone; with Claude Code on {} {then}. --targets all takes \
             all of a release",
            prepared.record.targets.join(", "),
            missing.join(", ")
        ));
    }
    warnings
}

/// What git does to the files on their way into a clone, each as a sentence.
pub(super) fn faults_of_git(place: &Place, tree: &Tree) -> Result<Vec<String>, Stop> {
    if !place.tree.is_dir() {
        return Ok(Vec::new());
    }
    let sentence = |(path, drift): (String, Drift)| {
        let file = place.tree.join(path);
        let what = match drift {
            Drift::GitMode(Role::Program) => {
                "has no executable bit in git; run git update-index --chmod=+x on it"
            }
            Drift::GitMode(Role::Data) => {
                "has an executable bit in git; run git update-index --chmod=-x on it"
            }
            Drift::Attribute => "gets other line ends from git; look for its attribute `text`",
            _ => return None,
        };
        Some(format!("{} {what}", file.display()))
    };
    Ok(tree::drift(tree, &place.tree)?
        .into_iter()
        .filter_map(sentence)
        .collect())
}

//! What every host sends on every event, from `data/payloads.json`.
//!
//! The members are those of the facts: seen on Claude Code 2.1.332, Copilot CLI 1.0.102 and Codex CLI
//! 0.171.0, documented or read in the source for VS Code's Local harness. The cloud agent and VS Code's
//! Copilot harness send what Copilot CLI sends, by the reference that they share.

use std::sync::OnceLock;

use hookkit_dispatch::host::Host;
use serde_json::{Map, Value};

/// One event, as a host sends it.
#[derive(Debug, Clone)]
pub struct Fixture {
    /// Claude's name of the event, or the host's own.
    pub event: &'static str,
    /// The name that it is registered under.
    pub name: &'static str,
    /// Which of the host's ways of wording this is.
    pub wording: &'static str,
    always: Map<String, Value>,
    sometimes: Map<String, Value>,
}

impl Fixture {
    /// With every member that is known.
    pub fn whole(&self) -> Value {
        let mut members = self.always.clone();
        members.extend(self.sometimes.clone());
        Value::Object(members)
    }

    /// With those members alone that are always there.
    pub fn bare(&self) -> Value {
        Value::Object(self.always.clone())
    }
}

/// Everything that a host sends.
pub fn all(host: &dyn Host) -> Vec<Fixture> {
    wordings(host.name())
        .iter()
        .flat_map(|wording| {
            let events = table()[wording]["events"].as_object();
            let names = events.into_iter().flat_map(Map::keys);
            names.filter_map(move |name| read(host, wording, name))
        })
        .collect()
}

/// What a host sends on an event that is registered under this name, or on the event of this name
/// that can only be registered under another.
pub fn named(host: &dyn Host, name: &str) -> Fixture {
    let sent = all(host);
    let registered = sent.iter().find(|fixture| fixture.name == name);
    registered
        .or_else(|| sent.iter().find(|fixture| fixture.event == name))
        .cloned()
        .unwrap_or_else(|| {
            panic!(
                "data/payloads.json has no {name} of {}: what it sends there is not known",
                host.name()
            )
        })
}

/// The sections of the table that are a host's.
fn wordings(host: &str) -> &'static [&'static str] {
    match host {
        "claude-code" => &["claude-code"],
        "codex" => &["codex"],
        "vscode-local" => &["vscode-local", "vscode-local before 2026-09"],
        "copilot-cli" | "copilot-cloud" | "vscode-copilot" => &[
            "copilot camelCase",
            "copilot PascalCase",
            "copilot PascalCase, sent in camelCase",
        ],
        _ => &[],
    }
}

/// `None` for an event that this host of the family does not have.
fn read(host: &dyn Host, wording: &'static str, name: &'static str) -> Option<Fixture> {
    let contract = host.contract(name)?;
    let family = &table()[wording];
    let event = &family["events"][name];
    Some(Fixture {
        event: contract.event,
        name,
        wording,
        always: joined([&family["always"], &event["always"]], name),
        sometimes: joined([&family["sometimes"], &event["sometimes"]], name),
    })
}

fn joined(parts: [&Value; 2], name: &str) -> Map<String, Value> {
    let members = parts.into_iter().filter_map(Value::as_object).flatten();
    members
        .map(|(key, value)| match value.as_str() {
            Some("$EVENT") => (key.clone(), Value::from(name)),
            _ => (key.clone(), value.clone()),
        })
        .collect()
}

fn table() -> &'static Value {
    static TABLE: OnceLock<Value> = OnceLock::new();
    TABLE.get_or_init(|| {
        serde_json::from_str(include_str!("../data/payloads.json")).expect("the table is JSON")
    })
}

//! How things are after an installation.

use crate::install::{self, OnHost, Prepared};
use crate::screen::{BOLD, CAREFUL, GOOD};
use hookkit_dispatch::args::IfMissing;
use hookkit_dispatch::manifest::Manifest;
use hookkit_launchers::{Entry, Registration};
use serde_json::json;
use std::fmt::Write as _;

/// What is enforced now, one line for each host.
pub(super) fn text(prepared: &Prepared, manifest: &Manifest, live: &[install::Live]) -> String {
    let mut text = format!(
        "\n{GOOD}Installed{GOOD:#} {BOLD}{} {}{BOLD:#}; sessions that start now{} have it\n",
        manifest.name,
        manifest.version,
        match &*prepared.receipt.repositories {
            [] => String::new(),
            some => format!(" in {}", install::listed_repositories(some)),
        }
    );
    for OnHost {
        found,
        installed,
        trust,
    } in &prepared.hosts
    {
        let remains = found.host.remains(installed).join("; ");
        let (name, events) = (found.name(), events(&installed.registration.entries));
        let source = match found.host.seen_on() {
            Some(_) => "",
            None => ", by its source: no test sees it live",
        };
        // Writing to a text does not fail.
        let _ = match super::trust::wanting(trust.as_ref()) {
            None => writeln!(
                text,
                "  {name:12} runs on {events}{source}. A repository can still end it by {remains}"
            ),
            Some(wanting) => writeln!(
                text,
                "  {name:12} {CAREFUL}not enforced{CAREFUL:#} on {events}: {wanting}"
            ),
        };
        if let Some(also) = found.host.also() {
            let entries = Registration::read_by(manifest, also).entries;
            let name = also.host().name();
            let _ = writeln!(
                text,
                "  {name:12} runs on {}{source}, and by the same folder",
                self::events(&entries)
            );
        }
    }
    if !live.is_empty() {
        let _ = writeln!(
            text,
            "  {CAREFUL}careful{CAREFUL:#}: {} started before; its next call has the new files, but \
             other events, matchers and timeouts come with the next session",
            install::listed(live)
        );
    }
    text
}

/// Events, each once, with those on which a gate must not be missing.
fn events(entries: &[Entry]) -> String {
    let mut events: Vec<String> = Vec::new();
    for entry in entries {
        let required = if entry.if_missing == IfMissing::Deny {
            " (required)"
        } else {
            ""
        };
        let event = format!("{}{required}", entry.contract.event);
        if !events.contains(&event) {
            events.push(event);
        }
    }
    events.join(", ")
}

/// The same for programs.
pub(super) fn json(prepared: &Prepared, manifest: &Manifest) -> serde_json::Value {
    let hosts: Vec<_> = prepared
        .hosts
        .iter()
        .map(|on| {
            let OnHost {
                found,
                installed,
                trust,
            } = on;
            let events: Vec<&str> = installed
                .registration
                .entries
                .iter()
                .map(|entry| entry.contract.event)
                .collect();
            let mut told = json!({
                "host": found.name(), "version": found.version, "program": found.program,
                "settings": found.folders().collect::<Vec<_>>(), "events": events,
                "remains": found.host.remains(installed),
                "enforced": super::trust::wanting(trust.as_ref()).is_none(),
            });
            if let Some(also) = found.host.also() {
                told["also"] = json!(also.host().name());
            }
            if let Some(trust) = trust {
                told["trust"] = super::trust::json(trust);
            }
            told
        })
        .collect();
    json!({
        "plugin": manifest.name, "version": manifest.version, "id": prepared.receipt.id,
        "required": prepared.receipt.required, "hosts": hosts,
        "repositories": prepared.receipt.repositories,
    })
}

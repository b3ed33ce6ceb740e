//! How things are after an installation.

use crate::install::{self, OnHost, Prepared};
use crate::screen::{BOLD, CAREFUL, GOOD};
use hookkit_dispatch::args::IfMissing;
use hookkit_dispatch::manifest::Manifest;
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
    for OnHost { found, installed } in &prepared.hosts {
        let entries = &installed.registration.entries;
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
        let remains = found.host.remains(installed).join("; ");
        // Writing to a text does not fail.
        let _ = writeln!(
            text,
            "  {:12} runs on {}. A repository can still end it by {remains}",
            found.name(),
            events.join(", ")
        );
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

/// The same for programs.
pub(super) fn json(prepared: &Prepared, manifest: &Manifest) -> serde_json::Value {
    let hosts: Vec<_> = prepared
        .hosts
        .iter()
        .map(|OnHost { found, installed }| {
            let events: Vec<&str> = installed
                .registration
                .entries
                .iter()
                .map(|entry| entry.contract.event)
                .collect();
            json!({
                "host": found.name(), "version": found.version, "program": found.program,
                "settings": found.folder, "events": events,
                "remains": found.host.remains(installed),
            })
        })
        .collect();
    json!({
        "plugin": manifest.name, "version": manifest.version, "id": prepared.receipt.id,
        "required": prepared.receipt.required, "hosts": hosts,
        "repositories": prepared.receipt.repositories,
    })
}

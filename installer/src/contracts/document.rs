//! The table as one JSON document.

use super::{Wanted, words};
use hookkit_dispatch::contract::Contract;
use hookkit_dispatch::host::Wire;
use serde_json::{Map, Value, json};

/// Changes when a member changes its meaning or goes; new members do not count.
const SCHEMA: u32 = 1;

pub(crate) fn json(wanted: &Wanted) -> Value {
    let hosts = wanted.hosts().iter().map(|host| {
        let rows = wanted.rows(*host);
        let events: Vec<Value> = rows.into_iter().map(event).collect();
        json!({
            "host": host.name(),
            "seen_on": words::seen_on(*host),
            "decisions_are": match host.wire() {
                Wire::Nested => "in hookSpecificOutput",
                Wire::Root => "at the root",
            },
            "root_variables": host.root_variables(),
            "longest_text": host.longest_text(),
            "events": events,
        })
    });
    json!({"schema": SCHEMA, "hosts": hosts.collect::<Vec<_>>()})
}

/// One row. A form is the words that say it, or null where there is none.
fn event(contract: &Contract) -> Value {
    let name = |outcome: &str| outcome.replace(' ', "_");
    let forms: Map<String, Value> = words::forms(contract)
        .into_iter()
        .map(|(outcome, form)| (name(outcome), json!(words::form(form))))
        .collect();
    let failure: Map<String, Value> = words::ways(contract.failure)
        .into_iter()
        .map(|(way, effect)| (name(way), json!(words::effect(effect))))
        .collect();
    json!({
        "event": contract.event,
        "native": contract.native,
        "matcher": words::subject(contract.subject),
        "fields": contract.fields,
        "forms": forms,
        "failure": failure,
        "default_timeout": contract.default_timeout,
        "cap": words::cap(contract),
        "since": contract.since,
        "grade": words::grade(contract.grade),
        "source": contract.source,
    })
}

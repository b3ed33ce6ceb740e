//! Hooks that will not do what they seem to: by their events, modes and times.

use super::finding::{Finding, Level};
use crate::needs::least;
use hookkit_dispatch::event::Mode;
use hookkit_dispatch::manifest::{Hook, Manifest};
use hookkit_launchers::{Registration, host};

pub(super) fn look(manifest: &Manifest, file: &str, findings: &mut Vec<Finding>) {
    for hook in &manifest.hooks {
        findings.extend(milliseconds(hook, file));
        for event in &hook.events {
            findings.extend(unknown_event(hook, event, file));
            findings.extend(silent_by_default(hook, event, file));
            findings.extend(powerless_gate(hook, event, file));
        }
    }
    for needs in manifest.needs.iter().filter(|needs| least(needs).is_none()) {
        let what = format!(
            "`needs` says `{}` of {}, which is not read; write it as \">=3.9\"",
            needs.version, needs.program
        );
        findings.push(Finding::file(Level::Error, "needs", file, what));
    }
    for registration in Registration::all(manifest) {
        findings.extend(cut_timeouts(manifest, &registration, file));
    }
}

fn unknown_event(hook: &Hook, event: &str, file: &str) -> Option<Finding> {
    let contracts = || {
        host::ALL.iter().flat_map(|host| {
            host.host()
                .contracts()
                .iter()
                .map(move |row| (host.host(), row))
        })
    };
    if contracts().any(|(_, row)| row.event == event) {
        return None;
    }
    let native = contracts().find(|(_, row)| row.native == Some(event));
    let similar = contracts().find(|(_, row)| row.event.eq_ignore_ascii_case(event));
    let what = match (native, similar) {
        (Some((host, row)), _) => format!(
            "`{event}` is {}'s name of {}; write \"{}\"",
            host.name(),
            row.event,
            row.event
        ),
        (None, Some((_, row))) => {
            format!("`{event}` is no event, but `{}` is; case counts", row.event)
        }
        (None, None) => {
            format!("no agent that hookkit knows has an event `{event}`: the hook never runs")
        }
    };
    Some(Finding::hook(
        Level::Error,
        "unknown-event",
        file,
        hook,
        what,
    ))
}

/// Other tools count in milliseconds.
fn milliseconds(hook: &Hook, file: &str) -> Option<Finding> {
    let seconds = hook.timeout.as_secs_f64();
    (seconds >= 1000.0).then(|| {
        let what = format!(
            "its timeout is {} minutes: `timeout` is in seconds, was {} meant?",
            (seconds / 60.0).round(),
            seconds / 1000.0
        );
        Finding::hook(Level::Warning, "timeout-long", file, hook, what)
    })
}

/// Only the author can say that text of a hook may speak to the model there; but who wrote a guard
/// should hear that it guards nothing.
fn silent_by_default(hook: &Hook, event: &str, file: &str) -> Option<Finding> {
    let is_silent = hook.mode.is_none() && Mode::default_for(event) == Mode::Silent;
    let can_block = host::ALL
        .iter()
        .filter(|host| hook.is_for(host.host().name()))
        .filter_map(|host| host.host().contract(event))
        .any(hookkit_dispatch::contract::Contract::can_block);
    (is_silent && can_block).then(|| {
        let what = format!(
            "is silent on {event} because it names no `mode`, so a refusal by it is dropped; write \
             \"mode\": \"gate\" if it guards, or \"silent\" if it does not"
        );
        Finding::hook(Level::Warning, "silent-by-default", file, hook, what)
    })
}

/// A gate on an event that nothing can be refused on.
fn powerless_gate(hook: &Hook, event: &str, file: &str) -> Option<Finding> {
    if hook.mode != Some(Mode::Gate) {
        return None;
    }
    let mut rows = host::ALL
        .iter()
        .filter(|host| hook.is_for(host.host().name()))
        .filter_map(|host| host.host().contract(event))
        .filter(|row| row.event == event)
        .peekable();
    rows.peek()?;
    (!rows.any(hookkit_dispatch::contract::Contract::can_block)).then(|| {
        let what = format!("is a gate, but no agent lets a hook refuse anything on {event}");
        Finding::hook(Level::Warning, "powerless-gate", file, hook, what)
    })
}

/// Hooks that want more time than a host gives.
fn cut_timeouts<'a>(
    manifest: &'a Manifest,
    registration: &'a Registration,
    file: &'a str,
) -> impl Iterator<Item = Finding> + 'a {
    let host = registration.host.host().name();
    let cut = registration
        .entries
        .iter()
        .filter(|entry| entry.wanted_timeout > entry.timeout);
    cut.flat_map(move |entry| {
        let event = entry.contract.event;
        let deadline = entry.deadline();
        manifest
            .hooks
            .iter()
            .filter(move |hook| hook.is_on(event) && hook.is_for(host))
            .filter(move |hook| manifest.in_sequence || hook.timeout.as_secs_f64() > deadline)
            .map(move |hook| {
                let what = format!(
                    "{host} gives {event} at most {} s, so the hook is ended after {deadline} s",
                    entry.timeout
                );
                Finding::hook(Level::Warning, "timeout-cut", file, hook, what)
            })
    })
}

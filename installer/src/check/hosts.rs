//! What one host makes of a plugin.

use super::matchers;
use hookkit_dispatch::contract::{Contract, Form};
use hookkit_dispatch::event::{Mode, continues_the_turn};
use hookkit_dispatch::host::{ALIKE, CLAUDE_CODE};
use hookkit_dispatch::manifest::{Hook, Manifest};
use hookkit_launchers::host::{self, Launch};
use hookkit_launchers::{Entry, Registration};
use serde::Serialize;

/// A plugin on one host.
#[derive(Serialize)]
pub(crate) struct OnHost {
    pub(crate) host: &'static str,
    /// The version of the client that this is known from; none where nobody has seen it.
    pub(crate) seen_on: Option<&'static str>,
    pub(crate) starts: Vec<Start>,
    /// What does not work there, each as a sentence.
    pub(crate) lost: Vec<String>,
    pub(crate) without_dispatcher: Vec<Without>,
    /// What a repository can do about it.
    pub(crate) switches: &'static [&'static str],
}

/// One start of the dispatcher.
#[derive(Serialize)]
pub(crate) struct Start {
    pub(crate) event: &'static str,
    /// What the host matches itself; without it the dispatcher is started every time.
    pub(crate) matcher: Option<String>,
    /// The hook that goes there directly.
    pub(crate) hook: Option<String>,
    /// In seconds.
    pub(crate) timeout: u32,
}

/// What becomes of an event when the dispatcher cannot start.
#[derive(Serialize)]
pub(crate) struct Without {
    pub(crate) event: &'static str,
    pub(crate) then: String,
}

/// The plugin on every host.
pub(super) fn all(manifest: &Manifest) -> Vec<OnHost> {
    host::every().map(|host| on_host(manifest, host)).collect()
}

fn on_host(manifest: &Manifest, launch: &'static dyn Launch) -> OnHost {
    let registration = Registration::read_by(manifest, launch);
    let mut lost = lost(manifest, launch, &registration.entries);
    if !registration.entries.is_empty() {
        lost.extend(launch.caveats().iter().map(|caveat| (*caveat).to_owned()));
    }
    OnHost {
        host: launch.host().name(),
        seen_on: launch.seen_on(),
        starts: registration
            .entries
            .iter()
            .map(|entry| Start {
                event: entry.contract.event,
                matcher: entry.matcher.clone(),
                hook: entry.hook.clone(),
                timeout: entry.timeout,
            })
            .collect(),
        lost,
        without_dispatcher: registration
            .entries
            .iter()
            .filter(|entry| entry.hook.is_none() && has_gate(manifest, launch, entry))
            .map(|entry| Without {
                event: entry.contract.event,
                then: launch.without_dispatcher(entry).words(),
            })
            .collect(),
        switches: launch.switches(),
    }
}

/// The host whose hooks run: where payloads do not tell a host from the one that it is told as,
/// that one's.
fn taken_for(launch: &dyn Launch) -> &'static str {
    let name = launch.host().name();
    let told = launch.told_as().map(|told| told.host().name());
    ALIKE
        .iter()
        .find(|row| row.host == name && row.events.is_empty() && Some(row.taken_for) == told)
        .map_or(name, |row| row.taken_for)
}

fn hooks_on<'m>(
    manifest: &'m Manifest<'m>,
    launch: &'m dyn Launch,
    event: &'m str,
) -> impl Iterator<Item = &'m Hook<'m>> {
    let host = taken_for(launch);
    manifest
        .hooks
        .iter()
        .filter(move |hook| hook.is_on(event) && hook.is_for(host))
}

fn has_gate(manifest: &Manifest, launch: &dyn Launch, entry: &Entry) -> bool {
    let event = entry.contract.event;
    hooks_on(manifest, launch, event).any(|hook| hook.mode_on(event) == Mode::Gate)
}

fn lost(manifest: &Manifest, launch: &dyn Launch, entries: &[Entry]) -> Vec<String> {
    let host = launch.host();
    let taken_for = taken_for(launch);
    let told = launch.told_as().unwrap_or(launch).host().name();
    let mut lost = Vec::new();
    for hook in manifest
        .hooks
        .iter()
        .filter(|hook| hook.is_for(host.name()) || hook.is_for(taken_for))
    {
        for event in &hook.events {
            let is_started = hook.is_for(taken_for)
                && entries
                    .iter()
                    .any(|entry| entry.contract.event == event && entry.starts(hook));
            match host.contract(event).filter(|row| row.event == event) {
                None => lost.push(format!("hook `{}`: there is no {event}", hook.id)),
                Some(_) if !is_started => lost.push(format!(
                    "hook `{}`: {event} does not start it; what {told} is told is read there, so \
                     `hosts` must name {told} too",
                    hook.id
                )),
                Some(contract) if matchers::names_no_tool_of(hook, host, contract) => {
                    lost.push(format!(
                        "hook `{}`: none of its tools exists there",
                        hook.id
                    ));
                }
                Some(contract) => {
                    lost.extend(contract.since.map(|since| {
                        format!(
                            "hook `{}`: {event} came with {since}; older clients that do not \
                                 know it may drop all hooks of the plugin",
                            hook.id
                        )
                    }));
                }
            }
        }
    }
    let mut done: Vec<&str> = Vec::new();
    for entry in entries.iter().filter(|entry| entry.hook.is_none()) {
        let contract = entry.contract;
        if done.contains(&contract.event) {
            continue;
        }
        done.push(contract.event);
        let modes: Vec<Mode> = hooks_on(manifest, launch, contract.event)
            .map(|hook| hook.mode_on(contract.event))
            .collect();
        let missing = without_form(contract, &modes);
        if !missing.is_empty() {
            lost.push(format!("on {}: {}", contract.event, missing.join(", ")));
        }
    }
    lost
}

/// Outcomes that hooks can say by their contract and that this host has no form for.
fn without_form(contract: &Contract, modes: &[Mode]) -> Vec<String> {
    let Some(claude) = CLAUDE_CODE.contract(contract.event) else {
        return Vec::new();
    };
    let is_absent = |own: Form, claudes: Form| own == Form::Absent && claudes != Form::Absent;
    let gates = modes.contains(&Mode::Gate);
    let speaks = gates || modes.contains(&Mode::Observe);
    let refuses = if contract.can_block() {
        "becomes a refusal"
    } else {
        "goes nowhere"
    };
    let defers = if contract.ask == Form::Absent {
        refuses
    } else {
        "becomes ask"
    };
    // A hook that ends the turn is no reason to keep the turn from ending.
    let stops = if continues_the_turn(contract.event) {
        "goes nowhere"
    } else {
        refuses
    };
    let all = [
        (gates, "deny", contract.deny, claude.deny, "goes nowhere"),
        (gates, "ask", contract.ask, claude.ask, refuses),
        (gates, "defer", contract.defer, claude.defer, defers),
        (
            gates,
            "a new input",
            contract.rewrite_input,
            claude.rewrite_input,
            "goes nowhere",
        ),
        (
            speaks,
            "a new result",
            contract.rewrite_result,
            claude.rewrite_result,
            "goes nowhere",
        ),
        (
            speaks,
            "context",
            contract.context,
            claude.context,
            "goes nowhere",
        ),
        (gates, "stop", contract.stop, claude.stop, stops),
        (
            speaks,
            "a notice to the user",
            contract.notice,
            claude.notice,
            "goes nowhere",
        ),
    ];
    all.into_iter()
        .filter(|(is_said, _, own, claudes, _)| *is_said && is_absent(*own, *claudes))
        .map(|(_, outcome, _, _, then)| format!("{outcome} {then}"))
        .collect()
}

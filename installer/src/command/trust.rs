//! What a person is told of hooks that an agent starts only once they have been trusted.

use crate::install::{OnHost, Trust, TrustState};
use crate::screen::{BOLD, DIM};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Every hook that would be trusted: event, command, and the hash that stands for both.
pub(super) fn listed(hosts: &[OnHost]) -> String {
    let mut text = String::new();
    for OnHost { found, trust, .. } in hosts {
        let Some(trust) = trust.as_ref().filter(|trust| !trust.hooks.is_empty()) else {
            continue;
        };
        // Writing to a text does not fail.
        let _ = writeln!(text, "  {BOLD}What {} trusts{BOLD:#}", found.name());
        for hook in &trust.hooks {
            let matcher = hook.matcher.as_deref().unwrap_or("everything");
            let _ = writeln!(text, "    {} on {matcher}: {}", hook.event, hook.command);
            let _ = writeln!(text, "      {DIM}{}{DIM:#}", hook.hash);
        }
    }
    text
}

/// What is asked where somebody can answer.
pub(super) fn question(hosts: &[OnHost]) -> Option<String> {
    let wants = |host: &&OnHost| {
        let trust = host.trust.as_ref();
        trust.is_some_and(|trust| trust.state == TrustState::Missing)
    };
    let host = hosts.iter().find(wants)?.found.name();
    Some(format!(
        "Shall {host} trust these hooks as they are now? It starts none of them else."
    ))
}

/// What keeps hooks from being started, and what to do; nothing where they are.
pub(super) fn wanting(trust: Option<&Trust>) -> Option<String> {
    const IN_CODEX: &str = "start codex and review them with /hooks";
    let trust = trust?;
    match &trust.state {
        TrustState::Given => {
            let off = trust.off.as_ref()?;
            Some(format!("{off} switches them off; make it true"))
        }
        TrustState::Missing => Some(format!(
            "its hooks do not run until you have trusted them. Say the same again with --trust, or \
             {IN_CODEX}"
        )),
        TrustState::Unknown(why) => Some(format!(
            "its hooks do not run until you have trusted them; {IN_CODEX} ({why})"
        )),
    }
}

pub(super) fn json(trust: &Trust) -> Value {
    let state = match trust.state {
        TrustState::Given => "given",
        TrustState::Missing => "missing",
        TrustState::Unknown(_) => "unknown",
    };
    let hooks = trust.hooks.iter().map(|hook| {
        json!({
            "event": hook.event, "matcher": hook.matcher, "command": hook.command,
            "hash": hook.hash,
        })
    });
    json!({"state": state, "hooks": hooks.collect::<Vec<_>>()})
}

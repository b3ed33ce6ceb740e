//! What the host is told when hookkit itself cannot do its work (design: section 8).
//!
//! A gate that cannot decide denies; anything else says nothing to the host and one line to people.

use crate::args::IfMissing;
use crate::contract::Contract;
use crate::event::{Mode, continues_the_turn};
use crate::host::Host;
use crate::merge::Outcome;
use crate::reply::{Reply, Wording, encode};
use crate::verdict;

/// The event that a failure concerns, as far as it is known.
#[derive(Clone, Copy)]
pub struct At<'a> {
    pub host: &'static dyn Host,
    pub contract: &'static Contract,
    /// Contracts of other hosts that may read the same reply.
    pub shared_with: Option<&'static Contract>,
    pub stop_hook_active: bool,
    /// The plugin's name, where it is known.
    pub plugin: Option<&'a str>,
}

impl At<'_> {
    /// Writes an outcome for the host.
    pub fn encode(&self, outcome: &Outcome, input: Option<&[u8]>, result: Option<&[u8]>) -> Reply {
        let contracts: Vec<&Contract> = std::iter::once(self.contract)
            .chain(self.shared_with)
            .collect();
        let wording = Wording {
            input,
            result,
            longest_text: self.host.longest_text(),
        };
        encode(&contracts, outcome, &wording)
    }

    /// Refuses, where the event can be refused and the refusal does not hold up the end of a turn
    /// that was held up already; else one line for people.
    pub fn deny(&self, reason: &str) -> Reply {
        let event = self.contract.event;
        let blocks =
            self.contract.can_block() && verdict::fault_blocks(event, self.stop_hook_active);
        if blocks {
            self.encode(&Outcome::deny(reason), None, None)
        } else {
            Reply::note(reason)
        }
    }

    /// Is a hook on this event a gate unless it says otherwise?
    pub fn is_gated(&self) -> bool {
        self.contract.can_block() && Mode::default_for(self.contract.event) == Mode::Gate
    }
}

/// The plugin was not found.
pub fn missing(
    at: &At,
    why: &str,
    if_missing: Option<IfMissing>,
    required: Option<&[String]>,
) -> Reply {
    let named = at
        .plugin
        .map_or_else(String::new, |plugin| format!(" `{plugin}`"));
    let is_required = match (if_missing, required) {
        (Some(rule), _) => rule == IfMissing::Deny,
        (None, Some(events)) => events.iter().any(|event| event == at.contract.event),
        (None, None) => false,
    };
    if is_required {
        at.deny(&format!(
            "A required plugin{named} cannot be loaded: {why}. {} Ask the user to run `hookkit \
             doctor` or to install the plugin again.",
            consequence(at.contract.event)
        ))
    } else {
        Reply::note(&format!(
            "plugin{named} is not enforced: {why}; run `hookkit doctor`"
        ))
    }
}

/// A hook's reason to deny, when the hook itself is at fault.
pub fn hook_at_fault(event: &str, plugin: &str, hook: &str, fault: &verdict::Fault) -> String {
    match &fault.own_reason {
        Some(reason) => reason.clone(),
        None => format!(
            "Hook `{hook}` of plugin `{plugin}` {fault}. {} Ask the user to run `hookkit test` on \
             the plugin.",
            consequence(event)
        ),
    }
}

/// What a refusal by default means, as a sentence for the model.
pub fn consequence(event: &str) -> &'static str {
    if continues_the_turn(event) {
        "It has to decide before the turn may end; this is said once."
    } else {
        "It has to decide before this may happen, so it is refused."
    }
}

/// hookkit does not know what the registration asks of it: that guards nothing. It is said in the
/// one way that stops a tool call on every host, and stops no other event.
pub fn unknown_registration(event: Option<&str>, why: &str) -> Reply {
    match event {
        Some("PreToolUse" | "preToolUse") | None => unknown_event(why),
        Some(_) => Reply::note(why),
    }
}

/// Nothing is known of the event, and it might be a tool call: exit code 2 is the one refusal that
/// every host reads.
pub fn unknown_event(why: &str) -> Reply {
    Reply {
        code: 2,
        ..Reply::note(why)
    }
}

//! Which event it is: by its name in the payload or on the command line, else by its shape.

use crate::args::Args;
use crate::contract::Contract;
use crate::host::Host;
use crate::payload::Fields;

/// The event that is to be answered.
pub(super) enum Event {
    Known(&'static Contract),
    /// Named, but not one of the host's events.
    Other(String),
    /// Not named, and it might be a tool call.
    Unclear,
}

pub(super) fn event(args: &Args, host: &dyn Host, fields: Option<&Fields>) -> Event {
    let own = fields.and_then(|fields| {
        fields
            .text("hook_event_name")
            .or_else(|| fields.text("hookEventName"))
    });
    let by_name = [own.as_deref(), args.event.as_deref()];
    let known = by_name
        .iter()
        .flatten()
        .find_map(|name| host.contract(name));
    if let Some(contract) = known {
        return Event::Known(contract);
    }
    if let Some(name) = by_name.into_iter().flatten().next() {
        return Event::Other(name.to_owned());
    }
    let Some(fields) = fields else {
        return Event::Unclear;
    };
    match host.event_of_shape(fields) {
        Some(name) => host
            .contract(name)
            .map_or_else(|| Event::Other(name.to_owned()), Event::Known),
        None if fields.get("tool_name").is_none() => Event::Other(String::new()),
        None => Event::Unclear,
    }
}

/// An event that is newer than this build: a direct hook knows what its output means.
pub(super) fn unheard_of(name: String) -> &'static Contract {
    const LIMIT: f64 = 30.0;
    // One for the life of a process that handles one event.
    let name = Box::leak(name.into_boxed_str());
    Box::leak(Box::new(Contract::told(name, LIMIT, "named by the host")))
}

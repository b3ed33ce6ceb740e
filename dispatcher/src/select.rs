//! Which hooks of a manifest an event concerns.

use crate::contract::{Contract, Subject};
use crate::event::Mode;
use crate::host::{Decoded, View};
use crate::manifest::{Hook, Manifest};
use crate::matcher::Matcher;

/// One hook on one view of the event.
#[derive(Clone, Copy, Debug)]
pub struct Selected<'a, 'm> {
    pub hook: &'a Hook<'m>,
    pub mode: Mode,
    /// Which view of the event it sees.
    pub view: usize,
}

/// The hooks to run, in registration order, and for a patch in the order of its files.
pub fn select<'a, 'm>(
    manifest: &'a Manifest<'m>,
    host: &str,
    contract: &Contract,
    decoded: &Decoded,
) -> Vec<Selected<'a, 'm>> {
    let mut selected = Vec::new();
    for hook in on_event(manifest, host, contract.event) {
        let mode = hook.mode_on(contract.event);
        for (index, view) in decoded.views.iter().enumerate() {
            if concerns(hook, mode, contract, view) {
                selected.push(Selected {
                    hook,
                    mode,
                    view: index,
                });
            }
        }
    }
    selected
}

/// The hooks registered for an event of a host, whatever their matcher.
pub fn on_event<'a, 'm>(
    manifest: &'a Manifest<'m>,
    host: &str,
    event: &str,
) -> impl Iterator<Item = &'a Hook<'m>> {
    manifest
        .hooks
        .iter()
        .filter(move |hook| hook.is_on(event) && hook.is_for(host))
}

/// Does a view of the event concern a hook: does its matcher match?
///
/// A gate whose pattern cannot be read, or whose subject the payload does not name, runs: it must
/// not be inert. The other modes do not run then.
pub fn concerns(hook: &Hook, mode: Mode, contract: &Contract, view: &View) -> bool {
    let Some(pattern) = hook.matcher.as_deref() else {
        return true;
    };
    if contract.subject == Subject::Nothing {
        return true;
    }
    let matcher = Matcher::read(pattern);
    let Some(subject) = view.subject.as_deref() else {
        return mode == Mode::Gate || matcher == Matcher::Everything;
    };
    let guards_against = |name: &&str| matcher.matches(name).unwrap_or(true);
    if mode == Mode::Gate && view.might_be.iter().any(guards_against) {
        return true;
    }
    let is_meant = |name: &String| matcher.matches(name).unwrap_or(false);
    if view.other_names.iter().any(is_meant) {
        return true;
    }
    matcher.matches(subject).unwrap_or(mode == Mode::Gate)
}

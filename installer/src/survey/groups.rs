//! The three levels of hooks: events, groups, entries.

use super::fault::{Fault, Wrong};
use super::handler::Handler;
use super::source::{Hook, HookState};
use crate::edit::outline::{Member, Node};
use hookkit_dispatch::contract::Contract;
use std::rc::Rc;

/// One entry, with what is around it.
pub(super) struct Item<'n> {
    pub(super) event: &'n Member,
    pub(super) group: usize,
    pub(super) index: usize,
    /// The group's, and one of its own.
    pub(super) matchers: Vec<&'n Node>,
    /// The entry; the group or the event where there is none to be found in it.
    pub(super) entry: &'n Node,
    /// Why there is none.
    pub(super) fault: Option<Fault>,
}

impl Item<'_> {
    pub(super) fn hook(
        &self,
        event: impl Into<Rc<str>>,
        contract: Option<&'static Contract>,
        handler: Handler,
        state: HookState,
    ) -> Hook {
        Hook {
            event: event.into(),
            event_line: self.event.line,
            contract,
            matchers: self.matchers.iter().copied().cloned().collect(),
            group: self.group,
            index: self.index,
            line: self.entry.line,
            entry: self.entry.clone(),
            handler,
            state,
        }
    }
}

/// How a host takes the list of an event.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Groups with `hooks`, as Claude Code has them.
    Groups,
    /// Groups or entries, as Copilot and VS Code take them.
    Either,
}

/// Every entry of the events in a table, in the order of the file.
pub(super) fn items(hooks: &Node, form: Form) -> Vec<Item<'_>> {
    let mut found = Vec::new();
    for event in hooks.members() {
        of_event(event, form, &mut found);
    }
    found
}

fn of_event<'n>(event: &'n Member, form: Form, found: &mut Vec<Item<'n>>) {
    let item = |group, index, entry, matchers, fault| Item {
        event,
        group,
        index,
        matchers,
        entry,
        fault,
    };
    if !event.node.is_list() {
        let fault = Fault::new(event.line, Wrong::NoList(event.key.to_string()));
        found.push(item(0, 0, &event.node, Vec::new(), Some(fault)));
        return;
    }
    for (number, group) in event.node.elements().iter().enumerate() {
        if !group.is_table() {
            let fault = Fault::new(
                group.line,
                Wrong::NoTable(format!("{}[{number}]", event.key)),
            );
            found.push(item(number, 0, group, Vec::new(), Some(fault)));
            continue;
        }
        let matcher = group.get("matcher");
        let inner = match (group.get("hooks"), form) {
            (Some(inner), _) if inner.is_list() => inner,
            (Some(inner), Form::Groups) => {
                let fault = Fault::new(inner.line, Wrong::NoList("hooks".to_owned()));
                found.push(item(number, 0, group, Vec::new(), Some(fault)));
                continue;
            }
            (None, Form::Groups) => {
                let fault = Fault::new(group.line, Wrong::Flat);
                found.push(item(number, 0, group, Vec::new(), Some(fault)));
                continue;
            }
            (_, Form::Either) => {
                let matchers = matcher.into_iter().collect();
                found.push(item(number, 0, group, matchers, None));
                continue;
            }
        };
        for (index, entry) in inner.elements().iter().enumerate() {
            let own = (form == Form::Either)
                .then(|| entry.get("matcher"))
                .flatten();
            let matchers = matcher.into_iter().chain(own).collect();
            let fault = if !entry.is_table() {
                Some(Wrong::NoTable(format!("hooks[{index}]")))
            } else if form == Form::Either && entry.get("hooks").is_some() {
                Some(Wrong::Nested)
            } else {
                None
            };
            let fault = fault.map(|wrong| Fault::new(entry.line, wrong));
            found.push(item(number, index, entry, matchers, fault));
        }
    }
}

/// A member that is there and is no text.
pub(super) fn no_text(entry: &Node, key: &str) -> Option<Fault> {
    wrong(entry, key, "is no text", |node| node.text().is_some())
}

/// A member that is there and is no number over 0.
pub(super) fn no_time(entry: &Node, key: &str) -> Option<Fault> {
    wrong(entry, key, "is no number over 0", |node| {
        node.number().is_some_and(|number| number > 0.0)
    })
}

/// A member that is there and is no list of texts.
pub(super) fn no_texts(entry: &Node, key: &str) -> Option<Fault> {
    wrong(entry, key, "is no list of texts", |node| {
        node.is_list() && node.elements().iter().all(|one| one.text().is_some())
    })
}

/// A member that is there and is none of these words.
pub(super) fn none_of(entry: &Node, key: &str, words: &[&str], why: &'static str) -> Option<Fault> {
    wrong(entry, key, why, |node| {
        node.text().is_some_and(|text| words.contains(&text))
    })
}

/// A member that is there and is not as it should be.
pub(super) fn wrong(
    entry: &Node,
    key: &str,
    why: &'static str,
    is_right: impl Fn(&Node) -> bool,
) -> Option<Fault> {
    let node = entry.get(key)?;
    (!is_right(node)).then(|| {
        let key = key.to_owned();
        Fault::new(node.line, Wrong::Value { key, why })
    })
}

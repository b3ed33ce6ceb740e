//! What Claude Code is told in a project's `.claude/settings.json`, beside what others have there.

use super::repository::Place;
use crate::edit::{Change, Document, Refused, Undo};
use hookkit_launchers::repository::claude_code::{SETTINGS, is_handler};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// The member that holds what is ours.
const HOOKS: &str = "hooks";

/// What the record keeps of the file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Entered {
    /// Was there no such file?
    made: bool,
    /// Was there no `hooks` in it?
    made_hooks: bool,
    /// The events for which there was no list.
    made_events: Vec<String>,
    /// With paths below the repository.
    undo: Undo,
}

impl Entered {
    /// Takes over what another plugin made, now that it goes: whoever is last takes it away.
    pub(super) fn inherit(&mut self, gone: &Self) {
        self.made |= gone.made;
        self.made_hooks |= gone.made_hooks;
        for event in &gone.made_events {
            if !self.made_events.contains(event) {
                self.made_events.push(event.clone());
            }
        }
    }

    /// The way back, if it is one of this file and of no other.
    fn undo(&self, place: &Place) -> Option<Undo> {
        let undo = self.undo.clone().below(&place.root);
        (undo.file == place.settings && undo.stays_in(&place.root)).then_some(undo)
    }
}

/// The change by which the file holds these groups of a plugin and no others of it.
pub(super) fn tell(
    place: &Place,
    wanted: &[(&'static str, Value)],
    earlier: Option<&Entered>,
) -> Result<(Change, Option<Entered>), Refused> {
    let mut document = Document::open(&place.settings)?;
    let mut by_event: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for (event, group) in wanted {
        by_event
            .entry((*event).to_owned())
            .or_default()
            .push(group.clone());
    }
    if groups(&document, &place.plugin) == by_event {
        return Ok((document.change().shared(), earlier.cloned()));
    }
    let made_hooks = document.value(&[HOOKS]).is_none();
    let mut made_events = earlier.map_or_else(Vec::new, |earlier| earlier.made_events.clone());
    remove(&mut document, &place.plugin, |_| 0)?;
    for (event, group) in wanted {
        let is_known = made_events.iter().any(|made| made == event);
        if document.value(&[HOOKS, event]).is_none() && !is_known {
            made_events.push((*event).to_owned());
        }
        document.push(&[HOOKS, event], group.clone())?;
    }
    // An event that has no hook of the plugin any more.
    for event in &made_events {
        if !by_event.contains_key(event)
            && document.value(&[HOOKS, event]) == Some(Value::Array(Vec::new()))
        {
            document.remove(&[HOOKS, event], 0)?;
        }
    }
    made_events.retain(|event| by_event.contains_key(event));
    let change = document.change().shared();
    let made = change.before().is_none();
    let entered = change.undo().relative_to(&place.root).map(|undo| Entered {
        made: earlier.map_or(made, |earlier| earlier.made),
        made_hooks: earlier.map_or(made_hooks, |earlier| earlier.made_hooks),
        made_events,
        undo,
    });
    Ok((change, entered))
}

/// The change that takes out what is a plugin's: by the record the file as it was before, where
/// nobody else changed it since; else without our entries. Nothing where there is none.
pub(super) fn take_out(
    place: &Place,
    entered: Option<&Entered>,
) -> Result<Option<Change>, Refused> {
    // Without a record, what would be empty without ours was made for it.
    let prune = |event: &str| match entered {
        None => 2,
        Some(entered) if !entered.made_events.iter().any(|made| made == event) => 0,
        Some(entered) => 1 + usize::from(entered.made_hooks),
    };
    let edit = |document: &mut Document| remove(document, &place.plugin, prune);
    if let Some(undo) = entered.and_then(|entered| entered.undo(place)) {
        let change = undo.change(edit)?;
        // After an update the bytes before may hold what was ours then.
        if !change.after().is_some_and(|after| holds_ours(place, after)) {
            return Ok(Some(without_nothing(change, place, entered)?));
        }
    }
    if !place.settings.is_file() {
        return Ok(None);
    }
    let may_be_ours = |text: &str| text.contains(&format!("/{}/", place.plugin));
    if !fs_err::read_to_string(&place.settings).is_ok_and(|text| may_be_ours(&text)) {
        // A file that holds nothing of ours keeps nobody from going on, whatever is wrong with it.
        return Ok(None);
    }
    let mut document = Document::open(&place.settings)?;
    edit(&mut document)?;
    without_nothing(document.change(), place, entered).map(Some)
}

/// A file that we made and in which nothing is left goes.
fn without_nothing(
    change: Change,
    place: &Place,
    entered: Option<&Entered>,
) -> Result<Change, Refused> {
    let is_nothing = change
        .after()
        .is_some_and(|after| after.trim_ascii() == b"{}");
    if is_nothing && entered.is_some_and(|entered| entered.made) {
        return Change::delete(&place.settings);
    }
    Ok(change)
}

fn holds_ours(place: &Place, bytes: &[u8]) -> bool {
    Document::read(Path::new(SETTINGS), bytes)
        .is_ok_and(|document| !groups(&document, &place.plugin).is_empty())
}

/// The groups in which anything is a plugin's, by event.
fn groups(document: &Document, plugin: &str) -> BTreeMap<String, Vec<Value>> {
    let Some(Value::Object(hooks)) = document.value(&[HOOKS]) else {
        return BTreeMap::new();
    };
    let mut found = BTreeMap::new();
    for (event, groups) in hooks {
        let Value::Array(groups) = groups else {
            continue;
        };
        let ours: Vec<Value> = groups
            .into_iter()
            .filter(|group| handlers(group).iter().any(|one| is_handler(one, plugin)))
            .collect();
        if !ours.is_empty() {
            found.insert(event, ours);
        }
    }
    found
}

fn handlers(group: &Value) -> &[Value] {
    group[HOOKS].as_array().map_or(&[], Vec::as_slice)
}

/// Takes out every entry of a plugin. Of what is empty then so many levels go as `prune` says of an
/// event, its list being the first.
fn remove(
    document: &mut Document,
    plugin: &str,
    prune: impl Fn(&str) -> usize,
) -> Result<(), Refused> {
    for (event, groups) in groups(document, plugin) {
        let is_ours = |group: &Value| {
            let handlers = handlers(group);
            !handlers.is_empty() && handlers.iter().all(|one| is_handler(one, plugin))
        };
        // Somebody may have added a hook of their own to a group.
        if !groups.iter().all(is_ours) {
            let count = document
                .value(&[HOOKS, &event])
                .and_then(|all| all.as_array().map(Vec::len))
                .unwrap_or_default();
            for index in 0..count {
                let at = index.to_string();
                let group = document.value(&[HOOKS, &event, &at]).unwrap_or_default();
                if !is_ours(&group) {
                    let one = |handler: &Value| is_handler(handler, plugin);
                    document.remove_elements(&[HOOKS, &event, &at, HOOKS], 0, &one)?;
                }
            }
        }
        document.remove_elements(&[HOOKS, &event], prune(&event), &is_ours)?;
    }
    Ok(())
}

//! The plan that takes a plugin out of a repository.

use super::super::plan::{Plan, Step};
use super::installation::is_ours;
use super::record::Record;
use super::repository::Place;
use super::settings;
use crate::outcome::Stop;
use crate::tree;
use std::fs;
use std::path::Path;

/// What takes a plugin out of a repository.
pub(crate) struct Removal {
    pub(crate) plan: Plan,
    /// Was there anything of it?
    pub(crate) was_there: bool,
}

impl Removal {
    /// By the record, and by what is ours without it: entries that start this plugin, a tree that
    /// hookkit made. What agents are told goes first.
    pub(crate) fn of(place: &Place, record: Option<&Record>) -> Result<Self, Stop> {
        let mut plan = Plan::default();
        let entered = record.and_then(|record| record.settings.as_ref());
        if let Some(gone) = entered {
            hand_over(&mut plan, place, gone);
        }
        if let Some(change) = settings::take_out(place, entered)? {
            plan.edit(change);
        }
        if is_ours(&place.copilot, &place.plugin) {
            plan.remove(place.copilot.clone());
        }
        if place.tree.join(tree::MARK).exists() || is_empty(&place.tree) {
            keep_added_files(place)?;
            plan.remove(place.tree.clone());
        }
        if record.is_some() {
            plan.remove(place.record.clone());
        }
        let was_there = !plan.is_empty();
        // Git knows no empty folders. A run that was ended may have left some.
        let was_ended = place.folders().skip(2).any(is_empty);
        for folder in place.folders().filter(|_| was_there || was_ended) {
            if is_left_empty(folder, &plan) {
                plan.push(Step::Clear(folder.to_owned()));
            }
        }
        Ok(Self { plan, was_there })
    }
}

/// Files in the tree that no installation put there are somebody's.
fn keep_added_files(place: &Place) -> Result<(), Stop> {
    let added = tree::added(&place.tree)?;
    if added.is_empty() {
        return Ok(());
    }
    Err(Stop::refused(format!(
        "these files in {} were not put there by hookkit; move them away first:\n  {}",
        place.tree.display(),
        added.join("\n  ")
    )))
}

/// What the plugin made in a file that others use too is theirs to take away from now on.
fn hand_over(plan: &mut Plan, place: &Place, gone: &settings::Entered) {
    for (path, old) in Record::of_others(place) {
        let mut heir = old.clone();
        if let Some(own) = &mut heir.settings {
            own.inherit(gone);
        }
        if heir.bytes() != old.bytes() {
            plan.push(Step::File {
                path,
                bytes: heir.bytes(),
                mode: 0o644,
            });
        }
    }
}

/// Is there a folder that holds nothing but what the plan removes?
fn is_left_empty(folder: &Path, plan: &Plan) -> bool {
    let goes = |path: &Path| {
        let mut steps = plan.steps.iter();
        steps.any(|step| step.path() == path && step.removes())
    };
    fs::read_dir(folder).is_ok_and(|entries| entries.flatten().all(|entry| goes(&entry.path())))
}

fn is_empty(folder: &Path) -> bool {
    fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none())
}

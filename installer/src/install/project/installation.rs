//! The plan of an installation in a repository, whether it is the first or an update.

use super::super::compose::unread;
use super::super::plan::{Access, Plan, Step};
use super::record::Record;
use super::repository::Place;
use super::{CLAUDE_CODE, settings};
use crate::outcome::Stop;
use crate::tree::{self, Tree};
use fs_err as fs;
use hookkit_launchers::{Registration, install, repository};
use std::path::Path;

/// How others may read a file of the repository.
const MODE: u32 = 0o644;

/// What is to be installed in a repository.
pub(crate) struct Wanted<'w> {
    pub(crate) place: &'w Place,
    pub(crate) tree: &'w Tree,
    /// What is new in it; the file that was edited is added here.
    pub(crate) record: Record,
    pub(crate) told: Vec<Told>,
}

/// What one kind of host is told, and the names of those that read it.
pub(crate) struct Told {
    pub(crate) hosts: Vec<&'static str>,
    pub(crate) registration: Registration,
}

impl Told {
    pub(crate) fn is_claude_code(&self) -> bool {
        self.hosts.contains(&CLAUDE_CODE)
    }
}

/// What is going to happen, and how it will be afterwards.
pub(crate) struct Prepared {
    pub(crate) plan: Plan,
    pub(crate) record: Record,
    pub(crate) told: Vec<Told>,
    /// What keeps it from working, each as a sentence.
    pub(crate) warnings: Vec<String>,
}

impl Wanted<'_> {
    /// Puts the steps together: what agents are told comes last, and how it is undone before it.
    pub(crate) fn prepare(self, old: Option<&Record>) -> Result<Prepared, Stop> {
        let Self {
            place,
            tree,
            mut record,
            told,
        } = self;
        keep_others_files(place)?;
        record.settings = old.and_then(|old| old.settings.clone());
        let mut edit = None;
        let mut copilot = None;
        let mut warnings = Vec::new();
        for told in &told {
            if told.is_claude_code() {
                let groups = repository::claude_code::groups(&told.registration);
                let (change, entered) = settings::tell(place, &groups, record.settings.as_ref())?;
                record.settings = entered;
                let host = install::by_name(CLAUDE_CODE);
                warnings.extend(host.and_then(|host| unread(host, &change)));
                edit = Some(change);
            } else {
                copilot = Some(repository::registered(&told.registration, record.bash_only));
            }
        }

        let mut plan = Plan::default();
        plan.shared_folder(place.tree.parent().unwrap_or(&place.root));
        write(&mut plan, &place.record, record.bytes());
        let files: Vec<_> = tree.files.values().cloned().collect();
        if !place.tree.is_dir() || !tree::holds(&place.tree, &files)? {
            plan.push(Step::Tree {
                path: place.tree.clone(),
                files,
                links: Vec::new(),
                access: Access::Shared,
            });
        }
        if let Some(copilot) = copilot {
            plan.shared_folder(place.copilot.parent().unwrap_or(&place.root));
            write(&mut plan, &place.copilot, copilot);
        }
        if let Some(edit) = edit {
            plan.edit(edit);
        }
        Ok(Prepared {
            plan,
            record,
            told,
            warnings,
        })
    }
}

/// A file of ours, if it does not say just that already.
fn write(plan: &mut Plan, path: &Path, bytes: Vec<u8>) {
    if fs::read(path).is_ok_and(|found| found == bytes) {
        return;
    }
    plan.push(Step::File {
        path: path.to_owned(),
        bytes,
        mode: MODE,
    });
}

/// Refuses where something would be lost that no installation made.
fn keep_others_files(place: &Place) -> Result<(), Stop> {
    let tree = place.tree.display();
    if !tree::may_replace(&place.tree)? {
        return Err(Stop::refused(format!(
            "{tree} exists and was not made by hookkit; move it away, or remove it"
        )));
    }
    let is_built = place.tree.join(tree::SUMS).exists() || place.tree.join(tree::MARK).exists();
    let strays = if is_built {
        tree::strays(&place.tree)?
    } else {
        Vec::new()
    };
    if !strays.is_empty() {
        return Err(Stop::refused(format!(
            "these files in {tree} were changed since they were installed:\n  {}\nmove what is to be \
             kept into the plugin, and remove the folder to have it written anew",
            strays.join("\n  ")
        )));
    }
    if place.copilot.exists() && !is_ours(&place.copilot, &place.plugin) {
        return Err(Stop::refused(format!(
            "{} exists and was not made by hookkit; rename the plugin, or move the file away",
            place.copilot.display()
        )));
    }
    Ok(())
}

/// Is every command line in this file one that an installation of this plugin writes?
pub(super) fn is_ours(file: &Path, plugin: &str) -> bool {
    let read = |file| serde_json::from_slice::<serde_json::Value>(&fs::read(file).ok()?).ok();
    let Some(document) = read(file) else {
        return false;
    };
    let Some(events) = document["hooks"].as_object() else {
        return false;
    };
    let line = repository::bash_line(plugin);
    let is_ours = |entry: &serde_json::Value| {
        entry["bash"]
            .as_str()
            .is_some_and(|bash| bash.starts_with(&line))
    };
    let mut entries = events.values().filter_map(|entries| entries.as_array());
    !events.is_empty() && entries.all(|entries| entries.iter().all(is_ours))
}

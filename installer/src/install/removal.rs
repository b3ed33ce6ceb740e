//! The plan of an uninstallation.

use super::compose::record;
use super::data::Data;
use super::machine::Found;
use super::plan::Plan;
use super::receipt::{Entered, Receipt, State};
use super::sessions::{self, Live};
use super::{known, local, told};
use crate::edit::Document;
use crate::outcome::Stop;
use std::path::{Path, PathBuf};

/// What takes a plugin away, and what stays for now.
pub(crate) struct Removal {
    pub(crate) plan: Plan,
    /// Sessions that may still start it: for them the dispatcher stays, and says nothing.
    pub(crate) live: Vec<Live>,
    /// Was there anything of it?
    pub(crate) was_there: bool,
}

impl Removal {
    /// The steps that take a plugin away from every host: what they were told first. `here` is a
    /// repository that is looked at even if no receipt names it.
    pub(crate) fn of(
        plugin: &str,
        data: &Data,
        receipt: Option<&Receipt>,
        hosts: &[Found],
        here: Option<&Path>,
        now: u64,
    ) -> Result<Self, Stop> {
        let mut plan = Plan::default();
        if let Some(receipt) = receipt {
            hand_over(&mut plan, data, plugin, &receipt.files, now);
        }
        // What a host reads first was told it last.
        for entered in receipt
            .iter()
            .flat_map(|receipt| receipt.files.iter().rev())
        {
            plan.edit(told::take_out(entered, plugin)?);
        }
        let mut repositories = receipt.map_or_else(Vec::new, |old| old.repositories.clone());
        repositories.extend(here.map(PathBuf::from));
        for found in hosts {
            for change in known::take_out(found, &data.place(plugin), &repositories)? {
                let is_planned = plan.steps.iter().any(|step| step.path() == change.file());
                if !is_planned {
                    plan.edit(change);
                }
            }
        }
        let was_told = !plan.is_empty();
        let live = match receipt {
            Some(receipt) => live(receipt, hosts, now),
            None => Vec::new(),
        };
        if let (Some(old), false) = (receipt, live.is_empty()) {
            let mut receipt = old.clone();
            receipt.files.clear();
            receipt.earlier.clear();
            if receipt.state == State::Installed {
                // Before the store goes: a plugin that is there but has no files is refused.
                receipt.state = State::Removed;
                record(&mut plan, data, Some(old), &mut receipt, now);
            }
            plan.remove(data.versions(plugin));
        } else {
            traces(&mut plan, data, plugin, hosts);
            plan.remove(data.versions(plugin));
            plan.remove(data.thin(plugin));
            plan.remove(data.receipt(plugin));
        }
        Ok(Self {
            was_there: was_told || !plan.is_empty(),
            plan,
            live,
        })
    }

    /// The steps that take a plugin away from one of its repositories, while others keep it.
    pub(crate) fn from_repository(
        repository: &Path,
        data: &Data,
        old: &Receipt,
        hosts: &[Found],
        now: u64,
    ) -> Result<Self, Stop> {
        let mut plan = Plan::default();
        let mut receipt = old.clone();
        receipt.repositories.retain(|other| other != repository);
        let (gone, kept): (Vec<Entered>, Vec<Entered>) = receipt
            .files
            .into_iter()
            .partition(|entered| local::is_of(&entered.undo.file, repository, hosts));
        receipt.files = kept;
        hand_over(&mut plan, data, &old.name, &gone, now);
        for entered in &gone {
            plan.edit(told::take_out(entered, &old.name)?);
        }
        record(&mut plan, data, Some(old), &mut receipt, now);
        Ok(Self {
            plan,
            live: Vec::new(),
            was_there: true,
        })
    }
}

/// What a plugin made in files that others use too is theirs to take away from now on.
fn hand_over(plan: &mut Plan, data: &Data, plugin: &str, gone: &[Entered], now: u64) {
    let others = Receipt::all(data)
        .into_iter()
        .filter(|other| other.name != plugin);
    for old in others {
        let mut heir = old.clone();
        for own in &mut heir.files {
            for gone in gone {
                own.inherit(gone);
            }
        }
        record(plan, data, Some(&old), &mut heir, now);
    }
}

/// The sessions that started while a plugin was registered.
pub(crate) fn live(receipt: &Receipt, hosts: &[Found], now: u64) -> Vec<Live> {
    let until = match receipt.state {
        State::Installed => now,
        State::Removed => receipt.changed,
    };
    let told: Vec<Found> = hosts
        .iter()
        .filter(|found| receipt.hosts.iter().any(|host| host == found.name()))
        .cloned()
        .collect();
    let time = receipt.installed..=until;
    sessions::live(&told, &time).unwrap_or_else(|| sessions::unseen(receipt, now))
}

/// What the clients wrote down about the plugin.
fn traces(plan: &mut Plan, data: &Data, plugin: &str, hosts: &[Found]) {
    let place = data.place(plugin);
    for found in hosts {
        let traces = found.host.traces(&place);
        for (file, at) in &traces.members {
            let file = found.folder.join(file);
            if !file.is_file() {
                continue;
            }
            let keys: Vec<&str> = at.iter().map(String::as_str).collect();
            // A registry that cannot be edited is its client's to mend.
            if let Ok(mut document) = Document::open(&file)
                && document.remove(&keys, 0).is_ok()
            {
                plan.edit(document.change());
            }
        }
        for folder in &traces.folders {
            plan.remove(found.folder.join(folder));
        }
    }
}

/// Takes away what earlier uninstallations left for sessions that have ended since, but for those of
/// one plugin.
pub(crate) fn tidy(plan: &mut Plan, data: &Data, hosts: &[Found], now: u64, but: &str) {
    for receipt in Receipt::all(data) {
        let is_over = || live(&receipt, hosts, now).is_empty();
        if receipt.state == State::Removed && receipt.name != but && is_over() {
            traces(plan, data, &receipt.name, hosts);
            plan.remove(data.versions(&receipt.name));
            plan.remove(data.thin(&receipt.name));
            plan.remove(data.receipt(&receipt.name));
        }
    }
}

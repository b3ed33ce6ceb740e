//! The plan of an installation, whether it is the first or an update.

use super::data::Data;
use super::double::{self, Double, WayOut};
use super::log::Log;
use super::machine::Found;
use super::plan::{Access, Plan, Step};
use super::receipt::{Receipt, State};
use super::told::Wish;
use super::trust::{self, Trust};
use super::{dispatcher, local, store, told};
use crate::edit::Change;
use crate::outcome::Stop;
use crate::source::Origin;
use crate::{needs, tree};
use fs_err as fs;
use hookkit_dispatch::args::IfMissing;
use hookkit_dispatch::env::Env;
use hookkit_dispatch::folder::git_root;
use hookkit_dispatch::manifest::Manifest;
use hookkit_launchers::File;
use hookkit_launchers::install::{self, Install, Installed, Scope, Stored};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// What is to be installed, and where.
pub(crate) struct Wanted<'w> {
    pub(crate) data: &'w Data,
    pub(crate) manifest: &'w Manifest<'w>,
    /// The plugin's files, as they go to the store.
    pub(crate) files: Vec<File>,
    pub(crate) origin: Origin,
    pub(crate) hosts: Vec<Found>,
    /// The repositories in which it shall count; none for every folder.
    pub(crate) repositories: Vec<PathBuf>,
    /// Are other registrations of the plugin switched off?
    pub(crate) replace: bool,
    /// Where it shall be logged; none for where it is.
    pub(crate) log: Option<Log>,
    /// Has the person said that hosts shall trust the hooks as they are now?
    pub(crate) trust: bool,
    pub(crate) now: u64,
}

/// What is going to happen, and how it will be afterwards.
pub(crate) struct Prepared<'w> {
    pub(crate) plan: Plan,
    pub(crate) receipt: Receipt,
    pub(crate) hosts: Vec<OnHost<'w>>,
    /// What keeps it from working, each as a sentence.
    pub(crate) warnings: Vec<String>,
}

/// A host, and what it is told.
pub(crate) struct OnHost<'w> {
    pub(crate) found: Found,
    pub(crate) installed: Installed<'w>,
    /// For a host that wants it.
    pub(crate) trust: Option<Trust>,
}

impl<'w> OnHost<'w> {
    /// None for a host that has none of the plugin's events.
    fn of(found: Found, installed: Installed<'w>, trust: bool, env: &Env) -> Option<Self> {
        if installed.registration.entries.is_empty() {
            return None;
        }
        let asks = found.host.asks_for_trust();
        Some(Self {
            trust: asks.then(|| Trust::of(&found, &installed, trust, env)),
            found,
            installed,
        })
    }

    fn wishes(&self) -> Vec<Wish> {
        let plugin = self.installed.place.plugin();
        let trust = self.trust.as_ref();
        trust.map_or_else(Vec::new, |trust| trust.wishes(&self.found, plugin))
    }
}

impl<'w> Wanted<'w> {
    /// Puts the steps together. `old` is what an earlier installation recorded.
    pub(crate) fn prepare(self, old: Option<&Receipt>, env: &Env) -> Result<Prepared<'w>, Stop> {
        let Self {
            data,
            manifest,
            files,
            origin,
            hosts,
            repositories,
            replace,
            log,
            trust,
            now,
        } = self;
        let name = &*manifest.name;
        let place = data.place(name);
        let scope = if repositories.is_empty() {
            Scope::User
        } else {
            Scope::Local
        };
        let version = store::folder_of(data, name, &manifest.version, &files)?;
        let stored = Stored {
            sums: tree::sums(files.iter()),
            version: version.clone(),
        };
        let hosts: Vec<OnHost> = hosts
            .into_iter()
            .filter(|found| scope == Scope::User || found.host.local_settings().is_some())
            .filter_map(|found| {
                let (place, stored) = (place.clone(), stored.clone());
                let installed = Installed::of(manifest, place, scope, stored, found.host);
                OnHost::of(found, installed, trust, env)
            })
            .collect();
        refuse_trust(&hosts, trust)?;
        let live = old.filter(|old| old.state == State::Installed);
        let mut receipt = live
            .cloned()
            .unwrap_or_else(|| Receipt::new(name, place.id(), origin.clone(), now));
        receipt.come_from(origin);
        receipt.log = log.or(receipt.log);
        receipt.release = manifest.version.to_string();
        receipt.required = required(&hosts);
        receipt.repositories.clone_from(&repositories);
        receipt.programs = needs::programs(manifest, env);
        for host in &hosts {
            receipt.add_host(host.found.name());
        }

        let mut plan = Plan::default();
        dispatcher::renew(&mut plan, data, env)?;
        store::fill(&mut plan, data, name, &version, files)?;
        receipt.move_to(version, now);
        let mut edits = Vec::new();
        let mut warnings = Vec::new();
        let read = read(&repositories, env);
        let earlier = std::mem::take(&mut receipt.files);
        for host in &hosts {
            let doubles = double::find(&host.found, &place, &read);
            refuse_doubles(&doubles, replace, host.found.name())?;
            for edited in told::tell(
                &host.found,
                &host.installed,
                &repositories,
                &earlier,
                &doubles,
                &host.wishes(),
            )? {
                warnings.extend(unread(host.found.host, &edited.change));
                edits.push(edited.change);
                receipt.files.extend(edited.entered);
            }
            warnings.extend(
                repositories
                    .iter()
                    .filter_map(|root| local::careful(root, host.found.host.local_settings()?)),
            );
        }
        let is_of_another = |file: &&super::receipt::Entered| {
            hosts.iter().all(|host| host.found.name() != file.host)
        };
        receipt
            .files
            .extend(earlier.iter().filter(is_of_another).cloned());

        let mut after = Plan::default();
        store::clear(&mut after, data, &mut receipt, now);
        thin(&mut plan, data, name, &hosts)?;
        record(&mut plan, data, live, &mut receipt, now);
        for change in edits {
            plan.edit(change);
        }
        plan.steps.extend(after.steps);
        Ok(Prepared {
            plan,
            receipt,
            hosts,
            warnings,
        })
    }
}

/// The repositories that are looked at for what is told twice: for every folder the one around.
fn read(repositories: &[PathBuf], env: &Env) -> Vec<PathBuf> {
    if !repositories.is_empty() {
        return repositories.to_vec();
    }
    let here = env.cwd().as_deref().and_then(git_root).map(PathBuf::from);
    here.into_iter().collect()
}

/// Refuses a yes to something that nobody could be shown.
fn refuse_trust(hosts: &[OnHost], is_wanted: bool) -> Result<(), Stop> {
    let unknown = hosts.iter().find_map(|host| match &host.trust {
        Some(Trust {
            state: trust::State::Unknown(why),
            ..
        }) => Some((host.found.name(), why)),
        _ => None,
    });
    match unknown.filter(|_| is_wanted) {
        None => Ok(()),
        Some((host, why)) => Err(Stop::refused(format!(
            "what {host} would trust cannot be shown ({why}); leave --trust out, and trust the hooks \
             in {host} itself"
        ))),
    }
}

/// Why a host does not read the file that it is told in.
pub(super) fn unread(host: &dyn Install, change: &Change) -> Option<String> {
    let bytes = change.after().filter(|_| !host.reads_comments())?;
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    let fault = hookkit_dispatch::json::is_document(bytes).err()?;
    Some(format!(
        "{} reads nothing of {}, for it takes no comments and no commas at the end of a list; line \
         {} has one. The plugin does not run there until they are gone",
        host.host().name(),
        change.file().display(),
        fault.line()
    ))
}

/// Refuses what would make hooks fire twice, unless all of it is to be replaced and can be.
fn refuse_doubles(doubles: &[Double], replace: bool, host: &str) -> Result<(), Stop> {
    let stays = |double: &&Double| !(replace && matches!(double.way_out, WayOut::Off(_)));
    let lines: Vec<String> = doubles.iter().filter(stays).map(Double::sentence).collect();
    if lines.is_empty() {
        return Ok(());
    }
    Err(Stop::refused(format!(
        "{host} would start every hook twice, so nothing was done:\n  {}",
        lines.join("\n  ")
    )))
}

/// Writes a receipt, if it says anything new.
pub(crate) fn record(
    plan: &mut Plan,
    data: &Data,
    old: Option<&Receipt>,
    receipt: &mut Receipt,
    now: u64,
) {
    let path = data.receipt(&receipt.name);
    if old.is_some_and(|old| old.bytes() == receipt.bytes()) {
        return;
    }
    receipt.changed = now;
    plan.folder(&data.receipts());
    plan.push(Step::File {
        path,
        bytes: receipt.bytes(),
        mode: 0o600,
    });
}

/// Events on which a gate must not be missing.
fn required(hosts: &[OnHost]) -> Vec<String> {
    let events: BTreeSet<&str> = hosts
        .iter()
        .flat_map(|host| &host.installed.registration.entries)
        .filter(|entry| entry.if_missing == IfMissing::Deny)
        .map(|entry| entry.contract.event)
        .collect();
    events.into_iter().map(str::to_owned).collect()
}

/// The folder that hosts load.
fn thin(plan: &mut Plan, data: &Data, plugin: &str, hosts: &[OnHost]) -> Result<(), Stop> {
    let mut files = vec![install::pointer(plugin)];
    // Of hosts that read the same file the first says what is in it.
    for host in hosts {
        for file in host.found.host.thin(&host.installed) {
            if files.iter().all(|known| known.path != file.path) {
                files.push(file);
            }
        }
    }
    let path = data.thin(plugin);
    let dispatcher = path.join(install::DISPATCHER);
    let has_dispatcher = fs::read(&dispatcher)
        .and_then(|there| Ok(there == fs::read(data.dispatcher())?))
        .unwrap_or(false);
    let holds_all = || {
        let mut all = files.clone();
        all.extend(fs::read(&dispatcher).map(|bytes| File::program(install::DISPATCHER, bytes)));
        tree::holds(&path, &all)
    };
    // A dispatcher that is renewed gets its name here by a step of its own.
    if path.exists() && has_dispatcher && holds_all()? {
        return Ok(());
    }
    plan.folder(&data.folder().join("market"));
    plan.push(Step::Tree {
        path,
        files,
        links: vec![(install::DISPATCHER, data.dispatcher())],
        access: Access::Private,
    });
    Ok(())
}

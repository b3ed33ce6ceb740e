//! `--scope project`: a plugin as a part of a repository, for everybody who works on it.

mod report;

use super::Context;
use super::apply::{Consent, Job};
use super::source::{self, Machines};
use crate::install::project::{
    CLAUDE_CODE, COPILOT_CLI, COPILOT_CLOUD, HOSTS, Place, Prepared, Record, Removal, Repository,
    Told, Wanted, prove,
};
use crate::install::{self, Data, Receipt, State};
use crate::outcome::{Outcome, Stop};
use crate::plugin::Plugin;
use crate::screen::{self, BOLD, GOOD};
use crate::tree::Layout;
use clap::Args;
use hookkit_dispatch::folder;
use hookkit_dispatch::manifest::Manifest;
use hookkit_launchers::{Target, repository};
use serde_json::json;
use std::cmp::Ordering;
use std::fmt::Write as _;

/// What can be said of a plugin that goes into a repository.
#[derive(Args)]
#[command(next_help_heading = "With --scope project")]
pub(super) struct ProjectArgs {
    #[command(flatten)]
    machines: Machines,
    /// Do nothing for Copilot on Windows, as long as the plugin is installed there
    #[arg(long)]
    bash_only: bool,
    /// Write nothing; show what an installation would change, and exit with 1 if that is anything
    #[arg(long, conflicts_with_all = ["yes", "dry_run", "json"])]
    check: bool,
}

impl ProjectArgs {
    /// Refuses them where nothing goes into a repository.
    pub(super) fn check_unused(&self) -> Result<(), Stop> {
        let said = [
            ("--targets", self.machines.targets.is_some()),
            ("--dispatcher", self.machines.dispatcher.is_some()),
            ("--bash-only", self.bash_only),
            ("--check", self.check),
        ];
        match said.iter().find(|(_, is_said)| *is_said) {
            Some((name, _)) => Err(Stop::unusable(format!("{name} is for --scope project"))),
            None => Ok(()),
        }
    }
}

/// Does this host read nothing but repositories?
pub(super) fn reads_repositories_alone(host: &str) -> bool {
    host == COPILOT_CLOUD
}

/// What somebody wants to be a part of a repository.
pub(super) struct Request<'r> {
    pub(super) plugin: &'r Plugin,
    pub(super) manifest: &'r Manifest<'r>,
    pub(super) repository: &'r Repository,
    /// By name; none means all that read it.
    pub(super) hosts: &'r [String],
    pub(super) args: &'r ProjectArgs,
    pub(super) allow_downgrade: bool,
}

impl<'r> Request<'r> {
    pub(super) fn run(&self, consent: &Consent, context: &'r Context) -> Result<Outcome, Stop> {
        context.refuse_other_users()?;
        if self.args.check {
            return self.compare(context);
        }
        consent.carry(self.repository, context, |_| self.job(context))
    }

    /// Is the repository as an installation would leave it?
    fn compare(&self, context: &Context) -> Result<Outcome, Stop> {
        let (place, prepared, faults) = self.prepare(context)?;
        let tree = place.tree.display();
        if prepared.plan.is_empty() && faults.is_empty() {
            screen::print(&format!("{tree} is what an installation makes\n"))?;
            return Ok(Outcome::Done);
        }
        let mut text = prepared.plan.print();
        for fault in faults {
            // Writing to a text does not fail.
            let _ = writeln!(text, "  {fault}");
        }
        screen::print(&text)?;
        anstream::eprintln!("run `hookkit install --scope project` and commit what it writes");
        Ok(Outcome::Problems)
    }

    fn job(&self, context: &'r Context) -> Result<Job<'r>, Stop> {
        let (place, prepared, faults) = self.prepare(context)?;
        let old = Record::read(&place)?;
        let mut warnings = faults;
        warnings.extend(prepared.warnings.iter().cloned());
        warnings.extend(report::careful(&place, &prepared));
        let heading = report::heading(&place, &prepared, old.as_ref(), &warnings);
        let text = report::text(&place, &prepared);
        let told = report::json(&place, &prepared, &warnings);
        let Prepared {
            plan,
            record,
            told: hosts,
            ..
        } = prepared;
        let env = &context.env;
        Ok(Job {
            heading,
            plan,
            check: Box::new(move || prove(&record, &hosts, &place, env)),
            question: None,
            report: text,
            told,
        })
    }

    /// The plan, and what git would do to the files, each as a sentence.
    fn prepare(&self, context: &Context) -> Result<(Place, Prepared, Vec<String>), Stop> {
        let (manifest, name) = (self.manifest, &*self.manifest.name);
        let place = Place::of(name, self.repository)?;
        if place.holds(&self.plugin.folder) {
            return Err(Stop::refused(format!(
                "{} is where the plugin would be written to; move the plugin to another folder",
                self.plugin.shown.display()
            )));
        }
        let old = Record::read(&place)?;
        if let Some(old) = &old {
            self.keeps_up(old)?;
        }
        let told = self.told(old.as_ref())?;
        refuse_twice(&place, context)?;
        let machines = Machines {
            targets: self.args.machines.targets.clone().or_else(|| {
                let old = old.as_ref()?;
                Some(old.targets.join(","))
            }),
            dispatcher: self.args.machines.dispatcher.clone(),
        };
        let targets = machines.targets(Layout::Repository)?;
        let tree = machines.compose(
            self.plugin,
            manifest,
            Layout::Repository,
            &place.tree,
            context,
        )?;
        let faults = report::faults_of_git(&place, &tree)?;
        let mut record = Record::new(name);
        record.version = manifest.version.to_string();
        record.hosts = hosts(&told);
        record.source = self
            .plugin
            .folder
            .strip_prefix(&place.root)
            .ok()
            .map(|_| place.below(&self.plugin.folder));
        record.bash_only = self.args.bash_only || old.as_ref().is_some_and(|old| old.bash_only);
        record.targets = targets.iter().map(ToString::to_string).collect();
        let wanted = Wanted {
            place: &place,
            tree: &tree,
            record,
            told,
        };
        let prepared = wanted.prepare(old.as_ref())?;
        Ok((place, prepared, faults))
    }

    fn keeps_up(&self, old: &Record) -> Result<(), Stop> {
        let is_older =
            install::compare(&self.manifest.version, &old.version) == Some(Ordering::Less);
        if is_older && !self.allow_downgrade {
            return Err(Stop::refused(format!(
                "the repository has {} {}, and {} is older; say --allow-downgrade if that is meant",
                old.name, old.version, self.manifest.version
            )));
        }
        Ok(())
    }

    /// What the hosts that are meant are told, and those of an earlier installation.
    fn told(&self, old: Option<&Record>) -> Result<Vec<Told>, Stop> {
        if let Some(unknown) = self.hosts.iter().find(|name| !HOSTS.contains(&&***name)) {
            return Err(Stop::unusable(format!(
                "`{unknown}` reads nothing that hookkit writes into a repository, only {} do",
                HOSTS.join(", ")
            )));
        }
        let is_meant = |host: &str| {
            let is_named = self.hosts.iter().any(|name| name == host);
            let is_old = old.is_some_and(|old| old.hosts.iter().any(|name| name == host));
            is_named || is_old || (self.hosts.is_empty() && old.is_none())
        };
        let mut told = Vec::new();
        if is_meant(CLAUDE_CODE) {
            told.push(Told {
                hosts: vec![CLAUDE_CODE],
                registration: repository::claude_code::registration(self.manifest),
            });
        }
        if is_meant(COPILOT_CLI) || is_meant(COPILOT_CLOUD) {
            for_both_copilots(self.manifest)?;
            told.push(Told {
                hosts: vec![COPILOT_CLI, COPILOT_CLOUD],
                registration: repository::registration(self.manifest),
            });
        }
        let meant = hosts(&told);
        told.retain(|told| !told.registration.entries.is_empty());
        if told.is_empty() {
            return Err(Stop::refused(format!(
                "no hook of `{}` is on an event of {}, so there is nothing to write",
                self.manifest.name,
                meant.join(" or ")
            )));
        }
        Ok(told)
    }
}

fn hosts(told: &[Told]) -> Vec<String> {
    told.iter()
        .flat_map(|told| &told.hosts)
        .map(|host| (*host).to_owned())
        .collect()
}

/// Copilot CLI and the cloud agent read one file.
fn for_both_copilots(manifest: &Manifest) -> Result<(), Stop> {
    let for_the_cloud_alone = manifest
        .hooks
        .iter()
        .find(|hook| hook.is_for(COPILOT_CLOUD) && !hook.is_for(COPILOT_CLI));
    match for_the_cloud_alone {
        Some(hook) => Err(Stop::refused(format!(
            "hook `{}` is for copilot-cloud and not for copilot-cli, but both read the same file of \
             a repository and fire the same events; name copilot-cli in its `hosts` as well",
            hook.id
        ))),
        None => Ok(()),
    }
}

/// Refuses what would make hooks fire twice for the very person who installs them.
fn refuse_twice(place: &Place, context: &Context) -> Result<(), Stop> {
    let Ok(data) = Data::of(&context.env) else {
        return Ok(());
    };
    let name = &place.plugin;
    if let Ok(Some(own)) = Receipt::read(&data, name)
        && own.state == State::Installed
        && (own.repositories.is_empty() || own.repositories.contains(&place.root))
    {
        return Err(Stop::refused(format!(
            "{name} is installed {} for you already, and told twice it would fire twice here; run \
             `hookkit uninstall {name}` first",
            super::scope::installed(&own)
        )));
    }
    let hosts = install::hosts(&context.env).unwrap_or_default();
    let lines = install::doubles_in_repository(&hosts, &data.place(name), &place.root);
    if lines.is_empty() {
        return Ok(());
    }
    Err(Stop::refused(format!(
        "every hook would be started twice, so nothing was done:\n  {}",
        lines.join("\n  ")
    )))
}

/// `hookkit update NAME --scope project`: again, from where it lies in the same repository.
pub(super) fn update(
    name: &str,
    repository: &Repository,
    allow_downgrade: bool,
    consent: &Consent,
    context: &Context,
) -> Result<Outcome, Stop> {
    let place = Place::of(name, repository)?;
    let Some(record) = Record::read(&place)? else {
        return Err(Stop::refused(format!(
            "{} has no {name}; `hookkit install SOURCE --scope project` puts it there",
            place.root.display()
        )));
    };
    let source = record
        .source
        .map(|source| folder::real(&place.root.join(source)))
        .filter(|source| source.starts_with(&place.root) && source.is_dir());
    let Some(source) = source else {
        return Err(Stop::refused(format!(
            "{name} came from outside of this repository, which says nothing of other places; run \
             `hookkit install SOURCE --scope project` with the new version"
        )));
    };
    let plugin = Plugin::open(&source, &context.env)?;
    let manifest = match source::faultless(&plugin) {
        Ok(manifest) => manifest,
        Err(outcome) => return Ok(outcome),
    };
    if manifest.name != name {
        return Err(Stop::refused(format!(
            "{} holds the plugin {} now, and not {name}; install that one, and uninstall this one",
            source.display(),
            manifest.name
        )));
    }
    let args = ProjectArgs {
        machines: Machines {
            targets: None,
            dispatcher: None,
        },
        bash_only: false,
        check: false,
    };
    let request = Request {
        plugin: &plugin,
        manifest: &manifest,
        repository,
        hosts: &[],
        args: &args,
        allow_downgrade,
    };
    request.run(consent, context)
}

/// `hookkit uninstall NAME --scope project`.
pub(super) fn uninstall(
    name: &str,
    repository: &Repository,
    consent: &Consent,
    context: &Context,
) -> Result<Outcome, Stop> {
    consent.carry(repository, context, |_| {
        let place = Place::of(name, repository)?;
        let record = Record::read(&place)?;
        let Removal { plan, was_there } = Removal::of(&place, record.as_ref())?;
        let root = place.root.display();
        let report = if was_there {
            format!(
                "\n{GOOD}Uninstalled{GOOD:#} {BOLD}{name}{BOLD:#} from {root}; commit that. Sessions \
                 that run there keep what they have read: Copilot CLI refuses their calls until they \
                 are started again\n"
            )
        } else {
            format!("Nothing of {BOLD}{name}{BOLD:#} is in {root}\n")
        };
        Ok(Job {
            heading: if was_there {
                format!("Uninstall {BOLD}{name}{BOLD:#} from {root}\n\n")
            } else {
                String::new()
            },
            plan,
            check: Box::new(|| Ok(())),
            question: None,
            report,
            told: json!({
                "plugin": name, "scope": "project", "repository": place.root,
                "was_installed": was_there,
            }),
        })
    })
}

/// What to say to somebody who takes away their own installation in a repository that brings the
/// plugin along.
pub(super) fn stays_in_repository(name: &str, context: &Context) -> Option<String> {
    let root = install::repository(&context.env.cwd()?).ok()?;
    let place = Place::of(name, &Repository::at(root)).ok()?;
    place.record.is_file().then(|| {
        format!(
            "  {} brings it along for everybody; --scope project takes it out there\n",
            place.root.display()
        )
    })
}

/// The machines that a tree has no dispatcher for.
fn missing(record: &Record) -> Vec<&'static str> {
    Target::ALL
        .iter()
        .map(|target| target.name())
        .filter(|name| record.targets.iter().all(|has| has != name))
        .collect()
}

//! hookkit's own installation: what its receipts say against what is there, and the steps that mend it.

use super::code::Code;
use super::codes::{dispatcher, own as code, programs as script};
use super::finding::Finding;
use crate::install::{self, Data, Found, Plan, Prepared, Receipt, Removal, State, Step, Wanted};
use crate::needs;
use crate::plugin::Plugin;
use crate::source::Origin;
use crate::tree::{self, Travel};
use hookkit_dispatch::env::Env;
use hookkit_dispatch::folder::Project;
use hookkit_dispatch::interpreter::{Programs, endings, search_path};
use hookkit_dispatch::manifest::{Fault, Manifest};
use hookkit_dispatch::receipt::now;
use std::path::Path;

/// What is wrong with hookkit's own installation.
pub(super) struct Own {
    pub(super) findings: Vec<Finding>,
    /// What mends it, plugin by plugin.
    pub(super) repairs: Vec<Plan>,
}

impl Own {
    /// `mends` says whether the plan is going to be carried out: to make one for a host that asks for
    /// trust its own program is started, which a look alone does not do.
    pub(super) fn look(data: &Data, hosts: &[Found], mends: bool, env: &Env) -> Self {
        let mut own = Self {
            findings: Vec::new(),
            repairs: Vec::new(),
        };
        let plugins = data.plugins();
        if plugins.is_empty() && !data.folder().is_dir() {
            own.left_over(data, hosts);
            return own;
        }
        if let Err(why) = data.check() {
            own.findings
                .push(Finding::new(&code::DATA, why.to_string()).at(data.folder(), None));
        }
        for plugin in plugins {
            match Receipt::read(data, &plugin) {
                Ok(Some(receipt)) if receipt.state == State::Installed => {
                    own.installed(&receipt, data, hosts, mends, env);
                }
                Ok(_) => {}
                Err(why) => {
                    let finding = Finding::new(&code::RECEIPT, why.to_string());
                    own.findings.push(finding.at(&data.receipt(&plugin), None));
                }
            }
        }
        own.left_over(data, hosts);
        own
    }

    fn installed(
        &mut self,
        receipt: &Receipt,
        data: &Data,
        hosts: &[Found],
        mends: bool,
        env: &Env,
    ) {
        for off in receipt
            .disabled
            .iter()
            .filter(|off| off.until.is_none_or(|until| until > now()))
        {
            let what = match &off.hook {
                Some(hook) => format!(
                    "hook `{hook}` of {} is switched off by `hookkit disable`",
                    receipt.name
                ),
                None => format!("{} is switched off by `hookkit disable`", receipt.name),
            };
            let fix = format!("hookkit enable {}", receipt.name);
            self.findings
                .push(Finding::new(&code::DISABLED, what).fixed_by(fix));
        }
        let store = data.versions(&receipt.name).join(&receipt.version);
        let Ok(plugin) = Plugin::open(&store, env) else {
            let what = format!(
                "the files of {} are gone from {}",
                receipt.name,
                store.display()
            );
            self.findings
                .push(Finding::new(&code::STORE, what).at(&store, None));
            return;
        };
        let Ok(manifest) = Manifest::read(&plugin.text) else {
            let what = format!("hookkit.json of {} cannot be read", receipt.name);
            self.findings
                .push(Finding::new(&code::STORE, what).at(&plugin.manifest_file(), None));
            return;
        };
        // The manifest's reader compares what it wants with the dispatcher of this version.
        let wants_newer = |fault: &&Fault| fault.what.starts_with("needs hookkit-dispatch");
        if let Some(fault) = manifest.faults.iter().find(wants_newer) {
            let what = format!("{} {}", receipt.name, fault.what);
            let file = plugin.manifest_file();
            self.findings
                .push(Finding::new(&dispatcher::OLD, what).at(&file, Some(fault.line)));
        }
        self.findings.extend(older(&manifest, &store, env));
        let mut hosts: Vec<Found> = hosts
            .iter()
            .filter(|found| receipt.hosts.iter().any(|host| found.is_named(host)))
            .cloned()
            .collect();
        if !mends {
            // A host without a program is not asked, and what it trusts is left as it is.
            for found in &mut hosts {
                found.program = None;
            }
        }
        match repair(receipt, &plugin, &manifest, data, hosts, env) {
            Ok(prepared) => {
                for step in &prepared.plan.steps {
                    self.findings.extend(finding(step, &prepared.receipt, data));
                }
                self.findings.extend(copies(&prepared));
                if !prepared.plan.is_empty() {
                    self.repairs.push(prepared.plan);
                }
            }
            Err(why) => {
                let what = format!("{} cannot be looked at: {why}", receipt.name);
                self.findings.push(Finding::new(&code::UNREGISTERED, what));
            }
        }
    }

    /// What hosts are still told of plugins that are not installed.
    fn left_over(&mut self, data: &Data, hosts: &[Found]) {
        for found in hosts {
            for plugin in install::told_of(found) {
                let receipt = Receipt::read(data, &plugin).ok().flatten();
                if receipt.is_some_and(|receipt| receipt.state == State::Installed) {
                    continue;
                }
                let Ok(removal) = Removal::of(
                    &plugin,
                    data,
                    None,
                    std::slice::from_ref(found),
                    None,
                    now(),
                ) else {
                    continue;
                };
                let edits = removal
                    .plan
                    .steps
                    .iter()
                    .filter(|step| matches!(step, Step::Edit(_)));
                for step in edits {
                    let what = format!(
                        "{} is told of {plugin}, which is not installed",
                        found.name()
                    );
                    self.findings.push(
                        Finding::new(&code::LEFT_OVER, what)
                            .of(found.name())
                            .at(step.path(), None),
                    );
                }
                if !removal.plan.is_empty() {
                    self.repairs.push(removal.plan);
                }
            }
        }
    }
}

/// The steps that make an installation whole again; none where it is.
fn repair<'m>(
    receipt: &Receipt,
    plugin: &Plugin,
    manifest: &'m Manifest,
    data: &'m Data,
    hosts: Vec<Found>,
    env: &Env,
) -> Result<Prepared<'m>, crate::outcome::Stop> {
    let travel = Travel::of(&plugin.folder, manifest, data.folder())?;
    let wanted = Wanted {
        data,
        manifest,
        files: tree::stored(plugin, manifest, &travel)?,
        origin: Origin {
            source: receipt.source.clone(),
            key: receipt.key.clone(),
            sha256: receipt.sha256.clone(),
        },
        hosts,
        repositories: receipt
            .repositories
            .iter()
            .filter(|root| root.is_dir())
            .cloned()
            .collect(),
        replace: false,
        log: None,
        trust: false,
        now: now(),
    };
    let mut prepared = wanted.prepare(Some(receipt), env)?;
    // A receipt alone that would be written anew says nothing that is wrong.
    let is_receipt = |step: &Step| step.path().starts_with(data.receipts());
    if prepared.plan.steps.iter().all(is_receipt) {
        prepared.plan.steps.clear();
    }
    Ok(prepared)
}

/// What a step of the repair says is wrong now.
fn finding(step: &Step, receipt: &Receipt, data: &Data) -> Option<Finding> {
    let path = step.path();
    let (code, what): (&'static Code, String) = match step {
        _ if path == data.dispatcher() => {
            if path.is_file() {
                let what = "is not the dispatcher that stands beside this hookkit".to_owned();
                (&dispatcher::CHANGED, what)
            } else {
                (&code::BIN, "the dispatcher is missing".to_owned())
            }
        }
        Step::Tree { .. } if path == data.thin(&receipt.name) => (
            &code::THIN,
            format!("what hosts load of {} is not as it was made", receipt.name),
        ),
        Step::Edit(_) if !is_copy(path, receipt) => (
            &code::UNREGISTERED,
            format!("does not say what it should of {}", receipt.name),
        ),
        _ => return None,
    };
    Some(Finding::new(code, what).at(path, None))
}

/// Is this file a copy in a folder that a host has for the plugin?
fn is_copy(file: &Path, receipt: &Receipt) -> bool {
    let mut entered = receipt.files.iter();
    entered.any(|entered| entered.copy && entered.undo.file == file)
}

/// What is wrong with the copies that hosts load in place of our folder: one finding for each host.
fn copies(prepared: &Prepared) -> Vec<Finding> {
    let Prepared { plan, receipt, .. } = prepared;
    let of_host = |found: &Found| {
        let wrong: Vec<&Path> = plan
            .steps
            .iter()
            .map(Step::path)
            .filter(|file| file.starts_with(&found.folder) && is_copy(file, receipt))
            .collect();
        let each: Vec<String> = wrong.iter().map(|file| wrong_with(file)).collect();
        let what = format!(
            "{}'s copy of {} is not version {}: {}",
            found.name(),
            receipt.name,
            receipt.version,
            each.join(", ")
        );
        let finding = Finding::new(&code::COPY, what).of(found.name());
        Some(finding.at(wrong.first()?, None))
    };
    let hosts = prepared.hosts.iter();
    hosts.filter_map(|host| of_host(&host.found)).collect()
}

fn wrong_with(file: &Path) -> String {
    let name = file.file_name().unwrap_or_default().display();
    if file.exists() {
        format!("{name} differs")
    } else {
        format!("{name} is missing")
    }
}

/// Interpreters that are older than the plugin needs, by the version in their file's name.
fn older(manifest: &Manifest, store: &Path, env: &Env) -> Vec<Finding> {
    let project = Project::of_session(None, env);
    let path = search_path(env, &project);
    let programs = Programs {
        root: store,
        project: &project,
        receipt: None,
        path: &path,
        endings: &endings(),
    };
    let needs = manifest.needs.iter();
    needs
        .filter_map(|needs| {
            let file = programs.command(&[&*needs.program]).ok()?.program;
            let real = hookkit_dispatch::folder::real(&file);
            let version = needs::named_version(&real)?;
            (version < needs::least(needs)?).then(|| {
                let what = format!(
                    "{} needs {} {}, and {} is older",
                    manifest.name,
                    needs.program,
                    needs.version,
                    real.display()
                );
                Finding::new(&script::OLDER, what).at(&store.join("hookkit.json"), None)
            })
        })
        .collect()
}

//! hookkit's own installation: what its receipts say against what is there, and the steps that mend it.

use super::code::Code;
use super::codes::{dispatcher, own as code, programs as script};
use super::finding::Finding;
use crate::install::{self, Data, Found, Plan, Receipt, Removal, State, Step, Wanted};
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
        let hosts: Vec<Found> = hosts
            .iter()
            .filter(|found| receipt.hosts.iter().any(|host| found.is_named(host)))
            .cloned()
            .collect();
        if !mends && hosts.iter().any(|found| found.host.asks_for_trust()) {
            return;
        }
        match repair(receipt, &plugin, &manifest, data, hosts, env) {
            Ok(plan) => {
                for step in &plan.steps {
                    self.findings.extend(finding(step, receipt, data));
                }
                if !plan.is_empty() {
                    self.repairs.push(plan);
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
fn repair(
    receipt: &Receipt,
    plugin: &Plugin,
    manifest: &Manifest,
    data: &Data,
    hosts: Vec<Found>,
    env: &Env,
) -> Result<Plan, crate::outcome::Stop> {
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
    let mut plan = wanted.prepare(Some(receipt), env)?.plan;
    // A receipt alone that would be written anew says nothing that is wrong.
    let is_receipt = |step: &Step| step.path().starts_with(data.receipts());
    if plan.steps.iter().all(is_receipt) {
        plan.steps.clear();
    }
    Ok(plan)
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
        Step::Edit(_) => (
            &code::UNREGISTERED,
            format!("does not say what it should of {}", receipt.name),
        ),
        _ => return None,
    };
    Some(Finding::new(code, what).at(path, None))
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

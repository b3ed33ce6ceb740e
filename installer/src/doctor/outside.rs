//! What others say: the sessions that run, the hosts themselves, and hooks that are tried out.

use super::codes::outside::{DIFFERS, HOST_ERROR, PROBE_FAILED};
use super::codes::roots::{LIVE_GONE, LIVE_OLD};
use super::finding::Finding;
use crate::install::{Data, Found, Receipt};
use crate::plugin::Plugin;
use crate::survey::{self, About, Loss, Places, Survey};
use crate::trial::{self, Asked};
use anyhow::Result;
use hookkit_dispatch::env::Env;
use hookkit_dispatch::root::MANIFEST;
use hookkit_launchers::host::{self, Launch};
use std::path::{Path, PathBuf};

/// Sessions that hold what is gone or replaced.
pub(super) fn sessions(survey: &Survey, found: &[Found], findings: &mut Vec<Finding>) {
    for session in survey::sessions(survey, found).unwrap_or_default() {
        for held in session.holds {
            let (code, verb) = match held.loss {
                Loss::Gone => (&LIVE_GONE, "has gone away"),
                Loss::Replaced => (&LIVE_OLD, "was replaced"),
            };
            let process = session.process;
            let path = held.path.display();
            let what = format!("process {process} holds {path}, which {verb} since it started");
            let mut finding = Finding::new(code, what).of(session.host);
            if held.loss == Loss::Gone {
                finding = finding.fixed_by(format!(
                    "end process {process} and start a new session; installing again does not help it"
                ));
            }
            findings.push(match held.told {
                Some((file, line)) => finding.at(&file, Some(line)),
                None => finding,
            });
        }
    }
}

/// What the hosts say themselves, started for it.
pub(super) fn hosts(
    survey: &Survey,
    places: &Places,
    found: &[Found],
    findings: &mut Vec<Finding>,
) {
    for said in survey::ask_hosts(survey, places, found) {
        let code = match said.about {
            About::Error => &HOST_ERROR,
            About::Difference | About::Silence => &DIFFERS,
        };
        let finding = Finding::new(code, said.what).of(said.host);
        findings.push(match said.file {
            Some(file) => finding.at(&file, None),
            None => finding,
        });
    }
}

/// Tries the hooks of a plugin of hookkit's on made-up payloads in a scratch project, as each host
/// would send them.
pub(super) fn probe(
    name: &str,
    data: Option<&Data>,
    survey: &Survey,
    env: &Env,
    findings: &mut Vec<Finding>,
) {
    let failed = |what: String| Finding::new(&PROBE_FAILED, what);
    let Some(folder) = folder_of(name, data, survey) else {
        let what = format!("no plugin `{name}` with a hookkit.json is installed or loaded here");
        findings.push(failed(what).fixed_by("name one that `hookkit list` shows"));
        return;
    };
    let file = folder.join(MANIFEST);
    match problems(&folder, env) {
        Ok(problems) => {
            findings.extend(
                problems
                    .into_iter()
                    .map(|what| failed(what).at(&file, None)),
            );
        }
        Err(why) => findings.push(failed(format!("{why:#}")).at(&file, None)),
    }
}

fn problems(folder: &Path, env: &Env) -> Result<Vec<String>> {
    let plugin = Plugin::open(folder, env)?;
    let manifest = match plugin.manifest() {
        Ok(manifest) => manifest,
        Err(faults) => return Ok(faults.into_iter().map(|fault| fault.what).collect()),
    };
    let hosts: Vec<&'static dyn Launch> = host::every().collect();
    let asked = Asked {
        event: None,
        tool: None,
    };
    let chosen = trial::choose(&manifest, &hosts, &asked);
    let place = trial::Place::new(env)?;
    let mut trials = Vec::new();
    for moment in &chosen.moments {
        for host in &hosts {
            let trial = trial::run_moment(&plugin.folder, &manifest, *host, moment, &place, 1)?;
            trials.push(trial);
        }
    }
    Ok(trial::problems(&trials))
}

/// The folder with a plugin's own files: the installed version, else what a host loads.
fn folder_of(name: &str, data: Option<&Data>, survey: &Survey) -> Option<PathBuf> {
    let receipt = data.and_then(|data| Receipt::read(data, name).ok().flatten());
    if let (Some(receipt), Some(data)) = (receipt, data) {
        return Some(data.versions(name).join(receipt.version));
    }
    let is_it = |id: &str| id == name || id.split('@').next() == Some(name);
    survey
        .plugins
        .iter()
        .filter(|plugin| is_it(&plugin.id))
        .filter_map(|plugin| plugin.root.clone())
        .find(|root| root.join(MANIFEST).is_file())
}

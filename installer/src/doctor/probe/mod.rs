//! Hooks that are tried out: `hookkit doctor --probe PLUGIN`.
//!
//! ```text
//! find -> Named -> for each host, each command hook: samples::payloads -> Start -> run -> judge
//! ```
//!
//! Who names a plugin wants its hooks to run; nothing else starts one. A plugin of hookkit's is tried
//! as `hookkit test` does it. Any other is copied into a scratch folder with a project and a home of
//! its own ([`Place`]), and each of its command hooks is started as its host starts it ([`Start`]) on
//! what that host would send. Processes and folders are gone afterwards.

mod judge;
mod named;
mod place;
mod reading;
mod samples;
mod start;

pub(super) use named::{Named, find};

use super::codes::outside::{PROBE_FAILED, UNTRIED};
use super::finding::Finding;
use super::programs::Machine;
use crate::plugin::Plugin;
use crate::survey::{Handler, Hook, HookState, Source, State, Survey};
use crate::trial::{self, Asked};
use anyhow::Result;
use hookkit_dispatch::active;
use hookkit_dispatch::contract::Contract;
use hookkit_dispatch::env::Env;
use hookkit_dispatch::host::by_name;
use hookkit_dispatch::root::MANIFEST;
use hookkit_dispatch::run::{self, End, Job};
use hookkit_launchers::host::{self, Launch};
use judge::Tried;
use place::{PROJECT, Place};
use start::{Not, Start};
use std::borrow::Cow;
use std::path::Path;
use std::time::{Duration, Instant};

/// No hook is given longer, whatever its own limit.
const LONGEST: Duration = Duration::from_secs(20);

/// Tries the hooks of one plugin.
pub(super) fn probe(
    named: &Named,
    survey: &Survey,
    machine: &Machine,
    env: &Env,
    findings: &mut Vec<Finding>,
) {
    match named {
        Named::Own(folder) => own(folder, env, findings),
        Named::Loaded(id) => loaded(id, survey, machine, env, findings),
    }
}

/// A plugin of hookkit's: its hooks, as each host would have the dispatcher run them.
fn own(folder: &Path, env: &Env, findings: &mut Vec<Finding>) {
    let file = folder.join(MANIFEST);
    let failed = |what: String| Finding::new(&PROBE_FAILED, what).at(&file, None);
    match problems(folder, env) {
        Ok(problems) => findings.extend(problems.into_iter().map(failed)),
        Err(why) => findings.push(failed(format!("{why:#}"))),
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

/// A plugin of somebody else's, on every host that loads it.
fn loaded(id: &str, survey: &Survey, machine: &Machine, env: &Env, findings: &mut Vec<Finding>) {
    let sources = survey.sources.iter().filter(|source| {
        let plugin = source.plugin.as_ref();
        plugin.is_some_and(|plugin| plugin.id == id)
    });
    let mut is_tried = false;
    for source in sources.filter(|source| source.state == State::Read) {
        let hooks = source.hooks.iter().filter(|hook| {
            let is_command = matches!(hook.handler, Handler::Shell(_) | Handler::Program { .. });
            hook.state == HookState::Armed && is_command
        });
        for hook in hooks {
            is_tried = true;
            let probe = Probe {
                source,
                hook,
                machine,
                env,
            };
            if probe.all(findings) == Next::Stop {
                findings.push(probe.untried("hookkit was told to end"));
                return;
            }
        }
    }
    if !is_tried {
        let what = format!("no agent here runs a command of {id}, so nothing of it was tried");
        let named = survey.plugins.iter().find(|plugin| plugin.id == id);
        findings.push(match named {
            Some(plugin) => Finding::new(&UNTRIED, what).at(&plugin.named.0, Some(plugin.named.1)),
            None => Finding::new(&UNTRIED, what),
        });
    }
}

/// Does the probe go on?
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Goes,
    /// Somebody wants hookkit to end.
    Stop,
}

/// What came of one run.
enum Once {
    Fine,
    Said(Finding),
    Stopped,
}

/// One hook that is tried.
struct Probe<'p> {
    source: &'p Source,
    hook: &'p Hook,
    machine: &'p Machine,
    env: &'p Env,
}

impl Probe<'_> {
    fn all(&self, findings: &mut Vec<Finding>) -> Next {
        let Self { source, hook, .. } = *self;
        let (Some(host), Some(contract)) = (by_name(source.host), hook.contract) else {
            return Next::Goes;
        };
        let moments = samples::moments(source, hook, host, contract);
        if moments.is_empty() {
            findings.push(self.untried("no built-in payload fits its matcher"));
        }
        let mut said: Vec<Finding> = Vec::new();
        for moment in moments {
            let Ok(payload) = moment.document_under(&hook.event, host, Path::new(PROJECT)) else {
                continue;
            };
            match self.once(&payload.to_string(), contract) {
                Once::Said(finding) => {
                    // What it does on several payloads is said once.
                    if said.iter().all(|known| known.code != finding.code) {
                        said.push(finding);
                    }
                }
                Once::Fine => {}
                Once::Stopped => return Next::Stop,
            }
        }
        findings.extend(said);
        Next::Goes
    }

    /// One run; in the payload [`PROJECT`] stands for the project.
    fn once(&self, payload: &str, contract: &'static Contract) -> Once {
        let Self { source, hook, .. } = *self;
        let place = match Place::new(source, self.env) {
            Ok(place) => place,
            Err(why) => return Once::Said(self.untried(&format!("{why:#}"))),
        };
        let start = match Start::of(source, hook, &place, self.machine) {
            Ok(start) => start,
            Err(Not::Here) => {
                return Once::Said(self.untried("on this system its host starts nothing of it"));
            }
            Err(Not::Missing(what)) => {
                return Once::Said(self.placed(judge::missing(&what, &hook.event, contract)));
            }
        };
        let finished = run(&start, &place.in_project(payload), &place);
        if finished.end == End::HostSignal {
            return Once::Stopped;
        }
        let tried = Tried {
            host: source.host,
            event: &hook.event,
            contract,
            finished: &finished,
            limit: start.limit,
        };
        match tried.judge() {
            Some(mut finding) => {
                finding.what = place.with_original(&finding.what);
                Once::Said(self.placed(finding))
            }
            None => Once::Fine,
        }
    }

    fn untried(&self, why: &str) -> Finding {
        let what = format!("the hook on {} was not tried: {why}", self.hook.event);
        self.placed(Finding::new(&UNTRIED, what))
    }

    fn placed(&self, finding: Finding) -> Finding {
        finding
            .of(self.source.host)
            .at(&self.source.file, Some(self.hook.line))
    }
}

fn run(start: &Start, payload: &str, place: &Place) -> run::Finished {
    let mark = format!("probe:{}", place.project().display());
    let mut env = start.env.clone();
    env.push((active::VARIABLE.into(), mark.clone().into()));
    // As Claude Code 2.1.332 does; others send no line break, which is nothing to JSON.
    let stdin = [payload.as_bytes(), b"\n"].map(Cow::Borrowed);
    let timeout = start.limit.min(LONGEST);
    let job = Job {
        command: start.command.clone(),
        env,
        cwd: Some(start.cwd.clone()),
        stdin: &stdin,
        timeout,
        mark,
        leaves_nothing: true,
    };
    let deadline = Instant::now() + timeout + Duration::from_secs(1);
    let mut finished = run::run(&[job], deadline);
    finished.remove(0)
}

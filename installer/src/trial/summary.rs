//! What is said at the end: what was tried and by whose registration, and everything that is wrong,
//! once.

use super::account::{Account, Tone};
use super::run::Trial;
use crate::screen::{BAD, CAREFUL, DIM, GOOD};
use crate::text::{count, wrap};
use hookkit_dispatch::manifest::Manifest;
use hookkit_launchers::host::Launch;
use std::fmt::Write as _;

/// The last lines: what was tried, and everything that is wrong, once.
pub(crate) fn summary(
    trials: &[Trial],
    manifest: &Manifest,
    problems: &[String],
    width: usize,
) -> String {
    let mut out = String::new();
    let hosts = runs_by_host(trials);
    let runs: usize = hosts.iter().map(|(_, runs)| runs).sum();
    let (idle, busy): (Vec<_>, Vec<_>) = hosts.iter().partition(|(_, runs)| *runs == 0);
    let mut first = format!(
        "{}, {}",
        count(manifest.hooks.len(), "hook"),
        count(runs, "run")
    );
    for (hosts, word) in [(busy, " on "), (idle, "; none on ")] {
        if !hosts.is_empty() {
            let names: Vec<&str> = hosts.iter().map(|(host, _)| name(*host)).collect();
            first += word;
            first += &names.join(", ");
        }
    }
    for line in wrap(&first, width) {
        let _ = writeln!(out, "{line}");
    }
    for (host, _) in hosts.iter().filter(|(host, _)| host.told_as().is_some()) {
        for line in wrap(&borrowed(*host, manifest), width) {
            let _ = writeln!(out, "{DIM}{line}{DIM:#}");
        }
    }
    if problems.is_empty() && runs == 0 {
        let _ = writeln!(out, "{CAREFUL}nothing was run{CAREFUL:#}");
        return out;
    }
    if problems.is_empty() {
        let _ = writeln!(out, "{GOOD}no problems{GOOD:#}");
        return out;
    }
    let bad = BAD.bold();
    let _ = writeln!(out, "{bad}{}{bad:#}", count(problems.len(), "problem"));
    for problem in problems {
        for (index, line) in wrap(problem, width.saturating_sub(4)).iter().enumerate() {
            let _ = writeln!(out, "{}{line}", if index == 0 { "  " } else { "    " });
        }
    }
    out
}

/// How often hooks ran on each host, in the order of the trials.
fn runs_by_host(trials: &[Trial]) -> Vec<(&'static dyn Launch, usize)> {
    let mut hosts: Vec<(&'static dyn Launch, usize)> = Vec::new();
    for trial in trials {
        let runs: usize = trial.told.iter().map(|told| told.hooks.len()).sum();
        let known = hosts
            .iter_mut()
            .find(|(host, _)| name(*host) == trial.host_name());
        match known {
            Some((_, known)) => *known += runs,
            None => hosts.push((trial.host, runs)),
        }
    }
    hosts
}

fn name(host: &dyn Launch) -> &'static str {
    host.host().name()
}

/// By what a host is started that has no registration of its own.
fn borrowed(host: &dyn Launch, manifest: &Manifest) -> String {
    let not_seen = match host.seen_on() {
        Some(_) => "",
        None => "; not seen live",
    };
    format!(
        "{} is started by {}, which says --host {}{not_seen}",
        name(host),
        host.registration_file(&manifest.name),
        host.named()
    )
}

/// Everything that is wrong, each once, with the hosts that it is wrong on.
pub(crate) fn problems(trials: &[Trial]) -> Vec<String> {
    let mut found: Vec<(String, Vec<&str>)> = Vec::new();
    for trial in trials {
        for heard in trial.told.iter().flat_map(|told| &told.hooks) {
            let account = Account::of(heard, trial.event);
            if account.tone != Tone::Problem {
                continue;
            }
            let what = account.details.first().map_or("", String::as_str);
            let problem = format!("{}: {}: {what}", heard.hook, account.word);
            let host = trial.host_name();
            match found.iter_mut().find(|(known, _)| *known == problem) {
                Some((_, hosts)) if hosts.contains(&host) => {}
                Some((_, hosts)) => hosts.push(host),
                None => found.push((problem, vec![host])),
            }
        }
    }
    found
        .into_iter()
        .map(|(problem, hosts)| format!("{problem} ({})", hosts.join(", ")))
        .collect()
}

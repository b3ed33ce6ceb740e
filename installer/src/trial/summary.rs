//! What is said at the end: what was tried, and everything that is wrong, once.

use super::account::{Account, Tone};
use super::run::Trial;
use crate::screen::{BAD, GOOD};
use crate::text::{count, wrap};
use hookkit_dispatch::manifest::Manifest;
use std::fmt::Write as _;

/// The last line: what was tried, and everything that is wrong, once.
pub(crate) fn summary(
    trials: &[Trial],
    manifest: &Manifest,
    problems: &[String],
    width: usize,
) -> String {
    let mut out = String::new();
    let runs: usize = trials
        .iter()
        .flat_map(|trial| &trial.told)
        .map(|told| told.hooks.len())
        .sum();
    let mut hosts: Vec<&str> = trials.iter().map(|trial| trial.host.name()).collect();
    hosts.sort_unstable();
    hosts.dedup();
    let _ = writeln!(
        out,
        "{}, {} on {}",
        count(manifest.hooks.len(), "hook"),
        count(runs, "run"),
        hosts.join(", ")
    );
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
            let host = trial.host.name();
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

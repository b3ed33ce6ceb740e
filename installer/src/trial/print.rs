//! The trials as people read them.

use super::account::{Account, Tone, seen};
use super::moments::Untried;
use super::run::{Heard, Told, Trial};
use crate::cli::Detail;
use crate::screen::{BAD, BOLD, DIM, GOOD};
use crate::text::{brief, count, wrap};
use hookkit_dispatch::manifest::Manifest;
use std::fmt::Write as _;
use std::time::Duration;

/// How it is laid out.
pub(crate) struct Layout {
    pub(crate) width: usize,
    pub(crate) detail: Detail,
}

/// Widest column of a hook's word; longer words push the rest of their line.
const WORD: usize = 12;

/// All trials, one block for each moment. Writing to a text does not fail, so its results are
/// dropped here.
pub(crate) fn print(trials: &[Trial], untried: &[Untried], layout: &Layout) -> String {
    let mut out = String::new();
    let mut previous = None;
    let ids = trials
        .iter()
        .flat_map(|trial| &trial.told)
        .flat_map(|told| &told.hooks)
        .map(|heard| heard.hook.len());
    let ids = ids.max().unwrap_or_default().clamp(4, 24);
    for trial in trials {
        let title = (trial.event, &trial.title);
        if previous != Some(title) {
            let colon = if trial.title.is_empty() { "" } else { ": " };
            let line = format!("{}{colon}{}", trial.event, trial.title);
            let _ = writeln!(out, "{BOLD}{}{BOLD:#}", brief(&line, layout.width));
            previous = Some(title);
        }
        block(&mut out, trial, ids, layout);
        let _ = writeln!(out);
    }
    for one in untried {
        let line = format!("not tried: {} on {}: {}", one.hook, one.event, one.why);
        for line in wrap(&line, layout.width) {
            let _ = writeln!(out, "{line}");
        }
        let _ = writeln!(out);
    }
    out
}

fn block(out: &mut String, trial: &Trial, ids: usize, layout: &Layout) {
    let host = trial.host.name();
    let Some(document) = &trial.document else {
        let _ = writeln!(out, "  {host}  {DIM}this does not happen there{DIM:#}");
        return;
    };
    let first = trial.told.iter().flat_map(|told| &told.hooks).next();
    match first {
        Some(heard) => {
            let saw = brief(
                &trial.seen(heard),
                layout.width.saturating_sub(host.len() + 8),
            );
            let _ = writeln!(out, "  {host}  {DIM}saw{DIM:#} {saw}");
        }
        None => {
            let _ = writeln!(out, "  {host}  {DIM}no hook matches{DIM:#}");
        }
    }
    if layout.detail == Detail::Verbose {
        let _ = writeln!(out, "    {DIM}sent{DIM:#} {document}");
    }
    for told in &trial.told {
        for heard in &told.hooks {
            row(out, heard, first, trial, ids, layout);
        }
        reply(out, told, layout);
    }
}

impl Trial {
    /// What a hook saw, with the paths of the session's folder cut short.
    fn seen(&self, heard: &Heard) -> String {
        let folder = format!("{}{}", self.cwd.display(), std::path::MAIN_SEPARATOR);
        seen(&heard.saw).replace(&folder, "")
    }
}

/// One hook: its name, what it said in a word, how long it took, and its own words.
fn row(
    out: &mut String,
    heard: &Heard,
    first: Option<&Heard>,
    trial: &Trial,
    ids: usize,
    layout: &Layout,
) {
    let account = Account::of(heard, trial.event);
    let style = account.tone.style();
    let time = if heard.times.is_empty() || account.word == "cannot start" {
        String::new()
    } else {
        milliseconds(median(&heard.times))
    };
    let indent = 4 + ids + 2 + WORD + 1 + 8 + 2;
    let _ = write!(
        out,
        "    {:ids$}  {style}{:WORD$}{style:#} {time:>8}",
        heard.hook, account.word
    );
    let mut details: Vec<String> = Vec::new();
    if let Some(file) = &heard.file {
        details.push(format!("file {file}"));
    } else if first.is_some_and(|first| first.saw != heard.saw) {
        details.push(format!("saw {}", trial.seen(heard)));
    }
    details.extend(account.details);
    let width = layout.width.saturating_sub(indent);
    let mut lines = details.iter().flat_map(|detail| {
        let detail = if layout.detail == Detail::Verbose {
            detail.clone()
        } else {
            brief(detail, width * 4)
        };
        wrap(&detail, width)
    });
    match lines.next() {
        Some(line) => {
            let _ = writeln!(out, "  {line}");
        }
        None => {
            let _ = writeln!(out);
        }
    }
    for line in lines {
        let _ = writeln!(out, "{:indent$}{line}", "");
    }
    if layout.detail == Detail::Verbose {
        channel(out, "stdout", &heard.finished.stdout);
        channel(out, "stderr", &heard.finished.stderr);
    }
}

fn channel(out: &mut String, name: &str, bytes: &[u8]) {
    for line in String::from_utf8_lossy(bytes).lines() {
        let _ = writeln!(out, "      {DIM}{name}{DIM:#} {line}");
    }
}

/// What the host would be told: these bytes and this exit code.
fn reply(out: &mut String, told: &Told, layout: &Layout) {
    let reply = &told.reply;
    let whose = match &told.direct {
        Some(hook) => format!("told by {hook}"),
        None => "told".to_owned(),
    };
    let size = match (reply.stdout.len(), reply.stderr.len()) {
        (0, 0) => "nothing".to_owned(),
        (out, 0) => format!("{out} bytes"),
        (0, err) => format!("{err} bytes on stderr"),
        (out, err) => format!("{out} bytes, {err} on stderr"),
    };
    let _ = writeln!(
        out,
        "    {BOLD}{whose}{BOLD:#} {size}, exit {}, {}",
        reply.code,
        times(&told.times)
    );
    for bytes in [&reply.stdout, &reply.stderr] {
        let text = String::from_utf8_lossy(bytes);
        let lines = if layout.detail == Detail::Verbose {
            text.lines().map(str::to_owned).collect()
        } else {
            wrap(text.trim_end(), layout.width.saturating_sub(6))
        };
        for line in lines {
            let _ = writeln!(out, "      {line}");
        }
    }
    for note in &told.notes {
        let _ = writeln!(out, "    {DIM}note: {note}{DIM:#}");
    }
}

/// The last line: what was tried, and everything that is wrong, once.
pub(crate) fn summary(trials: &[Trial], manifest: &Manifest, width: usize) -> String {
    let mut out = String::new();
    let problems = problems(trials);
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
        for (index, line) in wrap(&problem, width.saturating_sub(4)).iter().enumerate() {
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

/// One time, or how several are spread.
fn times(times: &[Duration]) -> String {
    match times {
        [time] => milliseconds(*time),
        times => format!(
            "{} times: min {}, median {}, p90 {}",
            times.len(),
            milliseconds(part(times, 0.0)),
            milliseconds(median(times)),
            milliseconds(part(times, 0.9))
        ),
    }
}

pub(super) fn median(times: &[Duration]) -> Duration {
    part(times, 0.5)
}

/// The time that this part of all times is below or at, by nearest rank.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "an index into a list of at most some thousands"
)]
pub(super) fn part(times: &[Duration], part: f64) -> Duration {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    let rank = (part * sorted.len() as f64).ceil() as usize;
    sorted
        .get(rank.saturating_sub(1))
        .copied()
        .unwrap_or_default()
}

fn milliseconds(time: Duration) -> String {
    let milliseconds = time.as_secs_f64() * 1000.0;
    if milliseconds < 10.0 {
        format!("{milliseconds:.1} ms")
    } else {
        format!("{milliseconds:.0} ms")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_spread_by_nearest_rank() {
        let times: Vec<Duration> = (1..=10).map(Duration::from_millis).collect();
        assert_eq!(part(&times, 0.0), Duration::from_millis(1));
        assert_eq!(median(&times), Duration::from_millis(5));
        assert_eq!(part(&times, 0.9), Duration::from_millis(9));
        assert_eq!(median(&times[..1]), Duration::from_millis(1));
    }
}

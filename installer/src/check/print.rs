//! The report as people read it.

use super::{Level, OnHost, Report};
use crate::screen::{BAD, BOLD, CAREFUL, DIM, GOOD};
use crate::text::{count, wrap};
use anstyle::Style;
use std::fmt::Write as _;

fn style(level: Level) -> Style {
    match level {
        Level::Error => BAD.bold(),
        Level::Warning => CAREFUL,
        Level::Note => DIM,
    }
}

/// The whole report; notes only where more is wanted. Writing to a text does not fail, so its
/// results are dropped here.
pub(crate) fn print(report: &Report, with_notes: bool, width: usize) -> String {
    let mut out = String::new();
    let shown = |level| with_notes || level != Level::Note;
    for finding in report
        .findings
        .iter()
        .filter(|finding| shown(finding.level))
    {
        let style = style(finding.level);
        let line = finding
            .line
            .map_or_else(String::new, |line| format!(":{line}"));
        let text = format!(
            "{}{line}: {}: {finding}",
            finding.file,
            finding.level.word()
        );
        let place = finding.file.len() + line.len() + 2;
        for (index, line) in wrap(&text, width.saturating_sub(2)).iter().enumerate() {
            let word = finding.level.word();
            let _ = match (index, line.get(..place), line.get(place + word.len()..)) {
                (0, Some(before), Some(after)) => {
                    writeln!(out, "{before}{style}{word}{style:#}{after}")
                }
                (0, ..) => writeln!(out, "{line}"),
                _ => writeln!(out, "  {line}"),
            };
        }
    }
    if !out.is_empty() {
        let _ = writeln!(out);
    }
    for host in &report.hosts {
        on_host(&mut out, host, width);
        let _ = writeln!(out);
    }
    out.push_str(&summary(report, with_notes));
    out
}

fn on_host(out: &mut String, host: &OnHost, width: usize) {
    let seen = host.seen_on.map_or_else(
        || "by the vendor's word, not seen live".to_owned(),
        |version| format!("as seen on {version}"),
    );
    let _ = writeln!(out, "{BOLD}{}{BOLD:#} {DIM}{seen}{DIM:#}", host.host);
    if host.starts.is_empty() {
        let _ = writeln!(out, "  starts nothing");
        part(out, "lost there", host.lost.iter().cloned(), width);
        return;
    }
    let starts = host.starts.iter().map(|start| {
        let which = match (&start.matcher, &start.hook) {
            (Some(matcher), _) => format!(" of {}", matcher.replace('|', ", ")),
            (None, Some(hook)) => format!(" for `{hook}` alone"),
            (None, None) => String::new(),
        };
        format!("{}{which}, within {} s", start.event, start.timeout)
    });
    part(out, "starts the dispatcher on", starts, width);
    part(out, "lost there", host.lost.iter().cloned(), width);
    let without = host
        .without_dispatcher
        .iter()
        .map(|without| format!("{} {}", without.event, without.then));
    part(out, "where the dispatcher cannot start", without, width);
    let switches = host.switches.iter().map(|switch| (*switch).to_owned());
    part(out, "what a repository can do about it", switches, width);
}

fn part(out: &mut String, title: &str, items: impl Iterator<Item = String>, width: usize) {
    let mut items = items.peekable();
    if items.peek().is_none() {
        return;
    }
    let _ = writeln!(out, "  {title}:");
    for item in items {
        for (index, line) in wrap(&item, width.saturating_sub(6)).iter().enumerate() {
            let indent = if index == 0 { "    " } else { "      " };
            let _ = writeln!(out, "{indent}{line}");
        }
    }
}

fn summary(report: &Report, with_notes: bool) -> String {
    let (errors, warnings) = (report.count(Level::Error), report.count(Level::Warning));
    let notes = report.count(Level::Note);
    let mut out = String::new();
    if errors == 0 {
        let _ = write!(
            out,
            "{GOOD}{} {} is sound{GOOD:#}: {}",
            report.name,
            report.version,
            count(report.hooks, "hook")
        );
    } else {
        let bad = BAD.bold();
        let _ = write!(out, "{bad}{}{bad:#}", count(errors, "error"));
    }
    if warnings > 0 {
        let _ = write!(out, ", {CAREFUL}{}{CAREFUL:#}", count(warnings, "warning"));
    }
    if notes > 0 {
        let more = if with_notes { "" } else { " (-v shows them)" };
        let _ = write!(out, ", {}{more}", count(notes, "note"));
    }
    out.push('\n');
    out
}

//! Everything that was found, for people and for programs.

use super::finding::Finding;
use crate::check::Level;
use crate::install::Found;
use crate::screen::{BAD, BOLD, CAREFUL, DIM, GOOD};
use crate::survey::{HookState, Source, State, Survey};
use crate::text::{count, wrap};
use anstyle::Style;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

/// What doctor says.
pub(crate) struct Report {
    pub(super) findings: Vec<Finding>,
    hosts: Vec<OnHost>,
}

/// What a host reads, in numbers.
struct OnHost {
    name: &'static str,
    version: Option<String>,
    files: usize,
    hooks: usize,
    /// Those that run when their event happens.
    armed: usize,
}

impl Report {
    pub(super) fn of(survey: &Survey, hosts: &[Found], mut findings: Vec<Finding>) -> Self {
        findings.sort_by(|left, right| left.order().cmp(&right.order()));
        findings.dedup();
        let names: BTreeSet<&'static str> =
            survey.sources.iter().map(|source| source.host).collect();
        let version = |name: &str| {
            let found = hosts.iter().find(|found| found.name() == name)?;
            found.version.clone()
        };
        let hosts = names
            .into_iter()
            .map(|name| {
                let sources = || survey.of(name);
                OnHost {
                    name,
                    version: version(name),
                    files: sources().count(),
                    hooks: sources().map(|source| source.hooks.len()).sum(),
                    armed: sources().map(armed).sum(),
                }
            })
            .collect();
        Self { findings, hosts }
    }

    /// How many findings of a level there are.
    fn count(&self, level: Level) -> usize {
        let findings = self.findings.iter();
        findings.filter(|finding| finding.level() == level).count()
    }

    /// Is there a finding of this level, or of a worse one?
    pub(crate) fn has(&self, least: Level) -> bool {
        self.findings.iter().any(|finding| finding.level() <= least)
    }

    /// For programs.
    pub(crate) fn json(&self) -> Value {
        json!({
            "schema": 1,
            "hosts": self.hosts.iter().map(OnHost::json).collect::<Vec<_>>(),
            "findings": self.findings,
            "errors": self.count(Level::Error),
            "warnings": self.count(Level::Warning),
            "notes": self.count(Level::Note),
        })
    }

    /// The same for somebody else's eyes: no word that is not hookkit's own, files as numbers.
    pub(crate) fn shared(&self) -> Value {
        let mut numbers: BTreeMap<&Path, usize> = BTreeMap::new();
        for file in self
            .findings
            .iter()
            .filter_map(|finding| finding.file.as_deref())
        {
            let next = numbers.len() + 1;
            numbers.entry(file).or_insert(next);
        }
        let findings: Vec<Value> = self
            .findings
            .iter()
            .map(|finding| {
                let file = finding.file.as_deref();
                let number = file.and_then(|file| numbers.get(file));
                json!({
                    "code": finding.code.id,
                    "severity": finding.level(),
                    "host": finding.host,
                    "file": number.map(|number| format!("file {number}")),
                    "line": finding.line,
                    "what": finding.code.title,
                    "fix": finding.code.fix,
                })
            })
            .collect();
        let mut document = self.json();
        document["findings"] = findings.into();
        document["shared"] = true.into();
        document["system"] = format!("{} {}", std::env::consts::OS, std::env::consts::ARCH).into();
        document["version"] = hookkit_dispatch::version().into();
        document
    }

    /// For people; notes only where more is wanted. Writing to a text does not fail, so its results
    /// are dropped here.
    pub(crate) fn print(&self, with_notes: bool, width: usize) -> String {
        let mut out = String::new();
        let is_shown = |finding: &&Finding| with_notes || finding.level() != Level::Note;
        let shown: Vec<&Finding> = self.findings.iter().filter(is_shown).collect();
        let mut place = String::new();
        for alike in shown.chunk_by(|left, right| left.is_like(right)) {
            print_alike(alike, &mut place, width, &mut out);
        }
        if !out.is_empty() {
            out.push('\n');
        }
        for host in &self.hosts {
            let version = host.version.as_deref().unwrap_or("of unknown version");
            let _ = writeln!(
                out,
                "{BOLD}{}{BOLD:#} {DIM}{version}{DIM:#}: {} in {}, {} armed",
                host.name,
                count(host.hooks, "hook"),
                count(host.files, "file"),
                host.armed
            );
        }
        if self.hosts.is_empty() {
            let _ = writeln!(out, "no agent that hookkit knows has hooks here");
        }
        out.push_str(&self.summary(with_notes));
        out
    }

    fn summary(&self, with_notes: bool) -> String {
        let (errors, warnings) = (self.count(Level::Error), self.count(Level::Warning));
        let notes = self.count(Level::Note);
        let bad = BAD.bold();
        let mut out = if errors > 0 {
            format!("{bad}{}{bad:#}", count(errors, "error"))
        } else {
            format!("{GOOD}no errors{GOOD:#}")
        };
        if warnings > 0 {
            let _ = write!(out, ", {CAREFUL}{}{CAREFUL:#}", count(warnings, "warning"));
        }
        if notes > 0 {
            let more = if with_notes { "" } else { " (-v shows them)" };
            let _ = write!(out, ", {}{more}", count(notes, "note"));
        }
        if !self.findings.is_empty() {
            let _ = write!(
                out,
                "; `hookkit doctor --explain CODE` says what a code means"
            );
        }
        out.push('\n');
        out
    }
}

impl OnHost {
    fn json(&self) -> Value {
        json!({
            "host": self.name,
            "version": self.version,
            "files": self.files,
            "hooks": self.hooks,
            "armed": self.armed,
        })
    }
}

fn armed(source: &Source) -> usize {
    let is_armed = |hook: &&crate::survey::Hook| hook.state == HookState::Armed;
    if source.state == State::Read {
        source.hooks.iter().filter(is_armed).count()
    } else {
        0
    }
}

fn style(level: Level) -> Style {
    match level {
        Level::Error => BAD.bold(),
        Level::Warning => CAREFUL,
        Level::Note => DIM,
    }
}

/// The place, unless it was the last one's too; severity, code and title; hosts and sentence; what
/// to do.
fn print_alike(alike: &[&Finding], last: &mut String, width: usize, out: &mut String) {
    let Some(finding) = alike.first() else {
        return;
    };
    let place = match finding.place() {
        place if place.is_empty() => finding.host.unwrap_or("this machine").to_owned(),
        place => place,
    };
    if place != *last {
        let _ = writeln!(out, "{BOLD}{place}{BOLD:#}");
    }
    *last = place;
    let style = style(finding.level());
    let _ = writeln!(
        out,
        "  {style}{} {}{style:#} {}",
        finding.level().word(),
        finding.code.id,
        finding.code.title
    );
    let hosts: Vec<&str> = alike.iter().filter_map(|finding| finding.host).collect();
    let sentence = if hosts.is_empty() {
        finding.what.clone()
    } else {
        format!("{}: {}", hosts.join(", "), finding.what)
    };
    let indented = width.saturating_sub(4);
    for line in wrap(&sentence, indented) {
        let _ = writeln!(out, "    {line}");
    }
    for line in wrap(&format!("-> {}", finding.way_out()), indented) {
        let _ = writeln!(out, "    {DIM}{line}{DIM:#}");
    }
}

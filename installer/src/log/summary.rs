//! The log, summed up for each hook on each host.

use super::entry::Entry;
use crate::screen::{BOLD, DIM};
use crate::text::brief;
use crate::times::{milliseconds, part};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

/// Counts and times by host and hook.
pub(crate) struct Summary {
    rows: BTreeMap<(String, String), Row>,
}

#[derive(Default)]
struct Row {
    plugin: String,
    hook: Option<String>,
    calls: usize,
    outcomes: BTreeMap<String, usize>,
    faults: BTreeMap<String, usize>,
    times: Vec<Duration>,
}

impl Summary {
    pub(crate) fn of(entries: &[Entry]) -> Self {
        let mut rows: BTreeMap<(String, String), Row> = BTreeMap::new();
        for entry in entries {
            let row = rows
                .entry((entry.host.clone(), entry.who()))
                .or_insert_with(|| Row {
                    plugin: entry.plugin.clone(),
                    hook: entry.hook.clone(),
                    ..Row::default()
                });
            row.calls += 1;
            *row.outcomes.entry(entry.outcome.clone()).or_default() += 1;
            if let Some(fault) = &entry.fault {
                *row.faults.entry(fault.clone()).or_default() += 1;
            }
            row.times.extend(entry.elapsed());
        }
        Self { rows }
    }

    /// For people.
    pub(crate) fn print(&self) -> String {
        let names = self.rows.keys().map(|(_, who)| who.len());
        let width = names.max().unwrap_or_default().clamp(4, 48);
        let mut text = format!(
            "{DIM}{:12} {:width$} {:>6} {:>8} {:>8}  outcomes{DIM:#}\n",
            "host", "hook", "calls", "p50", "p95"
        );
        for ((host, who), row) in &self.rows {
            let mut said = counts(&row.outcomes);
            if !row.faults.is_empty() {
                said = format!("{said}; faults: {}", counts(&row.faults));
            }
            let spread = |at| match &*row.times {
                [] => "-".to_owned(),
                times => milliseconds(part(times, at)),
            };
            // Writing to a text does not fail.
            let _ = writeln!(
                text,
                "{:12} {BOLD}{:width$}{BOLD:#} {:>6} {:>8} {:>8}  {}",
                brief(host, 40),
                brief(who, 120),
                row.calls,
                spread(0.5),
                spread(0.95),
                brief(&said, 200)
            );
        }
        text
    }

    /// For programs.
    pub(crate) fn json(&self) -> Value {
        self.rows
            .iter()
            .map(|((host, _), row)| {
                let at = |at| {
                    let time = part(&row.times, at).as_secs_f64() * 1000.0;
                    (!row.times.is_empty()).then_some(time)
                };
                json!({
                    "host": host, "plugin": row.plugin, "hook": row.hook, "calls": row.calls,
                    "outcomes": row.outcomes, "faults": row.faults,
                    "milliseconds": {"p50": at(0.5), "p95": at(0.95)},
                })
            })
            .collect()
    }
}

fn counts(counts: &BTreeMap<String, usize>) -> String {
    let each = counts.iter().map(|(word, count)| format!("{word} {count}"));
    each.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(host: &str, outcome: &str, fault: &str, ms: u32) -> Entry {
        let line = format!(
            "{{\"schema\":1,\"time\":\"\",\"plugin\":\"p\",\"host\":\"{host}\",\"event\":\"Stop\",\
             \"hook\":\"h\",\"outcome\":\"{outcome}\",\"fault\":{fault},\"ms\":{ms}}}"
        );
        Entry::read(&line).expect("a line")
    }

    #[test]
    fn hooks_are_counted_for_each_host() {
        let mut entries: Vec<Entry> = (1..=20)
            .map(|ms| entry("claude-code", "none", "null", ms))
            .collect();
        entries.push(entry("codex", "block", "\"timeout\"", 5000));
        let told = Summary::of(&entries).json();
        assert_eq!(told[0]["calls"], 20);
        assert_eq!(told[0]["milliseconds"], json!({"p50": 10.0, "p95": 19.0}));
        assert_eq!(told[0]["faults"], json!({}));
        assert_eq!(told[1]["outcomes"], json!({"block": 1}));
        assert_eq!(told[1]["faults"], json!({"timeout": 1}));
    }
}

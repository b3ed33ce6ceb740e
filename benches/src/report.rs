//! What is told: ratios first, then times, then weights. Markdown for people, JSON for programs.

use anyhow::{Context as _, Result};
use serde::Serialize;

use crate::budget::{BUDGETS, Verdict};
use crate::calls::Calls;
use crate::machine::Machine;
use crate::row::Row;
use crate::stats::{BLOCKS, Ratio, median, percentile};
use crate::weight::Weight;

#[derive(Serialize)]
pub(crate) struct Report {
    schema: u32,
    rounds: usize,
    machine: Machine,
    ratios: Vec<RatioLine>,
    times: Vec<TimeLine>,
    weights: Vec<Weight>,
    system_calls: Vec<Calls>,
}

#[derive(Serialize)]
struct RatioLine {
    row: &'static str,
    base: &'static str,
    ratio: f64,
    noise: f64,
    limit: f64,
    verdict: Verdict,
}

#[derive(Serialize)]
struct TimeLine {
    row: &'static str,
    median_ns: u64,
    p10_ns: u64,
    p90_ns: u64,
}

impl Report {
    pub(crate) fn new(
        machine: Machine,
        rows: &[Row],
        samples: &[Vec<u64>],
        weights: Vec<Weight>,
        system_calls: Vec<Calls>,
    ) -> Result<Self> {
        let samples_of = |name: &str| {
            let index = rows.iter().position(|row| row.name == name);
            index
                .and_then(|index| samples.get(index))
                .with_context(|| format!("the row {name:?} was not measured"))
        };
        let mut ratios = Vec::new();
        for budget in &BUDGETS {
            let ratio = Ratio::of(samples_of(budget.row)?, samples_of(budget.base)?);
            ratios.push(RatioLine {
                row: budget.row,
                base: budget.base,
                ratio: ratio.value,
                noise: ratio.noise,
                limit: budget.limit,
                verdict: Verdict::of(ratio, budget),
            });
        }
        let times = rows.iter().zip(samples).map(|(row, samples)| TimeLine {
            row: row.name,
            median_ns: median(samples),
            p10_ns: percentile(samples, 10),
            p90_ns: percentile(samples, 90),
        });
        Ok(Self {
            schema: 1,
            rounds: samples.first().map_or(0, Vec::len),
            machine,
            ratios,
            times: times.collect(),
            weights,
            system_calls,
        })
    }

    /// False when a budget was missed by more than the noise.
    pub(crate) fn holds(&self) -> bool {
        self.ratios.iter().all(|line| line.verdict != Verdict::Over)
            && self.weights.iter().all(Weight::holds)
            && self.system_calls.iter().all(Calls::holds)
    }

    pub(crate) fn to_json(&self) -> Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    pub(crate) fn to_markdown(&self) -> String {
        let mut text = format!(
            "{} rounds, every row once a round in a new order. Noise is the largest less the \
             smallest ratio of {BLOCKS} blocks of rounds.\n\nMachine: {}\n\n",
            self.rounds,
            self.machine.line()
        );
        text += "| row | against | ratio | noise | at most | |\n|---|---|---:|---:|---:|---|\n";
        text.extend(self.ratios.iter().map(|line| {
            format!(
                "| {} | {} | {:.2} | {:.2} | {:.2} | {} |\n",
                line.row,
                line.base,
                line.ratio,
                line.noise,
                line.limit,
                line.verdict.word()
            )
        }));
        text += "\n| row | median µs | p10 | p90 |\n|---|---:|---:|---:|\n";
        text.extend(self.times.iter().map(|line| {
            format!(
                "| {} | {} | {} | {} |\n",
                line.row,
                microseconds(line.median_ns),
                microseconds(line.p10_ns),
                microseconds(line.p90_ns)
            )
        }));
        text += "\n| weight | KiB | at most | |\n|---|---:|---:|---|\n";
        text.extend(self.weights.iter().map(|weight| {
            format!(
                "| {} | {} | {} | {} |\n",
                weight.what,
                weight.bytes.div_ceil(1024),
                limit(weight.limit.map(|bytes| bytes / 1024)),
                word(weight.limit.is_some(), weight.holds())
            )
        }));
        text +=
            "\n| system calls | all | processes started | at most | |\n|---|---:|---:|---:|---|\n";
        text.extend(self.system_calls.iter().map(|calls| {
            format!(
                "| {} | {} | {} | {} | {} |\n",
                calls.row,
                calls.all,
                calls.started,
                limit(calls.limit),
                word(calls.limit.is_some(), calls.holds())
            )
        }));
        text
    }
}

fn limit(limit: Option<impl ToString>) -> String {
    limit.map_or_else(|| "-".to_owned(), |limit| limit.to_string())
}

fn word(limited: bool, holds: bool) -> &'static str {
    match (limited, holds) {
        (false, _) => "",
        (true, true) => "holds",
        (true, false) => "OVER",
    }
}

fn microseconds(nanoseconds: u64) -> u64 {
    (nanoseconds + 500) / 1000
}

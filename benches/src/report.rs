//! What is told: ratios first, then times, then weights. Markdown for people, JSON for programs.

use std::collections::BTreeSet;

use anyhow::Result;
use serde::Serialize;

use crate::budget::{Sum, Verdict, budgets};
use crate::calls::Calls;
use crate::commands::{LONGEST, Taken};
use crate::instructions::Instructions;
use crate::machine::Machine;
use crate::round::Run;
use crate::stats::{BLOCKS, Figure, Ratio, median, percentile};
use crate::weight::Weight;

#[derive(Serialize)]
pub(crate) struct Report {
    schema: u32,
    machine: Machine,
    ratios: Vec<RatioLine>,
    times: Vec<TimeLine>,
    weights: Vec<Weight>,
    system_calls: Vec<Calls>,
    instructions: Vec<Instructions>,
    commands: Vec<Taken>,
}

/// What is counted or measured beside the rounds.
pub(crate) struct Counts {
    pub(crate) weights: Vec<Weight>,
    pub(crate) calls: Vec<Calls>,
    pub(crate) instructions: Vec<Instructions>,
    pub(crate) commands: Vec<Taken>,
}

#[derive(Serialize)]
struct RatioLine {
    cost: String,
    base: String,
    ratio: f64,
    noise: f64,
    limit: f64,
    verdict: Verdict,
}

#[derive(Serialize)]
struct TimeLine {
    row: String,
    rounds: usize,
    median_ns: u64,
    p10_ns: u64,
    p90_ns: u64,
}

impl Report {
    pub(crate) fn new(machine: Machine, runs: &[Run], counts: Counts) -> Self {
        let figure = |name: &str| {
            let (_, samples) = runs
                .iter()
                .flat_map(|run| &run.samples)
                .find(|(row, _)| row.name == name)?;
            Some(Figure::of(samples))
        };
        // A row that was not measured has no budget either: a peer is not there everywhere.
        let sum = |sum: &Sum| {
            let mut total = Figure::default();
            for row in &sum.rows {
                total = total + figure(row)?;
            }
            if let Some(less) = &sum.less {
                total = total - figure(less)?;
            }
            Some(total)
        };
        let ratios = budgets(machine.cores).into_iter().filter_map(|budget| {
            let ratio = Ratio::of(sum(&budget.cost)?, sum(&budget.base)?);
            Some(RatioLine {
                cost: budget.cost.name(),
                base: budget.base.name(),
                ratio: ratio.value,
                noise: ratio.noise,
                limit: budget.limit,
                verdict: Verdict::of(ratio, &budget),
            })
        });
        let times = runs.iter().flat_map(|run| {
            run.samples.iter().map(|(row, samples)| TimeLine {
                row: row.name.clone(),
                rounds: run.rounds,
                median_ns: median(samples),
                p10_ns: percentile(samples, 10),
                p90_ns: percentile(samples, 90),
            })
        });
        Self {
            schema: 1,
            ratios: ratios.collect(),
            times: times.collect(),
            machine,
            weights: counts.weights,
            system_calls: counts.calls,
            instructions: counts.instructions,
            commands: counts.commands,
        }
    }

    /// What missed its budget by more than the noise.
    pub(crate) fn over(&self) -> BTreeSet<String> {
        let ratios = self
            .ratios
            .iter()
            .filter(|line| line.verdict == Verdict::Over)
            .map(|line| format!("{} against {}", line.cost, line.base));
        let weights = self.weights.iter().filter(|line| !line.holds());
        let calls = self.system_calls.iter().filter(|line| !line.holds());
        let instructions = self.instructions.iter().filter(|line| !line.holds());
        let commands = self.commands.iter().filter(|line| !line.holds());
        ratios
            .chain(weights.map(|line| line.what.clone()))
            .chain(calls.map(|line| format!("system calls of {}", line.row)))
            .chain(instructions.map(|line| format!("instructions of {}", line.row)))
            .chain(commands.map(|line| format!("hookkit {} over many files", line.command)))
            .collect()
    }

    pub(crate) fn to_json(&self) -> Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    pub(crate) fn to_markdown(&self) -> String {
        let mut text = format!(
            "Every row once a round, each round in a new order. Noise is the largest less the \
             smallest ratio of {BLOCKS} blocks of rounds.\n\nMachine: {}\n\n",
            self.machine.line()
        );
        text += "| row | against | ratio | noise | at most | |\n|---|---|---:|---:|---:|---|\n";
        text.extend(self.ratios.iter().map(|line| {
            format!(
                "| {} | {} | {:.2} | {:.2} | {:.2} | {} |\n",
                line.cost,
                line.base,
                line.ratio,
                line.noise,
                line.limit,
                line.verdict.word()
            )
        }));
        text += "\n| row | rounds | median µs | p10 | p90 |\n|---|---:|---:|---:|---:|\n";
        text.extend(self.times.iter().map(|line| {
            format!(
                "| {} | {} | {} | {} | {} |\n",
                line.row,
                line.rounds,
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
        text += "\n| instructions | count | at most | |\n|---|---:|---:|---|\n";
        text.extend(self.instructions.iter().map(|line| {
            format!(
                "| {} | {} | {} | {} |\n",
                line.row,
                line.count,
                limit(line.limit),
                word(line.limit.is_some(), line.holds())
            )
        }));
        if !self.commands.is_empty() {
            text += "\n| command | hook files | seconds | against half as many | at most | |\n\
                     |---|---:|---:|---:|---:|---|\n";
        }
        text.extend(self.commands.iter().map(|line| {
            format!(
                "| hookkit {} | {} | {:.2} | {:.2} | {:.1} | {} |\n",
                line.command,
                line.files,
                line.seconds,
                line.growth,
                LONGEST.as_secs_f64(),
                word(true, line.holds())
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

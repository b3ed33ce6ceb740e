//! The benchmark: whole processes, started and waited for, as a host starts hooks.
//!
//! Every round starts each row once in a new order, so that whatever else the machine does falls
//! on all rows alike. What counts is the ratio of two medians of one run. `cargo xtask bench`
//! builds the programs and starts this.

mod budget;
mod calls;
mod commands;
mod instructions;
mod machine;
mod plugin;
mod report;
mod round;
mod row;
mod rows;
mod stats;
mod weight;

use std::collections::BTreeSet;
use std::env::consts::EXE_EXTENSION;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use fs_err as fs;
use lexopt::prelude::*;

use crate::plugin::Payloads;
use crate::report::{Counts, Report};
use crate::round::Run;
use crate::row::{Group, Row};
use crate::rows::Parts;

const USAGE: &str = "hookkit-benches --dispatch FILE --programs DIR --out DIR \
                     [--rounds N, at least 5] [--tries N] [--hookkit FILE] [--peer FILE] [--ai-agents DIR]";

struct Options {
    /// The `hookkit-dispatch` to be measured.
    dispatch: PathBuf,
    /// Where the static programs of `src/bin` are.
    programs: PathBuf,
    /// Where plugins and reports are written.
    out: PathBuf,
    rounds: usize,
    /// So often a run that is over a budget is made: a machine that does something else in one
    /// run shows no fault of the dispatcher.
    tries: usize,
    /// The program `hookkit`, whose `list` and `doctor` are measured.
    hookkit: Option<PathBuf>,
    /// The program `agent-harness-adapter`.
    peer: Option<PathBuf>,
    /// The plugin folder of ai-agents, whose launcher string is measured where it stands.
    ai_agents: Option<PathBuf>,
}

impl Options {
    /// Measures copies, as an installation makes them: the file that a linker wrote piece by piece
    /// lies in the system's cache in smaller parts, and starts up to a tenth slower.
    fn install(&mut self, folder: &Path) -> Result<()> {
        fs::create_dir_all(folder)?;
        let copy = |program: &Path| -> Result<PathBuf> {
            let name = program.file_name().context("a program has a name")?;
            let to = folder.join(name);
            fs::copy(program, &to)?;
            Ok(to)
        };
        self.dispatch = copy(&self.dispatch)?;
        for name in ["floor", "hook_none", "hook_refuse", "peak"] {
            copy(&self.programs.join(name).with_extension(EXE_EXTENSION))?;
        }
        folder.clone_into(&mut self.programs);
        Ok(())
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("hookkit-benches: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// Whether every budget held in one of the tries, or was missed by no more than the noise.
fn run() -> Result<bool> {
    let mut options = options()?;
    fs::create_dir_all(&options.out)?;
    let out = fs::canonicalize(&options.out)?;
    options.install(&out.join("programs"))?;
    let payloads = Payloads::new(&out)?;
    let parts = Parts {
        options: &options,
        out: &out,
        payloads: &payloads,
    };
    let rows = rows::all(&parts)?;
    let mut over: Option<BTreeSet<String>> = None;
    for _ in 0..options.tries {
        let report = measure(&options, &rows, &payloads, &out)?;
        let markdown = report.to_markdown();
        fs::write(out.join("report.json"), report.to_json()?)?;
        fs::write(out.join("report.md"), &markdown)?;
        print!("{markdown}");
        if !cfg!(target_os = "linux") {
            println!("\nThe budgets are those of Linux: here they are only shown.");
            return Ok(true);
        }
        let now = report.over();
        // What was held once can be held.
        let left = match over {
            Some(before) => before.intersection(&now).cloned().collect(),
            None => now,
        };
        if left.is_empty() {
            return Ok(true);
        }
        for line in &left {
            println!("\nover its budget: {line}");
        }
        over = Some(left);
    }
    Ok(false)
}

fn measure(options: &Options, rows: &[Row], payloads: &Payloads, out: &Path) -> Result<Report> {
    let machine = machine::describe(&options.dispatch);
    let runs = Group::ALL
        .into_iter()
        .map(|group| Run::of(rows, group, payloads, group.rounds(options.rounds)))
        .collect::<Result<Vec<Run>>>()?;
    let weights = weight::measure(rows, options, payloads)?;
    let calls = calls::count(rows, out, &payloads.one_kib)?;
    let instructions = instructions::count(rows, &payloads.one_kib)?;
    let commands = commands::measure(options.hookkit.as_deref(), out)?;
    Ok(Report::new(
        machine,
        &runs,
        Counts {
            weights,
            calls,
            instructions,
            commands,
        },
    ))
}

fn options() -> Result<Options> {
    let mut dispatch = None;
    let mut programs = None;
    let mut out = None;
    let mut rounds = 1000_usize;
    let mut tries = 1;
    let mut hookkit = None;
    let mut peer = None;
    let mut ai_agents = None;
    let mut arguments = lexopt::Parser::from_env();
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("dispatch") => dispatch = Some(PathBuf::from(arguments.value()?)),
            Long("programs") => programs = Some(PathBuf::from(arguments.value()?)),
            Long("out") => out = Some(PathBuf::from(arguments.value()?)),
            Long("rounds") => rounds = arguments.value()?.parse()?,
            Long("tries") => tries = arguments.value()?.parse()?,
            Long("hookkit") => {
                hookkit = Some(fs::canonicalize(PathBuf::from(arguments.value()?))?);
            }
            Long("peer") => peer = Some(fs::canonicalize(PathBuf::from(arguments.value()?))?),
            Long("ai-agents") => {
                ai_agents = Some(fs::canonicalize(PathBuf::from(arguments.value()?))?);
            }
            other => return Err(anyhow::Error::from(other.unexpected()).context(USAGE)),
        }
    }
    anyhow::ensure!(rounds >= stats::BLOCKS && tries > 0, USAGE);
    Ok(Options {
        dispatch: fs::canonicalize(dispatch.context(USAGE)?)?,
        programs: fs::canonicalize(programs.context(USAGE)?)?,
        out: out.context(USAGE)?,
        rounds,
        tries,
        hookkit,
        peer,
        ai_agents,
    })
}

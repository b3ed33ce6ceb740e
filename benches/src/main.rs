//! The benchmark: whole processes, started and waited for, as a host starts hooks.
//!
//! Every round starts each row once in a new order, so that whatever else the machine does falls
//! on all rows alike. What counts is the ratio of two medians of one run. `cargo xtask bench`
//! builds the programs and starts this.

mod budget;
mod calls;
mod machine;
mod plugin;
mod report;
mod round;
mod row;
mod stats;
mod weight;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use fs_err as fs;
use lexopt::prelude::*;

use crate::report::Report;

const USAGE: &str = "hookkit-benches --dispatch FILE --programs DIR --out DIR \
                     [--rounds N, at least 5] [--tries N]";

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

/// Whether every budget held, or was missed by no more than the noise.
fn run() -> Result<bool> {
    let options = options()?;
    fs::create_dir_all(&options.out)?;
    let out = fs::canonicalize(&options.out)?;
    let payload = plugin::payload(&out)?;
    let rows = row::all(&options.dispatch, &options.programs, &out, &payload)?;
    for left in (0..options.tries).rev() {
        let machine = machine::describe(&options.dispatch);
        let samples = round::interleave(&rows, &payload, options.rounds)?;
        let weights = weight::measure(&rows, &options, &payload)?;
        let calls = calls::count(&rows, &out, &payload)?;
        let report = Report::new(machine, &rows, &samples, weights, calls)?;
        let markdown = report.to_markdown();
        fs::write(out.join("report.json"), report.to_json()?)?;
        fs::write(out.join("report.md"), &markdown)?;
        print!("{markdown}");
        if report.holds() {
            return Ok(true);
        }
        if left > 0 {
            println!("\nOver a budget: measured once more.\n");
        }
    }
    Ok(false)
}

fn options() -> Result<Options> {
    let mut dispatch = None;
    let mut programs = None;
    let mut out = None;
    let mut rounds = 1000_usize;
    let mut tries = 1;
    let mut arguments = lexopt::Parser::from_env();
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("dispatch") => dispatch = Some(PathBuf::from(arguments.value()?)),
            Long("programs") => programs = Some(PathBuf::from(arguments.value()?)),
            Long("out") => out = Some(PathBuf::from(arguments.value()?)),
            Long("rounds") => rounds = arguments.value()?.parse()?,
            Long("tries") => tries = arguments.value()?.parse()?,
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
    })
}

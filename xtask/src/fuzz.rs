//! `cargo xtask fuzz`: looks for inputs that break what `fuzz/src` says of all of them.
//!
//! What a run finds stays in the build folder; `fuzz/corpus` is only read. No sanitizer is used:
//! the code under test has no `unsafe`, so the pinned compiler does and nightly is not needed.

use anyhow::{Context as _, Result, bail, ensure};
use fs_err as fs;
use lexopt::prelude::*;

use crate::workspace::{self, Workspace};

/// How long each target runs where nothing else is asked for, in seconds.
const SECONDS: u32 = 60;

/// Longer inputs say nothing new and take longer.
const LONGEST_INPUT: u32 = 4096;

pub(crate) fn run(workspace: &Workspace, mut arguments: lexopt::Parser) -> Result<()> {
    let mut seconds = SECONDS;
    let mut asked = Vec::new();
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("seconds") => seconds = arguments.value()?.parse()?,
            Value(target) => asked.push(target.string()?),
            other => return Err(other.unexpected().into()),
        }
    }
    ensure!(
        workspace.has_program("cargo-fuzz"),
        "cargo-fuzz is missing: cargo install cargo-fuzz --locked"
    );
    let targets = targets(workspace)?;
    if let Some(unknown) = asked.iter().find(|name| !targets.contains(name)) {
        bail!("no target {unknown}; there are {}", targets.join(", "));
    }
    let chosen = if asked.is_empty() { targets } else { asked };
    chosen
        .iter()
        .try_for_each(|target| fuzz(workspace, target, seconds))
}

/// The targets are those that have a corpus.
fn targets(workspace: &Workspace) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(workspace.root.join("fuzz/corpus"))? {
        names.push(entry?.file_name().display().to_string());
    }
    names.sort_unstable();
    Ok(names)
}

fn fuzz(workspace: &Workspace, target: &str, seconds: u32) -> Result<()> {
    let folder = workspace.root.join("fuzz");
    let build = workspace.target_dir.join("fuzz");
    let found = build.join("corpus").join(target);
    let faults = build.join("artifacts").join(target);
    fs::create_dir_all(&found)?;
    fs::create_dir_all(&faults)?;
    // A name with a slash at its end is a folder to libFuzzer.
    let prefix = format!("-artifact_prefix={}/", faults.display());
    workspace::run(
        workspace
            .cargo()
            .current_dir(&folder)
            .env("CARGO_TARGET_DIR", &build)
            .args(["fuzz", "run", "--fuzz-dir", "."])
            .args(["--sanitizer", "none", "--no-trace-compares", target])
            .arg(&found)
            .arg(folder.join("corpus").join(target))
            .arg("--")
            .arg(format!("-max_total_time={seconds}"))
            .arg(format!("-max_len={LONGEST_INPUT}"))
            .arg(format!("-dict=dictionaries/{target}.dict"))
            .args(["-timeout=10", "-print_final_stats=1"])
            .arg(prefix),
    )
    .with_context(|| {
        format!(
            "{target} does not hold; the input is in {}. Once it does, copy it to fuzz/corpus/{target}",
            faults.display()
        )
    })
}

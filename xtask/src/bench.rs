//! `cargo xtask bench`: the shipped dispatcher against programs that do nothing; where what is shipped
//! cannot be made, a native build of it.

use std::env::consts::EXE_EXTENSION;
use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use lexopt::prelude::*;

use crate::dist;
use crate::foreign::Programs;
use crate::workspace::{self, Workspace};

const ROUNDS: u32 = 1000;
/// Enough for CI to see a budget broken.
const SHORT_ROUNDS: u32 = 200;
const SHORT_TRIES: u32 = 3;

pub(crate) fn run(workspace: &Workspace, mut arguments: lexopt::Parser) -> Result<()> {
    let mut rounds = ROUNDS;
    let mut tries = 1;
    let mut more: Vec<OsString> = Vec::new();
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("rounds") => rounds = arguments.value()?.parse()?,
            Long("short") => {
                rounds = SHORT_ROUNDS;
                tries = SHORT_TRIES;
            }
            Long("hookkit") => more.extend(["--hookkit".into(), arguments.value()?]),
            Long("peer") => more.extend(["--peer".into(), arguments.value()?]),
            Long("ai-agents") => more.extend(["--ai-agents".into(), arguments.value()?]),
            other => return Err(other.unexpected().into()),
        }
    }
    let shipped = workspace
        .target_dir
        .join("dist/hookkit/linux-x86_64/hookkit");
    let is_named = more.iter().any(|argument| argument == "--hookkit");
    if !is_named && shipped.is_file() {
        more.extend(["--hookkit".into(), shipped.into()]);
    }
    let (dispatcher, programs) = build(workspace)?;
    let folder = programs
        .first()
        .and_then(|program| program.parent())
        .context("no program was built")?;
    workspace::run(
        workspace
            .cargo()
            .args([
                "run",
                "--quiet",
                "--release",
                "--package",
                "hookkit-benches",
            ])
            .args(["--bin", "hookkit-benches", "--", "--dispatch"])
            .arg(&dispatcher)
            .arg("--programs")
            .arg(folder)
            .arg("--rounds")
            .arg(rounds.to_string())
            .arg("--tries")
            .arg(tries.to_string())
            .arg("--out")
            .arg(workspace.target_dir.join("bench"))
            .args(more),
    )
}

/// The dispatcher, and the programs that it is measured against.
fn build(workspace: &Workspace) -> Result<(PathBuf, Vec<PathBuf>)> {
    let programs = Programs {
        package: "hookkit-benches",
        options: &["--no-default-features"],
        names: &["floor", "hook_none", "hook_refuse", "peak"],
    };
    if cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        let dispatcher = dist::static_dispatcher(workspace)?;
        return Ok((dispatcher, dist::static_programs(workspace, &programs)?));
    }
    let dispatcher = native(
        workspace,
        &Programs {
            package: "hookkit-dispatch",
            options: &[],
            names: &["hookkit-dispatch"],
        },
    )?
    .remove(0);
    Ok((dispatcher, native(workspace, &programs)?))
}

/// Built for this very machine, optimised.
fn native(workspace: &Workspace, programs: &Programs) -> Result<Vec<PathBuf>> {
    let mut command = workspace.cargo();
    command
        .args(["build", "--release", "--locked", "--package"])
        .arg(programs.package)
        .args(programs.options);
    for name in programs.names {
        command.args(["--bin", name]);
    }
    workspace::run(&mut command)?;
    let folder = workspace.target_dir.join("release");
    let file = |name: &&str| folder.join(name).with_extension(EXE_EXTENSION);
    Ok(programs.names.iter().map(file).collect())
}

//! `cargo xtask COMMAND`: the things people run while working on hookkit.
//!
//! One file per command. A command says which package is missing and fails;
//! it installs nothing on the machine and never lets rustup download.

mod bench;
mod dist;
mod foreign;
mod fuzz;
mod hosts;
mod lint;
mod release;
mod requirements;
mod rust_src;
mod sums;
mod test;
mod workspace;

use std::process::ExitCode;

use anyhow::{Result, bail};
use lexopt::prelude::*;

use crate::workspace::Workspace;

const USAGE: &str = "\
cargo xtask test [ARG...]             build the programs, then run every test (cargo-nextest, else cargo test)
cargo xtask lint                      rustfmt and clippy over the whole workspace, warnings are errors; requirements --check
cargo xtask dist [MACHINE...] [--dispatchers] [--hookkit-for MACHINE,...] [--with-tests] [--json]
                                      what is shipped, for linux-x86_64, linux-aarch64, macos and windows
cargo xtask release pack [MACHINE...] [--from DIR] [--out DIR]   archives, install scripts and SHA256SUMS of what `dist` made
cargo xtask release manifest PLAN DIR, names FILE DIR   to dist and back, on stdout
cargo xtask release list DIR          SHA256SUMS once more, after a file was added
cargo xtask release sign DIR --key FILE|--key-env VARIABLE   SHA256SUMS.minisig, with a key of installer/keys
cargo xtask bench [--rounds N] [--short]   the benchmark of benches/, against its budgets
cargo xtask fuzz [TARGET...] [--seconds N]   cargo-fuzz on config, manifest, patch, payload, settings and verdict, one after the other
cargo xtask hosts [--check]           docs/hosts/*.md and docs/doctor.md, from the tables that hookkit is compiled with
cargo xtask requirements [--check]    docs/requirements.md, from docs/requirements.txt and the names of the tests

With HOOKKIT_RELEASE=1 `dist` and `release` use the keys of releases, else those of tests.
";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let mut arguments = lexopt::Parser::from_env();
    let workspace = Workspace::find()?;
    let Some(argument) = arguments.next()? else {
        bail!("a command is missing\n\n{USAGE}");
    };
    match argument {
        Short('h') | Long("help") => {
            print!("{USAGE}");
            Ok(())
        }
        Value(name) => match name.to_str() {
            Some("test") => test::run(&workspace, arguments.raw_args()?),
            Some("lint") => no_more(arguments).and_then(|()| lint::run(&workspace)),
            Some("dist") => dist::run(&workspace, arguments),
            Some("bench") => bench::run(&workspace, arguments),
            Some("fuzz") => fuzz::run(&workspace, arguments),
            Some("release") => release::run(&workspace, arguments),
            Some("hosts") => hosts::run(&workspace, arguments),
            Some("requirements") => requirements::run(&workspace, arguments),
            _ => bail!("unknown command {}\n\n{USAGE}", name.display()),
        },
        other => Err(other.unexpected().into()),
    }
}

fn no_more(mut arguments: lexopt::Parser) -> Result<()> {
    match arguments.next()? {
        None => Ok(()),
        Some(argument) => Err(argument.unexpected().into()),
    }
}

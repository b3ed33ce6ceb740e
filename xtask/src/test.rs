//! `cargo xtask test`: what README tells people to run. Rust alone is enough for it.
//!
//! The tests start the programs as processes, so these are built first. Arguments are handed to
//! the runner: cargo-nextest where it is installed, else `cargo test`. The runner's summary is the
//! last thing printed.

use std::ffi::OsString;

use anyhow::Result;

use crate::workspace::{self, Workspace};

/// What single tests need beyond Rust. A test says so itself when it leaves something out;
/// this says it once before, so that a short run is never taken for a whole one.
const OUTSIDE_PROGRAMS: [(&str, &[&str], &str); 3] = [
    (
        "python",
        &["python3", "python", "py"],
        "hooks written in Python",
    ),
    ("node", &["node"], "hooks written for Node"),
    (
        "npm",
        &["npm"],
        "the real agents, which come from npm at pinned versions",
    ),
];

pub(crate) fn run(
    workspace: &Workspace,
    arguments: impl IntoIterator<Item = OsString>,
) -> Result<()> {
    for (name, spellings, what) in OUTSIDE_PROGRAMS {
        if !spellings.iter().any(|name| workspace.has_program(name)) {
            eprintln!("WARNING: {name} is missing; the tests of {what} are SKIPPED");
        }
    }
    workspace::run(workspace.cargo().args([
        "build",
        "--bins",
        "--package",
        "hookkit",
        "--package",
        "hookkit-dispatch",
        "--package",
        "hookkit-tests",
    ]))?;
    let with_nextest = workspace.has_program("cargo-nextest");
    if with_nextest {
        // nextest leaves out the examples in the documentation.
        workspace::run(
            workspace
                .cargo()
                .args(["test", "--doc", "--workspace", "--quiet"]),
        )?;
    }
    let runner: &[&str] = if with_nextest {
        &["nextest", "run", "--workspace"]
    } else {
        eprintln!("cargo-nextest is missing; cargo test is used");
        &["test", "--workspace"]
    };
    workspace::run(workspace.cargo().args(runner).args(arguments))
}

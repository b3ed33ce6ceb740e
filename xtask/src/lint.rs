//! `cargo xtask lint`: rustfmt and clippy, warnings are errors; and whether docs/requirements.md
//! still names tests that exist.

use anyhow::Result;

use crate::requirements;
use crate::workspace::{self, Workspace};

pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    requirements::check(workspace)?;
    workspace::run(workspace.cargo().args(["fmt", "--all", "--check"]))?;
    workspace::run(workspace.cargo().args([
        "clippy",
        "--workspace",
        "--all-targets",
        "--all-features",
        "--",
        "-D",
        "warnings",
    ]))
}

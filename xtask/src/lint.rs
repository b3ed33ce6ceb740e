//! `cargo xtask lint`: rustfmt and clippy, warnings are errors.

use anyhow::Result;

use crate::workspace::{self, Workspace};

pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    workspace::run(workspace.cargo().args(["fmt", "--all", "--check"]))?;
    workspace::run(workspace.cargo().args([
        "clippy",
        "--workspace",
        "--all-targets",
        "--",
        "-D",
        "warnings",
    ]))
}

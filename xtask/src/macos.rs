//! `cargo xtask macos`: every shipped crate is checked for macOS. A check needs no linker and no SDK.

use anyhow::Result;

use crate::foreign::Foreign;
use crate::workspace::{self, Workspace};

const TARGET: &str = "aarch64-apple-darwin";

pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let target = Foreign::new(workspace, TARGET)?;
    workspace::run(target.cargo(workspace, "check")?.args([
        "--package",
        "hookkit-dispatch",
        "--package",
        "hookkit-launchers",
        "--package",
        "hookkit",
    ]))
}

//! `cargo xtask windows`: `hookkit-dispatch.exe` by mingw, and a check of what else is shipped.

use anyhow::Result;

use crate::foreign::{self, Foreign};
use crate::static_build::DISPATCHER_BUDGET;
use crate::workspace::{self, Workspace};

const TARGET: &str = "x86_64-pc-windows-gnu";
const LINKER: &str = "x86_64-w64-mingw32-gcc";

pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    workspace.require(LINKER, "gcc-mingw-w64-x86-64")?;
    let mut target = Foreign::new(workspace, TARGET)?;
    target.linker(LINKER);
    workspace::run(
        target
            .cargo(workspace, "build")?
            .args(["--package", "hookkit-dispatch"]),
    )?;
    foreign::weigh(
        &target.built(workspace, "hookkit-dispatch.exe"),
        DISPATCHER_BUDGET,
    )?;
    workspace::run(target.cargo(workspace, "check")?.args([
        "--package",
        "hookkit-launchers",
        "--package",
        "hookkit",
    ]))
}

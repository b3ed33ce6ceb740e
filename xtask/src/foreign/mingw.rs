//! Windows, by the mingw of Debian.

use anyhow::Result;

use super::Linked;
use crate::workspace::Workspace;

const LINKER: &str = "x86_64-w64-mingw32-gcc";

pub(super) fn link(workspace: &Workspace, linked: &mut Linked) -> Result<()> {
    workspace.require(LINKER, "gcc-mingw-w64-x86-64")?;
    linked.program = Some(LINKER);
    Ok(())
}

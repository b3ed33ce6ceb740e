//! `cargo xtask hosts [--check]`: the pages of docs/hosts, as `hookkit` writes them from the table
//! that the dispatcher is compiled with.

use std::path::Path;

use anyhow::{Result, ensure};
use fs_err as fs;
use lexopt::prelude::*;

use crate::workspace::{self, Workspace};

const PAGES: &str = "docs/hosts";

pub(crate) fn run(workspace: &Workspace, mut arguments: lexopt::Parser) -> Result<()> {
    let mut only_check = false;
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("check") => only_check = true,
            other => return Err(other.unexpected().into()),
        }
    }
    let pages = workspace.root.join(PAGES);
    if !only_check {
        return write(workspace, &pages);
    }
    let fresh = workspace.target_dir.join("hosts");
    write(workspace, &fresh)?;
    for entry in fs::read_dir(&fresh)? {
        let name = entry?.file_name();
        let present = fs::read_to_string(pages.join(&name)).unwrap_or_default();
        ensure!(
            present.replace("\r\n", "\n") == fs::read_to_string(fresh.join(&name))?,
            "{PAGES}/{} is not up to date; run `cargo xtask hosts`",
            name.display()
        );
    }
    Ok(())
}

fn write(workspace: &Workspace, folder: &Path) -> Result<()> {
    fs::create_dir_all(folder)?;
    workspace::run(
        workspace
            .cargo()
            .args(["run", "--quiet", "--package", "hookkit", "--"])
            .args(["contracts", "--markdown"])
            .arg(folder),
    )
}

//! `cargo xtask hosts [--check]`: the pages of docs/hosts and docs/doctor.md, as `hookkit` writes them
//! from the tables that it is compiled with.

use std::path::Path;

use anyhow::{Result, ensure};
use fs_err as fs;
use lexopt::prelude::*;

use crate::workspace::{self, Workspace};

const PAGES: &str = "docs/hosts";
const DOCTOR: &str = "docs/doctor.md";

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
        return write(workspace, &pages, &workspace.root.join(DOCTOR));
    }
    let fresh = workspace.target_dir.join("hosts");
    let fresh_doctor = workspace.target_dir.join("doctor.md");
    write(workspace, &fresh, &fresh_doctor)?;
    same(&workspace.root.join(DOCTOR), &fresh_doctor)?;
    for entry in fs::read_dir(&fresh)? {
        let name = entry?.file_name();
        same(&pages.join(&name), &fresh.join(&name))?;
    }
    Ok(())
}

fn same(kept: &Path, fresh: &Path) -> Result<()> {
    let present = fs::read_to_string(kept).unwrap_or_default();
    ensure!(
        present.replace("\r\n", "\n") == fs::read_to_string(fresh)?,
        "{} is not up to date; run `cargo xtask hosts`",
        kept.display()
    );
    Ok(())
}

fn write(workspace: &Workspace, folder: &Path, doctor: &Path) -> Result<()> {
    fs::create_dir_all(folder)?;
    for (command, target) in [("contracts", folder), ("doctor", doctor)] {
        workspace::run(
            workspace
                .cargo()
                .args(["run", "--quiet", "--package", "hookkit", "--"])
                .args([command, "--markdown"])
                .arg(target),
        )?;
    }
    Ok(())
}

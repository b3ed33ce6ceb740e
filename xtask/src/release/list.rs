//! `cargo xtask release list`: the list of everything that is published.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use fs_err as fs;
use lexopt::prelude::*;

use crate::sums::{self, Sums, sha256};

pub(super) fn run(mut arguments: lexopt::Parser) -> Result<()> {
    let mut folder = None;
    while let Some(argument) = arguments.next()? {
        match argument {
            Value(name) if folder.is_none() => folder = Some(PathBuf::from(name)),
            other => return Err(other.unexpected().into()),
        }
    }
    let folder = folder.context("the folder of the release is missing")?;
    let known = Sums::read(&folder)?;
    write(&folder, &known.version, &known.commit)
}

/// Names every file of a folder but the list itself and its signature, which is void by that.
pub(super) fn write(folder: &Path, version: &str, commit: &str) -> Result<()> {
    let signature = folder.join(format!("{}.minisig", sums::NAME));
    if signature.exists() {
        fs::remove_file(signature)?;
    }
    let mut names = Vec::new();
    find(folder, "", &mut names)?;
    names.sort();
    let mut sums = Sums::new(version, commit);
    for name in names {
        sums.add(&name, &sha256(&fs::read(folder.join(&name))?));
    }
    sums.write(folder)
}

/// The files in a folder and in those below it, with `/`.
fn find(folder: &Path, below: &str, names: &mut Vec<String>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_str().context("a file's name is no text")?;
        if entry.file_type()?.is_dir() {
            find(&entry.path(), &format!("{below}{name}/"), names)?;
        } else if name != sums::NAME {
            names.push(format!("{below}{name}"));
        }
    }
    Ok(())
}

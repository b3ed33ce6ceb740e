//! The store: one folder for each version of a plugin, none of which ever changes.

use super::data::Data;
use super::plan::{Access, Plan, Step};
use super::receipt::Receipt;
use crate::digest::sha256;
use crate::outcome::Stop;
use crate::tree;
use fs_err as fs;
use hookkit_dispatch::receipt::is_folder_name;
use hookkit_launchers::File;
use std::fmt::Write as _;

/// How long a version stays that is no longer in use: sessions run for days. In seconds.
const KEPT: u64 = 14 * 24 * 60 * 60;

/// The folder that these files of a release are in, or go to.
///
/// A release of which there is a folder with other files, as while its author works on it, gets
/// another folder: a session may be reading the first.
pub(crate) fn folder_of(
    data: &Data,
    plugin: &str,
    release: &str,
    files: &[File],
) -> Result<String, Stop> {
    if !is_folder_name(release) {
        return Err(Stop::refused(format!(
            "`{release}` is no version that a folder can be named after; use letters, digits, dots, \
             `-` and `+`"
        )));
    }
    let versions = data.versions(plugin);
    let first = versions.join(release);
    if !first.exists() || tree::holds(&first, files)? {
        return Ok(release.to_owned());
    }
    Ok(format!("{release}+{}", &sum(files)[..8]))
}

fn sum(files: &[File]) -> String {
    let mut all = String::new();
    for file in files {
        // Writing to a text does not fail.
        let _ = writeln!(all, "{} {:?} {}", file.path, file.role, sha256(&file.bytes));
    }
    sha256(all.as_bytes())
}

/// Puts the files there, where they are not yet.
pub(crate) fn fill(
    plan: &mut Plan,
    data: &Data,
    plugin: &str,
    version: &str,
    files: Vec<File>,
) -> Result<(), Stop> {
    let path = data.versions(plugin).join(version);
    if path.exists() && tree::holds(&path, &files)? {
        return Ok(());
    }
    plan.folder(&data.versions(plugin));
    plan.push(Step::Tree {
        path,
        files,
        links: Vec::new(),
        access: Access::Private,
    });
    Ok(())
}

/// Removes the versions that nobody needs any more: out of use for two weeks, and not the last one
/// before the present one.
pub(crate) fn clear(plan: &mut Plan, data: &Data, receipt: &mut Receipt, now: u64) {
    let versions = data.versions(&receipt.name);
    let last = receipt
        .earlier
        .iter()
        .max_by_key(|(_, until)| **until)
        .map(|(version, _)| version.clone());
    let is_kept =
        |version: &str, until: u64| Some(version) == last.as_deref() || until + KEPT > now;
    receipt
        .earlier
        .retain(|version, until| is_kept(version, *until) && *version != receipt.version);
    for entry in fs::read_dir(&versions).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name != receipt.version && !receipt.earlier.contains_key(&name) {
            plan.push(Step::Remove(entry.path()));
        }
    }
}

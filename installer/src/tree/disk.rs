//! A tree on disk: written as a whole, and compared with what it should be.

use super::{MARK, MARK_TEXT, Tree, git};
use fs_err as fs;
use hookkit_launchers::{File, Role};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// Why a folder is not replaced.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotWritten {
    #[error(
        "{0} exists and was not made by `hookkit build`; name another folder with --out, or remove \
         it"
    )]
    NotOurs(String),
    #[error("writing the tree failed, nothing was changed")]
    Failed(#[from] io::Error),
}

/// Writes a tree to a folder, which then holds it whole or is as it was before.
///
/// A folder that is there already is replaced only if an earlier build made it, or if it is empty.
pub(crate) fn write(tree: &Tree, out: &Path) -> Result<(), NotWritten> {
    if !may_replace(out)? {
        return Err(NotWritten::NotOurs(out.display().to_string()));
    }
    let around = out
        .parent()
        .ok_or_else(|| NotWritten::NotOurs(out.display().to_string()))?;
    fs::create_dir_all(around)?;
    let draft = tempfile::Builder::new()
        .prefix(".hookkit-build-")
        .tempdir_in(around)?;
    let fresh = draft.path().join("new");
    fs::create_dir(&fresh)?;
    for file in tree.files.values() {
        place(file, &fresh)?;
    }
    if out.symlink_metadata().is_err() {
        fs::rename(&fresh, out)?;
    } else if exchange(&fresh, out).is_err() {
        replace(&fresh, out, &draft.path().join("old"))?;
    }
    Ok(())
}

/// Puts one folder in the place of another at once: a session that starts a hook just now finds
/// the old tree or the new one.
#[cfg(any(target_os = "linux", target_os = "macos"))]
pub(crate) fn exchange(fresh: &Path, out: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, fresh, CWD, out, RenameFlags::EXCHANGE)?)
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
pub(crate) fn exchange(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// The same in two steps, for file systems that cannot exchange.
fn replace(fresh: &Path, out: &Path, old: &Path) -> io::Result<()> {
    fs::rename(out, old)?;
    fs::rename(fresh, out).inspect_err(|_| {
        // The error that led here is what is said; the old tree is in its place again or beside it.
        let _ = fs::rename(old, out);
    })
}

/// Is there nothing in the way, or only what an earlier build made?
pub(crate) fn may_replace(out: &Path) -> io::Result<bool> {
    let Ok(found) = out.symlink_metadata() else {
        return Ok(true);
    };
    if !found.is_dir() {
        return Ok(false);
    }
    let is_empty = fs::read_dir(out)?.next().is_none();
    Ok(is_empty || is_ours(out))
}

/// Did a build make this folder?
pub(crate) fn is_ours(folder: &Path) -> bool {
    let first = |text: &str| text.lines().next().map(str::to_owned);
    fs::read_to_string(folder.join(MARK)).is_ok_and(|text| first(&text) == first(MARK_TEXT))
}

/// Writes one file of a tree.
pub(crate) fn place(file: &File, folder: &Path) -> io::Result<()> {
    let path = folder.join(&*file.path);
    if let Some(around) = path.parent() {
        fs::create_dir_all(around)?;
    }
    fs::write(&path, &file.bytes)?;
    set_mode(&path, file.role)
}

#[cfg(unix)]
fn set_mode(path: &Path, role: Role) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, std::fs::Permissions::from_mode(role.mode()))
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "as where there are modes")]
fn set_mode(_: &Path, _: Role) -> io::Result<()> {
    Ok(())
}

/// One difference between a folder and the tree that a build would make now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Drift {
    Missing,
    Changed,
    Extra,
    /// The executable bit.
    Mode(Role),
    /// The executable bit in git's index.
    GitMode(Role),
    /// An attribute by which git changes line ends.
    Attribute,
}

/// Everything in which a folder differs from a tree.
pub(crate) fn drift(tree: &Tree, out: &Path) -> io::Result<BTreeMap<String, Drift>> {
    let mut found = BTreeMap::new();
    list(out, "", &mut found)?;
    let mut drift = git::drift(tree.files.values(), out);
    for (path, file) in &tree.files {
        let what = match found.remove(&**path) {
            None => Some(Drift::Missing),
            Some(on_disk) => difference(file, &on_disk)?,
        };
        if let Some(what) = what {
            drift.insert(path.to_string(), what);
        }
    }
    drift.extend(found.into_keys().map(|path| (path, Drift::Extra)));
    Ok(drift)
}

/// Does a folder hold just these files?
pub(crate) fn holds(folder: &Path, files: &[File]) -> io::Result<bool> {
    let mut found = BTreeMap::new();
    list(folder, "", &mut found)?;
    if found.len() != files.len() {
        return Ok(false);
    }
    for file in files {
        match found.get(&*file.path) {
            Some(on_disk) if difference(file, on_disk)?.is_none() => {}
            _ => return Ok(false),
        }
    }
    Ok(true)
}

fn difference(file: &File, on_disk: &Path) -> io::Result<Option<Drift>> {
    let found = fs::symlink_metadata(on_disk)?;
    if !found.is_file() || fs::read(on_disk)? != file.bytes {
        return Ok(Some(Drift::Changed));
    }
    Ok((!has_mode(&found, file.role)).then_some(Drift::Mode(file.role)))
}

#[cfg(unix)]
fn has_mode(found: &std::fs::Metadata, role: Role) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    // Checkouts have modes of their own but for the executable bit.
    (found.permissions().mode() & 0o100 != 0) == (role == Role::Program)
}

#[cfg(not(unix))]
fn has_mode(_: &std::fs::Metadata, _: Role) -> bool {
    true
}

/// All files below a folder, by their paths with `/`.
pub(super) fn list(
    folder: &Path,
    relative: &str,
    found: &mut BTreeMap<String, PathBuf>,
) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let path = if relative.is_empty() {
            name.to_string_lossy().into_owned()
        } else {
            format!("{relative}/{}", name.to_string_lossy())
        };
        if entry.file_type()?.is_dir() {
            // The tree may be the root of a repository of its own.
            if path != ".git" {
                list(&entry.path(), &path, found)?;
            }
        } else {
            found.insert(path, entry.path());
        }
    }
    Ok(())
}

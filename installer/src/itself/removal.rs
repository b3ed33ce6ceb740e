//! SELF goes.

use super::{Place, Receipt, path};
use fs_err as fs;
use hookkit::edit::Lock;
use hookkit_dispatch::env::Env;
use std::path::{Path, PathBuf};

/// A program of SELF, other than this one, that somebody runs and that cannot be removed for that.
pub(crate) fn in_use(place: &Place, env: &Env) -> Option<PathBuf> {
    let own = env.exe()?.canonicalize().ok()?;
    let versions = fs::read_dir(place.folder().join("versions")).ok()?;
    versions
        .flatten()
        .map(|version| version.path())
        .chain([place.bin()])
        .flat_map(|folder| fs::read_dir(folder).into_iter().flatten().flatten())
        .map(|entry| entry.path())
        .find(|file| system::is_held(file) && file.canonicalize().ok().as_ref() != Some(&own))
}

/// Gives the files of shells back and removes SELF, the running program included, and the folders
/// that were made to hold it, where nothing else is in them.
///
/// SELF/bin goes first after that: what is left by a run that ends in the middle is on no PATH, and
/// the receipt goes last.
pub(crate) fn remove(place: &Place, receipt: &Receipt, env: &Env) -> anyhow::Result<()> {
    let turn = Lock::take(place.folder())?;
    path::forget(place, env, receipt, &turn)?;
    // The outermost folder that goes.
    system::leave(
        receipt
            .made
            .first()
            .map_or(place.folder(), PathBuf::as_path),
    )?;
    let bin = place.bin();
    if fs::symlink_metadata(&bin).is_ok_and(|found| found.is_symlink()) {
        fs::remove_file(&bin)?;
    } else if bin.exists() {
        fs::remove_dir_all(&bin)?;
    }
    fs::remove_dir_all(place.folder().join("versions"))?;
    fs::remove_file(place.receipt())?;
    drop(turn);
    fs::remove_dir_all(place.folder())?;
    for folder in receipt.made.iter().rev() {
        if fs::remove_dir(folder).is_err() {
            break;
        }
    }
    Ok(())
}

#[cfg(not(windows))]
mod system {
    use super::Path;

    /// A running program may be removed.
    #[expect(clippy::unnecessary_wraps, reason = "as on Windows")]
    pub(super) fn leave(_: &Path) -> std::io::Result<()> {
        Ok(())
    }

    pub(super) fn is_held(_: &Path) -> bool {
        false
    }
}

#[cfg(windows)]
mod system {
    use super::Path;

    use windows_sys::Win32::Foundation::ERROR_SHARING_VIOLATION;

    /// A program that runs is moved out of the folder, and goes when it has ended.
    pub(super) fn leave(folder: &Path) -> std::io::Result<()> {
        self_replace::self_delete_outside_path(folder)
    }

    /// Nobody may write into a program that runs.
    pub(super) fn is_held(file: &Path) -> bool {
        let opened = std::fs::OpenOptions::new().write(true).open(file);
        let code = opened.err().and_then(|why| why.raw_os_error());
        code.map(i32::cast_unsigned) == Some(ERROR_SHARING_VIOLATION)
    }
}

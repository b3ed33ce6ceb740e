//! SELF goes.

use super::{Place, Receipt, path};
use fs_err as fs;
use hookkit::edit::Lock;
use hookkit_dispatch::env::Env;
use std::path::Path;

/// Gives the files of shells back and removes SELF, the running program included, and the folders
/// that were made to hold it, where nothing else is in them.
///
/// SELF/bin goes first after that: what is left by a run that ends in the middle is on no PATH, and
/// the receipt goes last.
pub(crate) fn remove(place: &Place, receipt: &Receipt, env: &Env) -> anyhow::Result<()> {
    let turn = Lock::take(place.folder())?;
    path::forget(place, env, receipt, &turn)?;
    system::leave(place.folder())?;
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
}

#[cfg(windows)]
mod system {
    use super::Path;

    /// A program that runs is moved out of the folder, and goes when it has ended.
    pub(super) fn leave(folder: &Path) -> std::io::Result<()> {
        self_replace::self_delete_outside_path(folder)
    }
}

//! A change that happens: at once or not at all.

use super::change::Change;
use super::found::Found;
use super::lock::{Lock, make_private};
use super::refused::Refused;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Between the name of a file and the letters that make a draft of it unique.
const DRAFT: &str = ".hookkit-";
const DRAFT_LETTERS: usize = 8;
const DRAFT_END: &str = ".tmp";

impl Change {
    /// Writes it: a draft in the same folder that only the user can read, with the mode and the
    /// group of the file; flushed to the disk; then, if the file is still what it was, in its place
    /// by one rename. Whoever reads the file, or is stopped at any moment, finds the old bytes or
    /// the new ones. Drafts of writers that were ended are cleared away first.
    ///
    /// Refused: the file is no longer what it was when this change was made, or cannot be written.
    pub fn write(&self, _turn: &Lock) -> Result<(), Refused> {
        clear_drafts(self.target());
        if self.is_empty() {
            return Ok(());
        }
        self.check_unchanged()?;
        let Some(after) = &self.after else {
            if self.before().is_some() {
                fs::remove_file(self.target()).map_err(|error| self.failed(&error))?;
                flush_folder_of(self.target());
            }
            for folder in &self.leaves {
                // One that holds something else stays.
                let _ = fs::remove_dir(folder);
            }
            return Ok(());
        };
        let made = self.make_folders()?;
        self.replace(after).inspect_err(|_| {
            for folder in made.iter().rev() {
                let _ = fs::remove_dir(folder);
            }
        })
    }

    fn replace(&self, after: &[u8]) -> Result<(), Refused> {
        let failed = |error: io::Error| self.failed(&error);
        let target = self.target();
        let folder = target.parent().unwrap_or(target);
        let mut draft = tempfile::Builder::new()
            .prefix(&draft_name(target))
            .rand_bytes(DRAFT_LETTERS)
            .suffix(DRAFT_END)
            .tempfile_in(folder)
            .map_err(failed)?;
        draft.write_all(after).map_err(failed)?;
        self.give_rights(draft.as_file()).map_err(failed)?;
        draft.as_file().sync_all().map_err(failed)?;
        self.check_unchanged()?;
        self.persist(draft).map_err(failed)?;
        flush_folder_of(target);
        Ok(())
    }

    /// A file that was not there must not be there now either.
    fn persist(&self, draft: NamedTempFile) -> io::Result<()> {
        let persisted = match self.found.bytes {
            Some(_) => draft.persist(self.target()),
            None => draft.persist_noclobber(self.target()),
        };
        persisted.map(drop).map_err(|error| error.error)
    }

    fn make_folders(&self) -> Result<&[PathBuf], Refused> {
        let folders = &self.found.folders;
        if let Some(innermost) = folders.last() {
            let made = if self.is_shared {
                fs::create_dir_all(innermost)
            } else {
                make_private(innermost)
            };
            made.map_err(|error| self.failed(&error))?;
        }
        Ok(folders)
    }

    /// Somebody else may have written meanwhile, and lose nothing by it.
    fn check_unchanged(&self) -> Result<(), Refused> {
        let now = Found::look(&self.found.file)?;
        if now.bytes == self.found.bytes && now.target == self.found.target {
            return Ok(());
        }
        Err(self.found.refuse(
            "was changed by somebody else just now; nothing was written",
            "do it once more",
        ))
    }

    #[cfg(unix)]
    fn give_rights(&self, draft: &File) -> io::Result<()> {
        use rustix::fs::{Gid, fchown};
        use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
        let mut mode = self.mode;
        if let Some(rights) = self.found.rights
            && rights.group != draft.metadata()?.gid()
            && fchown(draft, None, Some(Gid::from_raw(rights.group))).is_err()
        {
            // What its group could do, another one shall not.
            mode &= !0o070;
        }
        draft.set_permissions(fs::Permissions::from_mode(mode))
    }

    #[cfg(not(unix))]
    #[expect(
        clippy::unused_self,
        clippy::unnecessary_wraps,
        reason = "as where files have modes"
    )]
    fn give_rights(&self, _: &File) -> io::Result<()> {
        Ok(())
    }

    fn failed(&self, error: &io::Error) -> Refused {
        self.found.refuse(
            format!("cannot be written: {error}; it is as it was"),
            "make room, or the file and its folder writable",
        )
    }
}

fn draft_name(target: &Path) -> OsString {
    let mut name = OsString::from(".");
    name.push(target.file_name().unwrap_or_default());
    name.push(DRAFT);
    name
}

/// What a writer left that was ended. Only one that has the lock of another data folder can be
/// writing just now; it finds its draft gone and says so.
fn clear_drafts(target: &Path) {
    for draft in drafts(target) {
        let _ = fs::remove_file(draft);
    }
}

/// The drafts of a file that are there.
pub(super) fn drafts(target: &Path) -> Vec<PathBuf> {
    let Some(entries) = target.parent().and_then(|folder| fs::read_dir(folder).ok()) else {
        return Vec::new();
    };
    let prefix = draft_name(target);
    let prefix = prefix.as_encoded_bytes();
    let is_draft = |entry: &fs::DirEntry| {
        let name = entry.file_name();
        let letters = name
            .as_encoded_bytes()
            .strip_prefix(prefix)
            .and_then(|rest| rest.strip_suffix(DRAFT_END.as_bytes()));
        letters.is_some_and(|letters| letters.len() == DRAFT_LETTERS)
            && entry.file_type().is_ok_and(|kind| kind.is_file())
    };
    entries
        .flatten()
        .filter(is_draft)
        .map(|entry| entry.path())
        .collect()
}

/// So that the name survives a loss of power. The change has happened; a file system that cannot
/// promise more takes nothing from it.
fn flush_folder_of(file: &Path) {
    #[cfg(unix)]
    if let Some(folder) = file.parent()
        && let Ok(folder) = File::open(folder)
    {
        let _ = folder.sync_all();
    }
    #[cfg(not(unix))]
    let _ = file;
}

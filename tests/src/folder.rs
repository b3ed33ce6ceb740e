//! A throw-away folder, under the path that programs inside it see.

use std::ops::Deref;
use std::path::{Path, PathBuf};

use fs_err as fs;
use tempfile::TempDir;

/// Gone with the value.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    _folder: TempDir,
}

impl Folder {
    /// A fresh one, whose name says what it is for.
    pub fn new(purpose: &str) -> Self {
        let folder = TempDir::with_prefix(format!("hookkit-{purpose}-")).unwrap();
        // The temporary folder of macOS is behind a link. What Windows would answer is of a form
        // that programs refuse.
        let path = if cfg!(windows) {
            folder.path().to_owned()
        } else {
            fs::canonicalize(folder.path()).unwrap()
        };
        Self {
            path,
            _folder: folder,
        }
    }
}

impl Deref for Folder {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.path
    }
}

//! What one file holds now, and what it shall hold.

use super::diff::{self, Format};
use super::found::Found;
use super::kept::Kept;
use super::refused::Refused;
use super::undo::Undo;
use super::write;
use std::path::{Path, PathBuf};

/// One file: what it holds now, and what it shall hold.
#[derive(Clone, Debug)]
pub struct Change {
    pub(super) found: Found,
    pub(super) after: Option<Vec<u8>>,
    /// The bytes of somebody else: they are in the file before and after.
    pub(super) kept: Kept,
    pub(super) format: Format,
    /// The mode of the file afterwards. Windows has none.
    pub(super) mode: u32,
    /// Folders that go with the file if they are empty then, the innermost first.
    pub(super) leaves: Vec<PathBuf>,
    /// May others enter the folders that are made for it?
    pub(super) is_shared: bool,
}

/// Settings hold tokens sooner or later.
const PRIVATE: u32 = 0o600;

/// The settings of a repository are there for everybody.
const SHARED: u32 = 0o644;

impl Change {
    /// The change of a file that is somebody else's.
    pub(super) fn edited(found: Found, after: Option<Vec<u8>>, kept: Kept, format: Format) -> Self {
        Self {
            mode: found.rights.map_or(PRIVATE, |rights| rights.mode),
            found,
            after,
            kept,
            format,
            leaves: Vec::new(),
            is_shared: false,
        }
    }

    /// What is new, the file and folders for it, may be read by others: it is part of a repository.
    #[must_use]
    pub fn shared(self) -> Self {
        Self {
            mode: self.found.rights.map_or(SHARED, |rights| rights.mode),
            is_shared: true,
            ..self
        }
    }

    /// The change of a file that is ours: nothing of it is anybody else's.
    pub(super) fn whole(found: Found, after: Option<Vec<u8>>) -> Self {
        Self::edited(found, after, Kept::none(), Format::Whole)
    }

    /// A file that is ours as a whole.
    pub fn create_or_replace(file: &Path, after: Vec<u8>, mode: u32) -> Result<Self, Refused> {
        let whole = Self::whole(Found::look(file)?, Some(after));
        Ok(Self { mode, ..whole })
    }

    /// A file that was ours as a whole goes; one that is not there needs nothing.
    pub fn delete(file: &Path) -> Result<Self, Refused> {
        Ok(Self::whole(Found::look(file)?, None))
    }

    /// The file as it was named.
    pub fn file(&self) -> &Path {
        &self.found.file
    }

    /// What is written: the file, or where its link leads.
    pub fn target(&self) -> &Path {
        &self.found.target
    }

    /// `None` where there is no file.
    pub fn before(&self) -> Option<&[u8]> {
        self.found.bytes.as_deref()
    }

    /// `None` where there shall be no file.
    pub fn after(&self) -> Option<&[u8]> {
        self.after.as_deref()
    }

    /// Is everything as it shall be? What a writer left that was ended is not: a draft, or a folder
    /// with nothing in it.
    pub fn is_empty(&self) -> bool {
        let leaves_folder = || {
            let mut there = self.leaves.iter().filter(|folder| folder.is_dir());
            there.next().is_some_and(|innermost| {
                std::fs::read_dir(innermost).is_ok_and(|mut entries| entries.next().is_none())
            })
        };
        self.holds_the_same() && write::drafts(self.target()).is_empty() && !leaves_folder()
    }

    fn holds_the_same(&self) -> bool {
        let has_mode = self
            .found
            .rights
            .is_none_or(|rights| rights.mode == self.mode);
        self.before() == self.after() && (has_mode || self.after.is_none())
    }

    /// A unified diff, for eyes only. Of what was there before and stays, texts and comments are
    /// not shown: settings hold tokens, also where nobody looks for them. What comes and goes is
    /// shown whole.
    pub fn diff(&self) -> String {
        diff::unified(self)
    }

    /// What a receipt keeps of this change, to undo it.
    pub fn undo(&self) -> Undo {
        Undo::of(self)
    }
}

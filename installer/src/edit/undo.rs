//! The way back of a change, as a receipt keeps it.

use super::change::Change;
use super::diff::Format;
use super::document::Document;
use super::found::Found;
use super::kept::Kept;
use super::lines::Lines;
use super::refused::Refused;
use super::toml::Toml;
use crate::digest::sha256;
use ct_codecs::{Base64, Decoder as _, Encoder as _};
use serde::{Deserialize, Serialize};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// What a receipt keeps of a change, to give back the bytes that were there before.
///
/// It holds no more of the file than the bytes that went, which is mostly nothing: a copy of
/// somebody's settings would keep their tokens beyond the day on which they are replaced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Undo {
    pub file: PathBuf,
    /// The sha256 of the file before; none where there was no file.
    before: Option<String>,
    /// The sha256 of the file after; none where there was none left.
    after: Option<String>,
    format: Format,
    /// What leads from the bytes after to the bytes before, in their order.
    pieces: Vec<Piece>,
    /// Folders that were made for the file, the outermost first.
    folders: Vec<PathBuf>,
}

/// So many bytes from here on give way to these.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Piece {
    at: usize,
    length: usize,
    /// In base64.
    bytes: String,
}

impl Undo {
    pub(super) fn of(change: &Change) -> Self {
        let before = change.before().unwrap_or_default();
        let after = change.after().unwrap_or_default();
        let pieces = change
            .kept
            .gaps(before.len(), after.len())
            .into_iter()
            .map(|gap| Piece {
                at: gap.after.start,
                length: gap.after.len(),
                bytes: base64(&before[gap.before]),
            })
            .collect();
        Self {
            file: change.found.file.clone(),
            before: change.before().map(sha256),
            after: change.after().map(sha256),
            format: change.format,
            pieces,
            folders: change.found.folders.clone(),
        }
    }

    /// The same with paths below a folder, for a record that moves with it; `None` where a path lies
    /// elsewhere.
    pub fn relative_to(mut self, folder: &Path) -> Option<Self> {
        let relative = |path: &mut PathBuf| {
            let below = path.strip_prefix(folder).ok()?;
            let parts: Option<Vec<&str>> = below.iter().map(OsStr::to_str).collect();
            *path = parts?.join("/").into();
            Some(())
        };
        relative(&mut self.file)?;
        self.folders.iter_mut().try_for_each(relative)?;
        Some(self)
    }

    /// The way back from [`Undo::relative_to`].
    #[must_use]
    pub fn below(mut self, folder: &Path) -> Self {
        for path in self.folders.iter_mut().chain([&mut self.file]) {
            *path = folder.join(&path);
        }
        self
    }

    /// Do all its paths lie in a folder?
    pub fn stays_in(&self, folder: &Path) -> bool {
        let mut paths = self.folders.iter().chain([&self.file]);
        paths.all(|path| path.starts_with(folder) && hookkit_dispatch::folder::plain(path) == *path)
    }

    /// The change that undoes. If the file is still what was written, it becomes byte for byte what
    /// it was before, or goes, with the folders that were made for it. Else `remove` takes out what
    /// is ours, and only that; what is left of a file that we made and that holds nothing else goes.
    pub fn change(
        &self,
        remove: impl FnOnce(&mut Document) -> Result<(), Refused>,
    ) -> Result<Change, Refused> {
        self.undone(|found| {
            let mut document = Document::of(found)?;
            remove(&mut document)?;
            Ok(match self.before {
                None if document.holds_nothing() => None,
                _ => Some(document.change()),
            })
        })
    }

    /// The same of a TOML file.
    pub fn change_toml(
        &self,
        remove: impl FnOnce(&mut Toml) -> Result<(), Refused>,
    ) -> Result<Change, Refused> {
        self.undone(|found| {
            let mut toml = Toml::of(found)?;
            remove(&mut toml)?;
            Ok(match self.before {
                None if toml.holds_nothing() => None,
                _ => Some(toml.change()),
            })
        })
    }

    /// Folders around this file that another one was the first to need go with this one too.
    pub fn inherit(&mut self, other: &Self) {
        let is_around = |folder: &&PathBuf| self.file.starts_with(folder);
        let made: Vec<PathBuf> = other.folders.iter().filter(is_around).cloned().collect();
        self.folders.extend(made);
        // The outermost has the shortest name.
        self.folders.sort_by_key(|folder| folder.as_os_str().len());
        self.folders.dedup();
    }

    /// The file goes, whatever is in it by now, with the folders that were made for it.
    pub fn delete(&self) -> Result<Change, Refused> {
        Ok(self.leaving(Change::whole(Found::look(&self.file)?, None)))
    }

    /// The same of a text that is looked at by lines.
    pub fn change_lines(&self, remove: impl FnOnce(&mut Lines)) -> Result<Change, Refused> {
        self.undone(|found| {
            let mut lines = Lines::of(found)?;
            remove(&mut lines);
            Ok(match self.before {
                None if lines.holds_nothing() => None,
                _ => Some(lines.change()),
            })
        })
    }

    /// By the record, else by an edit; where that leaves nothing, the file goes.
    fn undone(
        &self,
        edit: impl FnOnce(Found) -> Result<Option<Change>, Refused>,
    ) -> Result<Change, Refused> {
        let found = Found::look(&self.file)?;
        let Some(bytes) = &found.bytes else {
            return Ok(self.leaving(Change::whole(found, None)));
        };
        if let Some((before, kept)) = self.back(bytes) {
            return Ok(self.leaving(Change::edited(found, before, kept, self.format)));
        }
        let gone = Change::whole(found.clone(), None);
        Ok(edit(found)?.unwrap_or_else(|| self.leaving(gone)))
    }

    fn leaving(&self, change: Change) -> Change {
        let leaves = if change.after.is_none() {
            self.folders.iter().rev().cloned().collect()
        } else {
            Vec::new()
        };
        Change { leaves, ..change }
    }

    /// The bytes before, of the bytes after; none where there was no file. `None` where these are not
    /// the bytes after.
    pub fn before(&self, after: &[u8]) -> Option<Option<Vec<u8>>> {
        let (before, _) = self.back(after)?;
        Some(before)
    }

    /// The same, and which of the bytes are among those before.
    fn back(&self, after: &[u8]) -> Option<(Option<Vec<u8>>, Kept)> {
        if self.after.as_deref() != Some(&sha256(after)) {
            return None;
        }
        let Some(sum) = &self.before else {
            return Some((None, Kept::none()));
        };
        let mut before = after.to_owned();
        let mut kept = Kept::all(after.len());
        for piece in self.pieces.iter().rev() {
            let range = piece.at..piece.at.checked_add(piece.length)?;
            before.get(range.clone())?;
            let bytes = Base64::decode_to_vec(&piece.bytes, None).ok()?;
            kept.splice(&range, bytes.len());
            before.splice(range, bytes);
        }
        (sha256(&before) == *sum).then_some((Some(before), kept))
    }
}

fn base64(bytes: &[u8]) -> String {
    // It fails where a buffer is too short, and this one grows.
    Base64::encode_to_string(bytes).unwrap_or_default()
}

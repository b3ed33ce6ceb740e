//! Files and what stands in for one, each read once, and what could not be read.

use super::policy::Policy;
use crate::edit::{LIMIT, Outline};
use fs_err as fs;
use std::collections::{BTreeMap, HashMap};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Folders in folders that are looked into; no host's own are that deep.
const DEEPEST: usize = 16;

/// What was there to be read.
#[derive(Clone, Debug)]
pub(crate) enum Found {
    Nothing,
    /// It is there and cannot be read: why.
    Unreadable(Rc<str>),
    Text(Rc<Text>),
}

/// A file that was read.
#[derive(Debug)]
pub(crate) struct Text {
    #[expect(dead_code, reason = "for the doctor, which judges the text itself")]
    pub(crate) bytes: Vec<u8>,
    pub(crate) outline: Outline,
}

/// What is there and could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unread {
    pub(crate) path: PathBuf,
    pub(crate) why: String,
}

#[derive(Default)]
pub(super) struct Files {
    known: HashMap<PathBuf, Found>,
    folders: BTreeMap<PathBuf, String>,
}

impl Files {
    /// A file of JSON.
    pub(super) fn json(&mut self, file: &Path) -> Found {
        self.read(file, bytes, Outline::json)
    }

    /// JSON in the registry.
    pub(super) fn policy(&mut self, policy: &Policy) -> Found {
        self.read(&policy.place(), |_| policy.bytes(), Outline::json)
    }

    /// A file of TOML.
    pub(super) fn toml(&mut self, file: &Path) -> Found {
        self.read(file, bytes, Outline::toml)
    }

    /// A file of Markdown, of which the front matter is read.
    pub(super) fn markdown(&mut self, file: &Path) -> Found {
        self.read(file, bytes, Outline::front_matter)
    }

    fn read(
        &mut self,
        file: &Path,
        bytes: impl Fn(&Path) -> Result<Option<Vec<u8>>, String>,
        parse: fn(&[u8]) -> Outline,
    ) -> Found {
        if let Some(known) = self.known.get(file) {
            return known.clone();
        }
        let found = match bytes(file) {
            Ok(Some(bytes)) => Found::Text(Rc::new(Text {
                outline: parse(&bytes),
                bytes,
            })),
            Ok(None) => Found::Nothing,
            Err(why) => Found::Unreadable(why.into()),
        };
        self.known.insert(file.to_owned(), found.clone());
        found
    }

    /// The names in a folder, sorted by bytes: files and folders. Links are followed to files, not to
    /// folders, which might lead back.
    pub(super) fn folder(&mut self, folder: &Path) -> Listing {
        let mut listing = Listing::default();
        let entries = match std::fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return listing,
            Err(error) => {
                self.folders.insert(folder.to_owned(), said(&error));
                return listing;
            }
        };
        for entry in entries {
            match entry.and_then(|entry| Ok((entry.file_type()?, entry.path()))) {
                Ok((kind, path)) if kind.is_dir() => listing.folders.push(path),
                Ok((_, path)) => listing.files.push(path),
                Err(error) => {
                    self.folders.insert(folder.to_owned(), said(&error));
                }
            }
        }
        listing.files.sort_unstable();
        listing.folders.sort_unstable();
        listing
    }

    /// The JSON files of a folder as Copilot reads them: the last name first, then folder by folder,
    /// the last first, too. Seen on its `hooks.discover`, 1.0.102.
    pub(super) fn backwards(&mut self, folder: &Path) -> Vec<PathBuf> {
        let mut found = Vec::new();
        self.walk(folder, "json", DEEPEST, &mut found);
        found
    }

    /// The Markdown files below a folder, in the order of their paths.
    pub(super) fn markdown_below(&mut self, folder: &Path) -> Vec<PathBuf> {
        let mut found = Vec::new();
        self.walk(folder, "md", DEEPEST, &mut found);
        found.sort();
        found
    }

    fn walk(&mut self, folder: &Path, ending: &str, depth: usize, found: &mut Vec<PathBuf>) {
        let listing = self.folder(folder);
        let is_named = |file: &PathBuf| file.extension().is_some_and(|own| own == ending);
        found.extend(listing.files.into_iter().rev().filter(is_named));
        for folder in listing.folders.iter().rev() {
            if depth > 0 {
                self.walk(folder, ending, depth - 1, found);
            } else {
                let why = format!("it lies over {DEEPEST} folders deep");
                self.folders.insert(folder.clone(), why);
            }
        }
    }

    /// What could not be read, and what was read and says nothing, as it does not parse. Whoever shows
    /// that of a file already `is_told`.
    pub(super) fn unread(self, is_told: impl Fn(&Path) -> bool) -> Vec<Unread> {
        let files = self
            .known
            .into_iter()
            .filter_map(|(path, found)| match found {
                Found::Unreadable(why) => Some((path, why.to_string())),
                Found::Text(text) if !is_told(&path) => {
                    let unparsed = text.outline.tree.as_ref().err()?;
                    Some((path, format!("line {}: {}", unparsed.line, unparsed.what)))
                }
                _ => None,
            });
        let mut unread: Vec<Unread> = files
            .chain(self.folders)
            .map(|(path, why)| Unread { path, why })
            .collect();
        unread.sort_by(|left, right| left.path.cmp(&right.path));
        unread
    }
}

/// What lies in a folder.
#[derive(Default)]
pub(super) struct Listing {
    pub(super) files: Vec<PathBuf>,
    pub(super) folders: Vec<PathBuf>,
}

/// The bytes of a file; none where there is no such file.
fn bytes(file: &Path) -> Result<Option<Vec<u8>>, String> {
    let about = match fs::metadata(file) {
        Ok(about) => about,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return match file.symlink_metadata() {
                Ok(_) => Err("it is a link that leads nowhere".to_owned()),
                Err(_) => Ok(None),
            };
        }
        // What should be a folder on the way is none.
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => return Ok(None),
        Err(error) => return Err(said(&error)),
    };
    // A pipe or a device might never end.
    if !about.is_file() {
        return Err("it is no file".to_owned());
    }
    if about.len() > LIMIT {
        return Err(format!("it has over {} MiB", LIMIT >> 20));
    }
    let mut bytes = Vec::new();
    std::fs::File::open(file)
        .and_then(|file| file.take(LIMIT).read_to_end(&mut bytes))
        .map_err(|error| said(&error))?;
    Ok(Some(bytes))
}

fn said(error: &io::Error) -> String {
    error.kind().to_string()
}

//! What an installation in a repository says about itself: `.github/hookkit/NAME.json`.
//!
//! It is tracked like the rest, so that every clone can take the plugin out again. A repository may
//! be hostile: of what stands in here nothing names a place outside of it, and the one file of
//! others that is given back is found by where it always is.

use super::repository::Place;
use super::settings::Entered;
use crate::outcome::Stop;
use anyhow::Context as _;
use fs_err as fs;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};

/// The form of a record.
const SCHEMA: u32 = 1;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Record {
    schema: u32,
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) hosts: Vec<String>,
    /// The plugin's folder, where that lies in the repository too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) source: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) bash_only: bool,
    /// The machines that the tree has dispatchers for.
    pub(crate) targets: Vec<String>,
    /// What became of `.claude/settings.json`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) settings: Option<Entered>,
}

impl Record {
    pub(crate) fn new(name: &str) -> Self {
        Self {
            schema: SCHEMA,
            name: name.to_owned(),
            version: String::new(),
            hosts: Vec::new(),
            source: None,
            bash_only: false,
            targets: Vec::new(),
            settings: None,
        }
    }

    /// The record of a plugin; none where there is no file.
    pub(crate) fn read(place: &Place) -> Result<Option<Self>, Stop> {
        let bytes = match fs::read(&place.record) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let record: Self = serde_json::from_slice(&bytes).with_context(|| {
            format!(
                "{} cannot be read; take it back from git, or remove it and install the plugin again",
                place.record.display()
            )
        })?;
        if record.schema > SCHEMA {
            return Err(Stop::refused(format!(
                "{} was written by a newer hookkit; use that one",
                place.record.display()
            )));
        }
        Ok(Some(record))
    }

    /// The records of all other plugins of the repository, each with its file.
    pub(crate) fn of_others(place: &Place) -> Vec<(PathBuf, Self)> {
        let around = place.record.parent().unwrap_or(Path::new(""));
        let mut files: Vec<PathBuf> = fs::read_dir(around)
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path())
            .filter(|file| file.extension().is_some_and(|ending| ending == "json"))
            .filter(|file| *file != place.record && !file.is_symlink())
            .collect();
        files.sort();
        let read = |file: PathBuf| {
            let record = serde_json::from_slice(&fs::read(&file).ok()?).ok()?;
            Some((file, record))
        };
        files.into_iter().filter_map(read).collect()
    }

    /// The text of the file.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec_pretty(self).unwrap_or_default();
        bytes.push(b'\n');
        bytes
    }
}

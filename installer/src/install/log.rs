//! Where the dispatcher writes its log to, as a receipt says it.

use super::data::Data;
use crate::outcome::Stop;
use hookkit_dispatch::log;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// A plugin without one writes none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Log {
    /// `true`: in the data folder.
    Ours(bool),
    /// Where somebody collects it; an absolute path.
    Collected(PathBuf),
}

impl Log {
    /// The log in the data folder, or the file that somebody named.
    pub(crate) fn to(named: Option<&Path>) -> Result<Self, Stop> {
        let Some(file) = named else {
            return Ok(Self::Ours(true));
        };
        let refuse = |why: &str| {
            Err(Stop::refused(format!(
                "no log can be written to {}: {why}",
                file.display()
            )))
        };
        if file.to_str().is_none() {
            return refuse("its name is no text in UTF-8");
        }
        if !file.is_absolute() {
            return refuse("it is no absolute path, and hooks run in every folder");
        }
        if !file.parent().is_some_and(Path::is_dir) {
            return refuse("its folder is not there");
        }
        match file.symlink_metadata() {
            Ok(found) if !found.is_file() => refuse("it is there, and no plain file"),
            _ => Ok(Self::Collected(file.to_owned())),
        }
    }

    /// The file; none where nothing is written.
    pub(crate) fn file(&self, data: &Data) -> Option<PathBuf> {
        match self {
            Self::Ours(is_on) => is_on.then(|| data.log()),
            Self::Collected(file) => Some(file.clone()),
        }
    }
}

impl Data {
    /// The log in this data folder.
    pub(crate) fn log(&self) -> PathBuf {
        self.folder().join(log::FILE)
    }
}

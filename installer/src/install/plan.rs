//! What a command is going to do, step by step: shown before, and then done exactly so.
//!
//! The order makes every step harmless if the next one never comes: what hosts are told goes in last
//! and out first, and a receipt says how to give a file back before that file is changed.

use crate::edit::Change;
use crate::screen::{BAD, BOLD, DIM, GOOD};
use hookkit_launchers::File;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Who may enter a folder that is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Only the user.
    Private,
    /// Whoever may enter what else the user makes.
    Shared,
}

/// One step. Paths are absolute.
pub(crate) enum Step {
    /// A folder; it may be there already.
    Folder { path: PathBuf, access: Access },
    /// A file of ours, in place of the one that is there.
    File {
        path: PathBuf,
        bytes: Vec<u8>,
        mode: u32,
    },
    /// The dispatcher under another name.
    Link { path: PathBuf, to: PathBuf },
    /// A folder of ours, in place of the one that is there.
    Tree {
        path: PathBuf,
        files: Vec<File>,
        /// Names in the folder under which the dispatcher stands there.
        links: Vec<(&'static str, PathBuf)>,
        access: Access,
    },
    /// A file that hosts read.
    Edit(Change),
    /// A file or folder of ours goes away.
    Remove(PathBuf),
    /// A folder goes away if nothing is in it by then.
    Clear(PathBuf),
}

/// All steps of a command.
#[derive(Default)]
pub(crate) struct Plan {
    pub(crate) steps: Vec<Step>,
}

impl Step {
    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::Folder { path, .. }
            | Self::File { path, .. }
            | Self::Link { path, .. }
            | Self::Tree { path, .. }
            | Self::Remove(path)
            | Self::Clear(path) => path,
            Self::Edit(change) => change.file(),
        }
    }

    /// Is there nothing at its path afterwards?
    pub(crate) fn removes(&self) -> bool {
        match self {
            Self::Remove(_) | Self::Clear(_) => true,
            Self::Edit(change) => change.after().is_none(),
            _ => false,
        }
    }

    fn verb(&self) -> &'static str {
        match self {
            Self::Folder { .. } => "make",
            Self::File { .. } | Self::Link { .. } | Self::Tree { .. } => "write",
            Self::Edit(_) => "edit",
            Self::Remove(_) | Self::Clear(_) => "remove",
        }
    }
}

impl Plan {
    /// Nothing is to be done.
    pub(crate) fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    pub(crate) fn push(&mut self, step: Step) {
        self.steps.push(step);
    }

    /// A folder of ours, if it is not there and no step before makes it.
    pub(crate) fn folder(&mut self, path: &Path) {
        self.make(path, Access::Private);
    }

    /// The same of a folder that others may enter.
    pub(crate) fn shared_folder(&mut self, path: &Path) {
        self.make(path, Access::Shared);
    }

    fn make(&mut self, path: &Path, access: Access) {
        let is_made = |step: &Step| matches!(step, Step::Folder { path: made, .. } if made == path);
        if !path.is_dir() && !self.steps.iter().any(is_made) {
            self.push(Step::Folder {
                path: path.to_owned(),
                access,
            });
        }
    }

    /// Something of ours goes away, if it is there.
    pub(crate) fn remove(&mut self, path: PathBuf) {
        if path.symlink_metadata().is_ok() {
            self.push(Step::Remove(path));
        }
    }

    /// An edit, if it changes anything.
    pub(crate) fn edit(&mut self, change: Change) {
        if !change.is_empty() {
            self.push(Step::Edit(change));
        }
    }

    /// For people: our own files by their names, the files of hosts as unified diffs.
    pub(crate) fn print(&self) -> String {
        let mut text = String::new();
        // Writing to a text does not fail.
        for step in &self.steps {
            let (verb, path) = (step.verb(), step.path().display());
            match step {
                Step::Tree { files, .. } => {
                    let count = crate::text::count(files.len(), "file");
                    let _ = writeln!(text, "  {DIM}{verb:6}{DIM:#} {path}/ ({count})");
                }
                _ => {
                    let _ = writeln!(text, "  {DIM}{verb:6}{DIM:#} {path}");
                }
            }
        }
        for step in &self.steps {
            if let Step::Edit(change) = step {
                text.push('\n');
                text.push_str(&coloured(&change.diff()));
            }
        }
        text
    }

    /// The same for programs.
    pub(crate) fn json(&self) -> Value {
        let steps = self.steps.iter().map(|step| {
            let mut told = json!({"does": step.verb(), "path": step.path()});
            match step {
                Step::Tree { files, .. } => {
                    let names: Vec<&str> = files.iter().map(|file| &*file.path).collect();
                    told["files"] = json!(names);
                }
                Step::Edit(change) => told["diff"] = json!(change.diff()),
                _ => {}
            }
            told
        });
        steps.collect()
    }
}

fn coloured(diff: &str) -> String {
    let mut text = String::new();
    for line in diff.split_inclusive('\n') {
        let (bare, end) = line
            .strip_suffix('\n')
            .map_or((line, ""), |bare| (bare, "\n"));
        let style = match bare.as_bytes() {
            [b'+', b'+', b'+', ..] | [b'-', b'-', b'-', ..] => BOLD,
            [b'+', ..] => GOOD,
            [b'-', ..] => BAD,
            _ => DIM,
        };
        let _ = write!(text, "{style}{bare}{style:#}{end}");
    }
    text
}

//! A repository, and where the files of a plugin lie in it.

use super::super::local;
use super::super::turn::Ground;
use crate::edit::Lock;
use crate::outcome::Stop;
use fs_err as fs;
use hookkit_dispatch::folder;
use hookkit_launchers::repository;
use std::path::{Path, PathBuf};

/// A git repository in which a plugin is to be installed.
///
/// Runs take turns in its git folder, where nobody sees the lock and the drafts.
pub(crate) struct Repository {
    root: PathBuf,
    folder: PathBuf,
    drafts: PathBuf,
}

impl Repository {
    /// The one with this root.
    pub(crate) fn at(root: PathBuf) -> Self {
        let git = git_folder(&root);
        let folder = git.join("hookkit");
        // The git folder of a work tree may lie on another disk.
        let drafts = if on_one_disk(&git, &root) {
            folder.clone()
        } else {
            root.clone()
        };
        Self {
            root,
            folder,
            drafts,
        }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }
}

impl Ground for Repository {
    fn folder(&self) -> &Path {
        &self.folder
    }

    fn drafts(&self) -> &Path {
        &self.drafts
    }

    fn begin(&self, _: &[PathBuf]) -> Result<(), Stop> {
        Ok(())
    }

    fn settle(&self, _: &Lock, _: &hookkit_dispatch::env::Env) -> Result<(), Stop> {
        Ok(())
    }

    fn leave(&self, lock: &Lock) {
        lock.remove();
        // Somebody else may be using it by now.
        let _ = fs::remove_dir(&self.folder);
    }
}

/// The folder of git's own; a work tree has a file that says where it is.
fn git_folder(root: &Path) -> PathBuf {
    let dot_git = root.join(".git");
    let named = fs::read_to_string(&dot_git).ok();
    let named = named
        .as_deref()
        .and_then(|text| text.trim_end().strip_prefix("gitdir: "));
    named.map_or(dot_git, |named| root.join(named))
}

#[cfg(unix)]
fn on_one_disk(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let disk = |path: &Path| fs::metadata(path).ok().map(|found| found.dev());
    disk(one) == disk(other)
}

#[cfg(not(unix))]
fn on_one_disk(one: &Path, other: &Path) -> bool {
    one.components().next() == other.components().next()
}

/// Where the files of one plugin lie in a repository.
pub(crate) struct Place {
    pub(crate) root: PathBuf,
    pub(crate) plugin: String,
    /// The tree.
    pub(crate) tree: PathBuf,
    /// By which Copilot is told.
    pub(crate) copilot: PathBuf,
    /// By which Claude Code is told, among much that is others'.
    pub(crate) settings: PathBuf,
    /// What was written.
    pub(crate) record: PathBuf,
}

impl Place {
    /// Refused where one of the files would be written by way of a link: it would land in a place
    /// that nobody named.
    pub(crate) fn of(plugin: &str, repository: &Repository) -> Result<Self, Stop> {
        let root = repository.root();
        let place = Self {
            root: root.to_owned(),
            plugin: plugin.to_owned(),
            tree: root.join(repository::folder(plugin)),
            copilot: root.join(repository::registration_file(plugin)),
            settings: root.join(repository::claude_code::SETTINGS),
            record: root.join(repository::record(plugin)),
        };
        for path in [&place.tree, &place.copilot, &place.settings, &place.record] {
            local::check(root, path)?;
        }
        Ok(place)
    }

    /// The folders that hold something of the plugin, the innermost first.
    pub(super) fn folders(&self) -> impl Iterator<Item = &Path> {
        let trees = self.tree.parent();
        [
            self.settings.parent(),
            self.copilot.parent(),
            trees,
            trees.and_then(Path::parent),
        ]
        .into_iter()
        .flatten()
    }

    /// A path of the repository as git names it.
    pub(crate) fn below(&self, path: &Path) -> String {
        let below = path.strip_prefix(&self.root).unwrap_or(path);
        let parts: Vec<_> = below.iter().map(|part| part.to_string_lossy()).collect();
        parts.join("/")
    }

    /// Does the plugin lie where its tree goes?
    pub(crate) fn holds(&self, plugin: &Path) -> bool {
        plugin.starts_with(folder::real(&self.tree))
    }
}

//! Which of the author's files travel.
//!
//! The `files` globs of the manifest choose; without them a default does. What is chosen must be
//! an ordinary file inside the plugin and must not look like a secret.

mod rules;

use super::disk::{is_ours, list};
use crate::archive;
use anyhow::Result;
use fs_err as fs;
use hookkit_dispatch::folder;
use hookkit_dispatch::manifest::Manifest;
use rules::Rules;
use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// Files of a plugin, sorted by whether they travel.
#[derive(Debug, Default)]
pub(crate) struct Travel {
    /// By path in the tree, with `/`; the value is the file itself, after links.
    pub(crate) taken: BTreeMap<String, PathBuf>,
    /// In order; folders of which nothing travels once, with `/` at the end.
    pub(crate) left: Vec<String>,
    /// What was chosen and cannot travel.
    pub(crate) obstacles: Vec<Obstacle>,
}

/// A file that was chosen and cannot travel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Obstacle {
    pub(crate) path: String,
    pub(crate) what: Unwanted,
}

/// Why a file cannot travel.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unwanted {
    #[error(
        "looks like a file of keys or passwords; move it out of the plugin, or name other `files`"
    )]
    Secret,
    #[error("is a link that leads out of the plugin; copy the file into the plugin")]
    LeadsOut,
    #[error("is a link to nothing")]
    Dangling,
    #[error("is a link to a folder around it")]
    Circular,
    #[error("is neither a file nor a folder")]
    NoFile,
    #[error("has a name that Windows cannot have; rename it")]
    Name,
    #[error(
        "differs from `{0}` only in upper and lower case, which some systems do not tell apart"
    )]
    Case(String),
}

impl Travel {
    /// Sorts the files of a plugin. `out` is where the tree will stand, which is no part of it.
    pub(crate) fn of(plugin: &Path, manifest: &Manifest, out: &Path) -> Result<Self> {
        let walk = Walk {
            root: plugin,
            out: folder::real(out),
            rules: Rules::of(manifest)?,
        };
        let mut travel = Self::default();
        walk.folder(plugin, "", &mut travel)?;
        travel.twins();
        Ok(travel)
    }

    /// What travelled into a tree that a build made: everything in it that the build did not add.
    pub(crate) fn of_tree(tree: &Path, manifest: &Manifest) -> Result<Self> {
        let added = hookkit_launchers::tree::files(manifest);
        let is_added = |path: &str| {
            path.starts_with("dispatch/") || added.iter().any(|file| file.path == path)
        };
        let mut found = BTreeMap::new();
        list(tree, "", &mut found)?;
        let mut travel = Self::default();
        for (path, file) in found {
            if is_added(&path) {
                continue;
            }
            if fs::symlink_metadata(&file)?.is_file() {
                travel.taken.insert(path, file);
            } else {
                travel.refuse(&path, Unwanted::NoFile);
            }
        }
        Ok(travel)
    }

    fn refuse(&mut self, path: &str, what: Unwanted) {
        self.obstacles.push(Obstacle {
            path: path.to_owned(),
            what,
        });
    }

    fn twins(&mut self) {
        let mut seen: BTreeMap<String, &str> = BTreeMap::new();
        let mut twins = Vec::new();
        for path in self.taken.keys() {
            if let Some(first) = seen.insert(path.to_lowercase(), path) {
                twins.push((path.clone(), first.to_owned()));
            }
        }
        for (path, first) in twins {
            self.refuse(&path, Unwanted::Case(first));
        }
    }
}

struct Walk<'w> {
    root: &'w Path,
    out: PathBuf,
    rules: Rules,
}

impl Walk<'_> {
    /// Sorts what lies in one folder; gives whether anything of it travels or is in the way.
    fn folder(&self, folder: &Path, relative: &str, travel: &mut Travel) -> Result<bool> {
        let mut entries = fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
        entries.sort_by_key(fs::DirEntry::file_name);
        let mut any = false;
        for entry in entries {
            let name = entry.file_name();
            let path = if relative.is_empty() {
                name.to_string_lossy().into_owned()
            } else {
                format!("{relative}/{}", name.to_string_lossy())
            };
            let is_text = name.to_str().is_some();
            any |= self.entry(&entry.path(), &path, is_text, travel)?;
        }
        Ok(any)
    }

    fn entry(&self, file: &Path, path: &str, is_text: bool, travel: &mut Travel) -> Result<bool> {
        let is_link = fs::symlink_metadata(file)?.is_symlink();
        let real = folder::real(file);
        let found = match fs::metadata(file) {
            Ok(found) => found,
            Err(_) if is_link => return Ok(self.not_a_file(path, Unwanted::Dangling, travel)),
            Err(error) => return Err(error.into()),
        };
        let leads_out = is_link && !real.starts_with(self.root);
        if found.is_dir() {
            if leads_out || (is_link && file.starts_with(&real)) {
                let what = if leads_out {
                    Unwanted::LeadsOut
                } else {
                    Unwanted::Circular
                };
                return Ok(self.not_a_folder(path, what, travel));
            }
            return self.inner_folder(file, &real, path, travel);
        }
        if !self.rules.choose(path) {
            travel.left.push(path.to_owned());
            return Ok(false);
        }
        if leads_out {
            travel.refuse(path, Unwanted::LeadsOut);
        } else if !found.is_file() {
            travel.refuse(path, Unwanted::NoFile);
        } else if !is_text || !archive::is_one_file_everywhere(path) {
            travel.refuse(path, Unwanted::Name);
        } else if self.is_secret(&real, path)? {
            travel.refuse(path, Unwanted::Secret);
        } else {
            travel.taken.insert(path.to_owned(), real);
        }
        Ok(true)
    }

    fn inner_folder(
        &self,
        folder: &Path,
        real: &Path,
        path: &str,
        travel: &mut Travel,
    ) -> Result<bool> {
        let before = travel.left.len();
        // A tree that was built is no part of what the next one is built from.
        let is_apart = !self.rules.look_into(path) || real == self.out || is_ours(real);
        let any = !is_apart && self.folder(folder, path, travel)?;
        if !any {
            travel.left.truncate(before);
            travel.left.push(format!("{path}/"));
        }
        Ok(any)
    }

    fn not_a_file(&self, path: &str, what: Unwanted, travel: &mut Travel) -> bool {
        let is_chosen = self.rules.choose(path);
        if is_chosen {
            travel.refuse(path, what);
        } else {
            travel.left.push(path.to_owned());
        }
        is_chosen
    }

    /// A link to a folder that is not followed: it is in the way if something in it would travel.
    fn not_a_folder(&self, path: &str, what: Unwanted, travel: &mut Travel) -> bool {
        let is_chosen = self.rules.choose(path) || self.rules.choose(&format!("{path}/x"));
        if is_chosen {
            travel.refuse(path, what);
        } else {
            travel.left.push(format!("{path}/"));
        }
        is_chosen
    }

    fn is_secret(&self, file: &Path, path: &str) -> Result<bool> {
        if self.rules.is_secret(path) {
            return Ok(true);
        }
        let mut start = Vec::new();
        fs::File::open(file)?.take(256).read_to_end(&mut start)?;
        let start = String::from_utf8_lossy(&start);
        let first = start.trim_start().lines().next().unwrap_or_default();
        Ok(first.starts_with("-----BEGIN ") && first.contains("PRIVATE KEY"))
    }
}

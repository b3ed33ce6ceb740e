//! Which of the author's files travel.
//!
//! The `files` globs of the manifest choose; without them a default does. What is chosen must be
//! an ordinary file inside the plugin and must not look like a secret.

use anyhow::{Context as _, Result};
use fs_err as fs;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use hookkit_dispatch::folder;
use hookkit_dispatch::manifest::Manifest;
use hookkit_dispatch::root::MANIFEST;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What travels when the manifest has no `files`.
const DEFAULT: &[&str] = &["README*", "LICENSE*", "LICENCE*", "CHANGELOG*", "hooks/**"];

/// What the default leaves behind all the same.
const LEFT_BY_DEFAULT: &[&str] = &[
    "**/.*",
    "**/.*/**",
    "**/node_modules/**",
    "**/{test,tests,__tests__}/**",
    "**/{test_*,*_test,*.test,*.spec}.*",
];

/// What never travels, whatever the globs say: what tools make anew, and what is no part of a
/// plugin.
const NEVER: &[&str] = &[
    "**/.git",
    "**/.git/**",
    "**/__pycache__/**",
    "**/*.pyc",
    "**/.DS_Store",
];

/// Names of files that hold keys or passwords.
const SECRETS: &[&str] = &[
    "**/.env",
    "**/.env.*",
    "**/*.{pem,key,p12,pfx,jks,keystore,kdbx,ppk}",
    "**/{id_rsa,id_dsa,id_ecdsa,id_ed25519}*",
    "**/{.npmrc,.netrc,_netrc,.pypirc,.git-credentials,.htpasswd}",
    "**/.aws/credentials",
];

/// Names that only look like [`SECRETS`].
const NO_SECRETS: &[&str] = &["**/.env.{example,sample,template,dist}", "**/*.pub"];

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
            out,
            chosen: match &manifest.files {
                Some(globs) => globs_of(globs.iter().map(|glob| glob.trim_start_matches("./")))
                    .context("`files` of hookkit.json")?,
                None => globs_of(DEFAULT.iter().copied())?,
            },
            left: match &manifest.files {
                Some(_) => GlobSet::empty(),
                None => globs_of(LEFT_BY_DEFAULT.iter().copied())?,
            },
            never: globs_of(NEVER.iter().copied())?,
            secrets: globs_of(SECRETS.iter().copied())?,
            no_secrets: globs_of(NO_SECRETS.iter().copied())?,
        };
        let mut travel = Self::default();
        walk.folder(plugin, "", &mut travel)?;
        travel.twins();
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

fn globs_of<'g>(globs: impl IntoIterator<Item = &'g str>) -> Result<GlobSet> {
    let mut set = GlobSetBuilder::new();
    for glob in globs {
        let glob = GlobBuilder::new(glob)
            .literal_separator(true)
            .backslash_escape(true)
            .build()?;
        set.add(glob);
    }
    Ok(set.build()?)
}

struct Walk<'w> {
    root: &'w Path,
    out: &'w Path,
    chosen: GlobSet,
    left: GlobSet,
    never: GlobSet,
    secrets: GlobSet,
    no_secrets: GlobSet,
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
        if !self.is_chosen(path) {
            travel.left.push(path.to_owned());
            return Ok(false);
        }
        if leads_out {
            travel.refuse(path, Unwanted::LeadsOut);
        } else if !found.is_file() {
            travel.refuse(path, Unwanted::NoFile);
        } else if !is_text || !fits_windows(path) {
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
        let inside = format!("{path}/x");
        let is_apart = real == self.out
            || self.never.is_match(&inside)
            || (self.left.is_match(&inside) || !self.may_hold_chosen(path));
        let any = !is_apart && self.folder(folder, path, travel)?;
        if !any {
            travel.left.truncate(before);
            travel.left.push(format!("{path}/"));
        }
        Ok(any)
    }

    /// By the default only `hooks/` holds anything: other folders need not be walked through.
    fn may_hold_chosen(&self, path: &str) -> bool {
        self.left.is_empty() || path == "hooks" || path.starts_with("hooks/")
    }

    fn is_chosen(&self, path: &str) -> bool {
        path == MANIFEST
            || (self.chosen.is_match(path)
                && !self.left.is_match(path)
                && !self.never.is_match(path))
    }

    fn not_a_file(&self, path: &str, what: Unwanted, travel: &mut Travel) -> bool {
        let is_chosen = self.is_chosen(path);
        if is_chosen {
            travel.refuse(path, what);
        } else {
            travel.left.push(path.to_owned());
        }
        is_chosen
    }

    /// A link to a folder that is not followed: it is in the way if something in it would travel.
    fn not_a_folder(&self, path: &str, what: Unwanted, travel: &mut Travel) -> bool {
        let is_chosen = self.is_chosen(path) || self.is_chosen(&format!("{path}/x"));
        if is_chosen {
            travel.refuse(path, what);
        } else {
            travel.left.push(format!("{path}/"));
        }
        is_chosen
    }

    fn is_secret(&self, file: &Path, path: &str) -> Result<bool> {
        if self.secrets.is_match(path.to_lowercase()) {
            return Ok(!self.no_secrets.is_match(path.to_lowercase()));
        }
        let mut start = Vec::new();
        std::io::Read::read_to_end(
            &mut std::io::Read::take(fs::File::open(file)?, 256),
            &mut start,
        )?;
        let start = String::from_utf8_lossy(&start);
        let first = start.trim_start().lines().next().unwrap_or_default();
        Ok(first.starts_with("-----BEGIN ") && first.contains("PRIVATE KEY"))
    }
}

/// Can Windows have a file of this name? A tree goes to every system.
fn fits_windows(path: &str) -> bool {
    const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];
    path.split('/').all(|part| {
        let stem = part.split('.').next().unwrap_or_default().to_lowercase();
        let is_port = |prefix: &str| {
            stem.strip_prefix(prefix).is_some_and(|number| {
                number.len() == 1 && number.bytes().all(|b| b.is_ascii_digit())
            })
        };
        !part.contains(['<', '>', ':', '"', '|', '?', '*', '\\'])
            && !part.chars().any(char::is_control)
            && !part.ends_with(['.', ' '])
            && !DEVICES.contains(&&*stem)
            && !is_port("com")
            && !is_port("lpt")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_windows_cannot_have() {
        for (path, expected) in [
            ("hooks/a.py", true),
            ("hooks/\u{e9} b.py", true),
            ("hooks/a:b", false),
            ("hooks/aux.py", false),
            ("com1", false),
            ("command", true),
            ("hooks/a.", false),
        ] {
            assert_eq!(fits_windows(path), expected, "{path}");
        }
    }
}

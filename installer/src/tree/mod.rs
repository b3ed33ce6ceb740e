//! The portable tree: which of the author's files travel, what is added, and how it gets to disk.

mod disk;
mod dispatchers;
mod git;
mod manifest;
mod sums;
mod travel;

pub(crate) use disk::{
    Drift, NotWritten, drift, exchange, holds, is_ours, may_replace, place, write,
};
pub(crate) use dispatchers::Dispatchers;
pub(crate) use git::{Standing, standing};
pub(crate) use sums::{SUMS, added, of as sums, strays};
pub(crate) use travel::Travel;

use crate::plugin::Plugin;
use fs_err as fs;
use hookkit_dispatch::manifest::Manifest;
use hookkit_launchers::managed::System;
use hookkit_launchers::{File, Role, repository, selector};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What a tree is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// A folder that every host loads as a plugin.
    Portable,
    /// A folder in the repository that the plugin guards, with a list of the sums of its files.
    Repository,
    /// A folder of the machine that its users cannot write.
    Managed(System),
}

/// All files of a tree, by their paths.
pub(crate) struct Tree {
    pub(crate) files: BTreeMap<Cow<'static, str>, File>,
    /// The paths that are the author's own.
    pub(crate) taken: Vec<String>,
    /// What stays behind; folders end with `/`.
    pub(crate) left: Vec<String>,
}

/// Why there is no tree.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CannotCompose {
    #[error("{0}")]
    Obstacles(String),
    #[error(transparent)]
    Unreadable(#[from] std::io::Error),
}

/// A file that says what the tree is, to people and to the next build. Its first line is what is
/// looked for before a folder is replaced.
pub(crate) const MARK: &str = "dispatch/README";

const MARK_TEXT: &str = "\
This folder and everything around it was made by `hookkit build`.

The next build replaces all of it: change the plugin that it was made from instead.
hookkit-dispatch is what agents start. It is a script that starts the program for the machine it
runs on; on Windows hookkit-dispatch.exe is started in its place.
";

impl Tree {
    /// Puts a tree together: the author's files that travel, the generated ones, the dispatchers.
    pub(crate) fn compose(
        plugin: &Plugin,
        manifest: &Manifest,
        layout: Layout,
        travel: Travel,
        dispatchers: Dispatchers,
    ) -> Result<Self, CannotCompose> {
        let mut generated = match layout {
            Layout::Portable => hookkit_launchers::tree::files(manifest),
            Layout::Repository => repository::files(),
            Layout::Managed(System::Linux) => vec![selector::file()],
            Layout::Managed(_) => Vec::new(),
        };
        if !matches!(layout, Layout::Managed(_)) {
            generated.push(File::data(MARK, MARK_TEXT));
        }
        generated.extend(dispatchers.into_files());
        if layout == Layout::Repository {
            generated.push(File::data(SUMS, ""));
        }
        let obstacles = in_the_way(&travel.taken, &generated);
        if !obstacles.is_empty() {
            return Err(CannotCompose::Obstacles(obstacles.join("\n  ")));
        }
        let mut files = BTreeMap::new();
        for (path, source) in &travel.taken {
            let file = author_file(path, source, manifest, plugin)?;
            files.insert(file.path.clone(), file);
        }
        for file in generated {
            files.insert(file.path.clone(), file);
        }
        if layout == Layout::Repository {
            let sums = sums::of(files.values());
            files.insert(SUMS.into(), File::data(SUMS, sums));
        }
        Ok(Self {
            files,
            taken: travel.taken.into_keys().collect(),
            left: travel.left,
        })
    }
}

/// The files of a plugin as they lie in a data folder: the author's, without what a host is told and
/// without dispatchers.
pub(crate) fn stored(
    plugin: &Plugin,
    manifest: &Manifest,
    travel: &Travel,
) -> std::io::Result<Vec<File>> {
    travel
        .taken
        .iter()
        .map(|(path, source)| author_file(path, source, manifest, plugin))
        .collect()
}

/// A path of the manifest as the tree has it.
pub(crate) fn normal(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

fn author_file(
    path: &str,
    source: &PathBuf,
    manifest: &Manifest,
    plugin: &Plugin,
) -> std::io::Result<File> {
    let path = path.to_owned();
    if path == hookkit_dispatch::root::MANIFEST {
        return Ok(File::data(path, manifest::built(&plugin.text)));
    }
    let bytes = fs::read(source)?;
    let role = if is_started(&path, &bytes, manifest) {
        Role::Program
    } else {
        Role::Data
    };
    Ok(File {
        path: path.into(),
        bytes,
        role,
    })
}

/// Is this file started by somebody? Disks and archives of Windows know no modes, so the manifest
/// and the file's own first bytes tell.
fn is_started(path: &str, bytes: &[u8], manifest: &Manifest) -> bool {
    const ELF: &[u8] = b"\x7fELF";
    const MACH_O: [&[u8]; 3] = [
        b"\xcf\xfa\xed\xfe",
        b"\xca\xfe\xba\xbe",
        b"\xce\xfa\xed\xfe",
    ];
    let is_named = manifest
        .hooks
        .iter()
        .flat_map(|hook| &hook.run_everywhere)
        .filter_map(|(_, run)| run.first())
        .any(|program| program.strip_prefix("./") == Some(path));
    is_named
        || bytes.starts_with(b"#!")
        || bytes.starts_with(ELF)
        || MACH_O.iter().any(|magic| bytes.starts_with(magic))
}

/// The author's files that stand where a generated one goes, or that would hide one from a host.
fn in_the_way(taken: &BTreeMap<String, PathBuf>, generated: &[File]) -> Vec<String> {
    let shadows: Vec<(&str, &str)> = hookkit_launchers::host::ALL
        .iter()
        .flat_map(|host| {
            let name = host.host().name();
            host.shadows().iter().map(move |path| (*path, name))
        })
        .collect();
    taken
        .keys()
        .filter_map(|path| {
            // A file system that knows no case would make one file of the two.
            if generated
                .iter()
                .any(|file| file.path.eq_ignore_ascii_case(path))
            {
                return Some(format!(
                    "{path} is what the build itself writes there; rename or remove yours"
                ));
            }
            let (_, host) = shadows.iter().find(|(shadow, _)| path == shadow)?;
            Some(format!(
                "{path} would be read by {host} in place of what the build writes; rename or \
                 remove it"
            ))
        })
        .collect()
}

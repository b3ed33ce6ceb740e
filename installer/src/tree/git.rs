//! What git knows about a tree: on a disk without executable bits only its index has the modes,
//! and its attributes decide about line ends.

use super::Drift;
use hookkit_dispatch::folder::git_root;
use hookkit_launchers::{File, Role};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// Everything in which git's view of a folder differs from a tree. Nothing where the folder is in
/// no repository, where nothing of it is tracked, and where git is not installed.
pub(super) fn drift<'t>(
    files: impl Iterator<Item = &'t File>,
    folder: &Path,
) -> BTreeMap<String, Drift> {
    let mut drift = BTreeMap::new();
    let modes = if git_root(folder).is_some() {
        modes(folder)
    } else {
        None
    };
    let Some(modes) = modes.filter(|modes| !modes.is_empty()) else {
        return drift;
    };
    let tracked: Vec<&File> = files
        .filter(|file| modes.contains_key(&*file.path))
        .collect();
    let attributes = texts(folder, &tracked).unwrap_or_default();
    for file in tracked {
        let is_changed = attributes
            .get(&*file.path)
            .is_some_and(|value| value != "unset");
        if is_changed {
            drift.insert(file.path.to_string(), Drift::Attribute);
        }
        let expected = match file.role {
            Role::Program => "100755",
            Role::Data => "100644",
        };
        if modes.get(&*file.path).is_some_and(|mode| mode != expected) {
            drift.insert(file.path.to_string(), Drift::GitMode(file.role));
        }
    }
    drift
}

/// What becomes of a file of a repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    Tracked,
    Ignored,
    Untracked,
}

/// Where a file stands with git, whether it is there or not; `None` when git does not answer.
pub(crate) fn standing(repository: &Path, file: &str) -> Option<Standing> {
    if !git(repository, ["ls-files", "--", file], None)?.is_empty() {
        return Some(Standing::Tracked);
    }
    // It answers with nothing, and fails, where the file is not ignored.
    let is_ignored = git(repository, ["check-ignore", "--", file], None).is_some();
    Some(if is_ignored {
        Standing::Ignored
    } else {
        Standing::Untracked
    })
}

/// The modes in the index, by path.
fn modes(folder: &Path) -> Option<BTreeMap<String, String>> {
    let listed = git(folder, ["ls-files", "--stage", "-z", "--", "."], None)?;
    Some(
        listed
            .split('\0')
            .filter_map(|entry| {
                let (about, path) = entry.split_once('\t')?;
                let mode = about.split(' ').next()?;
                Some((path.to_owned(), mode.to_owned()))
            })
            .collect(),
    )
}

/// The attribute `text`, by path: `unset` keeps git from changing line ends.
fn texts(folder: &Path, files: &[&File]) -> Option<BTreeMap<String, String>> {
    let paths: String = files
        .iter()
        .map(|file| [&*file.path, "\0"].concat())
        .collect();
    let said = git(
        folder,
        ["check-attr", "-z", "--stdin", "text"],
        Some(&paths),
    )?;
    let fields: Vec<&str> = said.split('\0').collect();
    Some(
        fields
            .chunks_exact(3)
            .map(|field| (field[0].to_owned(), field[2].to_owned()))
            .collect(),
    )
}

/// Asks git; `None` when it does not answer. What a repository may make it start is switched off.
fn git<const N: usize>(folder: &Path, args: [&str; N], stdin: Option<&str>) -> Option<String> {
    let mut child = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(["-c", "core.fsmonitor=false"])
        .args(args.map(OsStr::new))
        .stdin(if stdin.is_some() {
            Stdio::piped()
        } else {
            Stdio::null()
        })
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    if let (Some(text), Some(mut pipe)) = (stdin, child.stdin.take()) {
        let text = text.to_owned();
        // Beside the reading, so that neither waits for the other; git may end before it has read.
        std::thread::spawn(move || pipe.write_all(text.as_bytes()));
    }
    let output = child.wait_with_output().ok()?;
    output.status.success().then_some(())?;
    String::from_utf8(output.stdout).ok()
}

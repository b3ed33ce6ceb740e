//! A throw-away folder, under the path that programs inside it see.

#[cfg(unix)]
use std::collections::BTreeMap;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use fs_err as fs;
use tempfile::TempDir;

/// Gone with the value.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    _folder: TempDir,
}

impl Folder {
    /// A fresh one, whose name says what it is for.
    pub fn new(purpose: &str) -> Self {
        let folder = TempDir::with_prefix(format!("hookkit-{purpose}-")).unwrap();
        // The temporary folder of macOS is behind a link. What Windows would answer is of a form
        // that programs refuse.
        let path = if cfg!(windows) {
            folder.path().to_owned()
        } else {
            fs::canonicalize(folder.path()).unwrap()
        };
        Self {
            path,
            _folder: folder,
        }
    }
}

impl Deref for Folder {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.path
    }
}

/// Every file, folder and link of some folders below a root, with its mode and its content.
#[cfg(unix)]
pub fn snapshot(root: &Path, folders: &[&str]) -> BTreeMap<String, String> {
    snapshot_without(root, folders, |_| false)
}

/// The same, but for what is left out by its name below the root.
#[cfg(unix)]
pub fn snapshot_without(
    root: &Path,
    folders: &[&str],
    is_left_out: fn(&str) -> bool,
) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for folder in folders {
        collect(&root.join(folder), folder, is_left_out, &mut found);
    }
    found
}

#[cfg(unix)]
fn collect(
    folder: &Path,
    name: &str,
    is_left_out: fn(&str) -> bool,
    found: &mut BTreeMap<String, String>,
) {
    use std::os::unix::fs::MetadataExt as _;
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{name}/{}", entry.file_name().to_string_lossy());
        if is_left_out(&name) {
            continue;
        }
        let about = fs::symlink_metadata(entry.path()).unwrap();
        let content = if about.is_symlink() {
            format!("-> {}", fs::read_link(entry.path()).unwrap().display())
        } else if about.is_dir() {
            collect(&entry.path(), &name, is_left_out, found);
            "a folder".to_owned()
        } else {
            String::from_utf8_lossy(&fs::read(entry.path()).unwrap()).into_owned()
        };
        found.insert(name, format!("{:o} {content}", about.mode()));
    }
}

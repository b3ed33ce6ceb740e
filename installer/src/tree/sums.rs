//! `SHA256SUMS`: which files a tree or a release is made of, in the form that `sha256sum -c` reads.

use super::disk;
use crate::release::List;
use crate::signature::sum_line;
use fs_err as fs;
use hookkit::digest::sha256;
use hookkit_launchers::File;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// Where it stands.
pub(crate) const SUMS: &str = List::NAME;

/// The sums of all files but the list itself.
pub(crate) fn of<'f>(files: impl Iterator<Item = &'f File>) -> String {
    files
        .filter(|file| file.path != SUMS)
        .map(|file| sum_line(&sha256(&file.bytes), &file.path))
        .collect()
}

/// The files in a folder that are not as its own list says: added, changed or taken away since it
/// was built. A folder without a list is all strays.
pub(crate) fn strays(folder: &Path) -> io::Result<Vec<String>> {
    let list = fs::read_to_string(folder.join(SUMS)).unwrap_or_default();
    let mut listed = by_path(&list);
    let mut found = BTreeMap::new();
    disk::list(folder, "", &mut found)?;
    found.remove(SUMS);
    let mut strays = Vec::new();
    for (path, file) in &found {
        let is_file = fs::symlink_metadata(file)?.is_file();
        let expected = listed.remove(&**path);
        if !is_file || expected != Some(&sha256(&fs::read(file)?)) {
            strays.push(path.clone());
        }
    }
    strays.extend(listed.into_keys().map(str::to_owned));
    Ok(strays)
}

/// The files in a folder that its own list does not name.
pub(crate) fn added(folder: &Path) -> io::Result<Vec<String>> {
    let list = fs::read_to_string(folder.join(SUMS)).unwrap_or_default();
    let listed = by_path(&list);
    let mut found = BTreeMap::new();
    disk::list(folder, "", &mut found)?;
    found.remove(SUMS);
    Ok(found
        .into_keys()
        .filter(|path| !listed.contains_key(&**path))
        .collect())
}

/// The sums of a list, by the paths that they are of.
fn by_path(list: &str) -> BTreeMap<&str, &str> {
    list.lines()
        .filter_map(|line| line.split_once("  "))
        .map(|(sum, path)| (path, sum))
        .collect()
}

/// The list of a release in a folder. `None` where there is none, or one of something else.
pub(super) fn release(folder: &Path) -> io::Result<Option<List>> {
    match fs::read_to_string(folder.join(SUMS)) {
        Ok(list) => Ok(List::read(&list)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Does a release's list name this file of its folder, with these bytes?
pub(super) fn has(release: &List, folder: &Path, file: &Path, bytes: &[u8]) -> bool {
    let Ok(path) = file.strip_prefix(folder) else {
        return false;
    };
    let path: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
    release.sum(&path.join("/")) == Some(&sha256(bytes))
}

//! `SHA256SUMS`: which files a tree is made of, in the form that `sha256sum -c` reads.

use super::disk;
use crate::signature::sum_line;
use fs_err as fs;
use hookkit::digest::sha256;
use hookkit_launchers::File;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// Where it stands.
pub(crate) const SUMS: &str = "SHA256SUMS";

/// The sums of all files but the list itself.
pub(super) fn of<'f>(files: impl Iterator<Item = &'f File>) -> String {
    files
        .filter(|file| file.path != SUMS)
        .map(|file| sum_line(&sha256(&file.bytes), &file.path))
        .collect()
}

/// The files in a folder that are not as its own list says: added, changed or taken away since it
/// was built. A folder without a list is all strays.
pub(crate) fn strays(folder: &Path) -> io::Result<Vec<String>> {
    let list = fs::read_to_string(folder.join(SUMS)).unwrap_or_default();
    let mut listed: BTreeMap<&str, &str> = list
        .lines()
        .filter_map(|line| line.split_once("  "))
        .map(|(sum, path)| (path, sum))
        .collect();
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

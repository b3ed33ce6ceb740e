//! One person's own settings in a repository: where they lie, and what git knows of them.

use super::machine::Found;
use crate::outcome::Stop;
use crate::tree::{Standing, standing};
use hookkit_dispatch::folder::{git_root, is_reached_without_links, real};
use std::path::{Path, PathBuf};

/// The repository that a folder lies in.
pub(crate) fn repository(folder: &Path) -> Result<PathBuf, Stop> {
    let folder = real(folder);
    git_root(&folder).map(Path::to_owned).ok_or_else(|| {
        Stop::refused(format!(
            "{} is in no git repository, and this is for one; name it with --repo",
            folder.display()
        ))
    })
}

/// Refuses a file that a repository put somewhere else: what is written there would land in a place
/// that nobody named.
pub(super) fn check(repository: &Path, file: &Path) -> Result<(), Stop> {
    let there = file
        .ancestors()
        .find(|above| above.symlink_metadata().is_ok());
    if there.is_some_and(|there| is_reached_without_links(there, repository)) {
        return Ok(());
    }
    Err(Stop::refused(format!(
        "{} is a link, or lies behind one; put a file or folder of its own in its place",
        file.display()
    )))
}

/// Why others will come to see what is one person's own.
pub(super) fn careful(repository: &Path, file: &'static str) -> Option<String> {
    let shown = repository.join(file);
    let shown = shown.display();
    match standing(repository, file)? {
        Standing::Tracked => Some(format!(
            "git tracks {shown}, so the change would go to others, for whom it does nothing; it \
             holds one person's own settings, so take it out with `git rm --cached {file}` and \
             ignore it"
        )),
        Standing::Untracked => Some(format!(
            "git does not ignore {shown}, so a commit of everything would take it along; put `{file}` \
             into .git/info/exclude or your own list"
        )),
        Standing::Ignored => None,
    }
}

/// Does a file hold settings of this repository?
pub(super) fn is_of(file: &Path, repository: &Path, hosts: &[Found]) -> bool {
    hosts
        .iter()
        .flat_map(|found| found.host.settings_of_repository())
        .any(|settings| repository.join(settings) == file)
}

/// Some repositories, as a part of a sentence.
pub(crate) fn listed(repositories: &[PathBuf]) -> String {
    let names: Vec<String> = repositories
        .iter()
        .map(|repository| repository.display().to_string())
        .collect();
    names.join(", ")
}

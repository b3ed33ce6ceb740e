//! Folders: what lies inside what.

use crate::env::Env;
use std::path::{Component, Path, PathBuf};

/// A path without `.`, `..` and the Windows prefix `\\?\`, by its text alone.
pub fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    without_verbatim(plain)
}

/// A path with all links resolved; as it is when it does not exist.
pub fn real(path: &Path) -> PathBuf {
    path.canonicalize()
        .map_or_else(|_| plain(path), without_verbatim)
}

/// Windows gives resolved paths as `\\?\C:\...`, which many programs do not take.
fn without_verbatim(path: PathBuf) -> PathBuf {
    if cfg!(windows)
        && let Some(text) = path.to_str()
        && let Some(rest) = text.strip_prefix(r"\\?\")
        && rest.as_bytes().get(1) == Some(&b':')
    {
        return PathBuf::from(rest);
    }
    path
}

/// The root of the git work tree that a folder lies in.
pub fn git_root(folder: &Path) -> Option<&Path> {
    folder.ancestors().find(|above| above.join(".git").exists())
}

/// The folders that belong to the session's project: whoever wrote the repository may have written
/// everything in them.
#[derive(Clone, Debug, Default)]
pub struct Project {
    folders: Vec<PathBuf>,
}

impl Project {
    /// The session's folder, the project folder that the host names, and the git roots of both.
    ///
    /// The user's home and what lies above it are no project: a session that was started there
    /// does not turn the user's own programs into somebody else's.
    pub fn of_session(cwd: Option<&str>, env: &Env) -> Self {
        let named = env.get("CLAUDE_PROJECT_DIR").map(PathBuf::from);
        let home = env.home().map(|home| real(&home));
        let mut project = Self::default();
        for folder in [cwd.map(PathBuf::from), named, env.cwd()]
            .into_iter()
            .flatten()
        {
            if !folder.is_absolute() {
                continue;
            }
            let folder = real(&folder);
            let root = git_root(&folder).map(Path::to_path_buf);
            for folder in std::iter::once(folder).chain(root) {
                let holds_home = home.as_ref().is_some_and(|home| home.starts_with(&folder));
                let is_root = folder.parent().is_none();
                if !holds_home && !is_root && !project.folders.contains(&folder) {
                    project.folders.push(folder);
                }
            }
        }
        project
    }

    /// Does a path lie in the project, itself or what it links to?
    pub fn holds(&self, path: &Path) -> bool {
        if self.folders.is_empty() {
            return false;
        }
        let (plain, real) = (plain(path), real(path));
        self.folders
            .iter()
            .any(|folder| plain.starts_with(folder) || real.starts_with(folder))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn env(home: &str, project: &str) -> Env {
        Env::given(
            vec![
                ("HOME".into(), home.into()),
                ("CLAUDE_PROJECT_DIR".into(), project.into()),
            ],
            "/".into(),
            "/x".into(),
        )
    }

    #[test]
    fn a_project_holds_what_lies_in_it() {
        let project = Project::of_session(Some("/nowhere/p"), &env("/nowhere/home", ""));
        assert!(project.holds(Path::new("/nowhere/p/bin/python3")));
        assert!(project.holds(Path::new("/nowhere/p/../p/x")));
        assert!(!project.holds(Path::new("/nowhere/p2/bin")));
        assert!(!project.holds(Path::new("/usr/bin")));
    }

    #[test]
    fn home_and_the_root_are_no_project() {
        let project = Project::of_session(Some("/nowhere/home"), &env("/nowhere/home", "/"));
        assert!(!project.holds(Path::new("/nowhere/home/.local/bin")));
        assert!(!project.holds(Path::new("/usr/bin")));
    }
}

//! Folders: what lies inside what.

use crate::env::Env;
use std::cell::OnceCell;
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
    resolved(path).unwrap_or_else(|| plain(path))
}

/// Does this path exist, and lie in a folder, with no link on the way from the one to the other?
pub fn is_reached_without_links(path: &Path, folder: &Path) -> bool {
    path.starts_with(folder)
        && path
            .ancestors()
            .take_while(|above| *above != folder)
            .all(|above| {
                above
                    .symlink_metadata()
                    .is_ok_and(|found| !found.is_symlink())
            })
}

/// A path with all links resolved; `None` when it does not exist.
#[cfg(not(unix))]
pub fn resolved(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok().map(without_verbatim)
}

/// A path with all links resolved; `None` when it does not exist.
///
/// The standard library lets the C library allocate the answer, which in a short life costs more
/// than finding it: musl maps a page for each.
#[cfg(unix)]
#[expect(unsafe_code, reason = "realpath into a buffer has no safe binding")]
pub fn resolved(path: &Path) -> Option<PathBuf> {
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    let path = std::ffi::CString::new(path.as_os_str().as_bytes()).ok()?;
    let mut buffer = [0_u8; libc::PATH_MAX as usize + 1];
    // SAFETY: `realpath` writes at most PATH_MAX bytes, the end included, into the buffer.
    let found = unsafe { libc::realpath(path.as_ptr(), buffer.as_mut_ptr().cast()) };
    if found.is_null() {
        return None;
    }
    let answer = std::ffi::CStr::from_bytes_until_nul(&buffer).ok()?;
    let answer = std::ffi::OsString::from_vec(answer.to_bytes().to_vec());
    Some(PathBuf::from(answer))
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
///
/// They are looked up when somebody asks: an event that starts no hook does not.
#[derive(Debug)]
pub struct Project<'e> {
    cwd: Option<PathBuf>,
    env: &'e Env,
    folders: OnceCell<Vec<PathBuf>>,
}

impl<'e> Project<'e> {
    /// The project of a session whose folder the host named.
    pub fn of_session(cwd: Option<&str>, env: &'e Env) -> Self {
        Self {
            cwd: cwd.map(PathBuf::from),
            env,
            folders: OnceCell::new(),
        }
    }

    /// Does a path lie in the project, itself or what it links to?
    pub fn holds(&self, path: &Path) -> bool {
        let folders = self.folders.get_or_init(|| self.find());
        if folders.is_empty() {
            return false;
        }
        let (plain, real) = (plain(path), real(path));
        folders
            .iter()
            .any(|folder| plain.starts_with(folder) || real.starts_with(folder))
    }

    /// The session's folder, the project folder that the host names, and the git roots of both.
    ///
    /// The user's home and what lies above it are no project: a session that was started there
    /// does not turn the user's own programs into somebody else's.
    fn find(&self) -> Vec<PathBuf> {
        let named = self.env.get("CLAUDE_PROJECT_DIR").map(PathBuf::from);
        let home = self.env.home().map(|home| real(&home));
        let mut found: Vec<PathBuf> = Vec::new();
        for folder in [self.cwd.clone(), named, self.env.cwd()]
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
                if !holds_home && !is_root && !found.contains(&folder) {
                    found.push(folder);
                }
            }
        }
        found
    }
}

#[cfg(unix)]
#[cfg(test)]
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
        let env = env("/nowhere/home", "");
        let project = Project::of_session(Some("/nowhere/p"), &env);
        assert!(project.holds(Path::new("/nowhere/p/bin/python3")));
        assert!(project.holds(Path::new("/nowhere/p/../p/x")));
        assert!(!project.holds(Path::new("/nowhere/p2/bin")));
        assert!(!project.holds(Path::new("/usr/bin")));
    }

    #[test]
    fn home_and_the_root_are_no_project() {
        let env = env("/nowhere/home", "/");
        let project = Project::of_session(Some("/nowhere/home"), &env);
        assert!(!project.holds(Path::new("/nowhere/home/.local/bin")));
        assert!(!project.holds(Path::new("/usr/bin")));
    }
}

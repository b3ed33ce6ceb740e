//! The process's environment, read in this one place, so that tests never touch the real one.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

/// The variable that names the user's home.
pub const HOME: &str = if cfg!(windows) { "USERPROFILE" } else { "HOME" };

/// Variables, working directory and own executable: of this process, or given.
#[derive(Clone, Debug)]
pub struct Env {
    given: Option<Given>,
}

#[derive(Clone, Debug)]
struct Given {
    variables: Vec<(OsString, OsString)>,
    cwd: PathBuf,
    exe: PathBuf,
}

#[expect(
    clippy::disallowed_methods,
    reason = "this type is the one place that reads the environment"
)]
impl Env {
    /// The environment of this process. Variables are looked up when asked for, so that an event
    /// which starts no hook copies none.
    pub fn of_process() -> Self {
        Self { given: None }
    }

    /// An environment made of parts.
    pub fn given(variables: Vec<(OsString, OsString)>, cwd: PathBuf, exe: PathBuf) -> Self {
        Self {
            given: Some(Given {
                variables,
                cwd,
                exe,
            }),
        }
    }

    /// A variable's value; one that is set but empty is as good as unset.
    pub fn get(&self, name: &str) -> Option<OsString> {
        let value = match &self.given {
            None => std::env::var_os(name),
            Some(given) => given
                .variables
                .iter()
                .find(|(present, _)| same_name(present, name))
                .map(|(_, value)| value.clone()),
        };
        value.filter(|value| !value.is_empty())
    }

    /// Every variable.
    pub fn all(&self) -> Vec<(OsString, OsString)> {
        match &self.given {
            None => std::env::vars_os().collect(),
            Some(given) => given.variables.clone(),
        }
    }

    /// The working directory; `None` when it is gone.
    pub fn cwd(&self) -> Option<PathBuf> {
        match &self.given {
            None => std::env::current_dir().ok(),
            Some(given) => Some(given.cwd.clone()),
        }
    }

    /// The program that runs, as the system knows it: argv[0] is not believed.
    pub fn exe(&self) -> Option<PathBuf> {
        match &self.given {
            None => std::env::current_exe().ok(),
            Some(given) => Some(given.exe.clone()),
        }
    }

    /// The same with its links resolved, which Linux does by itself: to ask about each folder on the
    /// way takes a tenth of an event. The file may be gone: an update put another in its place since
    /// this process started, and Linux then adds ` (deleted)` to its name.
    pub fn real_exe(&self) -> Option<PathBuf> {
        let exe = self.exe()?;
        if cfg!(target_os = "linux") && self.given.is_none() {
            return Some(exe);
        }
        exe.canonicalize()
            .ok()
            .or_else(|| Some(exe.parent()?.canonicalize().ok()?.join(exe.file_name()?)))
    }

    /// The user's home folder.
    pub fn home(&self) -> Option<PathBuf> {
        self.get(HOME)
            .map(PathBuf::from)
            .filter(|home| home.is_absolute())
    }

    /// The folder for temporary files.
    pub fn temp(&self) -> PathBuf {
        match &self.given {
            None => std::env::temp_dir(),
            Some(_) => self
                .get("TMPDIR")
                .map_or_else(|| PathBuf::from("/tmp"), PathBuf::from),
        }
    }
}

/// Windows knows variables in any case.
pub fn same_name(left: &OsStr, right: &str) -> bool {
    if cfg!(windows) {
        left.eq_ignore_ascii_case(right)
    } else {
        left == right
    }
}

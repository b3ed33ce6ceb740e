//! Which hosts are on this machine: where their settings lie, where their program is, which version.
//!
//! Nothing is started for it: a client's own `--version` unpacks and writes.

use super::editors;
use crate::outcome::Stop;
use fs_err as fs;
use hookkit_dispatch::env::Env;
use hookkit_dispatch::folder::{self, Project};
use hookkit_dispatch::interpreter;
use hookkit_launchers::install::{self, Install, UserFolder};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A host, as far as it is on this machine.
#[derive(Clone)]
pub(crate) struct Found {
    pub(crate) host: &'static dyn Install,
    /// Its folder of the user's settings, which may not be there yet.
    pub(crate) folder: PathBuf,
    /// Further folders of the same kind, where it has several.
    pub(crate) further: Vec<PathBuf>,
    pub(crate) program: Option<PathBuf>,
    pub(crate) version: Option<String>,
}

impl Found {
    /// Is there anything of it?
    pub(crate) fn is_there(&self) -> bool {
        self.program.is_some() || self.folder.is_dir()
    }

    /// The file that says which plugins it has, the first where it has several.
    pub(crate) fn settings(&self) -> PathBuf {
        self.folder.join(self.host.settings())
    }

    /// All of its folders.
    pub(crate) fn folders(&self) -> impl Iterator<Item = &Path> {
        let further = self.further.iter().map(PathBuf::as_path);
        [&*self.folder].into_iter().chain(further)
    }

    /// The files that say which plugins it has.
    pub(crate) fn all_settings(&self) -> impl Iterator<Item = PathBuf> {
        self.folders()
            .map(|folder| folder.join(self.host.settings()))
    }

    pub(crate) fn name(&self) -> &'static str {
        self.host.host().name()
    }

    /// Its name, and that of the host that is told with it.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        install::names(self.host)
    }

    pub(crate) fn is_named(&self, name: &str) -> bool {
        self.names().any(|known| known == name)
    }

    /// What was found, in one line.
    pub(crate) fn sentence(&self) -> String {
        let version = self.version.as_deref().unwrap_or("of unknown version");
        let program = match &self.program {
            Some(program) => format!("{version}, {}", program.display()),
            None => format!("`{}` is not on the PATH", self.host.program()),
        };
        let folders: Vec<_> = self.folders().map(|at| at.display().to_string()).collect();
        format!("{program}; settings in {}", folders.join(", "))
    }
}

/// Looks for every host that hookkit installs into.
pub(crate) fn hosts(env: &Env) -> Result<Vec<Found>, Stop> {
    install::ALL.iter().map(|host| look(*host, env)).collect()
}

fn look(host: &'static dyn Install, env: &Env) -> Result<Found, Stop> {
    let homeless = || Stop::unusable("HOME is not set, so no agent's settings are found");
    let mut folders = match host.user_folder() {
        UserFolder::Of {
            variable,
            below_home,
        } => vec![match env.get(variable).map(PathBuf::from) {
            Some(named) => crate::plugin::absolute(&named, env)?,
            None => env.home().ok_or_else(homeless)?.join(below_home),
        }],
        UserFolder::Editors => editors::folders(env).ok_or_else(homeless)?,
    };
    let further = folders.split_off(1);
    let program = on_path(host.program(), env);
    let version = program
        .as_deref()
        .and_then(|program| version(&folder::real(program), host));
    Ok(Found {
        host,
        folder: folders.remove(0),
        further,
        program,
        version,
    })
}

fn on_path(name: &str, env: &Env) -> Option<PathBuf> {
    // npm on Windows gives its programs scripts of cmd.
    let endings: &[&str] = if cfg!(windows) {
        &["exe", "cmd"]
    } else {
        &[""]
    };
    let nowhere = Project::of_session(None, env);
    let spelled = |folder: PathBuf| {
        let file = folder.join(name);
        endings
            .iter()
            .map(move |ending| file.with_extension(ending))
    };
    interpreter::search_path(env, &nowhere)
        .into_iter()
        .flat_map(spelled)
        .find(|file| file.is_file())
}

/// A program's version, by the package that it lies in, else by its own name: Claude Code's
/// installer keeps each version as a file named after it.
fn version(program: &Path, host: &dyn Install) -> Option<String> {
    let in_package = program.ancestors().skip(1).take(4).find_map(|folder| {
        let package: Value =
            serde_json::from_slice(&fs::read(folder.join("package.json")).ok()?).ok()?;
        let is_its = package["name"].as_str()?.starts_with(host.package()?);
        is_its.then(|| package["version"].as_str().map(str::to_owned))?
    });
    let named = || {
        let name = program.file_name()?.to_str()?;
        name.starts_with(|first: char| first.is_ascii_digit())
            .then(|| name.to_owned())
    };
    in_package.or_else(named)
}

/// Those of these hosts that hookkit installs into.
pub(crate) fn names_of(hosts: &[String]) -> impl Iterator<Item = &'static str> {
    hosts
        .iter()
        .filter_map(|name| Some(install::by_name(name)?.host().name()))
}

//! Which hosts are on this machine: where their settings lie, where their program is, which version.
//!
//! Nothing is started for it: a client's own `--version` unpacks and writes.

use crate::outcome::Stop;
use fs_err as fs;
use hookkit_dispatch::env::Env;
use hookkit_dispatch::folder::{self, Project};
use hookkit_dispatch::interpreter;
use hookkit_launchers::install::{self, Install};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A host, as far as it is on this machine.
#[derive(Clone)]
pub(crate) struct Found {
    pub(crate) host: &'static dyn Install,
    /// Its folder of the user's settings, which may not be there yet.
    pub(crate) folder: PathBuf,
    pub(crate) program: Option<PathBuf>,
    pub(crate) version: Option<String>,
}

impl Found {
    /// Is there anything of it?
    pub(crate) fn is_there(&self) -> bool {
        self.program.is_some() || self.folder.is_dir()
    }

    pub(crate) fn name(&self) -> &'static str {
        self.host.host().name()
    }

    /// What was found, in one line.
    pub(crate) fn sentence(&self) -> String {
        let version = self.version.as_deref().unwrap_or("of unknown version");
        let program = match &self.program {
            Some(program) => format!("{version}, {}", program.display()),
            None => format!("`{}` is not on the PATH", self.host.program()),
        };
        format!("{program}; settings in {}", self.folder.display())
    }
}

/// Looks for every host that hookkit installs into.
pub(crate) fn hosts(env: &Env) -> Result<Vec<Found>, Stop> {
    install::ALL.iter().map(|host| look(*host, env)).collect()
}

fn look(host: &'static dyn Install, env: &Env) -> Result<Found, Stop> {
    let (variable, below_home) = host.user_folder();
    let named = env.get(variable).map(PathBuf::from);
    let folder = match named {
        Some(named) => crate::plugin::absolute(&named, env)?,
        None => env
            .home()
            .ok_or_else(|| Stop::unusable("HOME is not set, so no agent's settings are found"))?
            .join(below_home),
    };
    let program = on_path(host.program(), env);
    let version = program
        .as_deref()
        .and_then(|program| version(&folder::real(program), host));
    Ok(Found {
        host,
        folder,
        program,
        version,
    })
}

fn on_path(name: &str, env: &Env) -> Option<PathBuf> {
    let nowhere = Project::of_session(None, env);
    let name = Path::new(name).with_extension(std::env::consts::EXE_EXTENSION);
    interpreter::search_path(env, &nowhere)
        .into_iter()
        .map(|folder| folder.join(&name))
        .find(|file| file.is_file())
}

/// A program's version, by the package that it lies in, else by its own name: Claude Code's
/// installer keeps each version as a file named after it.
fn version(program: &Path, host: &dyn Install) -> Option<String> {
    let in_package = program.ancestors().skip(1).take(4).find_map(|folder| {
        let package: Value =
            serde_json::from_slice(&fs::read(folder.join("package.json")).ok()?).ok()?;
        let is_its = package["name"].as_str()?.starts_with(host.package());
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

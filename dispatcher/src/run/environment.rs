//! The variables that a hook gets.
//!
//! A repository's settings can set variables of every hook (seen on Claude Code 2.1.332), and many
//! programs load code that a variable names. What does so is removed; what a hook may rely on is
//! set from what hookkit itself knows.

use crate::env::{Env, same_name};
use crate::host::Host;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

/// Variables by which a shell, an interpreter or the loader takes code from somewhere, or which
/// steer hookkit itself.
const REMOVED: &[&str] = &[
    "BASH_ENV",
    "ENV",
    "SHELLOPTS",
    "BASHOPTS",
    "PS4",
    "CDPATH",
    "NODE_OPTIONS",
    "NODE_PATH",
    "NODE_REPL_EXTERNAL_MODULE",
    "NODE_COMPILE_CACHE",
    "RUBYOPT",
    "RUBYLIB",
    "RUBYSHELL",
    "PERL5OPT",
    "PERL5LIB",
    "PERL5DB",
    "PERLLIB",
    "BUN_OPTIONS",
    "VIRTUAL_ENV",
    "LD_PRELOAD",
    "LD_LIBRARY_PATH",
    "LD_AUDIT",
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_EXEC_PATH",
    "GIT_TEMPLATE_DIR",
    "GIT_EXTERNAL_DIFF",
    "GIT_PAGER",
    "GIT_EDITOR",
    "GIT_SEQUENCE_EDITOR",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "GIT_PROXY_COMMAND",
    "GIT_ASKPASS",
];

/// Families of such variables. All of Python's: beside PYTHONPATH, PYTHONUSERBASE and
/// PYTHONPYCACHEPREFIX name folders that code is loaded from.
const REMOVED_FAMILIES: &[&str] = &[
    "HOOKKIT_",
    "PYTHON",
    "DENO_",
    "UV_",
    "DYLD_",
    "BASH_FUNC_",
    "GIT_CONFIG",
];

/// The part of the environment that all hooks of one event share.
///
/// `path` are the folders that programs may be found in.
pub fn base(env: &Env, host: &dyn Host, path: &[PathBuf]) -> Vec<(OsString, OsString)> {
    let mut kept: Vec<(OsString, OsString)> = env
        .all()
        .into_iter()
        .filter(|(name, _)| !is_removed(name, host))
        .collect();
    if let Ok(path) = std::env::join_paths(path) {
        set(&mut kept, "PATH", path);
    }
    kept
}

/// Sets a variable, whatever it was before.
pub fn set(variables: &mut Vec<(OsString, OsString)>, name: &str, value: impl Into<OsString>) {
    variables.retain(|(present, _)| !same_name(present, name));
    variables.push((name.into(), value.into()));
}

fn is_removed(name: &OsStr, host: &dyn Host) -> bool {
    let Some(name) = name.to_str() else {
        return false;
    };
    let name = if cfg!(windows) {
        name.to_ascii_uppercase()
    } else {
        name.to_owned()
    };
    let of_host = host
        .own_variables()
        .iter()
        .any(|family| name.starts_with(family));
    let in_family = REMOVED_FAMILIES
        .iter()
        .any(|family| name.starts_with(family));
    !of_host && (in_family || REMOVED.contains(&&*name))
}

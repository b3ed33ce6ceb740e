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
    // Shells.
    "BASH_ENV",
    "ENV",
    "SHELLOPTS",
    "BASHOPTS",
    "BASH_LOADABLES_PATH",
    "EXECIGNORE",
    "PS4",
    "CDPATH",
    "ZDOTDIR",
    "FPATH",
    // Interpreters.
    "NODE_OPTIONS",
    "NODE_PATH",
    "NODE_REPL_EXTERNAL_MODULE",
    "NODE_COMPILE_CACHE",
    "GEM_HOME",
    "GEM_PATH",
    "BUN_OPTIONS",
    "VIRTUAL_ENV",
    "PSMODULEPATH",
    "PSModulePath",
    "LUA_INIT",
    "LUA_PATH",
    "LUA_CPATH",
    "PHPRC",
    "PHP_INI_SCAN_DIR",
    "JAVA_TOOL_OPTIONS",
    "_JAVA_OPTIONS",
    "JDK_JAVA_OPTIONS",
    "DOTNET_STARTUP_HOOKS",
    // What version managers run in front of the program that is meant.
    "PYENV_HOOK_PATH",
    "RBENV_HOOK_PATH",
    "NODENV_HOOK_PATH",
    // Libraries that load modules.
    "GCONV_PATH",
    "OPENSSL_CONF",
    "OPENSSL_ENGINES",
    "OPENSSL_MODULES",
    // make.
    "MAKEFILES",
    "MAKEFLAGS",
    // git.
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_COMMON_DIR",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_NAMESPACE",
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
    "GIT_ALLOW_PROTOCOL",
];

/// Families of such variables. All of an interpreter's own: beside PYTHONPATH, PYTHONUSERBASE and
/// PYTHONPYCACHEPREFIX name folders that code is loaded from; PERL_USE_UNSAFE_INC and
/// RUBYGEMS_GEMDEPS have it loaded from the working directory.
const REMOVED_FAMILIES: &[&str] = &[
    "HOOKKIT_",
    "PYTHON",
    "PERL",
    "RUBY",
    "BUNDLE_",
    "DENO_",
    "UV_",
    "LD_",
    "DYLD_",
    "BASH_FUNC_",
    "GIT_CONFIG",
    "GIT_TRACE",
];

/// Room for what is set beside the variables that are kept.
const SET: usize = 12;

/// The part of the environment that all hooks of one event share.
///
/// `path` are the folders that programs may be found in.
pub fn base(env: &Env, host: &dyn Host, path: &[PathBuf]) -> Vec<(OsString, OsString)> {
    let mut kept: Vec<(OsString, OsString)> = env
        .all()
        .into_iter()
        .filter(|(name, _)| !is_removed(name, host))
        .collect();
    kept.reserve(SET);
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
    let of_host = host
        .own_variables()
        .iter()
        .any(|family| name.as_encoded_bytes().starts_with(family.as_bytes()));
    loads_code(name) && !of_host
}

/// Does a variable of this name make programs load code, or steer hookkit itself?
pub fn loads_code(name: &OsStr) -> bool {
    let upper;
    let name = if cfg!(windows) {
        upper = name.to_ascii_uppercase();
        upper.as_encoded_bytes()
    } else {
        name.as_encoded_bytes()
    };
    let in_family = REMOVED_FAMILIES
        .iter()
        .any(|family| name.starts_with(family.as_bytes()));
    in_family || REMOVED.iter().any(|removed| removed.as_bytes() == name)
}

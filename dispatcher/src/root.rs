//! Which plugin this dispatcher serves: the order of the design, section 3, and nothing else.
//!
//! 1. `--plugin-root`, an absolute path
//! 2. a dispatcher in a data folder: the receipt beside it; a missing receipt ends the search
//! 3. a dispatcher inside a plugin: up at most three folders to `hookkit.json`
//! 4. a dispatcher that stands nowhere: the variable that this host itself sets, if it points to a
//!    plugin of the right name outside the session's project
//!
//! A repository's settings can set environment variables of hooks, so a variable never replaces
//! what the first three find.

use crate::args::Args;
use crate::env::Env;
use crate::folder::Project;
use crate::host::Host;
use crate::json;
use crate::receipt::{self, Receipt, State};
use std::path::{Path, PathBuf};

/// The manifest's file name.
pub const MANIFEST: &str = "hookkit.json";

/// How many folders above its own the dispatcher looks for a manifest.
const STEPS_UP: usize = 3;

/// A plugin's folder, and how it was found.
#[derive(Clone, Debug)]
pub struct Root {
    pub folder: PathBuf,
    pub receipt: Option<Receipt>,
    /// Variables that name another folder, for the trace.
    pub foreign: Vec<String>,
}

/// Why no plugin is served.
#[derive(Clone, Debug)]
pub enum Missing {
    /// Uninstalled while a session lives on, or switched off: nothing is said, by no hook.
    Silent,
    /// Not found; what a receipt says of this plugin, where there is one.
    NotFound {
        why: String,
        receipt: Option<Box<Receipt>>,
    },
}

impl Missing {
    fn not_found(why: String) -> Self {
        Self::NotFound { why, receipt: None }
    }
}

/// Finds the plugin's folder.
pub fn find(args: &Args, host: &dyn Host, project: &Project, env: &Env) -> Result<Root, Missing> {
    let found = match &args.plugin_root {
        // A relative folder would be found from the working directory, which is the repository's; so
        // would what an unset variable leaves on a command line.
        Some(folder) if !folder.is_absolute() => {
            return Err(Missing::not_found(format!(
                "--plugin-root `{}` is no absolute path",
                folder.display()
            )));
        }
        Some(folder) => Root {
            folder: folder.clone(),
            receipt: None,
            foreign: Vec::new(),
        },
        None => find_from_own_place(args, host, project, env)?,
    };
    if !found.folder.join(MANIFEST).is_file() {
        return Err(Missing::NotFound {
            why: format!("{} has no {MANIFEST}", found.folder.display()),
            receipt: found.receipt.map(Box::new),
        });
    }
    Ok(found)
}

fn find_from_own_place(
    args: &Args,
    host: &dyn Host,
    project: &Project,
    env: &Env,
) -> Result<Root, Missing> {
    let exe = env.real_exe();
    if let Some(data) = exe.as_deref().and_then(data_folder) {
        return match &args.plugin {
            Some(plugin) => by_receipt(data, plugin, args),
            None => Err(Missing::not_found(format!(
                "{} serves installed plugins and was started without --plugin",
                data.display()
            ))),
        };
    }
    if let Some(folder) = exe.as_deref().and_then(plugin_around) {
        if let Some(plugin) = pointer(&folder) {
            return match data_above(&folder) {
                Some(data) => by_receipt(&data, &plugin, args),
                None => Err(Missing::not_found(format!(
                    "{} points to an installation that is gone",
                    folder.display()
                ))),
            };
        }
        let foreign = foreign_variables(host, &folder, env);
        return Ok(Root {
            folder,
            receipt: None,
            foreign,
        });
    }
    by_variable(args, host, project, env)
}

/// The data folder that this executable is the dispatcher of.
fn data_folder(exe: &Path) -> Option<&Path> {
    let bin = exe.parent()?;
    let data = bin.parent()?;
    (bin.file_name()? == "bin" && data.join("receipts").is_dir()).then_some(data)
}

/// The version that the receipt says is in use, or the one that the launch line is bound to: what a
/// person has trusted is that version and no later one.
fn by_receipt(data: &Path, plugin: &str, args: &Args) -> Result<Root, Missing> {
    let receipt = receipt::read(data, plugin).map_err(Missing::not_found)?;
    if receipt.state == State::Removed || receipt.is_disabled() {
        return Err(Missing::Silent);
    }
    let folder = match &args.plugin_version {
        None => receipt.root.clone(),
        Some(version) if receipt::is_folder_name(version) => receipt.root.with_file_name(version),
        Some(version) => {
            return Err(Missing::NotFound {
                why: format!("--plugin-version `{version}` is no folder name"),
                receipt: Some(Box::new(receipt)),
            });
        }
    };
    Ok(Root {
        folder,
        receipt: Some(receipt),
        foreign: Vec::new(),
    })
}

/// The plugin that an executable lies in.
fn plugin_around(exe: &Path) -> Option<PathBuf> {
    exe.ancestors()
        .skip(1)
        .take(STEPS_UP)
        .find(|folder| folder.join(MANIFEST).is_file())
        .map(Path::to_path_buf)
}

/// The name in a thin folder's manifest, which holds no hooks but points to an installation.
fn pointer(folder: &Path) -> Option<String> {
    let bytes = std::fs::read(folder.join(MANIFEST)).ok()?;
    let members = json::members(bytes.trim_ascii())?;
    let managed = members
        .iter()
        .any(|member| member.key() == "managed" && member.value == b"true");
    let name = members.iter().find(|member| member.key() == "name")?;
    managed.then(|| json::text(name.value).map(std::borrow::Cow::into_owned))?
}

/// The data folder that a thin folder lies in. The store may be gone: what is said then is in the
/// receipt.
fn data_above(folder: &Path) -> Option<PathBuf> {
    folder
        .ancestors()
        .skip(1)
        .take(STEPS_UP)
        .find(|above| above.join("receipts").is_dir() && above.join("market").is_dir())
        .map(Path::to_path_buf)
}

fn by_variable(
    args: &Args,
    host: &dyn Host,
    project: &Project,
    env: &Env,
) -> Result<Root, Missing> {
    let mut why = Vec::new();
    for name in host.root_variables() {
        let Some(value) = env.get(name) else { continue };
        let folder = PathBuf::from(&value);
        match usable(&folder, args.plugin.as_deref(), project) {
            Ok(()) => {
                return Ok(Root {
                    folder,
                    receipt: None,
                    foreign: Vec::new(),
                });
            }
            Err(reason) => why.push(format!("{name} ({}) {reason}", folder.display())),
        }
    }
    Err(Missing::not_found(if why.is_empty() {
        format!(
            "this dispatcher lies in no plugin and none of {} is set",
            host.root_variables().join(", ")
        )
    } else {
        why.join("; ")
    }))
}

fn usable(folder: &Path, plugin: Option<&str>, project: &Project) -> Result<(), &'static str> {
    if !folder.is_absolute() || folder.to_string_lossy().contains("${") {
        return Err("is no absolute path");
    }
    if !folder.join(MANIFEST).is_file() {
        return Err("holds no hookkit.json");
    }
    if project.holds(folder) {
        return Err("lies in the project being worked on");
    }
    let is_named = plugin.is_none_or(|plugin| name_of(folder).as_deref() == Some(plugin));
    if is_named {
        Ok(())
    } else {
        Err("holds another plugin")
    }
}

fn name_of(folder: &Path) -> Option<String> {
    let bytes = std::fs::read(folder.join(MANIFEST)).ok()?;
    let members = json::members(bytes.trim_ascii())?;
    let name = members.iter().find(|member| member.key() == "name")?;
    json::text(name.value).map(std::borrow::Cow::into_owned)
}

fn foreign_variables(host: &dyn Host, folder: &Path, env: &Env) -> Vec<String> {
    let same = |value: &Path| {
        value == folder || (value.exists() && value.canonicalize().is_ok_and(|real| real == folder))
    };
    host.root_variables()
        .iter()
        .filter_map(|name| env.get(name).map(|value| (name, PathBuf::from(value))))
        .filter(|(_, value)| !same(value))
        .map(|(name, value)| format!("{name}={} is not this plugin's folder", value.display()))
        .collect()
}

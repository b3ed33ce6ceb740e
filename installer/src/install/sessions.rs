//! Sessions that may still start what an installation registered.
//!
//! A client reads its plugins when it starts, and goes on starting them after they are gone from the
//! settings. Of other processes three things are looked at: which program it is, when it started, and
//! where it keeps its settings.

use super::machine::Found;
use super::receipt::{Receipt, State};
#[cfg(target_os = "linux")]
use hookkit_launchers::install::UserFolder;
use std::path::PathBuf;

/// A session that started while a plugin was registered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Live {
    pub(crate) host: &'static str,
    /// None where it is only supposed.
    pub(crate) process: Option<u32>,
}

/// Where a host was told, and since when.
#[cfg_attr(
    not(target_os = "linux"),
    expect(dead_code, reason = "processes are looked through on Linux alone")
)]
pub(crate) struct Registered {
    pub(crate) found: Found,
    /// In seconds since 1970.
    pub(crate) since: u64,
    pub(crate) until: u64,
}

/// The live sessions of this user that started in that time; `None` where processes cannot be
/// listed.
#[cfg(target_os = "linux")]
pub(crate) fn live(registered: &[Registered]) -> Option<Vec<Live>> {
    let boot = linux::boot_time()?;
    let mut found = Vec::new();
    for process in linux::processes()? {
        let Some(names) = linux::names(process) else {
            continue;
        };
        for Registered {
            found: host,
            since,
            until,
        } in registered
        {
            let is_client = names.iter().any(|name| name == host.host.program());
            // The times are known to the second.
            let is_of_its_time = || {
                linux::start(process)
                    .map(|start| boot + start)
                    .is_some_and(|start| start + 1 >= *since && start <= *until + 1)
            };
            if is_client && is_of_its_time() && linux::reads(process, host) {
                found.push(Live {
                    host: host.name(),
                    process: Some(process),
                });
            }
        }
    }
    Some(found)
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn live(_: &[Registered]) -> Option<Vec<Live>> {
    None
}

/// A client that runs, with settings that are this user's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Running {
    pub(crate) host: &'static str,
    pub(crate) process: u32,
    /// In seconds since 1970.
    pub(crate) start: u64,
    /// The plugin folders that its own environment names: it was started by a hook.
    pub(crate) roots: Vec<PathBuf>,
}

/// All of them; `None` where processes cannot be listed.
#[cfg(target_os = "linux")]
pub(crate) fn running(hosts: &[Found]) -> Option<Vec<Running>> {
    let boot = linux::boot_time()?;
    let mut running = Vec::new();
    for process in linux::processes()? {
        let Some(names) = linux::names(process) else {
            continue;
        };
        let is_it = |found: &&Found| {
            names.iter().any(|name| name == found.host.program()) && linux::reads(process, found)
        };
        if let Some(found) = hosts.iter().find(is_it)
            && let Some(start) = linux::start(process)
        {
            running.push(Running {
                host: found.name(),
                process,
                start: boot + start,
                roots: linux::roots(process),
            });
        }
    }
    Some(running)
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn running(_: &[Found]) -> Option<Vec<Running>> {
    None
}

/// The variables by which hosts name a plugin's folder to its hooks.
#[cfg(target_os = "linux")]
const ROOTS: &[&str] = &["CLAUDE_PLUGIN_ROOT", "COPILOT_PLUGIN_ROOT", "PLUGIN_ROOT"];

/// The value of a variable in the environment of a process.
#[cfg(target_os = "linux")]
fn variable(variables: &[u8], name: &str) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt as _;
    variables
        .split(|byte| *byte == 0)
        .find_map(|pair| pair.strip_prefix(name.as_bytes())?.strip_prefix(b"="))
        .filter(|value| !value.is_empty())
        .map(|value| PathBuf::from(std::ffi::OsStr::from_bytes(value)))
}

/// The folder of settings in a process's own environment.
#[cfg(target_os = "linux")]
fn settings_folder(variables: &[u8], host: &Found) -> Option<PathBuf> {
    let UserFolder::Of {
        variable: named,
        below_home,
    } = host.host.user_folder()
    else {
        return None;
    };
    let below_home = || Some(variable(variables, "HOME")?.join(below_home));
    variable(variables, named).or_else(below_home)
}

#[cfg(target_os = "linux")]
mod linux {
    use super::{Found, ROOTS, settings_folder, variable};
    use fs_err as fs;
    use hookkit_dispatch::folder;
    use std::path::{Path, PathBuf};

    pub(super) fn processes() -> Option<Vec<u32>> {
        let entries = fs::read_dir("/proc").ok()?;
        let number = |entry: fs::DirEntry| entry.file_name().to_str()?.parse().ok();
        Some(entries.flatten().filter_map(number).collect())
    }

    /// What a process is called: its own name, and its program's. `None` for other users' ones.
    pub(super) fn names(process: u32) -> Option<Vec<String>> {
        let file = std::fs::read_link(at(process, "exe")).ok()?;
        let program = file.file_name()?.to_string_lossy();
        let program = program.strip_suffix(" (deleted)").unwrap_or(&program);
        let own = fs::read_to_string(at(process, "comm")).ok()?;
        Some(vec![program.to_owned(), own.trim_end().to_owned()])
    }

    /// When it started, in seconds since the machine did.
    pub(super) fn start(process: u32) -> Option<u64> {
        let stat = fs::read_to_string(at(process, "stat")).ok()?;
        // The name may hold blanks and brackets; the start is the 20th field after it.
        let (_, fields) = stat.rsplit_once(')')?;
        let ticks: u64 = fields.split_whitespace().nth(19)?.parse().ok()?;
        Some(ticks / rustix::param::clock_ticks_per_second())
    }

    pub(super) fn boot_time() -> Option<u64> {
        let stat = fs::read_to_string("/proc/stat").ok()?;
        let line = stat.lines().find_map(|line| line.strip_prefix("btime "))?;
        line.trim().parse().ok()
    }

    /// Does a process read the settings in this folder?
    pub(super) fn reads(process: u32, host: &Found) -> bool {
        let variables = fs::read(at(process, "environ")).unwrap_or_default();
        // What cannot be read might be any.
        settings_folder(&variables, host)
            .is_none_or(|folder| folder::real(&folder) == folder::real(&host.folder))
    }

    /// The plugin folders that a process was told of.
    pub(super) fn roots(process: u32) -> Vec<PathBuf> {
        let variables = fs::read(at(process, "environ")).unwrap_or_default();
        let mut roots: Vec<PathBuf> = ROOTS
            .iter()
            .filter_map(|name| variable(&variables, name))
            .filter(|root| root.is_absolute())
            .collect();
        roots.dedup();
        roots
    }

    fn at(process: u32, file: &str) -> PathBuf {
        Path::new("/proc").join(process.to_string()).join(file)
    }
}

/// Where processes cannot be listed, sessions are taken to live for a day.
pub(crate) fn unseen(receipt: &Receipt, now: u64) -> Vec<Live> {
    const A_DAY: u64 = 24 * 60 * 60;
    let is_recent = receipt.state == State::Installed || receipt.changed + A_DAY > now;
    let known = super::machine::names_of(&receipt.hosts);
    known
        .filter(|_| is_recent)
        .map(|host| Live {
            host,
            process: None,
        })
        .collect()
}

/// As a part of a sentence: `claude-code (process 17)`.
pub(crate) fn listed(live: &[Live]) -> String {
    let names: Vec<String> = live
        .iter()
        .map(|session| match session.process {
            Some(process) => format!("{} (process {process})", session.host),
            None => format!("{} (perhaps)", session.host),
        })
        .collect();
    names.join(", ")
}

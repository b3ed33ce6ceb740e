//! Sessions that may still start what an installation registered.
//!
//! A client reads its plugins when it starts, and goes on starting them after they are gone from the
//! settings. Of other processes four things are looked at: which program it is, when it started,
//! where it keeps its settings, and which plugin's folder it was given.

use super::machine::Found;
use super::processes::{self, Process, Runs};
use super::receipt::{Receipt, State};
use hookkit_dispatch::env::HOME;
use hookkit_dispatch::folder;
use hookkit_launchers::install::UserFolder;
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// A session that started while a plugin was registered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Live {
    pub(crate) host: &'static str,
    /// None where it is only supposed.
    pub(crate) process: Option<u32>,
}

/// The live sessions of this user with these hosts that started in that time, in seconds since 1970;
/// `None` where processes cannot be listed.
pub(crate) fn live(hosts: &[Found], time: &RangeInclusive<u64>) -> Option<Vec<Live>> {
    // The times are known to the second.
    let is_of_its_time = |start| start + 1 >= *time.start() && start <= *time.end() + 1;
    let running = running(hosts)?.into_iter();
    let live = running
        .filter(|one| is_of_its_time(one.start))
        .map(|one| Live {
            host: one.host,
            process: Some(one.process),
        });
    Some(live.collect())
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
pub(crate) fn running(hosts: &[Found]) -> Option<Vec<Running>> {
    let mut variables = vec![HOME];
    variables.extend(ROOTS);
    variables.extend(hosts.iter().filter_map(|found| folder_variable(found)));
    let programs: Vec<_> = hosts.iter().map(|found| found.host).collect();
    let processes = processes::of_clients(&programs, &variables)?;
    let clients: Vec<Client> = processes
        .iter()
        .filter_map(|process| Client::of(process, hosts))
        .collect();
    let mut running: Vec<Running> = clients
        .iter()
        .filter(|client| !clients.iter().any(|other| client.is_part_of(other)))
        .filter(|client| client.reads_settings())
        .map(|client| Running {
            host: client.found.name(),
            process: client.process.id,
            start: client.process.start,
            roots: roots(client.process),
        })
        .collect();
    running.sort_by_key(|one| one.process);
    Some(running)
}

/// A process that runs a client.
struct Client<'p> {
    found: &'p Found,
    process: &'p Process,
    runs: Runs,
}

impl<'p> Client<'p> {
    fn of(process: &'p Process, hosts: &'p [Found]) -> Option<Self> {
        hosts.iter().find_map(|found| {
            Some(Self {
                found,
                process,
                runs: process.runs(found.host)?,
            })
        })
    }

    /// Are both of one session, of which the other one is named?
    fn is_part_of(&self, other: &Self) -> bool {
        let is_above = |above: &Self, below: &Self| below.process.parent == Some(above.process.id);
        let is_same = self.found.name() == other.found.name();
        match (self.runs, self.found.host.user_folder()) {
            // It waits for the client's program, which npm's packages of all clients have.
            (Runs::Script, _) => is_same && other.runs == Runs::Program && is_above(self, other),
            // Each window of an editor is a process of one session.
            (Runs::Program, UserFolder::Editors) => is_same && is_above(other, self),
            (Runs::Program, UserFolder::Of { .. }) => false,
        }
    }

    /// Does it read the settings in this host's folder?
    fn reads_settings(&self) -> bool {
        // What cannot be read might be any.
        settings_folder(self.process, self.found)
            .is_none_or(|folder| folder::real(&folder) == folder::real(&self.found.folder))
    }
}

/// The variables by which hosts name a plugin's folder to its hooks.
const ROOTS: [&str; 3] = ["CLAUDE_PLUGIN_ROOT", "COPILOT_PLUGIN_ROOT", "PLUGIN_ROOT"];

/// The plugin folders that a process was told of.
fn roots(process: &Process) -> Vec<PathBuf> {
    let mut roots: Vec<PathBuf> = ROOTS
        .iter()
        .filter_map(|name| process.variable(name))
        .filter(|root| root.is_absolute())
        .map(PathBuf::from)
        .collect();
    roots.dedup();
    roots
}

/// The variable that names the folder of a host's settings.
fn folder_variable(found: &Found) -> Option<&'static str> {
    match found.host.user_folder() {
        UserFolder::Of { variable, .. } => Some(variable),
        UserFolder::Editors => None,
    }
}

/// The folder of settings in a process's own environment.
fn settings_folder(process: &Process, found: &Found) -> Option<PathBuf> {
    let UserFolder::Of {
        variable,
        below_home,
    } = found.host.user_folder()
    else {
        return None;
    };
    let named = process.variable(variable).map(PathBuf::from);
    named.or_else(|| Some(process.variable(HOME)?.join(below_home)))
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

#[cfg(test)]
mod tests {
    use super::*;
    use hookkit_launchers::install::by_name;
    use std::path::Path;

    #[test]
    fn a_client_has_the_settings_that_its_variables_name_or_might_have_any() {
        let home = tempfile::tempdir().expect("a folder");
        let folder = home.path().join(".claude");
        let found = Found {
            host: by_name("claude-code").expect("a host"),
            folder: folder.clone(),
            further: Vec::new(),
            program: None,
            version: None,
        };
        let reads = |variables: &[(&'static str, &Path)]| {
            Client {
                found: &found,
                process: &Process::with(variables),
                runs: Runs::Program,
            }
            .reads_settings()
        };
        let (home, elsewhere) = (home.path(), Path::new("/nowhere"));
        assert!(reads(&[(HOME, home)]));
        assert!(reads(&[("CLAUDE_CONFIG_DIR", &folder), (HOME, elsewhere)]));
        assert!(!reads(&[("CLAUDE_CONFIG_DIR", elsewhere), (HOME, home)]));
        assert!(!reads(&[(HOME, elsewhere)]));
        assert!(reads(&[]), "it says nothing, so it might");
    }
}

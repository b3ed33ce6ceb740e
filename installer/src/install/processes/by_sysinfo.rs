//! By the crate sysinfo: `/proc` on Linux, on Windows a snapshot of its list and the memory of the
//! processes that may be opened, which those with more rights are not.

use super::{Process, values};
use std::ffi::{OsStr, OsString};
use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System, UpdateKind};

/// The processes of this user with a name that is wanted; `None` where they cannot be listed.
pub(super) fn of_user(
    is_wanted: &dyn Fn(&OsStr) -> bool,
    variables: &[&'static str],
) -> Option<Vec<Process>> {
    let mut system = System::new().ok()?;
    if cfg!(target_os = "linux") {
        // Else times would be taken for those since 1970.
        System::boot_time().ok()?;
    }
    let names = ProcessRefreshKind::nothing()
        .without_tasks()
        .with_user(UpdateKind::Always)
        .with_exe(UpdateKind::Always);
    system.refresh_processes_specifics(ProcessesToUpdate::All, false, names);
    let this = sysinfo::get_current_pid().ok()?;
    let user = system.process(this)?.user_id()?.clone();
    let wanted: Vec<Pid> = system
        .processes()
        .values()
        .filter(|process| process.user_id() == Some(&user))
        .filter(|process| self::names(process).any(is_wanted))
        .map(sysinfo::Process::pid)
        .collect();
    let rest = ProcessRefreshKind::nothing()
        .without_tasks()
        .with_cmd(UpdateKind::Always)
        .with_environ(UpdateKind::Always);
    system.refresh_processes_specifics(ProcessesToUpdate::Some(&wanted), false, rest);
    let found = wanted.iter().filter_map(|id| system.process(*id));
    let alive = found.filter(|process| !has_ended(process));
    Some(alive.map(|process| of(process, variables)).collect())
}

fn of(process: &sysinfo::Process, variables: &[&'static str]) -> Process {
    let environment: Vec<&OsStr> = process.environ().iter().map(OsString::as_os_str).collect();
    Process {
        id: process.pid().as_u32(),
        parent: process.parent().map(Pid::as_u32),
        start: process.start_time(),
        names: names(process).map(OsStr::to_owned).collect(),
        program: process.exe().map(Into::into),
        words: process.cmd().to_vec(),
        variables: values(&environment, variables),
    }
}

/// Is it about to go, or there for its parent alone? Linux has taken its words and variables away.
fn has_ended(process: &sysinfo::Process) -> bool {
    cfg!(target_os = "linux") && process.cmd().is_empty()
}

fn names(process: &sysinfo::Process) -> impl Iterator<Item = &OsStr> {
    let file = process.exe().and_then(std::path::Path::file_name);
    [process.name()].into_iter().chain(file)
}

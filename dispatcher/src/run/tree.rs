//! Ends a hook together with everything it started.
//!
//! The process group reaches most of it. What has left the group (`setsid`) is found as a
//! descendant; what was orphaned becomes the dispatcher's own child on Linux, which is a subreaper,
//! and is known by the mark in its environment.

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

/// The tree of one hook.
pub(super) struct Tree<'t> {
    pub(super) leader: u32,
    pub(super) mark: &'t str,
}

/// From now on orphans of this process become its own children (Linux).
pub(super) fn adopt_orphans() {
    #[cfg(target_os = "linux")]
    {
        // Without it orphans are only missed by a sweep; hooks run all the same.
        let own = rustix::process::getpid();
        let _ = rustix::process::set_child_subreaper(Some(own));
    }
}

impl Tree<'_> {
    /// Asks the whole tree to end.
    pub(super) fn ask(&self) {
        self.send(Signal::TERM);
    }

    /// Ends the whole tree. Repeats while there is something left: a process may have started
    /// another one while the list was read.
    pub(super) fn end(&self) {
        for _ in 0..8 {
            if !self.send(Signal::KILL) {
                break;
            }
        }
    }

    /// Was anything left to send to, besides the leader?
    fn send(&self, signal: Signal) -> bool {
        let members = members(self);
        if let Some(leader) = pid(self.leader) {
            let _ = kill_process_group(leader, signal);
        }
        for member in &members {
            if let Some(member) = pid(*member) {
                let _ = kill_process(member, signal);
            }
        }
        !members.is_empty()
    }
}

fn pid(raw: u32) -> Option<Pid> {
    Pid::from_raw(i32::try_from(raw).ok()?)
}

/// Living processes of the tree, without the leader.
#[cfg(target_os = "linux")]
fn members(tree: &Tree) -> Vec<u32> {
    let processes = linux::processes();
    let own = std::process::id();
    let mut found: Vec<u32> = Vec::new();
    // The leader, and orphans that carry its mark.
    let mut parents = vec![tree.leader];
    for process in &processes {
        if process.parent == own
            && process.pid != tree.leader
            && linux::carries_mark(process.pid, tree.mark)
        {
            parents.push(process.pid);
            found.push(process.pid);
        }
    }
    while let Some(parent) = parents.pop() {
        for process in processes.iter().filter(|process| process.parent == parent) {
            if !found.contains(&process.pid) {
                found.push(process.pid);
                parents.push(process.pid);
            }
        }
    }
    found
}

#[cfg(target_os = "linux")]
mod linux {
    use crate::active::VARIABLE;

    pub(super) struct Process {
        pub(super) pid: u32,
        pub(super) parent: u32,
    }

    /// Every living process with its parent.
    pub(super) fn processes() -> Vec<Process> {
        let Ok(entries) = std::fs::read_dir("/proc") else {
            return Vec::new();
        };
        entries
            .flatten()
            .filter_map(|entry| {
                let pid: u32 = entry.file_name().to_str()?.parse().ok()?;
                let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
                let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
                let state = fields.next()?;
                let parent = fields.next()?.parse().ok()?;
                (!matches!(state, "Z" | "X")).then_some(Process { pid, parent })
            })
            .collect()
    }

    /// Was this process started by the hook of that mark? Only its own descendants' environment
    /// is read, and only for this.
    pub(super) fn carries_mark(pid: u32, mark: &str) -> bool {
        let Ok(environment) = std::fs::read(format!("/proc/{pid}/environ")) else {
            return false;
        };
        let wanted = format!("{VARIABLE}={mark}");
        environment
            .split(|byte| *byte == 0)
            .any(|variable| variable == wanted.as_bytes())
    }
}

/// Living processes of the tree, without the leader.
#[cfg(target_vendor = "apple")]
fn members(tree: &Tree) -> Vec<u32> {
    let mut found: Vec<u32> = Vec::new();
    let mut parents = vec![tree.leader];
    while let Some(parent) = parents.pop() {
        for child in children(parent) {
            if !found.contains(&child) {
                found.push(child);
                parents.push(child);
            }
        }
    }
    found
}

#[cfg(target_vendor = "apple")]
#[expect(unsafe_code, reason = "libproc has no safe binding")]
fn children(parent: u32) -> Vec<u32> {
    let mut pids = [0 as libc::pid_t; 1024];
    let (Ok(parent), Ok(size)) = (i32::try_from(parent), i32::try_from(size_of_val(&pids))) else {
        return Vec::new();
    };
    // SAFETY: the buffer is as large as `size` says.
    let count = unsafe { libc::proc_listchildpids(parent, pids.as_mut_ptr().cast(), size) };
    let count = usize::try_from(count).unwrap_or(0).min(pids.len());
    pids[..count]
        .iter()
        .filter_map(|pid| u32::try_from(*pid).ok())
        .filter(|pid| *pid > 0)
        .collect()
}

#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
fn members(_tree: &Tree) -> Vec<u32> {
    Vec::new()
}

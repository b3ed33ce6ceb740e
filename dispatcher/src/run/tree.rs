//! Ends a hook together with everything it started.
//!
//! The process group reaches most of it. What has left the group (`setsid`) is found as a
//! descendant, and is remembered when the tree is asked to end: its parent may end first. What was
//! orphaned before becomes the dispatcher's own child on Linux, which is a subreaper, and is known
//! by the mark in its environment, or without a mark by being nobody else's.

#[cfg(target_vendor = "apple")]
use super::ancestry::start_of;
use rustix::process::{Pid, Signal, kill_process, kill_process_group};

/// The tree of one hook.
pub(super) struct Tree {
    leader: u32,
    #[cfg_attr(
        not(target_os = "linux"),
        expect(dead_code, reason = "orphans are adopted on Linux alone")
    )]
    mark: String,
    #[cfg_attr(
        not(target_os = "linux"),
        expect(dead_code, reason = "orphans are adopted on Linux alone")
    )]
    /// Is it the only hook of this run, so that an orphan of unknown origin must be its?
    is_alone: bool,
    /// When the leader started, once somebody asked.
    #[cfg(target_os = "linux")]
    leader_started: Option<u64>,
    /// Members that were found once.
    seen: Vec<Member>,
}

/// A process, told from a later one of the same pid by its start where that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Member {
    pid: u32,
    started: u64,
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

impl Tree {
    pub(super) fn new(leader: u32, mark: &str, is_alone: bool) -> Self {
        Self {
            leader,
            mark: mark.to_owned(),
            is_alone,
            #[cfg(target_os = "linux")]
            leader_started: None,
            seen: Vec::new(),
        }
    }

    /// Asks the whole tree to end.
    pub(super) fn ask(&mut self) {
        self.send(Signal::TERM);
    }

    /// Ends the whole tree. Repeats while there is something left: a process may have started
    /// another one while the list was read.
    pub(super) fn end(&mut self) {
        for _ in 0..8 {
            if !self.send(Signal::KILL) {
                break;
            }
        }
    }

    /// Was anything left to send to, besides the leader?
    fn send(&mut self, signal: Signal) -> bool {
        let members = self.members();
        if let Some(leader) = pid(self.leader) {
            let _ = kill_process_group(leader, signal);
        }
        for member in &members {
            if let Some(member) = pid(member.pid) {
                let _ = kill_process(member, signal);
            }
        }
        let is_left = !members.is_empty();
        self.seen = members;
        is_left
    }
}

fn pid(raw: u32) -> Option<Pid> {
    Pid::from_raw(i32::try_from(raw).ok()?)
}

#[cfg(target_os = "linux")]
impl Tree {
    /// Living processes of the tree, without the leader.
    fn members(&mut self) -> Vec<Member> {
        let own = std::process::id();
        let leader_started = *self
            .leader_started
            .get_or_insert_with(|| linux::process(self.leader).map_or(0, |found| found.started));
        let own_session = linux::process(own).map_or(0, |found| found.session);
        let processes = linux::processes();
        let is_ours = |process: &linux::Process| {
            if process.parent != own || process.pid == self.leader {
                return false;
            }
            match linux::mark(process.pid) {
                Some(mark) => mark == self.mark.as_bytes(),
                // It has cleared its environment. A child that this very process started for
                // something else stays in its session.
                None => {
                    self.is_alone
                        && process.session != own_session
                        && process.started >= leader_started
                }
            }
        };
        let mut found: Vec<Member> = processes
            .iter()
            .filter(|process| self.seen.contains(&process.member()) || is_ours(process))
            .map(linux::Process::member)
            .collect();
        let mut parents: Vec<u32> = found.iter().map(|member| member.pid).collect();
        parents.push(self.leader);
        while let Some(parent) = parents.pop() {
            for process in processes.iter().filter(|process| process.parent == parent) {
                if !found.contains(&process.member()) {
                    found.push(process.member());
                    parents.push(process.pid);
                }
            }
        }
        found
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use super::Member;
    use crate::active::VARIABLE;

    pub(super) struct Process {
        pub(super) pid: u32,
        pub(super) parent: u32,
        pub(super) session: u32,
        /// In clock ticks since boot.
        pub(super) started: u64,
        lives: bool,
    }

    impl Process {
        pub(super) fn member(&self) -> Member {
            Member {
                pid: self.pid,
                started: self.started,
            }
        }
    }

    /// Every living process.
    pub(super) fn processes() -> Vec<Process> {
        let Ok(entries) = std::fs::read_dir("/proc") else {
            return Vec::new();
        };
        entries
            .flatten()
            .filter_map(|entry| process(entry.file_name().to_str()?.parse().ok()?))
            .filter(|process| process.lives)
            .collect()
    }

    /// One process, from fields 3, 4, 6 and 22 of `/proc/PID/stat`, counted after the name, which
    /// may hold anything.
    pub(super) fn process(pid: u32) -> Option<Process> {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        Some(Process {
            pid,
            parent: fields.get(1)?.parse().ok()?,
            session: fields.get(3)?.parse().ok()?,
            started: fields.get(19)?.parse().ok()?,
            lives: !matches!(*fields.first()?, "Z" | "X"),
        })
    }

    /// The mark of the hook that a child of this process comes from. Only its own descendants'
    /// environment is read, and only for this.
    pub(super) fn mark(pid: u32) -> Option<Vec<u8>> {
        let environment = std::fs::read(format!("/proc/{pid}/environ")).ok()?;
        environment.split(|byte| *byte == 0).find_map(|variable| {
            let value = variable.strip_prefix(VARIABLE.as_bytes())?;
            value.strip_prefix(b"=").map(<[u8]>::to_vec)
        })
    }
}

#[cfg(target_vendor = "apple")]
impl Tree {
    /// Living processes of the tree, without the leader.
    fn members(&mut self) -> Vec<Member> {
        let mut found = self.seen.clone();
        found.retain(|member| start_of(member.pid) == Some(member.started));
        let mut parents: Vec<u32> = found.iter().map(|member| member.pid).collect();
        parents.push(self.leader);
        while let Some(parent) = parents.pop() {
            for child in children(parent) {
                let Some(started) = start_of(child) else {
                    continue;
                };
                let member = Member {
                    pid: child,
                    started,
                };
                if !found.contains(&member) {
                    found.push(member);
                    parents.push(child);
                }
            }
        }
        found
    }
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

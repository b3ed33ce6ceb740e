//! Who started this process: which dispatchers it runs below.

#[cfg(target_os = "linux")]
pub use linux::{Ancestor, ancestors, moment, take_name};

#[cfg(target_vendor = "apple")]
pub(super) use other::start_of;
#[cfg(not(target_os = "linux"))]
pub use other::{Ancestor, ancestors, moment, take_name};

/// So many generations are looked at.
const DEEPEST: usize = 64;

#[cfg(target_os = "linux")]
mod linux {
    use super::DEEPEST;
    use std::ffi::CStr;

    /// What the system calls a dispatcher that has hooks running: 15 bytes at most.
    const NAME: &CStr = c"hookkit-dispatc";

    /// In nanoseconds: `/proc` counts in hundredths of a second on every architecture.
    const TICK: i64 = 10_000_000;

    /// A process that this one runs below.
    pub struct Ancestor {
        pid: u32,
        /// In clock ticks since boot.
        started: u64,
        is_dispatcher: bool,
    }

    impl Ancestor {
        /// Is this the dispatcher that gave `pid` and [`moment`] as its own? A process that has
        /// come by the pid since would have started later.
        pub fn gave(&self, pid: u32, moment: u64) -> bool {
            self.is_dispatcher && self.pid == pid && self.started <= moment
        }
    }

    /// The ancestors of this process, nearest first.
    pub fn ancestors() -> Vec<Ancestor> {
        let mut found = Vec::new();
        let mut pid = std::os::unix::process::parent_id();
        while pid > 0 && found.len() < DEEPEST {
            let Some((ancestor, parent)) = read(pid) else {
                break;
            };
            found.push(ancestor);
            pid = parent;
        }
        found
    }

    /// Lets processes below know this one as a dispatcher, whatever its file is called.
    pub fn take_name() {
        // Without it a hook that starts an agent is only not recognised as running inside itself.
        let _ = rustix::thread::set_name(NAME);
    }

    /// Now, in clock ticks since boot: not before the start of this process. To read the start
    /// itself would take longer than all else that is done for the variable.
    #[expect(unsafe_code, reason = "std does not have this clock")]
    pub fn moment() -> u64 {
        let mut now = libc::timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        // SAFETY: writes the time into the value on the stack.
        unsafe {
            libc::clock_gettime(libc::CLOCK_BOOTTIME, &raw mut now);
        }
        u64::try_from(now.tv_sec * (1_000_000_000 / TICK) + now.tv_nsec / TICK).unwrap_or(0)
    }

    /// A process and its parent: name, and fields 4 and 22 of `/proc/PID/stat`, counted after the
    /// name, which may hold anything.
    fn read(pid: u32) -> Option<(Ancestor, u32)> {
        // One read gives the whole file: it is shorter than this.
        let mut bytes = [0; 1024];
        let mut file = std::fs::File::open(format!("/proc/{pid}/stat")).ok()?;
        let length = std::io::Read::read(&mut file, &mut bytes).ok()?;
        let text = String::from_utf8_lossy(&bytes[..length]);
        let (name, rest) = text.rsplit_once(')')?;
        let fields: Vec<&str> = rest.split_whitespace().collect();
        let ancestor = Ancestor {
            pid,
            started: fields.get(19)?.parse().ok()?,
            is_dispatcher: name.split_once('(')?.1.as_bytes() == NAME.to_bytes(),
        };
        Some((ancestor, fields.get(1)?.parse().ok()?))
    }
}

#[cfg(not(target_os = "linux"))]
mod other {
    use super::DEEPEST;

    /// A process that this one runs below.
    pub struct Ancestor {
        pid: u32,
        started: u64,
    }

    impl Ancestor {
        /// Is this the process that gave `pid` and [`moment`] as its own?
        pub fn gave(&self, pid: u32, moment: u64) -> bool {
            self.pid == pid && self.started == moment
        }
    }

    /// Its start tells a dispatcher from every other process: nothing to do here.
    pub fn take_name() {}

    /// The ancestors of this process, nearest first.
    pub fn ancestors() -> Vec<Ancestor> {
        let mut found = Vec::new();
        let mut pid = parent_of(std::process::id()).map_or(0, |(parent, _)| parent);
        while pid > 0 && found.len() < DEEPEST {
            let Some((parent, start)) = parent_of(pid) else {
                break;
            };
            found.push(Ancestor {
                pid,
                started: start,
            });
            if parent == pid {
                break;
            }
            pid = parent;
        }
        found
    }

    /// The start time of this process, in the system's own unit.
    pub fn moment() -> u64 {
        parent_of(std::process::id()).map_or(0, |(_, start)| start)
    }

    /// The start time of a process, in microseconds.
    #[cfg(target_vendor = "apple")]
    pub(crate) fn start_of(pid: u32) -> Option<u64> {
        parent_of(pid).map(|(_, start)| start)
    }

    /// Parent and start time in microseconds.
    #[cfg(target_vendor = "apple")]
    #[expect(unsafe_code, reason = "libproc has no safe binding")]
    fn parent_of(pid: u32) -> Option<(u32, u64)> {
        let pid = libc::c_int::try_from(pid).ok()?;
        let mut info = std::mem::MaybeUninit::<libc::proc_bsdinfo>::zeroed();
        let size = libc::c_int::try_from(size_of::<libc::proc_bsdinfo>()).ok()?;
        // SAFETY: `info` is as large as `size` says, and all zeros is a value of this plain type.
        let info = unsafe {
            let filled = libc::proc_pidinfo(
                pid,
                libc::PROC_PIDTBSDINFO,
                0,
                info.as_mut_ptr().cast(),
                size,
            );
            if filled != size {
                return None;
            }
            info.assume_init()
        };
        let start = info.pbi_start_tvsec * 1_000_000 + info.pbi_start_tvusec;
        Some((info.pbi_ppid, start))
    }

    /// Parent and creation time in units of 100 ns.
    #[cfg(windows)]
    #[expect(unsafe_code, reason = "the process list has no safe binding")]
    fn parent_of(pid: u32) -> Option<(u32, u64)> {
        use windows_sys::Win32::Foundation::{CloseHandle, FILETIME, INVALID_HANDLE_VALUE};
        use windows_sys::Win32::System::Diagnostics::ToolHelp::{
            CreateToolhelp32Snapshot, PROCESSENTRY32W, Process32FirstW, Process32NextW,
            TH32CS_SNAPPROCESS,
        };
        use windows_sys::Win32::System::Threading::{
            GetProcessTimes, OpenProcess, PROCESS_QUERY_LIMITED_INFORMATION,
        };
        // SAFETY: plain calls with buffers of their own types; every handle is closed once.
        unsafe {
            let snapshot = CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0);
            if snapshot == INVALID_HANDLE_VALUE {
                return None;
            }
            let mut entry: PROCESSENTRY32W = std::mem::zeroed();
            entry.dwSize = u32::try_from(size_of::<PROCESSENTRY32W>()).ok()?;
            let mut parent = None;
            let mut more = Process32FirstW(snapshot, &raw mut entry) != 0;
            while more {
                if entry.th32ProcessID == pid {
                    parent = Some(entry.th32ParentProcessID);
                    break;
                }
                more = Process32NextW(snapshot, &raw mut entry) != 0;
            }
            CloseHandle(snapshot);
            let process = OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, 0, pid);
            if process.is_null() {
                return None;
            }
            let mut times: [FILETIME; 4] = std::mem::zeroed();
            let [created, exited, kernel, user] = &mut times;
            let known = GetProcessTimes(process, created, exited, kernel, user) != 0;
            CloseHandle(process);
            let start =
                (u64::from(created.dwHighDateTime) << 32) | u64::from(created.dwLowDateTime);
            known.then_some((parent?, start))
        }
    }

    #[cfg(not(any(target_vendor = "apple", windows)))]
    fn parent_of(_pid: u32) -> Option<(u32, u64)> {
        None
    }
}

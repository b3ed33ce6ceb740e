//! By `clone` with the memory of this process, as `vfork` does it.
//!
//! `posix_spawn` of musl does the same, but asks about every signal that there is in the new
//! process, and allocates for what it is told: twenty calls of the system and five new pages, a
//! thirtieth of what an event with one hook takes.

use super::Program;
use rustix::process::{Pid, WaitOptions, waitpid};
use std::ffi::{c_int, c_void};
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::AsRawFd;

/// What the new process calls before the program runs needs a small part of it, in bytes.
const STACK: usize = 16 * 1024;

/// The start of a program, between the two processes.
struct Start<'p> {
    program: &'p Program<'p>,
    /// What kept it from starting.
    error: c_int,
}

#[expect(unsafe_code, reason = "clone has no safe binding")]
pub(super) fn start(program: &Program) -> io::Result<Pid> {
    let mut start = Start { program, error: 0 };
    // On the heap, where only those of its pages are made that are used; aligned as the system's
    // calling conventions want a stack.
    let mut stack: Vec<MaybeUninit<u128>> = Vec::with_capacity(STACK / size_of::<u128>());
    let top = stack.spare_capacity_mut().as_mut_ptr_range().end;
    // SAFETY: this thread goes on when the new process has become the program or has ended; until
    // then that alone uses the stack and `start`, which outlive it. No handler of this process runs
    // in it: those that `signals` sets are for signals that are blocked here.
    let pid = unsafe {
        libc::clone(
            become_the_program,
            top.cast(),
            libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD,
            (&raw mut start).cast(),
        )
    };
    if pid < 0 {
        return Err(io::Error::last_os_error());
    }
    let pid =
        Pid::from_raw(pid).ok_or_else(|| io::Error::other("the system gave no process id"))?;
    // SAFETY: the field lives in this frame; the new process, which wrote it, has let go of it.
    match unsafe { (&raw const start.error).read_volatile() } {
        0 => Ok(pid),
        error => {
            // It has ended already; nobody else waits for it.
            let _ = waitpid(Some(pid), WaitOptions::empty());
            Err(io::Error::from_raw_os_error(error))
        }
    }
}

/// What the new process does. It returns only if the program did not start.
#[expect(unsafe_code, reason = "calls of the system with C's types")]
extern "C" fn become_the_program(start: *mut c_void) -> c_int {
    let start: *mut Start = start.cast();
    // SAFETY: `start` is what `clone` was given, and nobody else looks at it now. Strings and lists
    // of the program end as C wants them. Nothing here allocates or takes a lock.
    unsafe {
        let program = (*start).program;
        let channels = program.channels;
        let default: libc::sigaction = std::mem::zeroed();
        let mut blocked: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut blocked);
        let is_ready = libc::setpgid(0, 0) == 0
            && libc::dup2(channels.stdin.as_raw_fd(), libc::STDIN_FILENO) >= 0
            && libc::dup2(channels.stdout.as_raw_fd(), libc::STDOUT_FILENO) >= 0
            && libc::dup2(channels.stderr.as_raw_fd(), libc::STDERR_FILENO) >= 0
            && program.cwd.is_none_or(|cwd| libc::chdir(cwd.as_ptr()) == 0)
            // This process ignores it, which a program would inherit.
            && libc::sigaction(libc::SIGPIPE, &raw const default, std::ptr::null_mut()) == 0
            && libc::sigprocmask(libc::SIG_SETMASK, &raw const blocked, std::ptr::null_mut()) == 0;
        if is_ready {
            libc::execve(
                program.file.as_ptr(),
                program.argv.as_ptr().cast(),
                program.environment.as_ptr().cast(),
            );
        }
        (*start).error = *libc::__errno_location();
        libc::_exit(127)
    }
}

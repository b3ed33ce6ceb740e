//! By `posix_spawn`.

use super::{Channels, Program};
use rustix::process::Pid;
use std::ffi::CStr;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::AsRawFd;

pub(super) fn start(program: &Program) -> io::Result<Pid> {
    let actions = Actions::new(program.channels, program.cwd)?;
    let attributes = Attributes::new()?;
    let mut pid = 0;
    #[expect(unsafe_code, reason = "posix_spawn has no safe binding")]
    // SAFETY: every string ends with a zero byte and lives until after the call, both lists end
    // with a null pointer, and nothing writes through any of the pointers.
    succeeded(unsafe {
        libc::posix_spawn(
            &raw mut pid,
            program.file.as_ptr(),
            &raw const actions.0,
            &raw const attributes.0,
            program.argv.as_ptr(),
            program.environment.as_ptr(),
        )
    })?;
    Pid::from_raw(pid).ok_or_else(|| io::Error::other("the system gave no process id"))
}

/// What happens in the new process before the program runs.
struct Actions(libc::posix_spawn_file_actions_t);

#[expect(unsafe_code, reason = "posix_spawn has no safe binding")]
impl Actions {
    fn new(channels: &Channels, cwd: Option<&CStr>) -> io::Result<Self> {
        let mut actions = MaybeUninit::uninit();
        // SAFETY: the call makes the value; `drop` destroys it once.
        let mut actions = unsafe {
            succeeded(libc::posix_spawn_file_actions_init(actions.as_mut_ptr()))?;
            Self(actions.assume_init())
        };
        for (channel, number) in [
            (&channels.stdin, 0),
            (&channels.stdout, 1),
            (&channels.stderr, 2),
        ] {
            // SAFETY: the value was made above; the descriptors are open.
            succeeded(unsafe {
                libc::posix_spawn_file_actions_adddup2(
                    &raw mut actions.0,
                    channel.as_raw_fd(),
                    number,
                )
            })?;
        }
        if let Some(cwd) = cwd {
            // SAFETY: the value was made above; the call copies the path.
            succeeded(unsafe {
                libc::posix_spawn_file_actions_addchdir_np(&raw mut actions.0, cwd.as_ptr())
            })?;
        }
        Ok(actions)
    }
}

#[expect(unsafe_code, reason = "posix_spawn has no safe binding")]
impl Drop for Actions {
    fn drop(&mut self) {
        // SAFETY: the value was made by its `init` and is destroyed here alone.
        unsafe {
            libc::posix_spawn_file_actions_destroy(&raw mut self.0);
        }
    }
}

/// How the new process differs from this one.
struct Attributes(libc::posix_spawnattr_t);

#[expect(unsafe_code, reason = "posix_spawn has no safe binding")]
impl Attributes {
    fn new() -> io::Result<Self> {
        let mut attributes = MaybeUninit::uninit();
        // SAFETY: the call makes the value; `drop` destroys it once.
        let mut attributes = unsafe {
            succeeded(libc::posix_spawnattr_init(attributes.as_mut_ptr()))?;
            Self(attributes.assume_init())
        };
        let flags = libc::POSIX_SPAWN_SETPGROUP
            | libc::POSIX_SPAWN_SETSIGMASK
            | libc::POSIX_SPAWN_SETSIGDEF;
        let flags = libc::c_short::try_from(flags).map_err(io::Error::other)?;
        // SAFETY: all zeros is a value of a signal set, which `sigemptyset` makes an empty one; the
        // attributes were made above and copy what they are given.
        unsafe {
            let mut signals: libc::sigset_t = std::mem::zeroed();
            libc::sigemptyset(&raw mut signals);
            succeeded(libc::posix_spawnattr_setsigmask(
                &raw mut attributes.0,
                &raw const signals,
            ))?;
            // This process ignores it, which a program would inherit.
            libc::sigaddset(&raw mut signals, libc::SIGPIPE);
            succeeded(libc::posix_spawnattr_setsigdefault(
                &raw mut attributes.0,
                &raw const signals,
            ))?;
            succeeded(libc::posix_spawnattr_setpgroup(&raw mut attributes.0, 0))?;
            succeeded(libc::posix_spawnattr_setflags(&raw mut attributes.0, flags))?;
        }
        Ok(attributes)
    }
}

#[expect(unsafe_code, reason = "posix_spawn has no safe binding")]
impl Drop for Attributes {
    fn drop(&mut self) {
        // SAFETY: the value was made by its `init` and is destroyed here alone.
        unsafe {
            libc::posix_spawnattr_destroy(&raw mut self.0);
        }
    }
}

/// These calls return the error, or 0.
fn succeeded(error: libc::c_int) -> io::Result<()> {
    match error {
        0 => Ok(()),
        error => Err(io::Error::from_raw_os_error(error)),
    }
}

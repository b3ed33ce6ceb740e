//! Starts a program by `posix_spawn`.
//!
//! The standard library does the same, but copies the environment three times on the way: a tenth
//! of the time that a dispatch with one hook takes beside the hook itself.

use super::Job;
use rustix::process::Pid;
use std::ffi::{CString, OsStr, c_char};
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr;

/// The channels of a program, as it gets them.
pub(super) struct Channels {
    pub(super) stdin: OwnedFd,
    pub(super) stdout: OwnedFd,
    pub(super) stderr: OwnedFd,
}

/// Starts the job's program as the leader of a process group of its own, with no signal blocked
/// and SIGPIPE as the system has it. Nothing but its channels is handed on: every other descriptor
/// of this process is closed on exec.
pub(super) fn spawn(job: &Job, channels: &Channels) -> io::Result<Pid> {
    let program = string(job.command.program.as_os_str())?;
    let mut arguments = vec![program.clone()];
    for argument in &job.command.args {
        arguments.push(string(argument)?);
    }
    let mut argv: Vec<*mut c_char> = arguments
        .iter()
        .map(|argument| argument.as_ptr().cast_mut())
        .collect();
    argv.push(ptr::null_mut());
    let environment = Environment::of(job)?;
    let actions = Actions::new(channels, job.cwd.as_deref())?;
    let attributes = Attributes::new()?;
    let mut pid = 0;
    #[expect(unsafe_code, reason = "posix_spawn has no safe binding")]
    // SAFETY: every string ends with a zero byte and lives until after the call, both lists end
    // with a null pointer, and nothing writes through any of the pointers.
    succeeded(unsafe {
        libc::posix_spawn(
            &raw mut pid,
            program.as_ptr(),
            &raw const actions.0,
            &raw const attributes.0,
            argv.as_ptr(),
            environment.pointers().as_ptr(),
        )
    })?;
    Pid::from_raw(pid).ok_or_else(|| io::Error::other("the system gave no process id"))
}

/// `NAME=VALUE` for each variable, one behind the other, each with its zero byte.
struct Environment {
    bytes: Vec<u8>,
    starts: Vec<usize>,
}

impl Environment {
    fn of(job: &Job) -> io::Result<Self> {
        let lengths = job
            .env
            .iter()
            .map(|(name, value)| name.len() + value.len() + 2);
        let mut bytes = Vec::with_capacity(lengths.sum());
        let mut starts = Vec::with_capacity(job.env.len());
        for (name, value) in &job.env {
            starts.push(bytes.len());
            for part in [name.as_bytes(), b"=", value.as_bytes()] {
                if part.contains(&0) {
                    return Err(has_zero(name));
                }
                bytes.extend_from_slice(part);
            }
            bytes.push(0);
        }
        Ok(Self { bytes, starts })
    }

    fn pointers(&self) -> Vec<*mut c_char> {
        let mut pointers = Vec::with_capacity(self.starts.len() + 1);
        pointers.extend(
            self.starts
                .iter()
                .map(|start| self.bytes[*start..].as_ptr().cast::<c_char>().cast_mut()),
        );
        pointers.push(ptr::null_mut());
        pointers
    }
}

fn string(text: &OsStr) -> io::Result<CString> {
    CString::new(text.as_bytes()).map_err(|_| has_zero(text))
}

fn has_zero(text: &OsStr) -> io::Error {
    let what = format!("`{}` holds a zero byte", text.display());
    io::Error::new(io::ErrorKind::InvalidInput, what)
}

/// What happens in the new process before the program runs.
struct Actions(libc::posix_spawn_file_actions_t);

#[expect(unsafe_code, reason = "posix_spawn has no safe binding")]
impl Actions {
    fn new(channels: &Channels, cwd: Option<&Path>) -> io::Result<Self> {
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
            let cwd = string(cwd.as_os_str())?;
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

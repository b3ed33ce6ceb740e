//! Signals as bytes in a pipe: a hook that ended, and a host that wants hookkit to end.

use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicI32, Ordering};

/// The write end, for the handler; -1 while there is none.
static PIPE: AtomicI32 = AtomicI32::new(-1);

/// The signals that hosts end a hook with.
const ENDINGS: [i32; 3] = [libc::SIGTERM, libc::SIGINT, libc::SIGHUP];

/// What came through the pipe.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) child_ended: bool,
    pub(super) told_to_end: bool,
}

/// Handlers for the life of this value.
pub(super) struct Signals {
    reader: OwnedFd,
    writer: OwnedFd,
    before: Vec<(i32, libc::sigaction)>,
    mask: libc::sigset_t,
}

impl Signals {
    pub(super) fn listen() -> io::Result<Self> {
        let (reader, writer) = private_pipe()?;
        PIPE.store(writer.as_raw_fd(), Ordering::SeqCst);
        let mut signals = Self {
            reader,
            writer,
            before: Vec::new(),
            mask: unblock()?,
        };
        for signal in ENDINGS.into_iter().chain([libc::SIGCHLD]) {
            let before = handle(signal)?;
            signals.before.push((signal, before));
        }
        Ok(signals)
    }

    /// What has come since the last call; does not wait.
    pub(super) fn take(&self) -> Seen {
        let mut seen = Seen::default();
        let mut bytes = [0; 64];
        while let Ok(count @ 1..) = rustix::io::read(&self.reader, &mut bytes) {
            for signal in &bytes[..count] {
                if i32::from(*signal) == libc::SIGCHLD {
                    seen.child_ended = true;
                } else {
                    seen.told_to_end = true;
                }
            }
        }
        seen
    }
}

impl AsFd for Signals {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.reader.as_fd()
    }
}

impl Drop for Signals {
    #[expect(unsafe_code, reason = "there is no safe binding for sigaction")]
    fn drop(&mut self) {
        for (signal, before) in &self.before {
            // SAFETY: `before` is what the system gave for this very signal.
            unsafe {
                libc::sigaction(*signal, before, std::ptr::null_mut());
            }
        }
        // SAFETY: `mask` is what the system gave for this thread.
        unsafe {
            libc::pthread_sigmask(
                libc::SIG_SETMASK,
                &raw const self.mask,
                std::ptr::null_mut(),
            );
        }
        PIPE.store(-1, Ordering::SeqCst);
        let _ = &self.writer;
    }
}

/// A pipe that neither waits nor is handed on to hooks.
#[cfg(not(target_vendor = "apple"))]
fn private_pipe() -> rustix::io::Result<(OwnedFd, OwnedFd)> {
    use rustix::pipe::{PipeFlags, pipe_with};
    pipe_with(PipeFlags::CLOEXEC | PipeFlags::NONBLOCK)
}

/// A pipe that neither waits nor is handed on to hooks. Apple's systems make it in steps; nothing
/// is started in between.
#[cfg(target_vendor = "apple")]
fn private_pipe() -> rustix::io::Result<(OwnedFd, OwnedFd)> {
    let (reader, writer) = rustix::pipe::pipe()?;
    for end in [&reader, &writer] {
        rustix::io::fcntl_setfd(end, rustix::io::FdFlags::CLOEXEC)?;
        rustix::fs::fcntl_setfl(end, rustix::fs::OFlags::NONBLOCK)?;
    }
    Ok((reader, writer))
}

/// A process inherits which signals are blocked: with SIGCHLD among them no hook would ever be seen
/// to end. Gives the mask as it was.
#[expect(unsafe_code, reason = "there is no safe binding for signal masks")]
fn unblock() -> io::Result<libc::sigset_t> {
    // SAFETY: all zeros is a value of the type, which `sigemptyset` makes a set; the calls change
    // nothing but the two sets on the stack and this thread's mask.
    unsafe {
        let mut wanted: libc::sigset_t = std::mem::zeroed();
        let mut before: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut wanted);
        for signal in ENDINGS.into_iter().chain([libc::SIGCHLD]) {
            libc::sigaddset(&raw mut wanted, signal);
        }
        match libc::pthread_sigmask(libc::SIG_UNBLOCK, &raw const wanted, &raw mut before) {
            0 => Ok(before),
            error => Err(io::Error::from_raw_os_error(error)),
        }
    }
}

#[expect(unsafe_code, reason = "there is no safe binding for sigaction")]
fn handle(signal: i32) -> io::Result<libc::sigaction> {
    let handler: extern "C" fn(libc::c_int) = on_signal;
    // SAFETY: all zeros is an empty action; the handler below only does what a handler may do.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handler as libc::sighandler_t;
        action.sa_flags = libc::SA_RESTART | libc::SA_NOCLDSTOP;
        let mut before: libc::sigaction = std::mem::zeroed();
        if libc::sigaction(signal, &raw const action, &raw mut before) == 0 {
            Ok(before)
        } else {
            Err(io::Error::last_os_error())
        }
    }
}

/// Writes the signal's number into the pipe: `write` is one of the few calls a handler may make.
/// A full pipe loses a byte, and nothing with it: what is in the pipe already wakes the reader.
#[expect(
    unsafe_code,
    reason = "errno and a raw descriptor, inside a signal handler"
)]
extern "C" fn on_signal(signal: libc::c_int) {
    let pipe = PIPE.load(Ordering::SeqCst);
    let byte = [u8::try_from(signal).unwrap_or(0)];
    // SAFETY: writes one byte from the stack; errno is put back as it was found.
    unsafe {
        let errno = errno();
        let saved = *errno;
        libc::write(pipe, byte.as_ptr().cast(), 1);
        *errno = saved;
    }
}

#[cfg(any(target_os = "linux", target_os = "emscripten"))]
#[expect(unsafe_code, reason = "the address of errno")]
unsafe fn errno() -> *mut libc::c_int {
    // SAFETY: the address is the calling thread's own and always valid.
    unsafe { libc::__errno_location() }
}

#[cfg(not(any(target_os = "linux", target_os = "emscripten")))]
#[expect(unsafe_code, reason = "the address of errno")]
unsafe fn errno() -> *mut libc::c_int {
    // SAFETY: the address is the calling thread's own and always valid.
    unsafe { libc::__error() }
}

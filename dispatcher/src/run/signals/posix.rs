//! By handlers that write into a pipe.

use super::{ENDINGS, Seen, mask, unmask};
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicI32, Ordering};

/// The write end, for the handler; -1 while there is none.
static PIPE: AtomicI32 = AtomicI32::new(-1);

/// Handlers for the life of this value.
pub(in crate::run) struct Signals {
    reader: OwnedFd,
    writer: OwnedFd,
    before: Vec<(i32, libc::sigaction)>,
    mask: libc::sigset_t,
}

impl Signals {
    pub(in crate::run) fn listen() -> io::Result<Self> {
        let (reader, writer) = private_pipe()?;
        PIPE.store(writer.as_raw_fd(), Ordering::SeqCst);
        let mut signals = Self {
            reader,
            writer,
            before: Vec::new(),
            // A process inherits which signals are blocked: with SIGCHLD among them no hook would
            // ever be seen to end.
            mask: mask(libc::SIG_UNBLOCK)?.1,
        };
        for signal in ENDINGS.into_iter().chain([libc::SIGCHLD]) {
            let before = handle(signal)?;
            signals.before.push((signal, before));
        }
        Ok(signals)
    }

    /// What has come since the last call; does not wait.
    pub(in crate::run) fn take(&self) -> Seen {
        let mut seen = Seen::default();
        let mut bytes = [0; 64];
        while let Ok(count @ 1..) = rustix::io::read(&self.reader, &mut bytes) {
            for signal in &bytes[..count] {
                seen.add(i32::from(*signal));
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
        unmask(&self.mask);
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

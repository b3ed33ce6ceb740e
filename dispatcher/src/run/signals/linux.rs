//! By `signalfd`: the signals are blocked and read as bytes, so that no handler ever runs.

use super::{ENDINGS, Seen, mask, unmask};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, FromRawFd, OwnedFd};

/// Listens for the life of this value, in the only thread of the process: the system would hand
/// signals that are blocked here to another one. A signal that the host had this process ignore stays so.
pub(in crate::run) struct Signals {
    channel: OwnedFd,
    before: libc::sigset_t,
}

impl Signals {
    #[expect(unsafe_code, reason = "std has no signals")]
    pub(in crate::run) fn listen() -> io::Result<Self> {
        let (wanted, before) = mask(libc::SIG_BLOCK)?;
        // SAFETY: all zeros is the default action. Where SIGCHLD is ignored, which a process
        // inherits, hooks would end without anybody being told how.
        unsafe {
            let default: libc::sigaction = std::mem::zeroed();
            libc::sigaction(libc::SIGCHLD, &raw const default, std::ptr::null_mut());
        }
        // SAFETY: the set is one that `mask` made.
        let channel = unsafe {
            libc::signalfd(
                -1,
                &raw const wanted,
                libc::SFD_CLOEXEC | libc::SFD_NONBLOCK,
            )
        };
        if channel < 0 {
            let error = io::Error::last_os_error();
            unmask(&before);
            return Err(error);
        }
        // SAFETY: the descriptor is new and nobody else's.
        let channel = unsafe { OwnedFd::from_raw_fd(channel) };
        Ok(Self { channel, before })
    }

    /// What has come since the last call; does not wait.
    pub(in crate::run) fn take(&self) -> Seen {
        let mut seen = Seen::default();
        // Each signal waits in it once at most.
        let mut records = [0; RECORD * (ENDINGS.len() + 1)];
        let length = rustix::io::read(&self.channel, &mut records).unwrap_or(0);
        for record in records[..length].chunks_exact(RECORD) {
            if let Some(number) = record.first_chunk() {
                seen.add(i32::from_ne_bytes(*number));
            }
        }
        seen
    }
}

/// What is read of one signal, in bytes; its number comes first.
const RECORD: usize = size_of::<libc::signalfd_siginfo>();

impl AsFd for Signals {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.channel.as_fd()
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        unmask(&self.before);
    }
}

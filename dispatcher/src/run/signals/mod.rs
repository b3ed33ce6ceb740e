//! A hook that ended, and a host that wants hookkit to end: something that `poll` waits for like any
//! other channel.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
mod posix;

#[cfg(target_os = "linux")]
pub(super) use linux::Signals;
#[cfg(not(target_os = "linux"))]
pub(super) use posix::Signals;

use std::io;

/// The signals that hosts end a hook with.
const ENDINGS: [i32; 3] = [libc::SIGTERM, libc::SIGINT, libc::SIGHUP];

/// What came since somebody looked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) child_ended: bool,
    pub(super) told_to_end: bool,
}

impl Seen {
    fn add(&mut self, signal: i32) {
        if signal == libc::SIGCHLD {
            self.child_ended = true;
        } else {
            self.told_to_end = true;
        }
    }
}

/// Blocks or unblocks the signals that are listened to, for this thread; gives the mask as it was.
#[expect(unsafe_code, reason = "there is no safe binding for signal masks")]
fn mask(how: libc::c_int) -> io::Result<(libc::sigset_t, libc::sigset_t)> {
    // SAFETY: all zeros is a value of the type, which `sigemptyset` makes a set; the calls change
    // nothing but the two sets on the stack and this thread's mask.
    unsafe {
        let mut wanted: libc::sigset_t = std::mem::zeroed();
        let mut before: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut wanted);
        for signal in ENDINGS.into_iter().chain([libc::SIGCHLD]) {
            libc::sigaddset(&raw mut wanted, signal);
        }
        match libc::pthread_sigmask(how, &raw const wanted, &raw mut before) {
            0 => Ok((wanted, before)),
            error => Err(io::Error::from_raw_os_error(error)),
        }
    }
}

/// Puts this thread's mask back.
#[expect(unsafe_code, reason = "there is no safe binding for signal masks")]
fn unmask(before: &libc::sigset_t) {
    // SAFETY: `before` is what the system gave for this thread.
    unsafe {
        libc::pthread_sigmask(libc::SIG_SETMASK, before, std::ptr::null_mut());
    }
}

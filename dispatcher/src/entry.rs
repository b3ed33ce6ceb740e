//! Where the process begins on Linux: the C library's `main`, without the standard library's own
//! start in front of it.
//!
//! That start prepares for programs that run for long (a stack for the report of an overflow, a
//! name for the first thread); it takes a tenth of the life of a dispatcher that selects nothing.
//! What it does for safety is done here: channels that the host closed are opened on the null
//! device, so that no file of ours gets their number, and a host that has closed its end is an
//! error of `write`, not the end of the process.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags};
use std::ffi::{CStr, OsString, c_char, c_int};
use std::os::fd::IntoRawFd;
use std::os::unix::ffi::OsStringExt;

#[unsafe(no_mangle)]
#[expect(unsafe_code, reason = "called by the C library, with C's arguments")]
extern "C" fn main(count: c_int, values: *const *const c_char) -> c_int {
    open_closed_channels();
    // SAFETY: no thread but this one exists, and no handler is replaced that somebody else set.
    unsafe {
        libc::signal(libc::SIGPIPE, libc::SIG_IGN);
    }
    let count = usize::try_from(count).unwrap_or(0);
    let arguments = (1..count).map(|index| {
        // SAFETY: C guarantees `count` strings, each with its end, for the life of the process.
        let argument = unsafe { CStr::from_ptr(*values.add(index)) };
        OsString::from_vec(argument.to_bytes().to_vec())
    });
    super::answer(arguments)
}

/// The lowest free number is what a new file gets: closed channels are opened in their order.
fn open_closed_channels() {
    let channels = [
        rustix::stdio::stdin(),
        rustix::stdio::stdout(),
        rustix::stdio::stderr(),
    ];
    let mut polled = channels
        .each_ref()
        .map(|channel| PollFd::new(channel, PollFlags::empty()));
    if poll(&mut polled, Some(&Timespec::default())) == Ok(0) {
        return;
    }
    for channel in &polled {
        if channel.revents().contains(PollFlags::NVAL)
            && let Ok(opened) = rustix::fs::open(c"/dev/null", OFlags::RDWR, Mode::empty())
        {
            // Open for the life of the process.
            let _ = opened.into_raw_fd();
        }
    }
}

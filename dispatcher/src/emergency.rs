//! The answer for the worst case, prepared before anything else starts.
//!
//! A panic, or memory that the system does not give, ends the process; without an answer most hosts
//! let the call through. What is prepared here is rendered and written by the panic hook and by the
//! allocator, which keeps memory for it.

use crate::reply::Reply;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

/// Makes the answer when it is needed: nearly every event does without.
type Answer = Box<dyn Fn() -> Reply + Send + Sync>;

static PREPARED: AtomicPtr<Answer> = AtomicPtr::new(std::ptr::null_mut());
static ANSWERING: AtomicBool = AtomicBool::new(false);

/// From now on this is the answer. Earlier ones are kept: somebody may be making them.
///
/// It may need as much memory as the allocator keeps for it: a few KiB.
pub fn prepare(answer: impl Fn() -> Reply + Send + Sync + 'static) {
    let answer: Answer = Box::new(answer);
    PREPARED.store(Box::leak(Box::new(answer)), Ordering::Release);
}

/// Has the worst case come?
pub fn is_answering() -> bool {
    ANSWERING.load(Ordering::Acquire)
}

/// Answers with what is prepared when this process panics.
pub fn answer_panics() {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map_or(0, std::panic::Location::line);
        let file = info.location().map_or("", std::panic::Location::file);
        write_all_to(2, b"hookkit: failed inside at ");
        write_all_to(2, file.as_bytes());
        write_all_to(2, format!(":{place}; please report it\n").as_bytes());
        answer();
    }));
}

/// Writes the prepared answer and ends the process.
pub fn answer() -> ! {
    if ANSWERING.swap(true, Ordering::AcqRel) {
        std::process::exit(2);
    }
    let prepared = PREPARED.load(Ordering::Acquire);
    if prepared.is_null() {
        write_all_to(2, b"hookkit: failed before it knew the event\n");
        exit(2);
    }
    #[expect(
        unsafe_code,
        reason = "the pointer comes from `prepare` and is never freed"
    )]
    // SAFETY: `prepare` leaked it, so it is valid and unchanged for the life of the process.
    let reply = unsafe { (*prepared)() };
    write_all_to(1, &reply.stdout);
    write_all_to(2, &reply.stderr);
    exit(reply.code);
}

/// Ends the process without running anything that was left for its end.
pub fn exit(code: i32) -> ! {
    #[cfg(unix)]
    #[expect(
        unsafe_code,
        reason = "std has no exit that skips the C library's handlers"
    )]
    // SAFETY: ends the process; nothing is left that has to be written.
    unsafe {
        libc::_exit(code)
    }
    #[cfg(not(unix))]
    std::process::exit(code)
}

/// Writes to stdout (1) or stderr (2) without a buffer and without needing memory. A host that has
/// closed its end hears nothing more; there is nobody to tell.
pub fn write_all_to(stream: u8, bytes: &[u8]) {
    #[cfg(unix)]
    {
        let mut left = bytes;
        while !left.is_empty() {
            let written = if stream == 1 {
                rustix::io::write(rustix::stdio::stdout(), left)
            } else {
                rustix::io::write(rustix::stdio::stderr(), left)
            };
            match written {
                Ok(count) => left = &left[count..],
                Err(rustix::io::Errno::INTR) => {}
                // A host may hand over a channel that does not wait: half a document says nothing.
                Err(rustix::io::Errno::AGAIN) => wait_for_room(stream),
                Err(_) => return,
            }
        }
    }
    #[cfg(not(unix))]
    {
        use std::io::Write;
        let _ = if stream == 1 {
            let mut stdout = std::io::stdout().lock();
            stdout.write_all(bytes).and_then(|()| stdout.flush())
        } else {
            std::io::stderr().lock().write_all(bytes)
        };
    }
}

/// Waits until a channel takes bytes again.
#[cfg(unix)]
fn wait_for_room(stream: u8) {
    use rustix::event::{PollFd, PollFlags, poll};
    let channel = if stream == 1 {
        rustix::stdio::stdout()
    } else {
        rustix::stdio::stderr()
    };
    // Where waiting fails the next write says why.
    let _ = poll(&mut [PollFd::new(&channel, PollFlags::OUT)], None);
}

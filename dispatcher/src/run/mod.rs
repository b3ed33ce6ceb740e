//! Processes: hooks are started without a shell, fed, drained on both channels, and ended whole.
//!
//! A hook that ends by itself keeps what it deliberately left running; output that a grandchild
//! still holds open is waited for half a second. A hook that is ended (its timeout, the deadline,
//! a signal from the host) takes its whole tree with it; so does one that is only tried.

pub mod ancestry;
pub mod environment;
#[cfg(unix)]
mod signals;
#[cfg(unix)]
mod spawn;
#[cfg(unix)]
mod tree;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub use unix::{Stdin, run};
#[cfg(windows)]
pub use windows::{Stdin, run};

use crate::interpreter::{CannotStart, Command};
use std::borrow::Cow;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The most that is kept of a hook's stdout, in bytes: what hosts read at most.
pub const MOST_STDOUT: usize = 10 * 1024 * 1024;

/// The most that is kept of a hook's stderr, in bytes; the rest is read and dropped.
pub const MOST_STDERR: usize = 64 * 1024;

/// Room for the first read of a hook's output, and for each of the next: a pipe holds as much.
#[cfg(unix)]
const FIRST_READ: usize = 512;
#[cfg(unix)]
const READ: usize = 64 * 1024;

/// How long output is waited for after a hook has ended, while somebody else holds it open.
const HELD_OPEN: Duration = Duration::from_millis(500);

/// How long a hook that is ended may take to end by itself.
const GRACE: Duration = Duration::from_millis(250);

/// One hook to start.
#[derive(Debug)]
pub struct Job<'j> {
    pub command: Command,
    /// Every variable that it gets.
    pub env: Vec<(OsString, OsString)>,
    /// A folder that exists; `None` leaves the dispatcher's own.
    pub cwd: Option<PathBuf>,
    /// What it reads on stdin, in pieces.
    pub stdin: &'j [Cow<'j, [u8]>],
    /// From its start.
    pub timeout: Duration,
    /// The value of its `HOOKKIT_ACTIVE`, by which processes that it orphaned are known.
    pub mark: String,
    /// Ends what it left running, too, when it has ended by itself.
    pub leaves_nothing: bool,
}

/// How a hook ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    Exited(i32),
    /// By a signal that hookkit did not send.
    Signal(i32),
    NotStarted(CannotStart),
    /// Ended at its own limit.
    TimedOut(Duration),
    /// Ended because the host's limit came near.
    Deadline,
    /// Ended because the host told hookkit to end.
    HostSignal,
}

/// A hook that has ended.
#[derive(Clone, Debug)]
pub struct Finished {
    pub end: End,
    pub stdout: Vec<u8>,
    /// stdout was longer than [`MOST_STDOUT`].
    pub stdout_overflowed: bool,
    pub stderr: Vec<u8>,
    pub elapsed: Duration,
}

impl Finished {
    /// A hook that was never started.
    pub fn not_started(why: CannotStart) -> Self {
        Self {
            end: End::NotStarted(why),
            stdout: Vec::new(),
            stdout_overflowed: false,
            stderr: Vec::new(),
            elapsed: Duration::ZERO,
        }
    }
}

/// Output as it comes: kept up to a limit, read to the end in any case.
#[derive(Debug)]
struct Capture {
    bytes: Vec<u8>,
    limit: usize,
    overflowed: bool,
}

impl Capture {
    fn new(limit: usize) -> Self {
        Self {
            bytes: Vec::new(),
            limit,
            overflowed: false,
        }
    }

    /// Takes bytes that were read elsewhere.
    #[cfg(windows)]
    fn take(&mut self, bytes: &[u8]) {
        let room = self.limit - self.bytes.len();
        self.bytes
            .extend_from_slice(&bytes[..bytes.len().min(room)]);
        self.overflowed |= bytes.len() > room;
    }

    /// The bytes, with room for one read behind them. Little at first: most hooks say little.
    #[cfg(unix)]
    fn room(&mut self) -> &mut Vec<u8> {
        self.bytes.reserve(if self.bytes.is_empty() {
            FIRST_READ
        } else {
            READ
        });
        &mut self.bytes
    }

    /// Drops what was read beyond the limit.
    #[cfg(unix)]
    fn cut(&mut self) {
        self.overflowed |= self.bytes.len() > self.limit;
        self.bytes.truncate(self.limit);
    }
}

/// The error of a program that the system did not start.
fn refused(command: &Command, error: &std::io::Error) -> CannotStart {
    CannotStart::System {
        program: command.program.clone(),
        error: error.to_string(),
    }
}

/// The moment at which a hook is ended, and how that is called.
fn limit(job: &Job, started: Instant, deadline: Instant) -> (Instant, End) {
    match started.checked_add(job.timeout) {
        Some(own) if own <= deadline => (own, End::TimedOut(job.timeout)),
        _ => (deadline, End::Deadline),
    }
}

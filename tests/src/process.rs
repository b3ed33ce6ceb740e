//! Runs one program to its end and says all it did.
//!
//! - the environment starts empty but for `PATH`
//! - the program gets a process group of its own; when its time is over, that group is killed, nothing else
//! - both channels are drained all the time
//! - a [`Ran`] that is alive when its test panics prints itself

mod channel;
mod dialogue;
mod ran;
#[cfg_attr(unix, path = "process/unix.rs")]
#[cfg_attr(windows, path = "process/windows.rs")]
mod system;

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

pub(crate) use dialogue::{Dialogue, Framing};
pub use ran::Ran;
pub(crate) use ran::last_of;

use self::channel::Channel;
use crate::environment;

/// A program that is about to run.
#[derive(Debug, Clone)]
#[must_use]
pub struct Program {
    file: PathBuf,
    arguments: Vec<OsString>,
    environment: BTreeMap<OsString, OsString>,
    folder: Option<PathBuf>,
    stdin: Stdin,
    is_mute: bool,
    limit: Duration,
    terminate_after: Option<Duration>,
}

#[derive(Debug, Clone)]
enum Stdin {
    Null,
    Bytes {
        bytes: Vec<u8>,
        piece: usize,
        pause: Duration,
        then: Then,
    },
}

/// What the writer of stdin does after its last byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Then {
    Close,
    StayOpen,
}

impl Program {
    /// With `PATH` as its only variable (and `SystemRoot` on Windows), nothing on stdin and 60 s to run.
    pub fn new(file: impl Into<PathBuf>) -> Self {
        let path = Some(("PATH".into(), environment::path()));
        let system_root = environment::system_root().map(|root| ("SystemRoot".into(), root));
        Self {
            file: file.into(),
            arguments: Vec::new(),
            environment: path.into_iter().chain(system_root).collect(),
            folder: None,
            stdin: Stdin::Null,
            is_mute: false,
            limit: Duration::from_mins(1),
            terminate_after: None,
        }
    }

    /// The program's file.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// The same program, started by another one that has it as its last arguments, as `strace` does.
    pub fn under(mut self, file: impl Into<PathBuf>, arguments: &[&str]) -> Self {
        let own = std::mem::replace(&mut self.file, file.into());
        let first = arguments.iter().map(OsString::from).chain([own.into()]);
        self.arguments.splice(0..0, first);
        self
    }

    /// One more argument.
    pub fn arg(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.arguments.push(argument.as_ref().to_owned());
        self
    }

    /// More arguments.
    pub fn args<A: AsRef<OsStr>>(mut self, arguments: impl IntoIterator<Item = A>) -> Self {
        self.arguments.extend(
            arguments
                .into_iter()
                .map(|argument| argument.as_ref().to_owned()),
        );
        self
    }

    /// Sets a variable.
    pub fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        self.environment
            .insert(name.as_ref().to_owned(), value.as_ref().to_owned());
        self
    }

    /// Takes a variable away, `PATH` included.
    pub fn env_remove(mut self, name: impl AsRef<OsStr>) -> Self {
        self.environment.remove(name.as_ref());
        self
    }

    /// The working directory.
    pub fn cwd(mut self, folder: impl AsRef<Path>) -> Self {
        self.folder = Some(folder.as_ref().to_owned());
        self
    }

    /// A JSON document on stdin.
    pub fn stdin(self, document: Value) -> Self {
        self.stdin_bytes(document.to_string())
    }

    /// Bytes on stdin, which is closed after them.
    pub fn stdin_bytes(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.stdin = Stdin::Bytes {
            bytes: bytes.into(),
            piece: usize::MAX,
            pause: Duration::ZERO,
            then: Then::Close,
        };
        self
    }

    /// Stdin arrives in pieces of this many bytes, with a pause after each.
    pub fn in_pieces(mut self, piece: usize, pause: Duration) -> Self {
        if let Stdin::Bytes {
            piece: p, pause: w, ..
        } = &mut self.stdin
        {
            (*p, *w) = (piece, pause);
        }
        self
    }

    /// Stdin is not closed before the program ends.
    pub fn stdin_stays_open(mut self) -> Self {
        match &mut self.stdin {
            Stdin::Bytes { then, .. } => *then = Then::StayOpen,
            Stdin::Null => {
                self.stdin = Stdin::Bytes {
                    bytes: Vec::new(),
                    piece: usize::MAX,
                    pause: Duration::ZERO,
                    then: Then::StayOpen,
                };
            }
        }
        self
    }

    /// What it says goes nowhere, for a program that does not bear pipes.
    pub fn mute(mut self) -> Self {
        self.is_mute = true;
        self
    }

    /// How long the program may run before its group is killed.
    pub fn limit(mut self, limit: Duration) -> Self {
        self.limit = limit;
        self
    }

    /// Sends SIGTERM to the program's group after this time, as a host does.
    pub fn terminate_after(mut self, time: Duration) -> Self {
        self.terminate_after = Some(time);
        self
    }

    /// Runs the program to its end.
    pub fn run(&self) -> Ran {
        let started = Instant::now();
        let mut child = self.spawn();
        let stdin = self.feed(&mut child);
        let stdout = Channel::of(child.stdout.take());
        let stderr = Channel::of(child.stderr.take());
        let (status, timed_out) = self.wait(&mut child, started);
        let elapsed = started.elapsed();
        drop(stdin);
        let end = started + self.limit.max(elapsed + Duration::from_millis(50));
        let left_open = !(stdout.closes_before(end) && stderr.closes_before(end));
        if left_open {
            system::kill_group(&mut child);
        }
        Ran {
            stdout: stdout.take(),
            stderr: stderr.take(),
            code: status.code(),
            signal: system::signal(status),
            elapsed,
            closed: started.elapsed(),
            timed_out,
            left_open,
            line: self.to_string(),
        }
    }

    /// Starts the program and lets it run; what it says goes nowhere, and its stdin stays open.
    pub fn start(&self) -> Running {
        Running {
            child: self.clone().mute().stdin_stays_open().spawn(),
        }
    }

    fn spawn(&self) -> Child {
        let mut command = Command::new(&self.file);
        command
            .args(&self.arguments)
            .env_clear()
            .envs(&self.environment);
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        command.stdin(match self.stdin {
            Stdin::Null => Stdio::null(),
            Stdin::Bytes { .. } => Stdio::piped(),
        });
        let channel = || {
            if self.is_mute {
                Stdio::null()
            } else {
                Stdio::piped()
            }
        };
        command.stdout(channel()).stderr(channel());
        system::in_own_group(&mut command);
        command
            .spawn()
            .unwrap_or_else(|error| panic!("{self} does not start: {error}"))
    }

    /// Writes stdin beside everything else. A program that closes it early is no fault.
    fn feed(&self, child: &mut Child) -> Option<Sender<()>> {
        let Stdin::Bytes {
            bytes,
            piece,
            pause,
            then,
        } = self.stdin.clone()
        else {
            return None;
        };
        let mut pipe = child.stdin.take().expect("stdin is a pipe");
        let (ended, wait_for_end) = mpsc::channel::<()>();
        thread::spawn(move || {
            for piece in bytes.chunks(piece.max(1)) {
                if pipe.write_all(piece).and_then(|()| pipe.flush()).is_err() {
                    return;
                }
                thread::sleep(pause);
            }
            if then == Then::StayOpen {
                // Fails when the other end is dropped: the program has ended.
                let _ = wait_for_end.recv();
            }
        });
        Some(ended)
    }

    fn wait(&self, child: &mut Child, started: Instant) -> (ExitStatus, bool) {
        let mut terminate_after = self.terminate_after;
        loop {
            if let Some(status) = child.try_wait().expect("the program can be waited for") {
                return (status, false);
            }
            let elapsed = started.elapsed();
            if terminate_after.is_some_and(|time| elapsed >= time) {
                terminate_after = None;
                system::terminate_group(child);
            }
            if elapsed >= self.limit {
                system::kill_group(child);
                return (child.wait().expect("a killed program ends"), true);
            }
            // Short programs are measured more closely.
            let pause = if elapsed.as_millis() < 50 { 1 } else { 4 };
            thread::sleep(Duration::from_millis(pause));
        }
    }
}

/// A program that runs beside the test; killed with the value.
#[derive(Debug)]
pub struct Running {
    child: Child,
}

impl Running {
    /// Has it not ended yet?
    pub fn is_there(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        system::kill_group(&mut self.child);
        // One that cannot be waited for is gone.
        let _ = self.child.wait();
    }
}

impl fmt::Display for Program {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.file.display())?;
        self.arguments
            .iter()
            .try_for_each(|argument| write!(formatter, " {}", argument.to_string_lossy()))
    }
}

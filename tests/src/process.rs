//! Runs one program to its end and says all it did.
//!
//! - the environment starts empty but for `PATH`
//! - the program gets a process group of its own; when its time is over, that group is killed, nothing else
//! - both channels are drained all the time
//! - a [`Ran`] that is alive when its test panics prints itself

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

#[cfg(unix)]
use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::Value;

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
    /// With `PATH` as its only variable, nothing on stdin and 60 s to run.
    pub fn new(file: impl Into<PathBuf>) -> Self {
        Self {
            file: file.into(),
            arguments: Vec::new(),
            environment: BTreeMap::from([("PATH".into(), environment::path())]),
            folder: None,
            stdin: Stdin::Null,
            limit: Duration::from_mins(1),
            terminate_after: None,
        }
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
        let stdout = Channel::drain(child.stdout.take().expect("stdout is a pipe"));
        let stderr = Channel::drain(child.stderr.take().expect("stderr is a pipe"));
        let (status, timed_out) = self.wait(&mut child, started);
        let elapsed = started.elapsed();
        drop(stdin);
        let end = started + self.limit.max(elapsed + Duration::from_millis(50));
        let left_open = !(stdout.closes_before(end) && stderr.closes_before(end));
        if left_open {
            kill_group(&mut child);
        }
        Ran {
            stdout: stdout.take(),
            stderr: stderr.take(),
            code: status.code(),
            signal: signal(status),
            elapsed,
            closed: started.elapsed(),
            timed_out,
            left_open,
            line: self.to_string(),
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
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
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
                terminate_group(child);
            }
            if elapsed >= self.limit {
                kill_group(child);
                return (child.wait().expect("a killed program ends"), true);
            }
            thread::sleep(Duration::from_millis(if elapsed.as_millis() < 50 {
                1
            } else {
                4
            }));
        }
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

/// What a program did.
#[derive(Debug)]
pub struct Ran {
    /// Its stdout.
    pub stdout: Vec<u8>,
    /// Its stderr.
    pub stderr: Vec<u8>,
    /// Its exit code, if it ended by itself.
    pub code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// From its start until it had ended.
    pub elapsed: Duration,
    /// From its start until nobody held its stdout or stderr any more.
    pub closed: Duration,
    /// Whether it had to be killed.
    pub timed_out: bool,
    /// Whether something that it left behind still held a channel when the time was over.
    pub left_open: bool,
    line: String,
}

impl Ran {
    /// Its stdout as text.
    pub fn out(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    /// Its stderr as text.
    pub fn err(&self) -> String {
        String::from_utf8_lossy(&self.stderr).into_owned()
    }

    /// Its stdout as exactly one JSON document.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.stdout)
            .unwrap_or_else(|error| panic!("stdout is not one JSON document: {error}"))
    }

    /// Whether it ended by itself with this code.
    pub fn exited(&self, code: i32) -> bool {
        self.code == Some(code) && !self.timed_out
    }
}

impl fmt::Display for Ran {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            code,
            signal,
            elapsed,
            timed_out,
            line,
            ..
        } = self;
        writeln!(
            formatter,
            "{line}\n  code {code:?}, signal {signal:?}, timed out {timed_out}, {elapsed:?}"
        )?;
        writeln!(
            formatter,
            "  stdout: {}\n  stderr: {}",
            last_of(&self.out()),
            last_of(&self.err())
        )
    }
}

impl Drop for Ran {
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("{self}");
        }
    }
}

/// The end of a long text, which is where a fault usually is.
pub(crate) fn last_of(text: &str) -> &str {
    let mut start = text.len().saturating_sub(6000);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    text[start..].trim_end()
}

/// One output channel, drained by a thread that outlives this value when somebody keeps the channel open for good.
struct Channel {
    bytes: Arc<Mutex<Vec<u8>>>,
    reader: JoinHandle<()>,
}

impl Channel {
    fn drain(mut pipe: impl Read + Send + 'static) -> Self {
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let reader = thread::spawn({
            let bytes = Arc::clone(&bytes);
            move || {
                let mut piece = vec![0; 1 << 16];
                // A read fault ends the channel like its end does; what arrived is kept.
                while let Ok(count @ 1..) = pipe.read(&mut piece) {
                    bytes.lock().unwrap().extend_from_slice(&piece[..count]);
                }
            }
        });
        Self { bytes, reader }
    }

    fn closes_before(&self, end: Instant) -> bool {
        while !self.reader.is_finished() {
            if Instant::now() >= end {
                return false;
            }
            thread::sleep(Duration::from_millis(1));
        }
        true
    }

    fn take(&self) -> Vec<u8> {
        std::mem::take(&mut self.bytes.lock().unwrap())
    }
}

/// Kills all members of the program's group that are left. Fails when there are none, which is as well.
#[cfg(unix)]
fn kill_group(child: &mut Child) {
    let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
}

#[cfg(unix)]
fn terminate_group(child: &mut Child) {
    let _ = kill_process_group(Pid::from_child(child), Signal::TERM);
}

#[cfg(unix)]
fn signal(status: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

/// Windows has no process groups: the program alone is ended.
#[cfg(windows)]
fn kill_group(child: &mut Child) {
    let _ = child.kill();
}

#[cfg(windows)]
fn terminate_group(child: &mut Child) {
    let _ = child.kill();
}

#[cfg(windows)]
fn signal(_: ExitStatus) -> Option<i32> {
    None
}

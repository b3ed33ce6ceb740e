use std::fmt;
use std::thread;
use std::time::Duration;

use serde_json::Value;

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
    pub(super) line: String,
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

//! A conversation with a program: JSON-RPC.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::process::Child;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::channel::Channel;
use super::{Program, system};

/// How long one answer may take.
const PATIENCE: Duration = Duration::from_mins(1);

/// How documents are told from each other.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Framing {
    /// One a line.
    Lines,
    /// Each behind a header with its length.
    Headers,
}

/// A program that answers as long as its stdin is open; killed with the value.
pub(crate) struct Dialogue {
    child: Child,
    framing: Framing,
    documents: Receiver<Value>,
    asked: u64,
    /// What the program said of itself while it was asked something.
    unasked: VecDeque<Value>,
    _stderr: Channel,
}

impl Dialogue {
    pub(crate) fn open(program: Program, framing: Framing) -> Self {
        let mut child = program.stdin_stays_open().spawn();
        let mut stdout = BufReader::new(child.stdout.take().expect("stdout is a pipe"));
        let stderr = Channel::drain(child.stderr.take().expect("stderr is a pipe"));
        let (sender, documents) = mpsc::channel();
        thread::spawn(move || {
            while let Some(bytes) = next(&mut stdout, framing) {
                let Ok(document) = serde_json::from_slice(&bytes) else {
                    continue;
                };
                if sender.send(document).is_err() {
                    return;
                }
            }
        });
        Self {
            child,
            framing,
            documents,
            asked: 0,
            unasked: VecDeque::new(),
            _stderr: stderr,
        }
    }

    /// The result of a request.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        self.asked += 1;
        let id = self.asked;
        self.write(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let line = self.documents.recv_timeout(PATIENCE);
            let mut line = line.unwrap_or_else(|_| panic!("{method} is not answered"));
            if line["id"] == id && line["method"].is_null() {
                assert!(line["error"].is_null(), "{method}: {}", line["error"]);
                return line["result"].take();
            }
            self.unasked.push_back(line);
        }
    }

    /// What the program says or asks next.
    pub(crate) fn next(&mut self) -> Value {
        let kept = self.unasked.pop_front();
        kept.unwrap_or_else(|| {
            let line = self.documents.recv_timeout(PATIENCE);
            line.expect("the program says something")
        })
    }

    /// Answers a question of the program's.
    pub(crate) fn answer(&mut self, question: &Value, result: &Value) {
        self.write(&json!({"id": question["id"], "result": result}));
    }

    /// A notification.
    pub(crate) fn tell(&mut self, method: &str) {
        self.write(&json!({"method": method}));
    }

    fn write(&mut self, document: &Value) {
        let stdin = self.child.stdin.as_mut().expect("stdin is a pipe");
        let document = document.to_string();
        let written = match self.framing {
            Framing::Lines => writeln!(stdin, "{document}"),
            Framing::Headers => write!(
                stdin,
                "Content-Length: {}\r\n\r\n{document}",
                document.len()
            ),
        };
        written.expect("the program reads on");
    }
}

/// The bytes of the next document, or of a line that is none.
fn next(stdout: &mut impl BufRead, framing: Framing) -> Option<Vec<u8>> {
    let mut line = String::new();
    if framing == Framing::Lines {
        let count = stdout.read_line(&mut line).ok()?;
        return (count > 0).then(|| line.into_bytes());
    }
    let mut length = 0;
    while stdout.read_line(&mut line).ok()? > 0 && !line.trim().is_empty() {
        if let Some(value) = line.trim().strip_prefix("Content-Length: ") {
            length = value.parse().ok()?;
        }
        line.clear();
    }
    let mut bytes = vec![0; length];
    stdout.read_exact(&mut bytes).ok()?;
    (length > 0).then_some(bytes)
}

impl Drop for Dialogue {
    fn drop(&mut self) {
        system::kill_group(&mut self.child);
        let _ = self.child.wait();
    }
}

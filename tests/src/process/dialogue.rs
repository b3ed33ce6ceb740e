//! A conversation with a program: JSON-RPC, one document a line.

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

/// A program that answers as long as its stdin is open; killed with the value.
pub(crate) struct Dialogue {
    child: Child,
    lines: Receiver<Value>,
    asked: u64,
    /// What the program said of itself while it was asked something.
    unasked: VecDeque<Value>,
    _stderr: Channel,
}

impl Dialogue {
    pub(crate) fn open(program: Program) -> Self {
        let mut child = program.stdin_stays_open().spawn();
        let stdout = BufReader::new(child.stdout.take().expect("stdout is a pipe"));
        let stderr = Channel::drain(child.stderr.take().expect("stderr is a pipe"));
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                let Ok(document) = serde_json::from_str(&line) else {
                    continue;
                };
                if sender.send(document).is_err() {
                    return;
                }
            }
        });
        Self {
            child,
            lines,
            asked: 0,
            unasked: VecDeque::new(),
            _stderr: stderr,
        }
    }

    /// The result of a request.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        self.asked += 1;
        let id = self.asked;
        self.write(&json!({"id": id, "method": method, "params": params}));
        loop {
            let line = self.lines.recv_timeout(PATIENCE);
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
            let line = self.lines.recv_timeout(PATIENCE);
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
        writeln!(stdin, "{document}").expect("the program reads on");
    }
}

impl Drop for Dialogue {
    fn drop(&mut self) {
        system::kill_group(&mut self.child);
        let _ = self.child.wait();
    }
}

//! A client that answers JSON-RPC on its stdin and stdout.

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

/// How long it may take to end by itself.
const GRACE: Duration = Duration::from_secs(2);

/// A port of this machine on which nobody listens.
const NOWHERE: &str = "http://127.0.0.1:9";

/// How documents are told from each other.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Framing {
    /// One a line.
    Lines,
    /// Each behind a header with its length.
    Headers,
}

/// A client that was started; it is ended with the value.
pub(crate) struct Server {
    child: Child,
    stdin: Option<ChildStdin>,
    documents: Receiver<Value>,
    framing: Framing,
    patience: Duration,
    calls: u64,
}

/// A client's program in a folder, with which nobody is asked on the network.
pub(crate) fn offline(program: &Path, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder).stderr(Stdio::null());
    keep_offline(&mut command);
    command
}

pub(crate) fn keep_offline(command: &mut Command) {
    for name in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"] {
        command.env(name, NOWHERE).env(name.to_lowercase(), NOWHERE);
    }
}

impl Server {
    /// Codex's app-server, greeted.
    pub(crate) fn of_codex(mut command: Command, patience: Duration) -> Result<Self> {
        command.arg("app-server");
        let mut server = Self::start(command, Framing::Lines, patience)?;
        let client = json!({"name": "hookkit", "version": hookkit_dispatch::version()});
        let capabilities = json!({"experimentalApi": true});
        let params = json!({"clientInfo": client, "capabilities": capabilities});
        server.call("initialize", &params)?;
        server.tell(&json!({"method": "initialized"}))?;
        Ok(server)
    }

    /// `patience` is how long one answer may take.
    pub(crate) fn start(
        mut command: Command,
        framing: Framing,
        patience: Duration,
    ) -> Result<Self> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("{} does not start", command.get_program().display()))?;
        let stdout = child.stdout.take().context("it has no stdout")?;
        let (sender, documents) = mpsc::channel();
        thread::spawn(move || {
            let mut stdout = BufReader::new(stdout);
            while let Some(document) = next(&mut stdout, framing) {
                if sender.send(document).is_err() {
                    return;
                }
            }
        });
        Ok(Self {
            stdin: child.stdin.take(),
            child,
            documents,
            framing,
            patience,
            calls: 0,
        })
    }

    pub(crate) fn call(&mut self, method: &str, params: &Value) -> Result<Value> {
        self.calls += 1;
        let id = self.calls;
        self.tell(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        let end = Instant::now() + self.patience;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let mut said = self
                .documents
                .recv_timeout(left)
                .with_context(|| format!("it does not answer to {method}"))?;
            if said["id"] != id || !said["method"].is_null() {
                continue;
            }
            if let Some(error) = said["error"]["message"].as_str() {
                bail!("{method}: {error}");
            }
            return Ok(said["result"].take());
        }
    }

    pub(crate) fn tell(&mut self, said: &Value) -> Result<()> {
        let stdin = self.stdin.as_mut().context("it is ended")?;
        let said = said.to_string();
        let sent = match self.framing {
            Framing::Lines => writeln!(stdin, "{said}"),
            Framing::Headers => write!(stdin, "Content-Length: {}\r\n\r\n{said}", said.len()),
        };
        sent.and_then(|()| stdin.flush()).context("it has ended")
    }
}

/// The next document; none at the end, or behind what is none.
fn next(stdout: &mut impl BufRead, framing: Framing) -> Option<Value> {
    /// No answer of a client comes near it.
    const LARGEST: usize = 64 << 20;
    loop {
        let mut line = String::new();
        if stdout.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if framing == Framing::Lines {
            if let Ok(document) = serde_json::from_str(&line) {
                return Some(document);
            }
            continue;
        }
        let (name, value) = line.split_once(':')?;
        if !name.eq_ignore_ascii_case("content-length") {
            continue;
        }
        let length = value
            .trim()
            .parse()
            .ok()
            .filter(|length| *length <= LARGEST)?;
        // The rest of the header.
        loop {
            let mut rest = String::new();
            stdout.read_line(&mut rest).ok()?;
            if rest.trim().is_empty() {
                break;
            }
        }
        let mut bytes = vec![0; length];
        stdout.read_exact(&mut bytes).ok()?;
        return serde_json::from_slice(&bytes).ok();
    }
}

impl Drop for Server {
    /// It ends with its stdin, or is ended.
    fn drop(&mut self) {
        drop(self.stdin.take());
        let end = Instant::now() + GRACE;
        while Instant::now() < end {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                return;
            }
            thread::sleep(Duration::from_millis(10));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_told_apart() {
        let mut lines = &b"noise\n{\"a\":1}\n{\"b\":2}\n"[..];
        assert_eq!(next(&mut lines, Framing::Lines), Some(json!({"a": 1})));
        assert_eq!(next(&mut lines, Framing::Lines), Some(json!({"b": 2})));
        assert_eq!(next(&mut lines, Framing::Lines), None);
        let mut headers =
            &b"Content-Length: 7\r\nX: y\r\n\r\n{\"a\":1}Content-Length: 2\r\n\r\n{}"[..];
        assert_eq!(next(&mut headers, Framing::Headers), Some(json!({"a": 1})));
        assert_eq!(next(&mut headers, Framing::Headers), Some(json!({})));
        assert_eq!(next(&mut headers, Framing::Headers), None);
    }
}

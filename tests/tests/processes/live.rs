//! A dispatcher that is looked at while it runs.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use hookkit_tests::{Plugin, program};
use rustix::process::{Pid, Signal, kill_process};

/// Started on a call, with stdin written; killed with the value.
pub(crate) struct Live {
    child: Child,
}

impl Live {
    pub(crate) fn start(plugin: &Plugin, stdin: &[u8]) -> Self {
        let mut child = Command::new(program::dispatcher())
            .args(["--host", "claude-code", "--event", "PreToolUse"])
            .arg("--plugin-root")
            .arg(plugin.path())
            .env_clear()
            .env("PATH", program::search_path())
            .current_dir(plugin.project())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(stdin).unwrap();
        Self { child }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    pub(crate) fn stdout(&mut self) -> ChildStdout {
        self.child.stdout.take().unwrap()
    }

    /// All it says until its end, and how it ended.
    pub(crate) fn end(mut self) -> (String, ExitStatus) {
        let mut said = String::new();
        self.stdout().read_to_string(&mut said).unwrap();
        (said, self.child.wait().unwrap())
    }

    /// A line of `/proc/PID/status` in KiB.
    pub(crate) fn kib(&self, line: &str) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.pid())).unwrap();
        let value = status.lines().find_map(|found| found.strip_prefix(line));
        let value = value.unwrap().trim_start_matches(':').trim();
        value.trim_end_matches("kB").trim().parse().unwrap()
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        // Has ended already where the test passed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits until a hook has written a file.
pub(crate) fn wait_for(file: impl AsRef<Path>) -> String {
    let end = Instant::now() + Duration::from_secs(20);
    loop {
        match std::fs::read_to_string(&file) {
            Ok(text) if !text.is_empty() => return text,
            _ => assert!(
                Instant::now() < end,
                "{} was never written",
                file.as_ref().display()
            ),
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

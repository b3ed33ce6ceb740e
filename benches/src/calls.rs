//! System calls of one start, counted by strace where it is installed.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Result, ensure};
use fs_err as fs;
use serde::Serialize;

use crate::round;
use crate::row::{Group, Row};

#[derive(Serialize)]
pub(crate) struct Calls {
    pub(crate) row: String,
    pub(crate) all: usize,
    /// Processes and threads started below the row's own program.
    pub(crate) started: usize,
    /// At most this many may be.
    pub(crate) limit: Option<usize>,
}

impl Calls {
    pub(crate) fn holds(&self) -> bool {
        self.limit.is_none_or(|limit| self.started <= limit)
    }
}

/// One line a row; none without strace.
pub(crate) fn count(rows: &[Row], out: &Path, payload: &[u8]) -> Result<Vec<Calls>> {
    let found = Command::new("strace")
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if !found.is_ok_and(|status| status.success()) {
        eprintln!("strace is missing: system calls are not counted");
        return Ok(Vec::new());
    }
    rows.iter()
        .filter(|row| {
            row.starts.len() == 1 && !matches!(row.group, Group::Cold) && !row.group.is_large()
        })
        .map(|row| count_row(row, out, payload))
        .collect()
}

fn count_row(row: &Row, out: &Path, payload: &[u8]) -> Result<Calls> {
    let log = out.join("strace.log");
    for start in &row.starts {
        let mut command = Command::new("strace");
        command
            .args(["-f", "-qq", "-e", "signal=none", "-o"])
            .arg(&log)
            .arg(&start.program)
            .args(&start.arguments);
        round::set_environment(&mut command);
        command.envs(start.variables.iter().map(|(name, value)| (name, value)));
        let output = command.stdin(round::filled(payload)?).output()?;
        ensure!(
            output.status.success(),
            "strace of {}: {}",
            row.name,
            String::from_utf8_lossy(&output.stderr)
        );
    }
    let lines = fs::read_to_string(&log)?;
    // With -f a call that another process interrupted takes a second line.
    let calls = || lines.lines().filter(|line| !line.contains(" resumed>"));
    Ok(Calls {
        row: row.name.clone(),
        all: calls().count(),
        started: calls().filter(|line| starts_process(line)).count(),
        limit: row.may_start,
    })
}

/// A line is `PID name(arguments) = result`.
fn starts_process(line: &str) -> bool {
    let name = line
        .trim_start_matches(|character: char| character.is_ascii_digit() || character == ' ')
        .split('(')
        .next();
    matches!(name, Some("clone" | "clone3" | "fork" | "vfork"))
}

#[cfg(test)]
mod tests {
    use super::starts_process;

    #[test]
    fn the_calls_name_decides() {
        assert!(starts_process("12 clone(child_stack=NULL) = 13"));
        assert!(starts_process("12 vfork( <unfinished ...>"));
        assert!(!starts_process("12 execve(\"/clone\", []) = 0"));
        assert!(!starts_process("12 read(0, \"clone(\", 9) = 9"));
    }
}

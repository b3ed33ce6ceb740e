//! Instructions of one start, counted by valgrind where it is installed: the figure that does not
//! wander with what else the machine does.

use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};
use serde::Serialize;

use crate::round;
use crate::row::Row;
use crate::rows::{FLOOR, NOTHING_SELECTED, ONE_NATIVE_HOOK};

#[derive(Serialize)]
pub(crate) struct Instructions {
    pub(crate) row: &'static str,
    /// In the row's own process, outside the system.
    pub(crate) count: u64,
    /// What it took when this was last changed, and a tenth more: compilers differ.
    pub(crate) limit: Option<u64>,
}

impl Instructions {
    pub(crate) fn holds(&self) -> bool {
        self.limit.is_none_or(|limit| self.count <= limit)
    }
}

const COUNTED: [(&str, Option<u64>); 3] = [
    (FLOOR, None),
    (NOTHING_SELECTED, Some(59_000)),
    (ONE_NATIVE_HOOK, Some(105_000)),
];

/// One line for each of the hot paths; none without valgrind.
pub(crate) fn count(rows: &[Row], payload: &[u8]) -> Result<Vec<Instructions>> {
    let found = Command::new("valgrind")
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if !found.is_ok_and(|status| status.success()) {
        eprintln!("valgrind is missing: instructions are not counted");
        return Ok(Vec::new());
    }
    COUNTED
        .into_iter()
        .map(|(name, limit)| {
            let row = rows.iter().find(|row| row.name == name);
            let start = row
                .and_then(|row| row.starts.first())
                .with_context(|| format!("no row {name:?}"))?;
            let mut command = Command::new("valgrind");
            command
                .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
                .arg(&start.program)
                .args(&start.arguments);
            round::set_environment(&mut command);
            let output = round::fed(command, payload)?;
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            ensure!(output.status.success(), "valgrind of {name}: {said}");
            let count = collected(&said).with_context(|| format!("valgrind of {name}: {said}"))?;
            Ok(Instructions {
                row: name,
                count,
                limit,
            })
        })
        .collect()
}

/// The line `==PID== Collected : COUNT`.
fn collected(said: &str) -> Option<u64> {
    let (_, count) = said.split_once("Collected :")?;
    count.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::collected;

    #[test]
    fn the_count_stands_behind_its_word() {
        let said =
            "==7== Events    : Ir\n==7== Collected : 61774\n==7== \n==7== I   refs:  61,774\n";
        assert_eq!(collected(said), Some(61774));
        assert_eq!(collected("==7== Command: x"), None);
    }
}

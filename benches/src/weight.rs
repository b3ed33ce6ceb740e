//! What the dispatcher weighs: its file and its memory.

use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};
use fs_err as fs;
use serde::Serialize;

use crate::Options;
use crate::plugin::Payloads;
use crate::round;
use crate::row::Row;
use crate::rows::{FLOOR, NOTHING_SELECTED, ONE_NATIVE_HOOK, READS_SIXTY_MIB, READS_TEN_MIB};

/// A figure with its budget, in bytes.
#[derive(Serialize)]
pub(crate) struct Weight {
    pub(crate) what: String,
    pub(crate) bytes: u64,
    pub(crate) limit: Option<u64>,
}

impl Weight {
    pub(crate) fn holds(&self) -> bool {
        self.limit.is_none_or(|limit| self.bytes <= limit)
    }
}

const MIB: u64 = 1024 * 1024;

pub(crate) fn measure(rows: &[Row], options: &Options, payloads: &Payloads) -> Result<Vec<Weight>> {
    let mut weights = vec![Weight {
        what: "hookkit-dispatch, the file".to_owned(),
        bytes: fs::metadata(&options.dispatch)?.len(),
        limit: Some(MIB),
    }];
    let memory = [
        (FLOOR, None),
        (NOTHING_SELECTED, Some(4 * MIB)),
        (ONE_NATIVE_HOOK, Some(4 * MIB)),
        (READS_TEN_MIB, Some(3 * 10 * MIB)),
        (READS_SIXTY_MIB, Some(3 * 60 * MIB)),
    ];
    if cfg!(not(unix)) {
        eprintln!("peak memory is not measured on this system");
        return Ok(weights);
    }
    for (name, limit) in memory {
        let row = rows
            .iter()
            .find(|row| row.name == name)
            .context("no such row")?;
        weights.push(Weight {
            what: match row.group {
                group if group.is_large() => format!("peak memory, {name}"),
                _ => format!("peak memory, {name}, 1 KiB payload"),
            },
            bytes: peak(row, options, payloads.of(row.group))?,
            limit,
        });
    }
    Ok(weights)
}

fn peak(row: &Row, options: &Options, payload: &[u8]) -> Result<u64> {
    let start = row.starts.first().context("the row starts nothing")?;
    let mut command = Command::new(options.programs.join("peak"));
    command.arg(&start.program).args(&start.arguments);
    round::set_environment(&mut command);
    command.stdout(Stdio::piped());
    let output = round::fed(command, payload)?;
    ensure!(
        output.status.success(),
        "peak memory of {}: {}",
        row.name,
        String::from_utf8_lossy(&output.stderr)
    );
    let kib: u64 = String::from_utf8(output.stdout)?.trim().parse()?;
    Ok(kib * 1024)
}

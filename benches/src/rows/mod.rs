//! Every row of a run, after a check that each does what its name says.

mod dispatcher;
mod peers;
mod today;

use std::env::consts::EXE_EXTENSION;
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::Options;
use crate::plugin::Payloads;
use crate::row::{Group, Row, Start};

pub(crate) const FLOOR: &str = "floor";
pub(crate) const TWO_FLOORS: &str = "two floors";
pub(crate) const SH: &str = "sh -c :";
pub(crate) const NOTHING_SELECTED: &str = "dispatch, nothing selected";
pub(crate) const ONE_NATIVE_HOOK: &str = "dispatch, one native hook";
pub(crate) const INSTALLED: &str = "installed, one native hook";
pub(crate) const LOGGED: &str = "installed, one native hook, with the log on";
pub(crate) const THROUGH_SELECTOR: &str = "portable tree through its sh selector, nothing selected";
pub(crate) const READS_TEN_MIB: &str = "dispatch, hook that reads 10 MiB";
pub(crate) const READS_SIXTY_MIB: &str = "dispatch, hook that reads 60 MiB";
pub(crate) const HUNDRED_ENTRIES: &str = "dispatch, 100 entries in the manifest, nothing selected";
pub(crate) const THOUSAND_ENTRIES: &str =
    "dispatch, 1,000 entries in the manifest, nothing selected";
pub(crate) const CAT_ONE_KIB: &str = "cat of 1 KiB";
pub(crate) const CAT_TEN_MIB: &str = "cat of 10 MiB";
pub(crate) const REFERENCE_GUARD: &str = "dispatch, the reference guard (python)";
pub(crate) const LAUNCHER: &str = "ai-agents, launcher string with its own guard (python)";
pub(crate) const LAUNCHERS_GUARD: &str = "dispatch, the guard of ai-agents (python)";
pub(crate) const PEER: &str = "agent-harness-adapter, one native hook";
pub(crate) const PEER_FILE: &str = "agent-harness-adapter, hooks file, one native hook";

/// How many equal hooks run side by side.
pub(crate) const CROWDS: [usize; 3] = [2, 8, 32];

pub(crate) fn of_crowd(hooks: usize) -> String {
    format!("dispatch, {hooks} equal native hooks")
}

/// Where the parts of rows are.
pub(crate) struct Parts<'a> {
    pub(crate) options: &'a Options,
    pub(crate) out: &'a Path,
    pub(crate) payloads: &'a Payloads,
}

impl Parts<'_> {
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        let program = self.options.programs.join(name);
        program.with_extension(EXE_EXTENSION)
    }

    pub(crate) fn dispatch(&self, root: &Path) -> Start {
        Start::dispatch(&self.options.dispatch, root)
    }
}

pub(crate) fn all(parts: &Parts) -> Result<Vec<Row>> {
    let floor = Row::new(FLOOR, Start::new(parts.program("floor"), &[]));
    let two_floors = Row::new(TWO_FLOORS, Start::new(parts.program("floor"), &[])).twice();
    let mut rows = vec![floor, two_floors];
    rows.extend(today::rows(parts)?);
    rows.extend(dispatcher::rows(parts)?);
    rows.extend(peers::rows(parts)?);
    if cfg!(target_os = "linux") {
        rows.extend(cold(&rows));
    }
    for row in &rows {
        row.says_nothing(parts.payloads)?;
    }
    dispatcher::refuses(parts)?;
    Ok(rows)
}

/// Two rows once more, each with its program out of the system's cache.
fn cold(rows: &[Row]) -> Vec<Row> {
    let named = |name: &str| rows.iter().find(|row| row.name == name);
    [FLOOR, NOTHING_SELECTED]
        .into_iter()
        .filter_map(named)
        .map(|row| {
            Row::new(format!("{}, cold", row.name), row.starts[0].clone()).among(Group::Cold)
        })
        .collect()
}

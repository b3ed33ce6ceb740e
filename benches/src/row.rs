//! What is measured: each row is one or more programs, started one after the other.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};
use fs_err as fs;

use crate::plugin::Plugin;
use crate::round;

pub(crate) const FLOOR: &str = "floor";
pub(crate) const TWO_FLOORS: &str = "two floors";
pub(crate) const SH: &str = "sh -c :";
pub(crate) const NOTHING_SELECTED: &str = "dispatch, nothing selected";
pub(crate) const ONE_NATIVE_HOOK: &str = "dispatch, one native hook";

/// One start of a program. The path is absolute, so that nothing is searched for.
#[derive(Clone)]
pub(crate) struct Start {
    pub(crate) program: PathBuf,
    pub(crate) arguments: Vec<OsString>,
}

impl Start {
    fn new(program: impl Into<PathBuf>, arguments: &[&str]) -> Self {
        Self {
            program: program.into(),
            arguments: arguments.iter().map(OsString::from).collect(),
        }
    }

    fn dispatch(dispatch: &Path, root: &Path) -> Self {
        let mut start = Self::new(
            dispatch,
            &[
                "--host",
                "claude-code",
                "--event",
                "PreToolUse",
                "--plugin-root",
            ],
        );
        start.arguments.push(root.into());
        start
    }
}

pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) starts: Vec<Start>,
    /// How many processes and threads may be started below the row's own, where that is a rule.
    pub(crate) may_start: Option<usize>,
}

/// Every row, after a check that each does what its name says.
pub(crate) fn all(
    dispatch: &Path,
    programs: &Path,
    out: &Path,
    payload: &[u8],
) -> Result<Vec<Row>> {
    let none = programs.join("hook_none");
    let refuse = programs.join("hook_refuse");
    let plugin = |name, matcher, hook| -> Result<Start> {
        let plugin = Plugin {
            name,
            matcher,
            hook,
        };
        Ok(Start::dispatch(dispatch, &plugin.write(out)?))
    };
    let floor = Start::new(programs.join("floor"), &[]);
    let rows = vec![
        Row {
            name: FLOOR,
            starts: vec![floor.clone()],
            may_start: None,
        },
        Row {
            name: TWO_FLOORS,
            starts: vec![floor.clone(), floor],
            may_start: None,
        },
        Row {
            name: SH,
            starts: vec![Start::new("/bin/sh", &["-c", ":"])],
            may_start: None,
        },
        Row {
            name: NOTHING_SELECTED,
            starts: vec![plugin("bench-nothing-selected", "Write", &none)?],
            may_start: Some(0),
        },
        Row {
            name: ONE_NATIVE_HOOK,
            starts: vec![plugin("bench-one-hook", "Bash", &none)?],
            may_start: Some(1),
        },
    ];
    for row in &rows {
        for start in &row.starts {
            says_nothing(row, start, payload)?;
        }
    }
    denies(&plugin("bench-refusal", "Bash", &refuse)?, payload)?;
    Ok(rows)
}

/// A quick way to fail must not pass for a quick reply.
fn says_nothing(row: &Row, start: &Start, payload: &[u8]) -> Result<()> {
    let reply = round::reply(start, payload)?;
    ensure!(
        reply.status.success() && reply.stdout.is_empty() && reply.stderr.is_empty(),
        "{}: expected exit 0 without output, but got {}, stdout {:?}, stderr {:?}",
        row.name,
        reply.status,
        String::from_utf8_lossy(&reply.stdout),
        String::from_utf8_lossy(&reply.stderr)
    );
    Ok(())
}

/// The row with one hook says nothing whether or not its hook runs. The same plugin with a hook
/// that refuses shows that it does.
fn denies(start: &Start, payload: &[u8]) -> Result<()> {
    let reply = round::reply(start, payload)?;
    let decision = serde_json::from_slice::<serde_json::Value>(&reply.stdout)
        .context("the refusing hook's reply is not one JSON document")?;
    if decision.pointer("/hookSpecificOutput/permissionDecision") != Some(&"deny".into()) {
        bail!("the refusing hook did not deny: {decision}");
    }
    Ok(())
}

/// What `/bin/sh` is on this machine.
pub(crate) fn shell() -> String {
    fs::canonicalize("/bin/sh")
        .map_or_else(|_| "unknown".to_owned(), |path| path.display().to_string())
}

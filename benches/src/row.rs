//! What is measured: each row is one or more programs, started one after the other.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};

use crate::plugin::Payloads;
use crate::round;
use crate::stats::BLOCKS;

/// One start of a program. The path is absolute, so that nothing is searched for.
#[derive(Clone)]
pub(crate) struct Start {
    pub(crate) program: PathBuf,
    pub(crate) arguments: Vec<OsString>,
    /// Variables beside those that every row gets.
    pub(crate) variables: Vec<(&'static str, OsString)>,
}

impl Start {
    pub(crate) fn new(program: impl Into<PathBuf>, arguments: &[&str]) -> Self {
        Self {
            program: program.into(),
            arguments: arguments.iter().map(OsString::from).collect(),
            variables: Vec::new(),
        }
    }

    pub(crate) fn with(mut self, variable: &'static str, value: impl Into<OsString>) -> Self {
        self.variables.push((variable, value.into()));
        self
    }

    pub(crate) fn and(mut self, argument: impl Into<OsString>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// The dispatcher on PreToolUse of Claude Code, with the plugin in `root`.
    pub(crate) fn dispatch(dispatch: &Path, root: &Path) -> Self {
        Self::on_call(dispatch).and("--plugin-root").and(root)
    }

    /// The dispatcher of a data folder, with a plugin that is installed there.
    pub(crate) fn installed(dispatch: &Path, plugin: &str) -> Self {
        Self::on_call(dispatch).and("--plugin").and(plugin)
    }

    fn on_call(dispatch: &Path) -> Self {
        Self::new(
            dispatch,
            &["--host", "claude-code", "--event", "PreToolUse"],
        )
    }
}

/// Rows that are measured in one run. Programs of other kinds would leave the caches colder for
/// the short ones than they leave them themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    /// The floor, and what is held against it.
    Native,
    /// Shells, and other programs that start and end within milliseconds.
    Others,
    /// Many processes at once.
    Crowds,
    /// Programs that an interpreter runs.
    Interpreted,
    /// Programs that are not in the system's cache.
    Cold,
    /// A payload of ten mebibytes.
    TenMib,
    /// Nearly the largest payload that is read.
    SixtyMib,
}

impl Group {
    pub(crate) const ALL: [Self; 7] = [
        Self::Native,
        Self::Others,
        Self::Crowds,
        Self::Interpreted,
        Self::Cold,
        Self::TenMib,
        Self::SixtyMib,
    ];

    /// Are its payloads counted in mebibytes?
    pub(crate) fn is_large(self) -> bool {
        matches!(self, Self::TenMib | Self::SixtyMib)
    }

    /// How many rounds of so many it gets: its rows take this much longer.
    pub(crate) fn rounds(self, of: usize) -> usize {
        let share = match self {
            Self::Native => 1,
            Self::Others | Self::Crowds | Self::Interpreted | Self::Cold => 5,
            Self::TenMib => 20,
            Self::SixtyMib => 100,
        };
        (of / share).max(BLOCKS)
    }
}

pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) starts: Vec<Start>,
    pub(crate) group: Group,
    /// Does it print what it was given?
    pub(crate) speaks: bool,
    /// How many processes and threads may be started below the row's own, where that is a rule.
    pub(crate) may_start: Option<usize>,
}

impl Row {
    pub(crate) fn new(name: impl Into<String>, start: Start) -> Self {
        Self {
            name: name.into(),
            starts: vec![start],
            group: Group::Native,
            speaks: false,
            may_start: None,
        }
    }

    pub(crate) fn may_start(mut self, processes: usize) -> Self {
        self.may_start = Some(processes);
        self
    }

    pub(crate) fn twice(mut self) -> Self {
        self.starts.extend(self.starts.clone());
        self
    }

    pub(crate) fn among(mut self, group: Group) -> Self {
        self.group = group;
        self
    }

    pub(crate) fn that_speaks(mut self) -> Self {
        self.speaks = true;
        self
    }

    /// A quick way to fail must not pass for a quick reply.
    pub(crate) fn says_nothing(&self, payloads: &Payloads) -> Result<()> {
        for start in &self.starts {
            let reply = round::reply(start, payloads.of(self.group))?;
            ensure!(
                reply.status.success()
                    && (self.speaks || reply.stdout.is_empty())
                    && reply.stderr.is_empty(),
                "{}: expected exit 0 without output, but got {}, stdout {:?}, stderr {:?}",
                self.name,
                reply.status,
                String::from_utf8_lossy(&reply.stdout),
                String::from_utf8_lossy(&reply.stderr)
            );
        }
        Ok(())
    }
}

/// A row says nothing whether or not its hook runs. The same plugin with a hook that refuses shows
/// that it does.
pub(crate) fn denies(start: &Start, payload: &[u8]) -> Result<()> {
    let reply = round::reply(start, payload)?;
    let decision = serde_json::from_slice::<serde_json::Value>(&reply.stdout)
        .context("the refusing hook's reply is not one JSON document")?;
    if decision.pointer("/hookSpecificOutput/permissionDecision") != Some(&"deny".into()) {
        bail!("the refusing hook did not deny: {decision}");
    }
    Ok(())
}

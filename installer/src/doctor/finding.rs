//! One thing that a host, a file or this machine does other than it seems.

use super::code::Code;
use crate::check::Level;
use serde::Serialize;
use serde::ser::{SerializeMap as _, Serializer};
use std::path::{Path, PathBuf};

/// One finding, in one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) code: &'static Code,
    /// The host that it concerns; none where it concerns hookkit or the machine.
    pub(crate) host: Option<&'static str>,
    pub(crate) file: Option<PathBuf>,
    /// From 1.
    pub(crate) line: Option<usize>,
    /// What is wrong here, as one sentence without its first capital and its full stop.
    pub(crate) what: String,
    /// What to do here, where that says more than the code's own words.
    pub(crate) fix: Option<String>,
}

impl Finding {
    /// Something about a host as a whole, or about this machine.
    pub(crate) fn new(code: &'static Code, what: impl Into<String>) -> Self {
        Self {
            code,
            host: None,
            file: None,
            line: None,
            what: what.into().replace(char::is_control, " "),
            fix: None,
        }
    }

    pub(crate) fn of(mut self, host: &'static str) -> Self {
        self.host = Some(host);
        self
    }

    pub(crate) fn at(mut self, file: &Path, line: Option<usize>) -> Self {
        self.file = Some(file.to_owned());
        self.line = line;
        self
    }

    pub(crate) fn fixed_by(mut self, fix: impl Into<String>) -> Self {
        self.fix = Some(fix.into());
        self
    }

    pub(crate) fn level(&self) -> Level {
        self.code.level
    }

    /// What to do.
    pub(crate) fn way_out(&self) -> &str {
        self.fix.as_deref().unwrap_or(self.code.fix)
    }

    /// The place, as people write it.
    pub(crate) fn place(&self) -> String {
        match (&self.file, self.line) {
            (Some(file), Some(line)) => format!("{}:{line}", file.display()),
            (Some(file), None) => file.display().to_string(),
            (None, _) => String::new(),
        }
    }

    /// Is it the same of another host?
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        self.code == other.code
            && self.line == other.line
            && self.file == other.file
            && self.what == other.what
            && self.fix == other.fix
    }

    /// What findings are sorted by: first what is worst, then what turns everything off, then by
    /// place.
    pub(crate) fn order(&self) -> (Level, bool, Option<&Path>, Option<usize>, &str, &str) {
        (
            self.level(),
            !super::codes::sources::SWITCHES.contains(&self.code),
            self.file.as_deref(),
            self.line,
            self.code.id,
            &self.what,
        )
    }
}

impl Serialize for Finding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("code", self.code.id)?;
        map.serialize_entry("severity", &self.level())?;
        map.serialize_entry("host", &self.host)?;
        let file = self.file.as_ref().map(|file| file.display().to_string());
        map.serialize_entry("file", &file)?;
        map.serialize_entry("line", &self.line)?;
        map.serialize_entry("what", &self.what)?;
        map.serialize_entry("fix", self.way_out())?;
        map.end()
    }
}

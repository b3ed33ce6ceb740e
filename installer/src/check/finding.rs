//! One thing that is wrong, or worth knowing.

use hookkit_dispatch::manifest::{Fault, Hook};
use serde::Serialize;
use std::fmt;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Level {
    /// It does not work.
    Error,
    /// It works, but hardly as meant.
    Warning,
    /// Worth knowing.
    Note,
}

impl Level {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// One thing that is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Finding {
    pub(crate) level: Level,
    /// Does not change from version to version.
    pub(crate) code: &'static str,
    pub(crate) file: String,
    /// From 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hook: Option<String>,
    /// What is wrong and what to do, as one sentence without its first capital.
    pub(crate) what: String,
}

impl Finding {
    /// A fault of the manifest.
    pub(super) fn fault(file: &str, fault: &Fault) -> Self {
        Self {
            level: Level::Error,
            code: "manifest",
            file: file.to_owned(),
            line: Some(fault.line),
            hook: fault.hook.clone(),
            what: fault.what.clone(),
        }
    }

    /// Something about one hook, in the line where it stands.
    pub(super) fn hook(
        level: Level,
        code: &'static str,
        file: &str,
        hook: &Hook,
        what: impl Into<String>,
    ) -> Self {
        Self {
            level,
            code,
            file: file.to_owned(),
            line: Some(hook.line),
            hook: Some(hook.id.to_string()),
            what: what.into(),
        }
    }

    /// Something about a file as a whole.
    pub(super) fn file(
        level: Level,
        code: &'static str,
        file: impl Into<String>,
        what: impl Into<String>,
    ) -> Self {
        Self {
            level,
            code,
            file: file.into(),
            line: None,
            hook: None,
            what: what.into(),
        }
    }

    /// What findings are sorted by: what has no line comes last.
    pub(super) fn place(&self) -> (bool, &str, usize, Level) {
        let line = self.line.unwrap_or_default();
        (self.line.is_none(), &self.file, line, self.level)
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if let Some(hook) = &self.hook {
            write!(f, "hook `{hook}`: ")?;
        }
        f.write_str(&self.what)
    }
}

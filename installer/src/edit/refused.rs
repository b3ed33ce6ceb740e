//! Why a file is left as it is.

use std::fmt;
use std::path::{Path, PathBuf};

/// A file that is left as it is: which, why, and what to do about it. For people it is exit code 3.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    pub file: PathBuf,
    /// From 1.
    pub line: Option<usize>,
    /// What is wrong, as it reads after the name of the file.
    pub what: String,
    /// What to do about it.
    pub todo: String,
}

impl Refused {
    pub(super) fn new(file: &Path, what: impl Into<String>, todo: impl Into<String>) -> Self {
        Self {
            file: file.to_owned(),
            line: None,
            what: what.into(),
            todo: todo.into(),
        }
    }

    pub(super) fn at_line(self, line: usize) -> Self {
        Self {
            line: Some(line),
            ..self
        }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        write!(f, " {}; {}", self.what, self.todo)
    }
}

impl std::error::Error for Refused {}

//! How a command ends, and the exit code that says so.

use std::fmt;
use std::process::ExitCode;

/// A command that came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Exit code 0.
    Done,
    /// Exit code 1: it looked, and found something wrong.
    Problems,
}

impl Outcome {
    pub(crate) fn code(self) -> ExitCode {
        ExitCode::from(match self {
            Self::Done => 0,
            Self::Problems => 1,
        })
    }
}

/// A command that stopped before its end.
#[derive(Debug)]
pub(crate) enum Stop {
    /// Exit code 1: something failed on the way; what had been done is undone.
    Failed(anyhow::Error),
    /// Exit code 2: used in a wrong way, or given something that cannot be read.
    Unusable(anyhow::Error),
    /// Exit code 3: hookkit does not do this; nothing was touched.
    Refused(anyhow::Error),
}

impl Stop {
    pub(crate) fn code(&self) -> ExitCode {
        ExitCode::from(match self {
            Self::Failed(_) => 1,
            Self::Unusable(_) => 2,
            Self::Refused(_) => 3,
        })
    }

    pub(crate) fn refused(message: impl fmt::Display) -> Self {
        Self::Refused(anyhow::anyhow!("{message}"))
    }

    pub(crate) fn unusable(message: impl fmt::Display) -> Self {
        Self::Unusable(anyhow::anyhow!("{message}"))
    }
}

/// What cannot be read is the usual reason to stop; the others are named where they arise.
impl From<anyhow::Error> for Stop {
    fn from(error: anyhow::Error) -> Self {
        Self::Unusable(error)
    }
}

impl From<std::io::Error> for Stop {
    fn from(error: std::io::Error) -> Self {
        Self::Unusable(error.into())
    }
}

/// A file that is left as it is.
impl From<hookkit::edit::Refused> for Stop {
    fn from(refused: hookkit::edit::Refused) -> Self {
        Self::Refused(refused.into())
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (Self::Failed(error) | Self::Unusable(error) | Self::Refused(error)) = self;
        write!(f, "{error:#}")
    }
}

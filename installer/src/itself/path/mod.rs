//! How shells learn of SELF/bin.

#[cfg(any(windows, test))]
mod list;
#[cfg(not(windows))]
mod shells;
#[cfg_attr(windows, path = "windows.rs")]
#[cfg_attr(not(windows), path = "unix.rs")]
mod system;

use hookkit::edit::Refused;
use std::path::PathBuf;

pub(super) use system::forget;
pub(crate) use system::tell;

/// What became of telling them.
#[derive(Debug, Default)]
pub(crate) struct Told {
    /// What names SELF/bin now.
    pub(crate) places: Vec<PathBuf>,
    /// What could not be changed.
    pub(crate) refused: Vec<Refused>,
}

//! What one kind of finding is: the row from which findings, `--explain` and docs/doctor.md are made.

use crate::check::Level;
use serde::Serialize;

/// One kind of finding. Its number does not change from version to version, and is not used again
/// when a row is dropped.
#[derive(Debug, Serialize)]
pub(crate) struct Code {
    /// `HK` and three digits; the first says the group.
    pub(crate) id: &'static str,
    /// [`Level::Error`] only where the real client was seen, or its source read, to do so.
    pub(crate) level: Level,
    /// What is wrong, in a few words.
    pub(crate) title: &'static str,
    /// What follows from it, as one sentence.
    pub(crate) means: &'static str,
    /// The client and version that was seen, or the source that says so.
    pub(crate) evidence: &'static str,
    /// What it looks like.
    pub(crate) example: &'static str,
    /// What to do about it.
    pub(crate) fix: &'static str,
}

/// Findings are about the same code when they have the same number.
impl PartialEq for Code {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Code {}

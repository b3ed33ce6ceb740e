//! What was installed where, and what gives everything back.

use super::place::Place;
use fs_err as fs;
use hookkit::edit::{Change, Lock, Refused, Undo};
use serde::{Deserialize, Serialize};
use std::io;
use std::path::PathBuf;

/// The receipt of hookkit itself.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Receipt {
    schema: u8,
    /// Where releases come from, without what names one of them.
    pub(crate) base: String,
    /// The folders that were made to hold SELF, the outermost first.
    pub(crate) made: Vec<PathBuf>,
    /// The files that name SELF/bin to shells, each as it was before.
    pub(crate) told: Vec<Undo>,
}

impl Receipt {
    pub(crate) fn new(base: &str) -> Self {
        Self {
            schema: 1,
            base: base.to_owned(),
            ..Self::default()
        }
    }

    /// `None` where there is none, or one of a kind that this program does not know.
    pub(crate) fn read(place: &Place) -> io::Result<Option<Self>> {
        match fs::read(place.receipt()) {
            Ok(bytes) => Ok(serde_json::from_slice(&bytes)
                .ok()
                .filter(|receipt: &Self| receipt.schema == 1)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    pub(crate) fn write(&self, place: &Place, turn: &Lock) -> Result<(), Refused> {
        let mut bytes = serde_json::to_vec_pretty(self).unwrap_or_default();
        bytes.push(b'\n');
        Change::create_or_replace(&place.receipt(), bytes, 0o600)?.write(turn)
    }
}

//! Receipts: what a real client did with a plugin that refuses one call and lets another through.
//!
//! They are kept in `docs/evidence/receipts.json`, which `hookkit contracts --receipts` prints. A
//! test that saw a refusal calls [`Receipt::check`]: the file must say what was seen. With
//! `HOOKKIT_WRITE_RECEIPTS=1` the file is rewritten instead. It holds no times and no paths, so that
//! it changes only when a client, a plugin or a reply does.

use std::path::PathBuf;

use fs_err as fs;
use serde::{Deserialize, Serialize};

use crate::client::Client;
use crate::{environment, program};

/// One refused and one allowed call of one session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Receipt {
    pub client: String,
    pub version: String,
    pub plugin: String,
    pub event: String,
    /// A call that ran.
    pub allowed: String,
    pub refused: Refused,
}

/// A call that did not run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Refused {
    pub call: String,
    /// What the model was told, whole.
    pub told: String,
}

impl Refused {
    /// This call, of which the model was told so.
    pub fn new(call: &str, told: &str) -> Self {
        Self {
            call: call.to_owned(),
            told: told.to_owned(),
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    schema: u32,
    receipts: Vec<Receipt>,
}

impl Receipt {
    /// Holds a session to its receipt, in which `allowed` ran and the model was told this of
    /// `refused`. Panics unless the file has it; or writes it there.
    pub fn check(client: &dyn Client, plugin: &str, event: &str, allowed: &str, refused: Refused) {
        assert!(
            !refused.told.contains("/tmp"),
            "a receipt has no paths: {}",
            refused.told
        );
        let seen = Self {
            client: client.host().to_owned(),
            version: client.version().to_owned(),
            plugin: plugin.to_owned(),
            event: event.to_owned(),
            allowed: allowed.to_owned(),
            refused,
        };
        if environment::writes_receipts() {
            return seen.write();
        }
        assert!(
            kept().contains(&seen),
            "{} has this receipt; HOOKKIT_WRITE_RECEIPTS=1 writes it: {seen:#?}",
            file().display()
        );
    }

    /// Puts it in the place of the one that it supersedes. Tests are processes side by side, so one
    /// writes at a time.
    fn write(self) {
        let lock = fs::File::create(program::target_folder().join("receipts.lock")).unwrap();
        lock.file().lock().unwrap();
        let mut receipts = kept();
        receipts.retain(|other| other.key() != self.key());
        receipts.push(self);
        receipts.sort_by(|one, other| one.key().cmp(&other.key()));
        let document = Document {
            schema: 1,
            receipts,
        };
        let text = serde_json::to_string_pretty(&document).expect("receipts are JSON");
        fs::write(file(), text + "\n").unwrap();
    }

    fn key(&self) -> (&str, &str, &str) {
        (&self.client, &self.plugin, &self.event)
    }
}

/// The receipts of the repository.
pub fn kept() -> Vec<Receipt> {
    let document: Document =
        serde_json::from_slice(&fs::read(file()).unwrap()).expect("receipts.json is of its schema");
    assert_eq!(document.schema, 1);
    document.receipts
}

fn file() -> PathBuf {
    program::repository().join("docs/evidence/receipts.json")
}

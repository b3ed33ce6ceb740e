//! What an installation records about a plugin: `receipts/NAME` in the data folder, JSON.
//!
//! The dispatcher reads `state`, `version`, `required`, `programs`, `id`, `disabled` and `log`
//! of it (`hookkit_dispatch::receipt`); the rest is for `hookkit`. It is written before the first file of a
//! host is changed, so that whatever happens then can be undone.

use super::data::Data;
use super::log::Log;
use crate::edit::Undo;
use crate::outcome::Stop;
use crate::source::{Origin, Source};
use anyhow::Context as _;
use fs_err as fs;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;

/// The form of a receipt.
const SCHEMA: u32 = 1;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Receipt {
    schema: u32,
    pub(crate) state: State,
    pub(crate) name: String,
    /// The folder in the store.
    pub(crate) version: String,
    /// The version as the manifest says it.
    pub(crate) release: String,
    /// The plugin as hosts name it in their settings.
    pub(crate) id: String,
    pub(crate) source: Source,
    /// The public key that signed the package. Only what the same key signs may follow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) key: Option<String>,
    /// The sum of the package.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) sha256: Option<String>,
    /// In seconds since 1970, as all times here.
    pub(crate) installed: u64,
    pub(crate) changed: u64,
    /// Events with a required gate.
    pub(crate) required: Vec<String>,
    /// Programs that hooks name, where they were found.
    pub(crate) programs: BTreeMap<String, PathBuf>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) disabled: Vec<Disabled>,
    /// Where the dispatcher writes down what hooks do; none for nowhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) log: Option<Log>,
    pub(crate) hosts: Vec<String>,
    /// The repositories in which it counts; none for every folder.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) repositories: Vec<PathBuf>,
    /// The files of hosts that were changed.
    pub(crate) files: Vec<Entered>,
    /// Versions that were in use before, and until when.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) earlier: BTreeMap<String, u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum State {
    Installed,
    Removed,
}

/// What a person switched off, as the dispatcher reads it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Disabled {
    /// The hook; none for all of the plugin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hook: Option<String>,
    pub(crate) since: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) until: Option<u64>,
}

/// A file of a host that was changed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Entered {
    pub(crate) host: String,
    /// The members that are ours, by the keys that lead to them; none where all of the file is.
    pub(crate) members: Vec<Member>,
    /// Members that were true and are false now, in place of which ours are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) replaced: Vec<Vec<String>>,
    /// Is all of it a copy, in a folder that the host has for this plugin?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) copy: bool,
    /// Was there no such file before hookkit made one?
    #[serde(default)]
    pub(crate) made: bool,
    pub(crate) undo: Undo,
}

/// A member that is ours.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Member {
    pub(crate) at: Vec<String>,
    /// How many of the objects around it were made for it.
    pub(crate) made: usize,
}

impl Entered {
    /// Takes over what another plugin made in the same file, and the folders that it made around this
    /// one, now that it goes: whoever is last takes them away.
    pub(crate) fn inherit(&mut self, gone: &Self) {
        self.undo.inherit(&gone.undo);
        if gone.undo.file != self.undo.file {
            return;
        }
        self.made |= gone.made;
        for member in &mut self.members {
            let around = member.at.split_last().map(|(_, around)| around);
            let made = gone
                .members
                .iter()
                .filter(|other| other.at.split_last().map(|(_, around)| around) == around)
                .map(|other| other.made);
            member.made = made.fold(member.made, usize::max);
        }
    }
}

impl Member {
    pub(crate) fn keys(&self) -> Vec<&str> {
        self.at.iter().map(String::as_str).collect()
    }
}

impl Receipt {
    pub(crate) fn new(name: &str, id: String, origin: Origin, now: u64) -> Self {
        Self {
            schema: SCHEMA,
            state: State::Installed,
            name: name.to_owned(),
            version: String::new(),
            release: String::new(),
            id,
            source: origin.source,
            key: origin.key,
            sha256: origin.sha256,
            installed: now,
            changed: now,
            required: Vec::new(),
            programs: BTreeMap::new(),
            disabled: Vec::new(),
            log: None,
            hosts: Vec::new(),
            repositories: Vec::new(),
            files: Vec::new(),
            earlier: BTreeMap::new(),
        }
    }

    pub(crate) fn add_host(&mut self, name: &str) {
        if self.hosts.iter().all(|known| known != name) {
            self.hosts.push(name.to_owned());
        }
    }

    pub(crate) fn come_from(&mut self, origin: Origin) {
        self.source = origin.source;
        self.key = origin.key;
        self.sha256 = origin.sha256;
    }

    /// The receipt of a plugin; none where there is no file.
    pub(crate) fn read(data: &Data, plugin: &str) -> Result<Option<Self>, Stop> {
        let file = data.receipt(plugin);
        let bytes = match fs::read(&file) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let receipt: Self = serde_json::from_slice(&bytes).with_context(|| {
            format!(
                "{} cannot be read; remove it, and run `hookkit uninstall {plugin}` or `hookkit \
                 install` again",
                file.display()
            )
        })?;
        if receipt.schema > SCHEMA {
            return Err(Stop::refused(format!(
                "{} was written by a newer hookkit; use that one",
                file.display()
            )));
        }
        Ok(Some(receipt))
    }

    /// All receipts of a data folder, those that cannot be read left out.
    pub(crate) fn all(data: &Data) -> Vec<Self> {
        data.plugins()
            .iter()
            .filter_map(|plugin| Self::read(data, plugin).ok()?)
            .collect()
    }

    /// Another version is in use from now on.
    pub(super) fn move_to(&mut self, version: String, now: u64) {
        if self.version == version {
            return;
        }
        let before = std::mem::replace(&mut self.version, version);
        if !before.is_empty() {
            self.earlier.insert(before, now);
        }
    }

    /// The text of the file.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec_pretty(self).unwrap_or_default();
        bytes.push(b'\n');
        bytes
    }
}

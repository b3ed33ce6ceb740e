//! Which of it is an installation of hookkit's, and whether somebody switched that off.

use crate::install::{Receipt, State, is_id, is_launch_line};
use crate::survey::Source;
use hookkit_launchers::repository;
use serde::Serialize;

/// A plugin that hookkit installed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Ours {
    pub(super) name: String,
    pub(super) version: String,
    /// Where it counts: `user` or `local`, or `project` for what a repository brings along.
    pub(super) scope: &'static str,
    /// What `hookkit disable` switched off, as sentences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) disabled: Vec<String>,
    /// All of it is off.
    #[serde(skip)]
    pub(super) is_off: bool,
}

impl Ours {
    /// The plugin that a source belongs to, where it is one of these.
    pub(super) fn of(source: &Source, receipts: &[Receipt], now: u64) -> Option<Self> {
        let installed = receipts
            .iter()
            .filter(|receipt| receipt.state == State::Installed);
        for receipt in installed {
            let by_id = source
                .plugin
                .as_ref()
                .is_some_and(|plugin| is_id(&plugin.id, &receipt.name));
            if by_id || starts(source, |entry| is_launch_line(entry, &receipt.name)) {
                return Some(Self::installed(receipt, now));
            }
        }
        let name = source.file.file_stem()?.to_str()?;
        let line = repository::bash_line(name);
        let is_of_repository = starts(source, |entry| {
            entry["bash"]
                .as_str()
                .is_some_and(|bash| bash.starts_with(&line))
        });
        is_of_repository.then(|| Self {
            name: name.to_owned(),
            version: String::new(),
            scope: "project",
            disabled: Vec::new(),
            is_off: false,
        })
    }

    fn installed(receipt: &Receipt, now: u64) -> Self {
        let counting = receipt
            .disabled
            .iter()
            .filter(|one| one.until.is_none_or(|until| until > now));
        let sentence = |one: &crate::install::Disabled| {
            let what = match &one.hook {
                Some(hook) => format!("hook `{hook}` is off"),
                None => "all of it is off".to_owned(),
            };
            match one.until {
                Some(until) => format!("{what} for {} s more", until - now),
                None => format!("{what} until `hookkit enable {}`", receipt.name),
            }
        };
        Self {
            name: receipt.name.clone(),
            version: receipt.release.clone(),
            scope: if receipt.repositories.is_empty() {
                "user"
            } else {
                "local"
            },
            is_off: counting.clone().any(|one| one.hook.is_none()),
            disabled: counting.map(sentence).collect(),
        }
    }
}

/// Is every entry of a source one of these?
fn starts(source: &Source, is_one: impl Fn(&serde_json::Value) -> bool) -> bool {
    !source.hooks.is_empty() && source.hooks.iter().all(|hook| is_one(&hook.entry.json()))
}

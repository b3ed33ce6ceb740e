//! What an installation recorded about a plugin, in the data folder that the dispatcher stands in.
//!
//! Layout of the data folder: `bin/hookkit-dispatch`, `receipts/NAME` (this file, JSON),
//! `store/NAME/VERSION/` (the plugin).

use crate::{json, log};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// The receipt of one plugin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// The plugin's name.
    pub plugin: String,
    pub state: State,
    /// The version folder in use.
    pub root: PathBuf,
    /// Events with a required gate: denied when the plugin cannot be loaded.
    pub required: Vec<String>,
    /// Programs found when the plugin was installed, by name.
    pub programs: Vec<(String, PathBuf)>,
    /// The plugin as hosts name it in their settings: `NAME@MARKETPLACE`.
    pub id: Option<String>,
    /// What a person switched off.
    pub disabled: Vec<Disabled>,
    /// The file that is written to about every hook, where somebody wants that.
    pub log: Option<PathBuf>,
}

/// What a person switched off, and for how long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disabled {
    /// The hook; `None` for all of the plugin.
    pub hook: Option<String>,
    /// In seconds since 1970; `None` until it is enabled again.
    pub until: Option<u64>,
}

impl Receipt {
    /// Is all of the plugin switched off now?
    pub fn is_disabled(&self) -> bool {
        self.disables(|hook| hook.is_none())
    }

    /// Is this hook switched off now?
    pub fn is_hook_disabled(&self, id: &str) -> bool {
        self.disables(|hook| hook.is_none_or(|hook| hook == id))
    }

    fn disables(&self, concerns: impl Fn(Option<&str>) -> bool) -> bool {
        let in_force = |disabled: &&Disabled| disabled.until.is_none_or(|until| now() < until);
        self.disabled
            .iter()
            .filter(|disabled| concerns(disabled.hook.as_deref()))
            .any(|disabled| in_force(&disabled))
    }
}

/// Seconds since 1970.
pub fn now() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs())
}

/// Is the plugin installed, or was it removed while a session may still call it?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Installed,
    Removed,
}

/// Reads the receipt of `plugin` in a data folder; the error says what is wrong with which file.
pub fn read(data: &Path, plugin: &str) -> Result<Receipt, String> {
    let file = data.join("receipts").join(plugin);
    let name = file.display();
    if !is_folder_name(plugin) {
        return Err(format!("`{plugin}` is no plugin name"));
    }
    let bytes = std::fs::read(&file).map_err(|error| format!("{name}: {error}"))?;
    json::is_document(&bytes).map_err(|error| format!("{name}: {error}"))?;
    let members = json::members(bytes.trim_ascii()).ok_or(format!("{name}: no object"))?;
    let find = |key: &str| json::find(&members, key);
    let state = match find("state").and_then(json::text).as_deref() {
        Some("installed") => State::Installed,
        Some("removed") => State::Removed,
        _ => return Err(format!("{name}: `state` is neither installed nor removed")),
    };
    let version = find("version")
        .and_then(json::text)
        .filter(|version| is_folder_name(version))
        .ok_or(format!("{name}: `version` is no folder name"))?;
    Ok(Receipt {
        plugin: plugin.to_owned(),
        state,
        root: data.join("store").join(plugin).join(&*version),
        required: find("required")
            .and_then(json::elements)
            .unwrap_or_default()
            .into_iter()
            .filter_map(|event| json::text(event).map(std::borrow::Cow::into_owned))
            .collect(),
        programs: find("programs")
            .and_then(json::members)
            .unwrap_or_default()
            .into_iter()
            .filter_map(|member| {
                let path = PathBuf::from(&*json::text(member.value)?);
                path.is_absolute()
                    .then(|| (member.key().into_owned(), path))
            })
            .collect(),
        id: find("id")
            .and_then(json::text)
            .map(std::borrow::Cow::into_owned),
        disabled: find("disabled")
            .and_then(json::elements)
            .unwrap_or_default()
            .into_iter()
            .filter_map(disabled)
            .collect(),
        log: find("log").and_then(|value| log(value, data)),
    })
}

/// `true` for the file in the data folder, or another file by its absolute path.
fn log(value: &[u8], data: &Path) -> Option<PathBuf> {
    if value == b"true" {
        return Some(data.join(log::FILE));
    }
    let file = PathBuf::from(&*json::text(value)?);
    file.is_absolute().then_some(file)
}

/// One entry of `disabled`. What cannot be read switches nothing off.
fn disabled(entry: &[u8]) -> Option<Disabled> {
    let members = json::members(entry)?;
    let find = |key: &str| members.iter().find(|member| member.key() == key);
    let hook = match find("hook") {
        Some(member) => Some(json::text(member.value)?.into_owned()),
        None => None,
    };
    let until = match find("until") {
        Some(member) => Some(std::str::from_utf8(member.value).ok()?.parse().ok()?),
        None => None,
    };
    Some(Disabled { hook, until })
}

/// May this name be one component of a path below the data folder?
pub fn is_folder_name(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= 100
        && !name.starts_with('.')
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b'+'))
}

//! What an installation recorded about a plugin, in the data folder that the dispatcher stands in.
//!
//! Layout of the data folder: `bin/hookkit-dispatch`, `receipts/NAME` (this file, JSON),
//! `store/NAME/VERSION/` (the plugin).

use crate::json;
use std::path::{Path, PathBuf};

/// The receipt of one plugin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    pub state: State,
    /// The version folder in use.
    pub root: PathBuf,
    /// Events with a required gate: denied when the plugin cannot be loaded.
    pub required: Vec<String>,
    /// Programs found when the plugin was installed, by name.
    pub programs: Vec<(String, PathBuf)>,
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
    let find = |key: &str| {
        members
            .iter()
            .rev()
            .find(|member| member.key() == key)
            .map(|member| member.value)
    };
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
    })
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

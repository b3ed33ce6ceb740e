//! What is ours in the files of hosts, known by itself: without a receipt, and after a host has
//! dropped every member that it does not know.

use super::data::digits;
use super::machine::Found;
use super::receipt::Member;
use crate::edit::{Change, Document};
use crate::outcome::Stop;
use fs_err as fs;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The changes that take out everything of a plugin that some installation told this host. What
/// merely has our name in a path is somebody else's.
pub(crate) fn take_out(
    found: &Found,
    plugin: &str,
    repositories: &[PathBuf],
) -> Result<Vec<Change>, Stop> {
    let mut changes = Vec::new();
    let local = repositories
        .iter()
        .map(|repository| repository.join(found.host.local_settings()))
        .filter(|file| may_name(file, plugin));
    for settings in [found.folder.join("settings.json")]
        .into_iter()
        .chain(local)
    {
        if settings.is_file() {
            let mut document = Document::open(&settings)?;
            for member in members(&document, plugin) {
                document.remove(&member.keys(), member.made)?;
            }
            changes.push(document.change());
        }
    }
    let hooks = found
        .folder
        .join("hooks")
        .join(format!("hookkit-{plugin}.json"));
    if fs::read(&hooks).is_ok_and(|bytes| is_hooks_file(&bytes, plugin)) {
        changes.push(Change::delete(&hooks)?);
    }
    changes.retain(|change| !change.is_empty());
    Ok(changes)
}

/// A repository's file that has nothing of ours keeps nobody from going on, whatever is wrong with it.
fn may_name(file: &Path, plugin: &str) -> bool {
    let id = format!("{plugin}@hookkit-");
    fs::read_to_string(file).is_ok_and(|text| text.contains(&id))
}

/// Our members in a file of settings. An object that would be empty without them was made for them.
fn members(document: &Document, plugin: &str) -> Vec<Member> {
    let keys_of = |key: &str| match document.value(&[key]) {
        Some(Value::Object(members)) => members,
        _ => serde_json::Map::new(),
    };
    let marketplaces = keys_of("extraKnownMarketplaces")
        .into_iter()
        .filter(|(name, value)| is_marketplace(name, value, plugin))
        .map(|(name, _)| vec!["extraKnownMarketplaces".to_owned(), name]);
    let plugins = keys_of("enabledPlugins")
        .into_iter()
        .filter(|(id, _)| is_id(id, plugin))
        .map(|(id, _)| vec!["enabledPlugins".to_owned(), id]);
    marketplaces
        .chain(plugins)
        .map(|at| Member { at, made: 1 })
        .collect()
}

/// Is this a marketplace of a data folder? Its name carries the digits of the folder it leads to.
fn is_marketplace(name: &str, value: &Value, plugin: &str) -> bool {
    let Some(digits_in_name) = digits_in(name, plugin) else {
        return false;
    };
    let Some(thin) = value["source"]["path"].as_str() else {
        return false;
    };
    let data = Path::new(thin).parent().and_then(Path::parent);
    data.and_then(Path::to_str)
        .is_some_and(|data| digits(data) == digits_in_name)
}

/// Is this a plugin of such a marketplace?
pub(crate) fn is_id(id: &str, plugin: &str) -> bool {
    id.split_once('@').is_some_and(|(name, marketplace)| {
        name == plugin && digits_in(marketplace, plugin).is_some()
    })
}

fn digits_in<'n>(marketplace: &'n str, plugin: &str) -> Option<&'n str> {
    let digits = marketplace
        .strip_prefix("hookkit-")?
        .strip_prefix(plugin)?
        .strip_prefix('-')?;
    let are_digits = digits.len() == 8
        && digits
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    are_digits.then_some(digits)
}

/// Is every entry of a hooks file a launch line of ours for this plugin?
pub(crate) fn is_hooks_file(bytes: &[u8], plugin: &str) -> bool {
    let Ok(document) = serde_json::from_slice::<Value>(bytes) else {
        return false;
    };
    let Some(events) = document["hooks"].as_object() else {
        return false;
    };
    let mut entries = events.values().filter_map(Value::as_array).flatten();
    !events.is_empty() && entries.all(|entry| is_launch_line(entry, plugin))
}

/// Does an entry start a dispatcher of a data folder for this plugin?
pub(crate) fn is_launch_line(entry: &Value, plugin: &str) -> bool {
    let starts_ours = ["exec", "command"].iter().any(|key| {
        entry[*key].as_str().is_some_and(|program| {
            let program = program.strip_suffix(".exe").unwrap_or(program);
            program
                .replace('\\', "/")
                .ends_with("/bin/hookkit-dispatch")
        })
    });
    let args: Vec<&str> = entry["args"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    starts_ours && args.windows(2).any(|pair| pair == ["--plugin", plugin])
}

//! What is ours in the files of hosts, known by itself: without a receipt, and after a host has
//! dropped every member that it does not know.

use super::data::digits;
use super::machine::Found;
use super::receipt::Member;
use super::settings::{self, Settings};
use crate::edit::Change;
use crate::outcome::Stop;
use fs_err as fs;
use hookkit_dispatch::root::MANIFEST;
use hookkit_launchers::install::{LOCATIONS, Place};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The changes that take out everything of a plugin that some installation told this host. What
/// merely has our name in a path is somebody else's.
pub(crate) fn take_out(
    found: &Found,
    place: &Place,
    repositories: &[PathBuf],
) -> Result<Vec<Change>, Stop> {
    let plugin = place.plugin();
    let mut changes = Vec::new();
    let local = repositories
        .iter()
        .filter_map(|repository| Some(repository.join(found.host.local_settings()?)));
    for settings in found.all_settings().chain(local) {
        if settings.is_file() {
            let mut document = match settings::open(&settings) {
                Ok(document) => document,
                Err(_) if !may_name(&settings, plugin) => continue,
                Err(refused) => return Err(refused.into()),
            };
            for member in members(&*document, place) {
                document.remove(&member)?;
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

/// The plugins of which a host is told by some installation, in the user's own settings.
pub(crate) fn plugins(found: &Found) -> BTreeSet<String> {
    let of_marketplace = |id: &str| {
        let marketplace = id.rsplit('@').next()?;
        let (name, _) = marketplace.strip_prefix("hookkit-")?.rsplit_once('-')?;
        digits_in(marketplace, name).map(|_| name.to_owned())
    };
    let mut names = BTreeSet::new();
    for file in found.all_settings().filter(|file| file.is_file()) {
        let Ok(document) = settings::open(&file) else {
            continue;
        };
        for key in MARKETPLACES.into_iter().chain(PLUGINS) {
            let members = members_at(&*document, &[key]);
            names.extend(members.keys().filter_map(|id| of_marketplace(id)));
        }
    }
    let hooks = fs::read_dir(found.folder.join("hooks"));
    for entry in hooks.into_iter().flatten().flatten() {
        let file = entry.file_name();
        let name = file.to_str().and_then(|name| name.strip_prefix("hookkit-"));
        let name = name.and_then(|name| name.strip_suffix(".json"));
        let is_ours =
            |name: &&str| fs::read(entry.path()).is_ok_and(|bytes| is_hooks_file(&bytes, name));
        names.extend(name.filter(is_ours).map(str::to_owned));
    }
    names
}

/// A file that has nothing of ours keeps nobody from going on, whatever is wrong with it.
fn may_name(file: &Path, plugin: &str) -> bool {
    let names = [format!("{plugin}@hookkit-"), format!("hookkit-{plugin}-")];
    fs::read(file).is_ok_and(|bytes| {
        let text = String::from_utf8_lossy(&bytes);
        text.contains(LOCATIONS) || names.iter().any(|name| text.contains(name))
    })
}

/// Where hosts keep marketplaces, and plugins by their ids.
const MARKETPLACES: [&str; 2] = ["extraKnownMarketplaces", "marketplaces"];
const PLUGINS: [&str; 2] = ["enabledPlugins", "plugins"];

/// Our members in a file of settings. An object that would be empty without them was made for them.
fn members(document: &dyn Settings, place: &Place) -> Vec<Member> {
    let plugin = place.plugin();
    let of = |keys: [&'static str; 2], is_ours: &dyn Fn(&str, &Value) -> bool| -> Vec<Member> {
        let mut found = Vec::new();
        for key in keys {
            let named = members_at(document, &[key]).into_iter();
            let ours = named.filter(|(name, value)| is_ours(name, value));
            found.extend(ours.map(|(name, _)| Member {
                at: vec![key.to_owned(), name],
                made: 1,
            }));
        }
        found
    };
    let mut found = of(MARKETPLACES, &|name, value| {
        is_marketplace(name, value, plugin)
    });
    found.extend(of(PLUGINS, &|id, _| is_id(id, plugin)));
    let locations = members_at(document, &[LOCATIONS]).into_iter();
    let ours = locations.filter(|(folder, _)| {
        *folder == place.thin() || is_pointer(&Path::new(folder).join(MANIFEST), plugin)
    });
    found.extend(ours.map(|(folder, _)| Member {
        at: vec![LOCATIONS.to_owned(), folder],
        made: 1,
    }));
    found.extend(noted(document, plugin));
    found
}

/// Does a manifest point to an installation of this plugin?
fn is_pointer(file: &Path, plugin: &str) -> bool {
    let manifest = fs::read(file).ok();
    let manifest = manifest.and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok());
    manifest.is_some_and(|manifest| manifest["managed"] == true && manifest["name"] == plugin)
}

/// What Codex writes down about the hooks of a plugin, under `ID:FILE:EVENT:GROUP:HANDLER`.
pub(super) fn noted(document: &dyn Settings, plugin: &str) -> Vec<Member> {
    let is_ours = |key: &str| key.split_once(':').is_some_and(|(id, _)| is_id(id, plugin));
    members_at(document, &["hooks", "state"])
        .into_iter()
        .filter(|(key, _)| is_ours(key))
        .map(|(key, _)| Member {
            at: vec!["hooks".to_owned(), "state".to_owned(), key],
            made: 2,
        })
        .collect()
}

fn members_at(document: &dyn Settings, at: &[&str]) -> serde_json::Map<String, Value> {
    match document.value(at) {
        Some(Value::Object(members)) => members,
        _ => serde_json::Map::new(),
    }
}

/// Is this a marketplace of a data folder? Its name carries the digits of the folder it leads to.
fn is_marketplace(name: &str, value: &Value, plugin: &str) -> bool {
    let Some(digits_in_name) = digits_in(name, plugin) else {
        return false;
    };
    let source = &value["source"];
    let Some(thin) = source.as_str().or_else(|| source["path"].as_str()) else {
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

/// Does a line for a shell start a dispatcher of a data folder for this plugin?
pub(crate) fn is_shell_line(line: &str, plugin: &str) -> bool {
    let mut words = line
        .split_whitespace()
        .skip_while(|word| *word != "--plugin");
    let starts_ours = line.replace('\\', "/").contains("/bin/hookkit-dispatch");
    starts_ours && words.nth(1) == Some(plugin)
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

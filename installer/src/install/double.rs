//! The same plugin, told to a host in another place too: its hooks would fire twice, for hosts do not
//! compare what comes from different places.

use super::known;
use super::machine::Found;
use super::settings::{self, Settings};
use crate::edit::Document;
use fs_err as fs;
use hookkit_dispatch::root::MANIFEST;
use hookkit_launchers::install::{LOCATIONS, Place};
use hookkit_launchers::repository;
use hookkit_launchers::repository::claude_code::is_handler;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// One such place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Double {
    pub(crate) file: PathBuf,
    pub(crate) way_out: WayOut,
}

/// How it is resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum WayOut {
    /// This member becomes false, when somebody asks for it.
    Off(Vec<String>),
    /// What a person has to do.
    ByHand(String),
}

impl Double {
    /// As a sentence.
    pub(crate) fn sentence(&self) -> String {
        let file = self.file.display();
        match &self.way_out {
            WayOut::Off(at) => format!(
                "{file} enables {} as well; --replace makes that false",
                at.get(1).map_or("it", String::as_str)
            ),
            WayOut::ByHand(what) => format!("{file} starts its hooks as well; {what}"),
        }
    }
}

/// Every place but ours in which a host is told of this plugin: the user's own, and these
/// repositories.
pub(crate) fn find(found: &Found, place: &Place, repositories: &[PathBuf]) -> Vec<Double> {
    let mut doubles = Vec::new();
    let of_repositories = repositories.iter().flat_map(|root| {
        let files = found.host.settings_of_repository().iter();
        files.map(|file| root.join(file))
    });
    for file in found.all_settings().chain(of_repositories) {
        in_settings(&file, place, &mut doubles);
        // Copilot starts nothing of them.
        if !found.host.reads_hooks_of_repository() && is_brought_along(&file, place) {
            doubles.push(brought_along(&file, found));
        }
    }
    if let Some(hooks) = found.host.hooks_of_user() {
        in_hooks(&found.folder.join(hooks), place, &mut doubles);
    }
    let own = format!("hookkit-{}.json", place.plugin());
    for entry in fs::read_dir(found.folder.join("hooks"))
        .into_iter()
        .flatten()
        .flatten()
    {
        let file = entry.path();
        let is_double = file.extension().is_some_and(|ending| ending == "json")
            && entry.file_name() != own.as_str()
            && fs::read(&file).is_ok_and(|bytes| known::is_hooks_file(&bytes, place.plugin()));
        if is_double {
            let what = "remove that file".to_owned();
            doubles.push(Double {
                file,
                way_out: WayOut::ByHand(what),
            });
        }
    }
    let roots = repositories
        .iter()
        .filter(|_| found.host.reads_hooks_of_repository());
    for root in roots {
        let file = root.join(repository::registration_file(place.plugin()));
        if fs::read_to_string(&file)
            .is_ok_and(|text| text.contains(&repository::bash_line(place.plugin())))
        {
            doubles.push(brought_along(&file, found));
        }
    }
    in_registry(found, place, &mut doubles);
    doubles
}

/// What a repository's settings enable beside a plugin that is to be a part of it, each as a sentence.
pub(crate) fn in_repository(hosts: &[Found], place: &Place, root: &Path) -> Vec<String> {
    let mut doubles: Vec<Double> = Vec::new();
    for found in hosts {
        for file in found.host.settings_of_repository() {
            in_settings(&root.join(file), place, &mut doubles);
        }
    }
    let sentence = |double: Double| match double.way_out {
        WayOut::Off(at) => Some(format!(
            "{} enables {} as well; make that false",
            double.file.display(),
            at.last().map_or("it", String::as_str)
        )),
        // Entries that are its own.
        WayOut::ByHand(_) => None,
    };
    let mut sentences: Vec<String> = doubles.into_iter().filter_map(sentence).collect();
    sentences.sort();
    sentences.dedup();
    sentences
}

/// One that cannot be read is refused where it is edited, and read by no host.
fn opened(file: &Path) -> Option<Box<dyn Settings>> {
    file.is_file().then(|| settings::open(file).ok()).flatten()
}

fn in_settings(file: &Path, place: &Place, doubles: &mut Vec<Double>) {
    let Some(document) = opened(file) else {
        return;
    };
    let is_double = |id: &str| {
        id.split_once('@')
            .is_some_and(|(name, _)| name == place.plugin())
            && id != place.id()
    };
    for plugins in ["enabledPlugins", "plugins"] {
        let Some(Value::Object(plugins_there)) = document.value(&[plugins]) else {
            continue;
        };
        for (id, value) in plugins_there.into_iter().filter(|(id, _)| is_double(id)) {
            let mut at = vec![plugins.to_owned(), id];
            if value["enabled"] == Value::Bool(true) {
                at.push("enabled".to_owned());
            } else if value != Value::Bool(true) {
                continue;
            }
            doubles.push(Double {
                file: file.to_owned(),
                way_out: WayOut::Off(at),
            });
        }
    }
    in_entries(&*document, file, place, doubles);
    in_locations(&*document, file, place, doubles);
}

/// Folders that VS Code reads plugins from.
fn in_locations(document: &dyn Settings, file: &Path, place: &Place, doubles: &mut Vec<Double>) {
    let Some(Value::Object(locations)) = document.value(&[LOCATIONS]) else {
        return;
    };
    let holds_it = |folder: &str| {
        let manifest = fs::read(Path::new(folder).join(MANIFEST)).ok();
        let manifest = manifest.and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok());
        manifest.is_some_and(|manifest| manifest["name"] == place.plugin())
    };
    for (folder, is_on) in locations {
        if is_on == Value::Bool(true) && folder != place.thin() && holds_it(&folder) {
            doubles.push(Double {
                file: file.to_owned(),
                way_out: WayOut::Off(vec![LOCATIONS.to_owned(), folder]),
            });
        }
    }
}

fn in_hooks(file: &Path, place: &Place, doubles: &mut Vec<Double>) {
    if let Some(document) = opened(file) {
        in_entries(&*document, file, place, doubles);
    }
}

/// Entries of somebody's own.
fn in_entries(document: &dyn Settings, file: &Path, place: &Place, doubles: &mut Vec<Double>) {
    let is_ours = |entry: &Value| {
        known::is_launch_line(entry, place.plugin())
            || entry["command"]
                .as_str()
                .is_some_and(|line| known::is_shell_line(line, place.plugin()))
    };
    if has_entry(document, is_ours) {
        doubles.push(Double {
            file: file.to_owned(),
            way_out: WayOut::ByHand("remove those entries from `hooks`".to_owned()),
        });
    }
}

/// Is there such an entry among the hooks of a file of settings?
fn has_entry(document: &dyn Settings, is_meant: impl Fn(&Value) -> bool) -> bool {
    let Some(Value::Object(groups)) = document.value(&["hooks"]) else {
        return false;
    };
    let mut entries = groups
        .values()
        .filter_map(Value::as_array)
        .flatten()
        .filter_map(|group| group["hooks"].as_array())
        .flatten();
    entries.any(is_meant)
}

/// Do the settings of a repository start the plugin that is a part of it?
fn is_brought_along(file: &Path, place: &Place) -> bool {
    opened(file)
        .is_some_and(|document| has_entry(&*document, |entry| is_handler(entry, place.plugin())))
}

fn brought_along(file: &Path, found: &Found) -> Double {
    let what = format!(
        "this repository brings it along, so install from another folder, or for other agents than \
         {} alone",
        found.name()
    );
    Double {
        file: file.to_owned(),
        way_out: WayOut::ByHand(what),
    }
}

/// What a client's own `plugin install` noted down.
fn in_registry(found: &Found, place: &Place, doubles: &mut Vec<Double>) {
    let file = found.folder.join("config.json");
    let Some(document) = file.is_file().then(|| Document::open(&file).ok()).flatten() else {
        return;
    };
    let Some(Value::Array(plugins)) = document.value(&["installedPlugins"]) else {
        return;
    };
    let is_double = |plugin: &Value| {
        plugin["name"] == place.plugin()
            && plugin["marketplace"] != place.marketplace()
            && plugin["enabled"] != Value::Bool(false)
    };
    if plugins.iter().any(is_double) {
        let what = format!(
            "run `{} plugin uninstall {}`",
            found.host.program(),
            place.plugin()
        );
        doubles.push(Double {
            file,
            way_out: WayOut::ByHand(what),
        });
    }
}

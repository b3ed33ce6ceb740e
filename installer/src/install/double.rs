//! The same plugin, told to a host in another place too: its hooks would fire twice, for hosts do not
//! compare what comes from different places.

use super::known;
use super::machine::Found;
use crate::edit::Document;
use fs_err as fs;
use hookkit_launchers::install::Place;
use hookkit_launchers::repository;
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
                at.last().map_or("it", String::as_str)
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
    for file in [found.folder.join("settings.json")]
        .into_iter()
        .chain(of_repositories)
    {
        in_settings(&file, place, &mut doubles);
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
            let what = format!(
                "this repository brings it along, so install from another folder, or for other \
                 agents than {} alone",
                found.name()
            );
            doubles.push(Double {
                file,
                way_out: WayOut::ByHand(what),
            });
        }
    }
    in_registry(found, place, &mut doubles);
    doubles
}

fn in_settings(file: &Path, place: &Place, doubles: &mut Vec<Double>) {
    // One that cannot be read is refused where it is edited, and read by no host.
    let Some(document) = file.is_file().then(|| Document::open(file).ok()).flatten() else {
        return;
    };
    if let Some(Value::Object(enabled)) = document.value(&["enabledPlugins"]) {
        for (id, is_on) in enabled {
            let is_double = id
                .split_once('@')
                .is_some_and(|(name, _)| name == place.plugin())
                && id != place.id()
                && is_on == Value::Bool(true);
            if is_double {
                doubles.push(Double {
                    file: file.to_owned(),
                    way_out: WayOut::Off(vec!["enabledPlugins".to_owned(), id]),
                });
            }
        }
    }
    let Some(Value::Object(groups)) = document.value(&["hooks"]) else {
        return;
    };
    let mut entries = groups
        .values()
        .filter_map(Value::as_array)
        .flatten()
        .filter_map(|group| group["hooks"].as_array())
        .flatten();
    if entries.any(|entry| known::is_launch_line(entry, place.plugin())) {
        doubles.push(Double {
            file: file.to_owned(),
            way_out: WayOut::ByHand("remove those entries from `hooks`".to_owned()),
        });
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

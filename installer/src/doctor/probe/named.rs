//! Which plugin somebody means by a name.

use crate::install::{Data, Receipt};
use crate::outcome::Stop;
use crate::survey::{Plugin, Survey};
use hookkit_dispatch::root::MANIFEST;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// A plugin that somebody named.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::doctor) enum Named {
    /// It has a `hookkit.json`: the folder with it.
    Own(PathBuf),
    /// Hosts load it under this name.
    Loaded(String),
}

/// Finds a plugin by the name that hosts have for it, `PLUGIN@MARKETPLACE`, or by its first part where
/// that leaves no doubt.
pub(in crate::doctor) fn find(
    name: &str,
    data: Option<&Data>,
    survey: &Survey,
) -> Result<Named, Stop> {
    let installed = Installed::all(data);
    let matches = |id: &str| id == name || id.split('@').next() == Some(name);
    // Whether hookkit installed it or not, by the same words.
    let mut found: BTreeSet<(String, Named)> = installed
        .iter()
        .filter(|own| matches(&own.id))
        .map(|own| (own.id.clone(), Named::Own(own.folder.clone())))
        .collect();
    let loaded = survey
        .plugins
        .iter()
        .filter(|plugin| matches(&plugin.id) && !installed.iter().any(|own| own.is(plugin)));
    found.extend(loaded.map(|plugin| (plugin.id.clone(), named(plugin))));
    if let Some((_, exact)) = found.iter().find(|(id, _)| id == name && id.contains('@')) {
        return Ok(exact.clone());
    }
    let ids: BTreeSet<&str> = found.iter().map(|(id, _)| &**id).collect();
    match (found.first(), ids.len()) {
        (Some((_, one)), 1) => Ok(one.clone()),
        (Some(_), _) => {
            let ids: Vec<&str> = ids.into_iter().collect();
            Err(Stop::unusable(format!(
                "`{name}` may be each of {}; name one of them",
                ids.join(", ")
            )))
        }
        (None, _) => {
            let known: BTreeSet<&str> = survey.plugins.iter().map(|plugin| &*plugin.id).collect();
            let known: Vec<&str> = known.into_iter().collect();
            Err(Stop::unusable(if known.is_empty() {
                format!("no plugin `{name}` is installed or loaded here, nor any other")
            } else {
                format!(
                    "no plugin `{name}` is installed or loaded here; there are {}",
                    known.join(", ")
                )
            }))
        }
    }
}

/// A plugin that a host was told of: one that was made with hookkit has its manifest with it.
fn named(plugin: &Plugin) -> Named {
    match &plugin.root {
        Some(root) if root.join(MANIFEST).is_file() => Named::Own(root.clone()),
        _ => Named::Loaded(plugin.id.clone()),
    }
}

/// A plugin that hookkit installed.
struct Installed {
    /// As hosts name it.
    id: String,
    /// Its own files.
    folder: PathBuf,
    /// Where everything of hookkit's lies.
    data: PathBuf,
}

impl Installed {
    fn all(data: Option<&Data>) -> Vec<Self> {
        let Some(data) = data else { return Vec::new() };
        let receipts = data.plugins().into_iter();
        receipts
            .filter_map(|name| Receipt::read(data, &name).ok().flatten())
            .map(|receipt| Self {
                folder: data.versions(&receipt.name).join(&receipt.version),
                data: data.folder().to_owned(),
                id: receipt.id,
            })
            .collect()
    }

    fn is(&self, plugin: &Plugin) -> bool {
        let is_inside = |root: &PathBuf| root.starts_with(&self.data);
        self.id == plugin.id || plugin.root.as_ref().is_some_and(is_inside)
    }
}

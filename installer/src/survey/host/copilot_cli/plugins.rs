//! Plugins: those that the client noted down, and those of folder marketplaces.

use super::files::{Strictness, document, events};
use crate::edit::outline::Node;
use crate::survey::Look;
use crate::survey::cause::{Cause, Switch};
use crate::survey::fault::{Fault, Wrong};
use crate::survey::host::market::{self, Bare, Said, Told};
use crate::survey::plugin::{Gap, Origin, Plugin, Standing};
use crate::survey::source::{Kind, Scope, Source};
use hookkit_dispatch::folder;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Where a plugin's manifest may be, the first that is there counts.
const MANIFESTS: &[&str] = &[
    ".plugin/plugin.json",
    "plugin.json",
    ".github/plugin/plugin.json",
    ".claude-plugin/plugin.json",
];

/// Where a marketplace lists its plugins.
const LISTS: &[&str] = &[
    "marketplace.json",
    ".plugin/marketplace.json",
    ".github/plugin/marketplace.json",
    ".claude-plugin/marketplace.json",
];

/// What a plugin's hooks are in, where its manifest says nothing.
const DEFAULTS: &[&str] = &["hooks.json", "hooks/hooks.json"];

/// Plugins: what the client noted down first, then those of each folder marketplace, in the order in
/// which the marketplaces are told.
pub(super) fn read(look: &mut Look, host: &'static str, told: &Told, registry: Option<&Node>) {
    let mut known = Vec::new();
    registered(look, host, told, registry, &mut known);
    for marketplace in &told.marketplaces {
        let base = match marketplace.scope {
            Scope::User | Scope::Managed => Path::new("/"),
            Scope::Project | Scope::Local => look.places.project(),
        };
        let base = base.to_owned();
        let folder = market::folder_of(&marketplace.value, &base);
        for switch in &told.switches {
            let Some((name, of)) = switch.name.split_once('@') else {
                continue;
            };
            if of != marketplace.name || known.contains(&switch.name) {
                continue;
            }
            known.push(switch.name.clone());
            let found = match &folder {
                Some(Ok(folder)) => {
                    market::in_folder(&mut look.files, folder, LISTS, name, Bare::Folder)
                }
                Some(Err(gap)) => Err(gap.clone()),
                None => Err(Gap::NotInstalled),
            };
            let plugin = wanted(host, switch, Origin::Folder);
            let off = switch.off();
            // A folder is loaded once, under its first name (seen on 1.0.102).
            let loaded_as = |root: &Path| {
                let mut others = look.plugins.iter();
                let other = others.find(|other| {
                    other.host == host
                        && matches!(other.standing, Standing::Loaded)
                        && other.root.as_deref() == Some(root)
                });
                other.map(|other| other.id.clone())
            };
            let other = found.as_ref().ok().and_then(|(root, _)| loaded_as(root));
            match other.filter(|_| off.is_none()) {
                Some(other) => load(look, plugin, Err(Gap::Loaded(other)), None),
                None => load(look, plugin, found, off),
            }
        }
    }
    for switch in &told.switches {
        if known.contains(&switch.name) {
            continue;
        }
        let market = switch.name.split_once('@').map_or("", |(_, market)| market);
        let plugin = wanted(host, switch, Origin::Unknown);
        let gap = Gap::Marketplace(market.to_owned());
        load(look, plugin, Err(gap), switch.off());
    }
}

/// A plugin that a setting names, before it is known what becomes of it.
fn wanted(host: &'static str, switch: &Said<bool>, origin: Origin) -> Plugin {
    Plugin {
        host,
        id: switch.name.clone(),
        scope: switch.scope,
        version: None,
        root: None,
        origin,
        named: switch.place(),
        standing: Standing::Loaded,
    }
}

/// The plugins that a repository asks for whose folder nobody trusts.
pub(super) fn left_out(look: &mut Look, host: &'static str, said: &Told) {
    for switch in said.switches.iter().filter(|switch| switch.value) {
        let is_known = |other: &Rc<Plugin>| other.host == host && other.id == switch.name;
        if look.plugins.iter().any(is_known) {
            continue;
        }
        look.plugin(Plugin {
            standing: Standing::Off(Cause::nowhere(Switch::FolderUntrusted)),
            ..wanted(host, switch, Origin::Unknown)
        });
    }
}

/// The members without which the client ignores all of its registry.
const NEEDED: &[&str] = &["name", "marketplace", "installed_at", "enabled"];

/// What the client's own `plugin install` noted down.
fn registered(
    look: &mut Look,
    host: &'static str,
    told: &Told,
    registry: Option<&Node>,
    known: &mut Vec<String>,
) {
    let Some(list) = registry.and_then(|registry| registry.get("installedPlugins")) else {
        return;
    };
    let file = look.places.copilot.join("config.json");
    let lacks = |one: &Node| NEEDED.iter().find(|key| one.get(key).is_none()).copied();
    let broken = list.elements().iter().find_map(lacks);
    for one in list.elements() {
        let text = |key: &str| one.get(key).and_then(Node::text);
        let name = text("name").unwrap_or_default();
        let market = text("marketplace").unwrap_or_default();
        let is_direct = market.is_empty();
        let id = if is_direct {
            name.to_owned()
        } else {
            format!("{name}@{market}")
        };
        let place = (file.clone(), one.line);
        let off = if is_direct {
            let is_on = one.get("enabled").and_then(Node::boolean) == Some(true);
            (!is_on).then(|| Cause::at(Switch::NotEnabled, &file, one.line))
        } else {
            match told.switch(&id) {
                Some(switch) => switch.off(),
                None => Some(Cause::nowhere(Switch::NotEnabled)),
            }
        };
        let usual = || {
            let market = if is_direct { "_direct" } else { market };
            let copies = look.places.copilot.join("installed-plugins");
            copies.join(market).join(name)
        };
        let root = text("cache_path").map_or_else(usual, PathBuf::from);
        let found = match broken {
            Some(member) => Err(Gap::Registry(member)),
            None if root.is_dir() => Ok((root.clone(), None)),
            None if market::is_elsewhere(&root) => Err(Gap::OtherMachine(root.clone())),
            None => Err(Gap::Root(root.clone())),
        };
        let plugin = Plugin {
            host,
            id: id.clone(),
            scope: told.switch(&id).map_or(Scope::User, |switch| switch.scope),
            version: text("version").map(str::to_owned),
            root: Some(root),
            origin: if is_direct {
                Origin::Direct
            } else {
                Origin::Cache
            },
            named: place,
            standing: Standing::Loaded,
        };
        load(look, plugin, found, off);
        known.push(id);
    }
}

/// Notes a plugin down, and reads its hooks where it has a folder.
pub(in crate::survey::host) fn load(
    look: &mut Look,
    mut plugin: Plugin,
    found: Result<(PathBuf, Option<String>), Gap>,
    off: Option<Cause>,
) {
    match found {
        Ok((root, version)) if root.is_dir() => {
            let version = version.or_else(|| market::version_in(&mut look.files, &root, MANIFESTS));
            plugin.version = plugin.version.or(version);
            plugin.root = Some(root);
        }
        Ok((root, _)) => {
            plugin.standing = Standing::Gone(Gap::Root(root.clone()));
            plugin.root = Some(root);
        }
        Err(gap) => plugin.standing = Standing::Gone(gap),
    }
    if let Some(cause) = off {
        plugin.standing = Standing::Off(cause);
    }
    let is_gone = matches!(plugin.standing, Standing::Gone(_));
    let plugin = look.plugin(plugin);
    if let Some(root) = plugin.root.clone().filter(|root| root.is_dir() && !is_gone) {
        of_plugin(look, &plugin, &root);
    }
}

/// The hooks of a plugin: what its manifest names, else the first of two files.
fn of_plugin(look: &mut Look, plugin: &Rc<Plugin>, root: &Path) {
    let first = look.sources.len();
    let manifest = market::manifest_in(&mut look.files, root, MANIFESTS);
    let said = manifest.and_then(|(manifest, text)| {
        let hooks = text.outline.root()?.get("hooks")?.clone();
        Some((manifest, text, hooks))
    });
    let source = |file: &Path| {
        Source::new(plugin.host, Kind::CopilotPlugin, plugin.scope, file).of_plugin(plugin)
    };
    let mut chosen = None;
    match &said {
        Some((manifest, text, hooks)) if hooks.is_table() => {
            let mut inline = source(manifest);
            inline.text = Some(Rc::clone(text));
            events(&mut inline, hooks, Strictness::All);
            look.push(inline);
            finish(look, plugin, first);
            return;
        }
        Some((manifest, _, hooks)) => {
            if let Some(path) = hooks.text() {
                let file = folder::plain(&root.join(path));
                if !file.starts_with(root) {
                    let mut outside = source(manifest);
                    let wrong = Wrong::Outside(path.to_owned());
                    outside.drop_for(Fault::new(hooks.line, wrong));
                    look.push(outside);
                    return;
                }
                if !file.is_file() {
                    let mut missing = source(manifest);
                    missing.drop_for(Fault::new(hooks.line, Wrong::Missing(path.to_owned())));
                    look.push(missing);
                }
                chosen = Some(file).filter(|file| file.is_file());
            } else {
                // An array, say: the default is read in its place (seen on 1.0.102).
                let (key, why) = (
                    "hooks".to_owned(),
                    "is no path and no table, and is not read",
                );
                let mut other = source(manifest);
                other.drop_for(Fault::new(hooks.line, Wrong::Value { key, why }));
                look.push(other);
            }
        }
        None => {}
    }
    let defaults: Vec<PathBuf> = DEFAULTS
        .iter()
        .map(|file| root.join(file))
        .filter(|file| file.is_file())
        .collect();
    let chosen = chosen.or_else(|| defaults.first().cloned());
    for file in chosen.iter().chain(&defaults) {
        let is_chosen = Some(file) == chosen.as_ref();
        let is_there = look.sources[first..]
            .iter()
            .any(|known| known.file == *file);
        if is_there {
            continue;
        }
        let found = look.files.json(file);
        let Some(mut one) = source(file).holding(found) else {
            continue;
        };
        one.wants_strict_json();
        if let Some(tree) = one.root().cloned() {
            document(&mut one, &tree, Strictness::All);
        }
        if !is_chosen && let Some(chosen) = &chosen {
            one.switch_off(Cause::nowhere(Switch::Shadowed(chosen.clone())));
        }
        look.push(one);
    }
    finish(look, plugin, first);
}

/// What a plugin that is off has in it is off.
fn finish(look: &mut Look, plugin: &Plugin, first: usize) {
    if let Standing::Off(cause) = &plugin.standing {
        for source in &mut look.sources[first..] {
            source.switch_off(cause.clone());
        }
    }
}

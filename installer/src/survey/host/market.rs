//! Plugins by the names that hosts are told: switches in settings, and folder marketplaces.

use crate::edit::outline::Node;
use crate::survey::cause::{Cause, Switch};
use crate::survey::files::{Files, Found, Text};
use crate::survey::plugin::Gap;
use crate::survey::source::Scope;
use hookkit_dispatch::folder;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// What some files of settings say of plugins; what is said later counts.
#[derive(Default)]
pub(super) struct Told {
    pub(super) switches: Vec<Said<bool>>,
    pub(super) marketplaces: Vec<Said<Node>>,
}

/// Something said under a name, and where.
pub(super) struct Said<T> {
    pub(super) name: String,
    pub(super) value: T,
    pub(super) scope: Scope,
    pub(super) file: PathBuf,
    pub(super) line: usize,
}

impl Told {
    /// Takes one file's `enabledPlugins` over, in place of what was said before.
    pub(super) fn switches_of(&mut self, root: &Node, scope: Scope, file: &Path) {
        let members = root.get("enabledPlugins").map_or(&[][..], Node::members);
        for member in members {
            // Claude Code's own schema: "Only true turns on a marketplace plugin: a list of versions
            // is accepted but leaves it off" (source of 2.1.332).
            let value = member.node.boolean() == Some(true);
            put(&mut self.switches, Said::at(member, value, scope, file));
        }
    }

    /// The same of `extraKnownMarketplaces`.
    pub(super) fn marketplaces_of(&mut self, root: &Node, scope: Scope, file: &Path) {
        let members = root
            .get("extraKnownMarketplaces")
            .map_or(&[][..], Node::members);
        for member in members {
            let value = member.node.clone();
            put(&mut self.marketplaces, Said::at(member, value, scope, file));
        }
    }

    /// Takes over what is said later.
    pub(super) fn add(&mut self, later: Self) {
        for said in later.switches {
            put(&mut self.switches, said);
        }
        for said in later.marketplaces {
            put(&mut self.marketplaces, said);
        }
    }

    pub(super) fn switch(&self, id: &str) -> Option<&Said<bool>> {
        self.switches.iter().find(|said| said.name == id)
    }

    pub(super) fn marketplace(&self, name: &str) -> Option<&Said<Node>> {
        self.marketplaces.iter().find(|said| said.name == name)
    }
}

/// Whoever said it first keeps the place in the order.
fn put<T>(list: &mut Vec<Said<T>>, said: Said<T>) {
    match list.iter_mut().find(|known| known.name == said.name) {
        Some(known) => *known = said,
        None => list.push(said),
    }
}

impl<T> Said<T> {
    fn at(member: &crate::edit::outline::Member, value: T, scope: Scope, file: &Path) -> Self {
        Self {
            name: member.key.to_string(),
            value,
            scope,
            file: file.to_owned(),
            line: member.line,
        }
    }

    pub(super) fn place(&self) -> (PathBuf, usize) {
        (self.file.clone(), self.line)
    }
}

impl Said<bool> {
    /// Why a plugin is off, if that is what was said.
    pub(super) fn off(&self) -> Option<Cause> {
        (!self.value).then(|| Cause::at(Switch::NotEnabled, &self.file, self.line))
    }
}

/// The folder of a marketplace that is one; `base` is what a relative path begins at.
pub(super) fn folder_of(marketplace: &Node, base: &Path) -> Option<Result<PathBuf, Gap>> {
    let source = marketplace.get("source")?;
    if !matches!(source.get("source")?.text()?, "directory" | "local") {
        return None;
    }
    let path = source.get("path")?.text()?;
    Some(place(path, base))
}

/// A path as it is written in a file of settings.
pub(super) fn place(path: &str, base: &Path) -> Result<PathBuf, Gap> {
    if path.contains("${") {
        return Err(Gap::Literal(path.to_owned()));
    }
    Ok(folder::plain(&base.join(path)))
}

/// What the bare name of a folder, without `./`, begins at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Bare {
    /// The marketplace's folder, as everything else.
    Folder,
    /// `metadata.pluginRoot` of its list, and nothing else will do.
    BelowPluginRoot,
}

/// A plugin's folder in a folder marketplace, and the version that is said there.
pub(super) fn in_folder(
    files: &mut Files,
    folder: &Path,
    lists: &[&str],
    name: &str,
    names: Bare,
) -> Result<(PathBuf, Option<String>), Gap> {
    if !folder.is_dir() {
        return Err(if is_elsewhere(folder) {
            Gap::OtherMachine(folder.to_owned())
        } else {
            Gap::MarketplaceFolder(folder.to_owned())
        });
    }
    let list = lists
        .iter()
        .map(|list| folder.join(list))
        .find(|list| list.is_file())
        .unwrap_or_else(|| folder.join(lists.last().unwrap_or(&"marketplace.json")));
    let not_listed = || Gap::NotListed(list.clone());
    let Found::Text(text) = files.json(&list) else {
        return Err(not_listed());
    };
    let root = text.outline.root().ok_or_else(not_listed)?;
    if root.get("owner").is_none() {
        return Err(Gap::Owner(list));
    }
    let plugins = root.get("plugins").map_or(&[][..], Node::elements);
    let listed = plugins
        .iter()
        .find(|plugin| plugin.get("name").and_then(Node::text) == Some(name))
        .ok_or_else(not_listed)?;
    let source = listed.get("source");
    let source = source
        .and_then(Node::text)
        .or_else(|| source?.get("path")?.text())
        .unwrap_or("./");
    let base = match names {
        Bare::BelowPluginRoot if is_bare(source) => {
            let below = plugin_root(root).ok_or_else(|| Gap::Bare(source.to_owned()))?;
            folder.join(below)
        }
        _ => folder.to_owned(),
    };
    let root = place(source, &base)?;
    if !root.starts_with(folder) {
        return Err(Gap::Outside(source.to_owned()));
    }
    let version = listed.get("version").and_then(Node::text);
    Ok((root, version.map(str::to_owned)))
}

/// As Claude Code 2.1.332 has it in its source: `/^[A-Za-z0-9][-A-Za-z0-9._]*$/` without `..`.
fn is_bare(source: &str) -> bool {
    let may_be = |one: char| one.is_ascii_alphanumeric() || matches!(one, '-' | '.' | '_');
    source.starts_with(|first: char| first.is_ascii_alphanumeric())
        && source.chars().all(may_be)
        && !source.contains("..")
}

/// `metadata.pluginRoot`, where it is a plain path below the marketplace (the same source).
fn plugin_root(list: &Node) -> Option<&str> {
    let said = list.at(&["metadata", "pluginRoot"])?.text()?;
    let below = said.strip_prefix("./").unwrap_or(said);
    let below = below.trim_end_matches('/');
    let is_plain = |part: &str| !matches!(part, "" | "." | "..");
    let is_sound = !said.is_empty()
        && !said.starts_with('/')
        && !said.contains(['\\', ':'])
        && (matches!(below, "" | ".") || below.split('/').all(is_plain));
    is_sound.then_some(below)
}

/// Is this a path of another system, or in a home that this machine does not have?
pub(super) fn is_elsewhere(path: &Path) -> bool {
    let text = path.to_string_lossy();
    let has_drive = text.rsplit('/').next().is_some_and(|last| {
        matches!(
            last.as_bytes(),
            [b'A'..=b'Z' | b'a'..=b'z', b':', b'\\', ..]
        )
    });
    if cfg!(windows) {
        return path.starts_with("/home") || path.starts_with("/Users");
    }
    let home = ["/home", "/Users"].iter().find_map(|homes| {
        let rest = path.strip_prefix(homes).ok()?;
        let user = rest.components().next()?;
        Some(Path::new(homes).join(user))
    });
    has_drive || home.is_some_and(|home| !home.exists())
}

/// The first of some manifests that is there, if it can be read.
pub(super) fn manifest_in(
    files: &mut Files,
    root: &Path,
    manifests: &[&str],
) -> Option<(PathBuf, Rc<Text>)> {
    let manifest = manifests
        .iter()
        .map(|manifest| root.join(manifest))
        .find(|manifest| manifest.is_file())?;
    match files.json(&manifest) {
        Found::Text(text) => Some((manifest, text)),
        Found::Nothing | Found::Unreadable(_) => None,
    }
}

/// The version in it.
pub(super) fn version_in(files: &mut Files, root: &Path, manifests: &[&str]) -> Option<String> {
    let (_, text) = manifest_in(files, root, manifests)?;
    let version = text.outline.root()?.get("version")?.text()?;
    Some(version.to_owned())
}

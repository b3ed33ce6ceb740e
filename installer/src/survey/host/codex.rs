//! Codex CLI, as its client 0.171.0 showed it.
//!
//! - `hooks.json` before `config.toml` in each layer: the user's, then each `.codex` of the project
//!   from its root down, where the project is trusted; then plugins
//! - any key but `description` and `hooks` makes a hooks file go; so does an entry without a command
//! - nothing runs that nobody has trusted, or that has changed since: [`trust`]

mod trust;

use super::market;
use crate::edit::outline::{Member, Node};
use crate::survey::cause::{Cause, Switch};
use crate::survey::fault::{Fault, Wrong};
use crate::survey::files::Found;
use crate::survey::groups::{self, Form, Item, no_text};
use crate::survey::handler::Handler;
use crate::survey::plugin::{Gap, Origin, Plugin, Standing};
use crate::survey::source::{HookState, Kind, Scope, Source};
use crate::survey::{Look, pattern};
use hookkit_dispatch::folder;
use hookkit_dispatch::host::CODEX;
use std::path::{Path, PathBuf};
use std::rc::Rc;

pub(super) const HOST: &str = "codex";

/// Where a plugin's manifest may be.
const MANIFESTS: &[&str] = &[".codex-plugin/plugin.json", ".claude-plugin/plugin.json"];

/// Where its hooks are, where the manifest says nothing.
const DEFAULT: &str = "hooks/hooks.json";

/// What the user's `config.toml` says about all of this.
struct Config {
    file: PathBuf,
    root: Option<Node>,
}

impl Config {
    fn at(&self, keys: &[&str]) -> Option<&Node> {
        self.root.as_ref()?.at(keys)
    }

    /// Why a hook does not run, by the key that the client knows it under and, where it is known, the
    /// sum that it has now.
    fn state(&self, key: &str, sum: Option<&str>) -> Option<Cause> {
        let state = self.at(&["hooks", "state", key]);
        let off = state.and_then(|state| state.get("enabled"));
        if let Some(off) = off.filter(|off| off.boolean() == Some(false)) {
            return Some(Cause::at(Switch::Disabled, &self.file, off.line));
        }
        let Some(trusted) = state.and_then(|state| state.get("trusted_hash")) else {
            return Some(Cause::nowhere(Switch::NotTrusted));
        };
        let has_changed = sum.is_some_and(|sum| trusted.text() != Some(sum));
        has_changed.then(|| Cause::at(Switch::Changed, &self.file, trusted.line))
    }

    /// The same of an entry in a file that is no plugin's.
    fn state_of(&self, file: &str, item: &Item) -> Option<Cause> {
        let contract = CODEX.contract(&item.event.key);
        let event = snake_case(&item.event.key);
        let sum = contract.and_then(|contract| trust::sum(item, &event, contract));
        self.state(&key(file, item), sum.as_deref())
    }

    fn trusts(&self, project: &Path) -> bool {
        let projects = self.at(&["projects"]).map_or(&[][..], Node::members);
        projects.iter().any(|member| {
            let trusted = folder::real(Path::new(&*member.key));
            trusted == project
                && member.node.get("trust_level").and_then(Node::text) == Some("trusted")
        })
    }
}

pub(super) fn read(look: &mut Look) {
    let home = look.places.codex.clone();
    let config = config(look, &home.join("config.toml"));
    let managed_only = requirements(look);
    let first = look.sources.len();
    let mut off = feature_off(&config);
    layer(look, &home, Scope::User, &config);
    for folder in project_layers(look) {
        let own = self::config(look, &folder.join("config.toml"));
        let first = look.sources.len();
        layer(look, &folder, Scope::Project, &config);
        if config.trusts(look.places.project()) {
            off = off.or_else(|| feature_off(&own));
        } else {
            for source in &mut look.sources[first..] {
                source.switch_off(Cause::nowhere(Switch::FolderUntrusted));
            }
        }
    }
    plugins(look, &config);
    for source in &mut look.sources[first..] {
        if let Some(cause) = off.clone().or_else(|| managed_only.clone()) {
            source.switch_off(cause);
        }
    }
}

fn config(look: &mut Look, file: &Path) -> Config {
    let root = match look.files.toml(file) {
        Found::Text(text) => text.outline.root().cloned(),
        _ => None,
    };
    Config {
        file: file.to_owned(),
        root,
    }
}

fn feature_off(config: &Config) -> Option<Cause> {
    let said = config.at(&["features", "hooks"])?;
    (said.boolean() == Some(false)).then(|| Cause::at(Switch::FeatureOff, &config.file, said.line))
}

/// The administrator's, by the vendor's page; not seen live. The cause that leaves everybody else's
/// out, where they say so.
fn requirements(look: &mut Look) -> Option<Cause> {
    let managed = look.places.managed.codex.clone();
    for (name, kind) in [
        ("requirements.toml", Kind::CodexRequirements),
        ("config.toml", Kind::CodexConfig),
    ] {
        let file = managed.join(name);
        let found = look.files.toml(&file);
        if let Some(mut source) = Source::new(HOST, kind, Scope::Managed, &file).holding(found) {
            let hooks = source.root().and_then(|root| root.get("hooks")).cloned();
            if let Some(hooks) = hooks {
                events(&mut source, &hooks, |_| None);
            }
            if !source.hooks.is_empty() || !source.is_read() {
                look.push(source);
            }
        }
    }
    let file = managed.join("requirements.toml");
    let requirements = config(look, &file);
    let only = requirements.at(&["allow_managed_hooks_only"])?;
    (only.boolean() == Some(true)).then(|| Cause::at(Switch::ManagedOnly, &file, only.line))
}

/// Every `.codex` from the project's root down to where the session starts.
fn project_layers(look: &Look) -> Vec<PathBuf> {
    let project = look.places.project();
    let mut folders: Vec<PathBuf> = look
        .places
        .start
        .ancestors()
        .take_while(|folder| folder.starts_with(project))
        .map(|folder| folder.join(".codex"))
        .filter(|folder| folder.is_dir() && *folder != look.places.codex)
        .collect();
    folders.reverse();
    folders
}

fn layer(look: &mut Look, folder: &Path, scope: Scope, config: &Config) {
    let file = folder.join("hooks.json");
    let found = look.files.json(&file);
    if let Some(mut source) = Source::new(HOST, Kind::CodexHooks, scope, &file).holding(found) {
        let name = file.display().to_string();
        document(&mut source, |item| config.state_of(&name, item));
        look.push(source);
    }
    let file = folder.join("config.toml");
    let found = look.files.toml(&file);
    if let Some(mut source) = Source::new(HOST, Kind::CodexConfig, scope, &file).holding(found) {
        let hooks = source.root().and_then(|root| root.get("hooks")).cloned();
        if let Some(hooks) = hooks {
            let name = file.display().to_string();
            events(&mut source, &hooks, |item| config.state_of(&name, item));
        }
        if !source.hooks.is_empty() || !source.is_read() {
            look.push(source);
        }
    }
}

/// How the client names a hook in its state: file, event, group, entry.
fn key(file: &str, item: &Item) -> String {
    format!(
        "{file}:{}:{}:{}",
        snake_case(&item.event.key),
        item.group,
        item.index
    )
}

fn snake_case(name: &str) -> String {
    let mut out = String::new();
    for (index, character) in name.chars().enumerate() {
        if character.is_uppercase() && index > 0 {
            out.push('_');
        }
        out.extend(character.to_lowercase());
    }
    out
}

/// A hooks file as a whole.
fn document(source: &mut Source, state: impl Fn(&Item) -> Option<Cause>) {
    source.wants_strict_json();
    let Some(root) = source.root().cloned() else {
        return;
    };
    if !root.is_table() {
        source.drop_for(Fault::new(root.line, Wrong::NoTable("the file".to_owned())));
        return;
    }
    let is_foreign = |member: &&Member| !matches!(&*member.key, "description" | "hooks");
    if let Some(foreign) = root.members().iter().find(is_foreign) {
        source.drop_for(Fault::new(
            foreign.line,
            Wrong::Key(foreign.key.to_string()),
        ));
    }
    match root.get("hooks") {
        Some(hooks) if hooks.is_table() => events(source, hooks, state),
        Some(hooks) => {
            source.drop_for(Fault::new(hooks.line, Wrong::NoTable("hooks".to_owned())));
        }
        None => {}
    }
}

fn events(source: &mut Source, hooks: &Node, state: impl Fn(&Item) -> Option<Cause>) {
    for item in groups::items(hooks, Form::Groups) {
        // What a table of TOML keeps beside the events.
        if matches!(
            &*item.event.key,
            "state" | "managed_dir" | "windows_managed_dir"
        ) {
            continue;
        }
        let contract = CODEX.contract(&item.event.key);
        let mut fault = item.fault.clone();
        if contract.is_none() {
            let event = Wrong::Event(item.event.key.to_string());
            fault = Some(Fault::new(item.event.line, event));
        } else if let Some(bad) = bad(&item) {
            source.drop_for(bad.clone().whole());
            fault = Some(bad);
        }
        let fault = fault.or_else(|| skipped(&item));
        let state = match fault {
            Some(fault) => HookState::Dropped(fault),
            None => state(&item).map_or(HookState::Armed, HookState::Off),
        };
        let handler = Handler::of(item.entry, None, LINES);
        source
            .hooks
            .push(item.hook(&*item.event.key, contract, handler, state));
    }
}

const LINES: &[&str] = if cfg!(windows) {
    &["commandWindows", "command_windows", "command"]
} else {
    &["command"]
};

/// What makes the client drop all of the file. An entry that stands where a group should is passed
/// over without a word.
fn bad(item: &Item) -> Option<Fault> {
    match &item.fault {
        Some(fault) if fault.wrong == Wrong::Flat => return None,
        Some(fault) => return Some(fault.clone()),
        None => {}
    }
    for matcher in &item.matchers {
        if matcher.text().is_none() {
            let (key, why) = ("matcher".to_owned(), "is no text");
            return Some(Fault::new(matcher.line, Wrong::Value { key, why }));
        }
    }
    let entry = item.entry;
    let kind = entry.get("type");
    match kind.map(|kind| (kind, kind.text())) {
        Some((_, Some("command"))) => {
            if entry.get("command").is_none() {
                return Some(Fault::new(entry.line, Wrong::Nothing("command")));
            }
            no_text(entry, "command")
        }
        Some((_, Some("mcp_tool" | "prompt" | "agent"))) => None,
        Some((kind, name)) => {
            let name = name.unwrap_or_default().to_owned();
            return Some(Fault::new(kind.line, Wrong::Type(name)));
        }
        None => return Some(Fault::new(entry.line, Wrong::Nothing("type"))),
    }
    .or_else(|| {
        groups::wrong(entry, "timeout", "is no whole number", |node| {
            node.number()
                .is_some_and(|number| number >= 0.0 && number.fract() == 0.0)
        })
    })
}

/// What the client skips with a warning, and reads the rest.
fn skipped(item: &Item) -> Option<Fault> {
    let kind = item.entry.get("type");
    if let Some(kind) = kind
        && let Some(name @ ("prompt" | "agent")) = kind.text()
    {
        return Some(Fault::new(kind.line, Wrong::Type(name.to_owned())));
    }
    item.matchers.iter().find_map(|matcher| {
        let text = matcher.text()?;
        let is_sound = matches!(text, "" | "*") || pattern::is_sound(text);
        (!is_sound).then(|| Fault::new(matcher.line, Wrong::Pattern(text.to_owned())))
    })
}

fn plugins(look: &mut Look, config: &Config) {
    let listed = config.at(&["plugins"]).map_or(&[][..], Node::members);
    for member in listed {
        let (name, market) = member.key.split_once('@').unwrap_or((&member.key, ""));
        let copies = look
            .places
            .codex
            .join("plugins/cache")
            .join(market)
            .join(name);
        let mut versions = look.files.folder(&copies).folders;
        let root = versions.pop();
        let version = root
            .as_deref()
            .and_then(Path::file_name)
            .map(|name| name.to_string_lossy().into_owned());
        let enabled = member.node.get("enabled");
        let off = enabled.filter(|on| on.boolean() == Some(false));
        let standing = match (&off, &root) {
            (Some(off), _) => Standing::Off(Cause::at(Switch::NotEnabled, &config.file, off.line)),
            (None, None) => Standing::Gone(gap(config, market, &copies)),
            (None, Some(root)) if !MANIFESTS.iter().any(|one| root.join(one).is_file()) => {
                Standing::Gone(Gap::Manifest(root.clone()))
            }
            (None, Some(_)) => Standing::Loaded,
        };
        let plugin = look.plugin(Plugin {
            host: HOST,
            id: member.key.to_string(),
            scope: Scope::User,
            version,
            root: root.clone(),
            origin: Origin::Cache,
            named: (config.file.clone(), member.line),
            standing,
        });
        if let Some(root) = root {
            of_plugin(look, &plugin, &root, config);
        }
    }
}

/// Why there is no copy of a plugin: a marketplace's folder that is gone is named first.
fn gap(config: &Config, market: &str, copies: &Path) -> Gap {
    let Some(marketplace) = config.at(&["marketplaces", market]) else {
        return Gap::Marketplace(market.to_owned());
    };
    let is_local = marketplace.get("source_type").and_then(Node::text) == Some("local");
    let source = marketplace.get("source").and_then(Node::text);
    match source.filter(|_| is_local).map(PathBuf::from) {
        Some(folder) if market::is_elsewhere(&folder) => Gap::OtherMachine(folder),
        Some(folder) if !folder.is_dir() => Gap::MarketplaceFolder(folder),
        _ => Gap::Root(copies.to_owned()),
    }
}

/// What a manifest names, else the one file; a list of files each.
fn of_plugin(look: &mut Look, plugin: &Rc<Plugin>, root: &Path, config: &Config) {
    let manifest = market::manifest_in(&mut look.files, root, MANIFESTS);
    let said = manifest.and_then(|(manifest, text)| {
        let hooks = text.outline.root()?.get("hooks")?.clone();
        Some((manifest, text, hooks))
    });
    let new =
        |file: &Path| Source::new(HOST, Kind::CodexPlugin, plugin.scope, file).of_plugin(plugin);
    let first = look.sources.len();
    let state =
        |file: &str, item: &Item| config.state(&key(&format!("{}:{file}", plugin.id), item), None);
    let mut files = vec![DEFAULT.to_owned()];
    if let Some((manifest, text, hooks)) = &said {
        let named = |node: &Node| node.text().map(str::to_owned);
        let listed: Vec<String> = hooks.elements().iter().filter_map(named).collect();
        files = hooks
            .text()
            .map(str::to_owned)
            .into_iter()
            .chain(listed)
            .collect();
        // Inline: `{"hooks": {EVENT: ...}}` or a list of such; the bare events do nothing.
        let inline = hooks
            .elements()
            .iter()
            .chain(hooks.is_table().then_some(hooks));
        for one in inline.filter(|one| one.text().is_none()) {
            let mut source = new(manifest);
            source.text = Some(Rc::clone(text));
            match one.get("hooks") {
                Some(one) => events(&mut source, one, |item| state("plugin.json", item)),
                None => source.drop_for(Fault::new(one.line, Wrong::NoHooks)),
            }
            look.push(source);
        }
    }
    for path in files {
        let file = folder::plain(&root.join(&path));
        let mut source = new(&file);
        if file.starts_with(root) {
            let found = look.files.json(&file);
            let Some(held) = source.holding(found) else {
                if let Some((manifest, _, hooks)) = said.as_ref().filter(|_| path != DEFAULT) {
                    let mut missing = new(manifest);
                    missing.drop_for(Fault::new(hooks.line, Wrong::Missing(path)));
                    look.push(missing);
                }
                continue;
            };
            source = held;
            let below = path.trim_start_matches("./").to_owned();
            document(&mut source, |item| state(&below, item));
        } else {
            source.drop_for(Fault::new(0, Wrong::Outside(path)));
        }
        look.push(source);
    }
    if let Standing::Off(cause) = &plugin.standing {
        for source in &mut look.sources[first..] {
            source.switch_off(cause.clone());
        }
    }
}

//! GitHub Copilot CLI, as its client 1.0.102 and its `hooks.discover` showed it.
//!
//! - the administrator's files, the user's hooks files, the user's settings, the repository's hooks
//!   files, four files of the repository's settings, plugins; one after the other
//! - files of a folder in reverse, then its folders in reverse
//! - JSON as the standard has it, but for `config.json` and the user's settings
//! - a bad entry is skipped in a file of a hooks folder; in settings and in plugins all goes with it,
//!   in a repository's settings `enabledPlugins` too
//! - what a repository says counts in a trusted folder, nothing says so elsewhere

use super::market::{self, Told};
use crate::edit::outline::Node;
use crate::survey::cause::{Cause, Switch};
use crate::survey::fault::{Fault, Wrong};
use crate::survey::files::Found;
use crate::survey::groups::{self, Form, Item, no_text, no_texts, no_time};
use crate::survey::handler::Handler;
use crate::survey::plugin::{Gap, Origin, Plugin, Standing};
use crate::survey::source::{Hook, HookState, Kind, Scope, Source};
use crate::survey::{Look, pattern};
use hookkit_dispatch::contract::Contract;
use hookkit_dispatch::folder;
use hookkit_dispatch::host;
use std::path::{Path, PathBuf};
use std::rc::Rc;

pub(super) const HOST: &str = "copilot-cli";

/// Where a plugin's manifest may be, the first that is there counts.
pub(super) const MANIFESTS: &[&str] = &[
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

/// A repository's settings, in the order in which they count.
const SETTINGS: &[(&str, Scope)] = &[
    (".claude/settings.json", Scope::Project),
    (".claude/settings.local.json", Scope::Local),
    (".github/copilot/settings.json", Scope::Project),
    (".github/copilot/settings.local.json", Scope::Local),
];

pub(super) fn read(look: &mut Look) {
    let places = look.places;
    let from = look.sources.len();
    let managed_only = policy(look);
    let first_of_others = look.sources.len();
    hooks_folder(look, HOST, Scope::User, &places.copilot.join("hooks"));
    let mut told = Told::default();
    let user = places.copilot.join("settings.json");
    settings(look, &user, Scope::User, &mut told);
    let registry = places.copilot.join("config.json");
    let registry = match look.files.json(&registry) {
        Found::Text(text) => text.outline.root().cloned(),
        _ => None,
    };
    let trusted = places.trusts_all
        || registry
            .as_ref()
            .is_some_and(|registry| is_trusted(registry, places.project()));
    let mut all_hooks = AllHooks::Unsaid;
    if let Some(repository) = &places.repository {
        let first = look.sources.len();
        hooks_folder(
            look,
            HOST,
            Scope::Project,
            &repository.join(".github/hooks"),
        );
        for (file, scope) in SETTINGS {
            let file = repository.join(file);
            let mut said = Told::default();
            let switch = settings(look, &file, *scope, &mut said);
            if trusted {
                all_hooks = switch.or(all_hooks);
                told.add(said);
            }
        }
        if !trusted {
            for source in &mut look.sources[first..] {
                source.switch_off(Cause::nowhere(Switch::FolderUntrusted));
            }
        }
    }
    plugins(look, HOST, &told, registry.as_ref());
    for source in &mut look.sources[first_of_others..] {
        if let Some(cause) = managed_only.clone().or_else(|| all_hooks.off()) {
            source.switch_off(cause);
        }
    }
    debug_assert!(from <= first_of_others, "the order is that of the host");
}

/// The administrator's files; links among them are skipped. The cause that leaves everybody else's
/// out, where they say so.
fn policy(look: &mut Look) -> Option<Cause> {
    let managed = &look.places.managed.copilot;
    let listing = look.files.folder(&managed.join("policy.d"));
    for file in listing.files {
        let is_link = file
            .symlink_metadata()
            .is_ok_and(|about| about.is_symlink());
        if !is_link && file.extension().is_some_and(|ending| ending == "json") {
            hooks_file(look, HOST, Kind::CopilotPolicy, Scope::Managed, &file);
        }
    }
    let file = managed.join("managed-settings.json");
    let Found::Text(text) = look.files.json(&file) else {
        return None;
    };
    let only = text.outline.root()?.get("allowManagedHooksOnly")?;
    (only.boolean() == Some(true)).then(|| Cause::at(Switch::ManagedOnly, file, only.line))
}

/// Every hooks file of a folder.
pub(super) fn hooks_folder(look: &mut Look, host: &'static str, scope: Scope, folder: &Path) {
    for file in look.files.backwards(folder) {
        hooks_file(look, host, Kind::CopilotHooks, scope, &file);
    }
}

fn hooks_file(look: &mut Look, host: &'static str, kind: Kind, scope: Scope, file: &Path) {
    let found = look.files.json(file);
    let Some(mut source) = Source::new(host, kind, scope, file).holding(found) else {
        return;
    };
    source.wants_strict_json();
    let root = source.root().cloned();
    if let Some(root) = root {
        document(&mut source, &root, Strictness::Entries);
    }
    look.push(source);
}

/// What goes when one entry is bad.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Strictness {
    Entries,
    All,
}

/// A hooks file as a whole.
fn document(source: &mut Source, root: &Node, strictness: Strictness) {
    if !root.is_table() {
        source.drop_for(Fault::new(root.line, Wrong::NoTable("the file".to_owned())));
        return;
    }
    if let Some(version) = root.get("version")
        && version.number() != Some(1.0)
    {
        source.drop_for(Fault::new(version.line, Wrong::Version));
    }
    match root.get("hooks") {
        Some(hooks) if hooks.is_table() => events(source, hooks, strictness),
        Some(hooks) => {
            source.drop_for(Fault::new(hooks.line, Wrong::NoTable("hooks".to_owned())));
        }
        None => source.drop_for(Fault::new(root.line, Wrong::NoHooks)),
    }
    if let Some(off) = AllHooks::said_by(root, &source.file).off() {
        source.switch_off(off);
    }
}

/// What a file says about all hooks. The later file counts.
#[derive(Clone)]
enum AllHooks {
    Unsaid,
    On,
    Off(Cause),
}

impl AllHooks {
    fn said_by(root: &Node, file: &Path) -> Self {
        let said = root.get("disableAllHooks");
        match said.and_then(|said| Some((said.line, said.boolean()?))) {
            None => Self::Unsaid,
            Some((_, false)) => Self::On,
            Some((line, true)) => Self::Off(Cause::at(Switch::AllHooksDisabled, file, line)),
        }
    }

    fn or(self, earlier: Self) -> Self {
        match self {
            Self::Unsaid => earlier,
            said => said,
        }
    }

    fn off(&self) -> Option<Cause> {
        match self {
            Self::Off(cause) => Some(cause.clone()),
            Self::Unsaid | Self::On => None,
        }
    }
}

fn events(source: &mut Source, hooks: &Node, strictness: Strictness) {
    let mut event: Option<(Rc<str>, Option<&'static Contract>)> = None;
    for item in groups::items(hooks, Form::Either) {
        let name = match &event {
            Some((name, contract)) if **name == *item.event.key => (Rc::clone(name), *contract),
            _ => {
                let name: Rc<str> = item.event.key.as_ref().into();
                (name, row(source.host, &item.event.key))
            }
        };
        event = Some(name.clone());
        let (name, contract) = name;
        let fault = bad(&item, contract);
        let drops_all = match (&fault, contract) {
            // A value that is no list makes any file go, an event that nobody has too.
            (Some(fault), _) if matches!(fault.wrong, Wrong::NoList(_)) => true,
            (Some(_), Some(_)) => strictness == Strictness::All,
            _ => false,
        };
        if let Some(fault) = fault.clone().filter(|_| drops_all) {
            source.drop_for(fault.whole());
        }
        let fault = fault
            .or_else(|| unknown(&item, contract))
            .or_else(|| bad_pattern(&item, contract));
        source.hooks.push(Hook {
            event: name,
            event_line: item.event.line,
            contract,
            matchers: item.matchers.into_iter().cloned().collect(),
            group: item.group,
            index: item.index,
            line: item.entry.line,
            entry: item.entry.clone(),
            handler: Handler::of(item.entry, Some("exec"), LINES),
            state: fault.map_or(HookState::Armed, HookState::Dropped),
        });
    }
}

/// The keys of a line for a shell of this system, the first that is there counts.
const LINES: &[&str] = if cfg!(windows) {
    &["windows", "powershell", "command", "bash"]
} else if cfg!(target_vendor = "apple") {
    &["osx", "bash", "command", "powershell"]
} else {
    &["linux", "bash", "command", "powershell"]
};

/// All of them, on every system.
const SHELL_KEYS: &[&str] = &["bash", "powershell", "command", "windows", "linux", "osx"];

/// The row of an event by the key that it is registered under.
fn row(host: &str, key: &str) -> Option<&'static Contract> {
    host::by_name(host)?
        .contracts()
        .iter()
        .find(|row| row.native == Some(key) || (row.event == key && key != "UserPromptTransformed"))
}

fn unknown(item: &Item, contract: Option<&Contract>) -> Option<Fault> {
    let event = item.event.key.to_string();
    contract
        .is_none()
        .then(|| Fault::new(item.event.line, Wrong::Event(event)))
}

/// What its own check says of an entry, in the words of its own messages.
fn bad(item: &Item, contract: Option<&Contract>) -> Option<Fault> {
    if item.fault.is_some() {
        return item.fault.clone();
    }
    let entry = item.entry;
    let kind = entry.get("type");
    let event = contract.map(|row| row.event);
    match kind.map(|kind| (kind, kind.text())) {
        None | Some((_, Some("command"))) => command(entry),
        Some((_, Some("http"))) => http(entry, event),
        Some((_, Some("prompt"))) if event == Some("SessionStart") => no_text(entry, "prompt"),
        Some((kind, name)) => {
            let name = name.unwrap_or_default().to_owned();
            Some(Fault::new(kind.line, Wrong::Type(name)))
        }
    }
    .or_else(|| {
        item.matchers
            .iter()
            .find_map(|matcher| bad_matcher(matcher))
    })
    .or_else(|| no_time(entry, "timeout"))
    .or_else(|| no_time(entry, "timeoutSec"))
    .or_else(|| no_text(entry, "cwd"))
    .or_else(|| {
        groups::wrong(entry, "env", "has a value that is no text", |env| {
            env.members().iter().all(|one| one.node.text().is_some())
        })
    })
}

fn command(entry: &Node) -> Option<Fault> {
    let shell = SHELL_KEYS.iter().find(|key| entry.get(key).is_some());
    match (entry.get("exec"), shell) {
        (Some(exec), Some(key)) => Some(Fault::new(
            exec.line,
            Wrong::ExecAndShell((*key).to_owned()),
        )),
        (None, None) => Some(Fault::new(entry.line, Wrong::Nothing("bash"))),
        (Some(_), None) => no_text(entry, "exec").or_else(|| no_texts(entry, "args")),
        (None, Some(_)) => SHELL_KEYS
            .iter()
            .find_map(|key| no_text(entry, key))
            .or_else(|| no_texts(entry, "args")),
    }
}

/// What may refuse is asked by https alone. Two variables change that for one machine; nobody relies
/// on it.
fn http(entry: &Node, event: Option<&str>) -> Option<Fault> {
    let Some(url) = entry.get("url") else {
        return Some(Fault::new(entry.line, Wrong::Nothing("url")));
    };
    let decides = matches!(
        event,
        Some("PreToolUse" | "PreMcpToolCall" | "PermissionRequest")
    );
    let why = "is no https address, which this event wants";
    no_text(entry, "url").or_else(|| {
        let is_safe = url.text().is_some_and(|url| url.starts_with("https://"));
        let key = "url".to_owned();
        (decides && !is_safe).then(|| Fault::new(url.line, Wrong::Value { key, why }))
    })
}

fn bad_matcher(matcher: &Node) -> Option<Fault> {
    match matcher.text() {
        Some("") => Some(Fault::new(matcher.line, Wrong::EmptyMatcher)),
        Some(_) => None,
        None => {
            let key = "matcher".to_owned();
            let why = "is no text";
            Some(Fault::new(matcher.line, Wrong::Value { key, why }))
        }
    }
}

/// A matcher that is no pattern: its entry is skipped, wherever it stands.
fn bad_pattern(item: &Item, contract: Option<&Contract>) -> Option<Fault> {
    let is_native = contract?.native == Some(&*item.event.key);
    item.matchers.iter().find_map(|matcher| {
        let text = matcher.text()?;
        let means_all = !is_native && matches!(text, "*" | "**");
        (!means_all && !pattern::is_sound(text))
            .then(|| Fault::new(matcher.line, Wrong::Pattern(text.to_owned())))
    })
}

/// Settings that may hold hooks; what they say about all hooks. The user's own reach no further than
/// their own file (seen on 1.0.102).
fn settings(look: &mut Look, file: &Path, scope: Scope, told: &mut Told) -> AllHooks {
    let found = look.files.json(file);
    let source = Source::new(HOST, Kind::CopilotSettings, scope, file).holding(found);
    let Some(mut source) = source else {
        return AllHooks::Unsaid;
    };
    if scope != Scope::User {
        source.wants_strict_json();
    }
    let root = source.root().cloned();
    let mut all_hooks = AllHooks::Unsaid;
    if let Some(root) = &root {
        match root.get("hooks") {
            Some(hooks) if hooks.is_table() => events(&mut source, hooks, Strictness::All),
            Some(hooks) => {
                source.drop_for(Fault::new(hooks.line, Wrong::NoTable("hooks".to_owned())));
            }
            None => {}
        }
        // A bad entry in a repository's file takes the rest of the file with it.
        if source.is_read() || scope == Scope::User {
            told.switches_of(root, scope, file);
            told.marketplaces_of(root, scope, file);
            all_hooks = AllHooks::said_by(root, file);
        }
        if let Some(cause) = all_hooks.off().filter(|_| scope == Scope::User) {
            source.switch_off(cause);
        }
    }
    if !source.hooks.is_empty() || !source.is_read() {
        look.push(source);
    }
    all_hooks
}

/// A folder counts as trusted with everything in it.
fn is_trusted(registry: &Node, project: &Path) -> bool {
    let folders = registry
        .get("trustedFolders")
        .map_or(&[][..], Node::elements);
    folders.iter().filter_map(Node::text).any(|trusted| {
        project.starts_with(trusted) || project.starts_with(folder::real(Path::new(trusted)))
    })
}

/// Plugins: what the client noted down first, then those of each folder marketplace, in the order in
/// which the marketplaces are told.
fn plugins(look: &mut Look, host: &'static str, told: &Told, registry: Option<&Node>) {
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
                Some(Ok(folder)) => market::in_folder(&mut look.files, folder, LISTS, name),
                Some(Err(gap)) => Err(gap.clone()),
                None => Err(Gap::NotInstalled),
            };
            let plugin = Plugin {
                host,
                id: switch.name.clone(),
                scope: switch.scope,
                version: None,
                root: None,
                origin: Origin::Folder,
                named: switch.place(),
                standing: Standing::Loaded,
            };
            let off = switch.off();
            // A folder is loaded once, under its first name (seen on 1.0.102).
            let is_loaded = |root: &Path| {
                look.plugins.iter().any(|other| {
                    other.host == host
                        && matches!(other.standing, Standing::Loaded)
                        && other.root.as_deref() == Some(root)
                })
            };
            if off.is_none() && found.as_ref().is_ok_and(|(root, _)| is_loaded(root)) {
                continue;
            }
            load(look, plugin, found, off);
        }
    }
    for switch in &told.switches {
        if known.contains(&switch.name) || switch.off().is_some() {
            continue;
        }
        let market = switch.name.split_once('@').map_or("", |(_, market)| market);
        let plugin = Plugin {
            host,
            id: switch.name.clone(),
            scope: switch.scope,
            version: None,
            root: None,
            origin: Origin::Unknown,
            named: switch.place(),
            standing: Standing::Loaded,
        };
        load(look, plugin, Err(Gap::Marketplace(market.to_owned())), None);
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
pub(super) fn load(
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
    let manifest = MANIFESTS
        .iter()
        .map(|manifest| root.join(manifest))
        .find(|manifest| manifest.is_file());
    let said = manifest.as_ref().and_then(|manifest| {
        let Found::Text(text) = look.files.json(manifest) else {
            return None;
        };
        let hooks = text.outline.root()?.get("hooks")?.clone();
        Some((manifest.clone(), text, hooks))
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
                chosen = Some(file).filter(|file| file.is_file());
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

//! Claude Code, as its client 2.1.332 showed it.
//!
//! - the administrator's settings, the user's, the project's, one person's own there; then plugins.
//!   The project is the folder that the session starts in, not the root of the repository
//! - a comment makes all of a settings file go; so does a bad entry under PreToolUse,
//!   PermissionRequest or PreSkillShellCommand, with the permissions beside it. A byte order mark does
//!   not
//! - such an entry makes all of a plugin go; under another event it goes alone
//! - a plugin of a folder marketplace is read in place, whatever the registry says

mod managed;
mod matter;

use super::market::{self, Bare, Told};
use crate::edit::outline::Node;
use crate::survey::Look;
use crate::survey::cause::{Cause, Switch};
use crate::survey::fault::{Fault, Wrong};
use crate::survey::files::Found;
use crate::survey::groups::{self, Form, Item, no_text, no_texts, no_time, none_of};
use crate::survey::handler::Handler;
use crate::survey::plugin::{Gap, Origin, Plugin, Standing};
use crate::survey::source::{HookState, Kind, Scope, Source, State};
use hookkit_dispatch::folder;
use hookkit_dispatch::host::CLAUDE_CODE;
use std::path::{Path, PathBuf};
use std::rc::Rc;

pub(super) const HOST: &str = "claude-code";

const MANIFEST: &str = ".claude-plugin/plugin.json";

const LIST: &str = ".claude-plugin/marketplace.json";

const DEFAULT: &str = "hooks/hooks.json";

pub(super) fn read(look: &mut Look) {
    let first = look.sources.len();
    let mut told = Told::default();
    let mut off = None;
    let mut managed_only = None;
    let mut plugins_only = None;
    let project = look.places.start.join(".claude");
    let mut own = managed::sources(look);
    for (file, scope) in [
        (look.places.claude.join("settings.json"), Scope::User),
        (project.join("settings.json"), Scope::Project),
        (project.join("settings.local.json"), Scope::Local),
    ] {
        let found = look.files.json(&file);
        own.extend(settings(Kind::ClaudeSettings, scope, &file, found));
    }
    let mut later = Vec::new();
    for source in own {
        let (file, scope) = (source.file.clone(), source.scope);
        if let Some(root) = source.root().cloned().filter(|_| source.is_read()) {
            let mut said = Told::default();
            said.switches_of(&root, scope, &file);
            // A project's marketplaces load nothing in print mode.
            if matches!(scope, Scope::User | Scope::Managed) {
                said.marketplaces_of(&root, scope, &file);
            }
            if scope == Scope::Managed {
                later.push(said);
                let only = root.get("allowManagedHooksOnly");
                if let Some(only) = only.filter(|only| only.boolean() == Some(true)) {
                    managed_only = Some(Cause::at(Switch::ManagedOnly, &file, only.line));
                }
                if let Some(line) = locks_hooks(&root) {
                    plugins_only = Some(Cause::at(Switch::PluginsOnly, &file, line));
                }
            } else {
                told.add(said);
            }
            let all = root.get("disableAllHooks");
            if let Some(all) = all.filter(|all| all.boolean().is_some()) {
                let cause = Cause::at(Switch::AllHooksDisabled, &file, all.line);
                let stays = off.as_ref().is_some_and(|(said, _)| {
                    *said == Scope::Managed && managed::undoes_nothing(&file, scope)
                });
                if !stays {
                    off = (all.boolean() == Some(true)).then_some((scope, cause));
                }
            }
        }
        if !source.hooks.is_empty() || !source.is_read() {
            look.push(source);
        }
    }
    for said in later {
        told.add(said);
    }
    matter::own(look);
    plugins(look, &told);
    for source in &mut look.sources[first..] {
        let is_managed = source.scope == Scope::Managed;
        if let Some((scope, cause)) = &off
            && (!is_managed || *scope == Scope::Managed)
        {
            source.switch_off(cause.clone());
        }
        if let Some(cause) = managed_only.clone().filter(|_| !is_managed) {
            source.switch_off(cause);
        }
        let is_plugins = source.plugin.is_some();
        if let Some(cause) = plugins_only.clone().filter(|_| !is_managed && !is_plugins) {
            source.switch_off(cause);
        }
    }
}

/// Where an administrator leaves hooks to plugins and to managed settings: the line of
/// `strictPluginOnlyCustomization`, true or a list with `hooks` in it (source of 2.1.332).
fn locks_hooks(root: &Node) -> Option<usize> {
    let strict = root.get("strictPluginOnlyCustomization")?;
    let mut surfaces = strict.elements().iter().filter_map(Node::text);
    let locks = strict.boolean() == Some(true) || surfaces.any(|surface| surface == "hooks");
    locks.then_some(strict.line)
}

/// One place of settings, with its hooks; none where there is nothing.
fn settings(kind: Kind, scope: Scope, place: &Path, found: Found) -> Option<Source> {
    let mut source = Source::new(HOST, kind, scope, place).holding(found)?;
    source.wants_bare_json();
    if let Some(hooks) = source.root().and_then(|root| root.get("hooks")).cloned() {
        events(&mut source, &hooks);
    }
    Some(source)
}

/// The events under which one bad entry makes all of a settings file go, or all of a plugin; under the
/// others it goes alone.
const STRICT: &[&str] = &["PreToolUse", "PermissionRequest", "PreSkillShellCommand"];

fn events(source: &mut Source, hooks: &Node) {
    if !hooks.is_table() {
        source.drop_for(Fault::new(hooks.line, Wrong::NoTable("hooks".to_owned())));
        return;
    }
    for item in groups::items(hooks, Form::Groups) {
        let contract = CLAUDE_CODE.contract(&item.event.key);
        let fault = if contract.is_none() {
            let event = Wrong::Event(item.event.key.to_string());
            Some(Fault::new(item.event.line, event))
        } else {
            let fault = bad(&item);
            let drops_all = STRICT.contains(&&*item.event.key);
            if let Some(fault) = fault.clone().filter(|_| drops_all) {
                source.drop_for(fault.whole());
            }
            fault
        };
        let handler = Handler::of(item.entry, Some("command"), &["command"]);
        let state = fault.map_or(HookState::Armed, HookState::Dropped);
        source
            .hooks
            .push(item.hook(&*item.event.key, contract, handler, state));
    }
}

/// What does not fit the client's own schema.
fn bad(item: &Item) -> Option<Fault> {
    if item.fault.is_some() {
        return item.fault.clone();
    }
    let why = "is no text";
    for matcher in &item.matchers {
        if matcher.text().is_none() {
            let key = "matcher".to_owned();
            return Some(Fault::new(matcher.line, Wrong::Value { key, why }));
        }
    }
    let entry = item.entry;
    let needs = |keys: &[&'static str]| {
        let missing = keys.iter().find(|key| entry.get(key).is_none());
        let missing = missing.map(|key| Fault::new(entry.line, Wrong::Nothing(key)));
        missing.or_else(|| keys.iter().find_map(|key| no_text(entry, key)))
    };
    let kind = entry.get("type");
    let own = match kind.and_then(Node::text) {
        Some("command") => needs(&["command"])
            .or_else(|| no_texts(entry, "args"))
            .or_else(|| {
                none_of(
                    entry,
                    "shell",
                    &["bash", "powershell"],
                    "names no such shell",
                )
            }),
        Some("http") => needs(&["url"]),
        Some("mcp_tool") => needs(&["server", "tool"]),
        Some("prompt" | "agent") => needs(&["prompt"]),
        Some(name) => {
            let line = kind.map_or(entry.line, |kind| kind.line);
            return Some(Fault::new(line, Wrong::Type(name.to_owned())));
        }
        None => return Some(Fault::new(entry.line, Wrong::Nothing("type"))),
    };
    own.or_else(|| no_time(entry, "timeout")).or_else(|| {
        none_of(
            entry,
            "onFailure",
            &["continue", "block"],
            "is no such word",
        )
    })
}

/// What the client's registries say.
struct Registry {
    marketplaces: Option<Node>,
    installed: Option<Node>,
    file: PathBuf,
}

fn plugins(look: &mut Look, told: &Told) {
    let folder = look.places.claude.join("plugins");
    let mut tree = |name: &str| match look.files.json(&folder.join(name)) {
        Found::Text(text) => text.outline.root().cloned(),
        _ => None,
    };
    let registry = Registry {
        marketplaces: tree("known_marketplaces.json"),
        installed: tree("installed_plugins.json"),
        file: folder.join("installed_plugins.json"),
    };
    for switch in &told.switches {
        let (name, market) = switch.name.split_once('@').unwrap_or((&switch.name, ""));
        let found = locate(look, told, &registry, &switch.name, name, market);
        let (root, version, origin, gap) = match found {
            Ok((root, version, origin)) => (Some(root), version, origin, None),
            Err((origin, gap)) => (None, None, origin, Some(gap)),
        };
        let standing = match (switch.off(), gap, &root) {
            (Some(cause), ..) => Standing::Off(cause),
            (None, Some(gap), _) => Standing::Gone(gap),
            (None, None, Some(root)) if !root.is_dir() => Standing::Gone(Gap::Root(root.clone())),
            _ => Standing::Loaded,
        };
        note(
            look,
            switch.name.clone(),
            switch.scope,
            root,
            version,
            origin,
            switch.place(),
            standing,
        );
    }
    // What is installed and nobody enabled.
    let installed = registry.installed.as_ref();
    let listed = installed.and_then(|root| root.get("plugins"));
    for member in listed.map_or(&[][..], Node::members) {
        if told.switch(&member.key).is_some() {
            continue;
        }
        let entry = member.node.elements().first();
        let text = |key: &str| entry.and_then(|entry| entry.get(key)?.text());
        let standing = Standing::Off(Cause::nowhere(Switch::NotEnabled));
        note(
            look,
            member.key.to_string(),
            Scope::User,
            text("installPath").map(PathBuf::from),
            text("version").map(str::to_owned),
            Origin::Cache,
            (registry.file.clone(), member.line),
            standing,
        );
    }
}

#[expect(clippy::too_many_arguments, reason = "the members of a plugin")]
fn note(
    look: &mut Look,
    id: String,
    scope: Scope,
    root: Option<PathBuf>,
    version: Option<String>,
    origin: Origin,
    named: (PathBuf, usize),
    standing: Standing,
) {
    let version = version.or_else(|| {
        let root = root.as_deref()?;
        market::version_in(&mut look.files, root, &[MANIFEST])
    });
    let plugin = look.plugin(Plugin {
        host: HOST,
        id,
        scope,
        version,
        root,
        origin,
        named,
        standing,
    });
    if let Some(root) = plugin.root.clone().filter(|root| root.is_dir()) {
        of_plugin(look, &plugin, &root);
    }
}

type Located = Result<(PathBuf, Option<String>, Origin), (Origin, Gap)>;

/// The folder that the client runs a plugin from.
fn locate(
    look: &mut Look,
    told: &Told,
    registry: &Registry,
    id: &str,
    name: &str,
    market: &str,
) -> Located {
    let known = registry
        .marketplaces
        .as_ref()
        .and_then(|root| root.get(market));
    let said = told.marketplace(market).map(|said| &said.value);
    let Some(marketplace) = said.or(known) else {
        return Err((Origin::Unknown, Gap::Marketplace(market.to_owned())));
    };
    let base = look.places.start.clone();
    match market::folder_of(marketplace, &base) {
        Some(folder) => folder
            .and_then(|folder| {
                let names = Bare::BelowPluginRoot;
                market::in_folder(&mut look.files, &folder, &[LIST], name, names)
            })
            .map(|(root, version)| (root, version, Origin::Folder))
            .map_err(|gap| (Origin::Folder, gap)),
        None => copy(look, registry, id).map_err(|gap| (Origin::Cache, gap)),
    }
}

/// The client's own copy: the one for this project, else the user's.
fn copy(
    look: &Look,
    registry: &Registry,
    id: &str,
) -> Result<(PathBuf, Option<String>, Origin), Gap> {
    let entries = registry
        .installed
        .as_ref()
        .and_then(|root| root.at(&["plugins", id]))
        .map_or(&[][..], Node::elements);
    let path = |entry: &Node, key: &str| entry.get(key).and_then(Node::text).map(PathBuf::from);
    let of_project = entries
        .iter()
        .find(|entry| path(entry, "projectPath").as_ref() == Some(&look.places.start));
    let of_user = entries
        .iter()
        .find(|entry| path(entry, "projectPath").is_none());
    let entry = of_project.or(of_user).ok_or(Gap::NotInstalled)?;
    let root = path(entry, "installPath").ok_or(Gap::NotInstalled)?;
    if !root.is_dir() {
        return Err(if market::is_elsewhere(&root) {
            Gap::OtherMachine(root)
        } else {
            Gap::Root(root)
        });
    }
    let version = entry.get("version").and_then(Node::text);
    Ok((root, version.map(str::to_owned), Origin::Cache))
}

/// A plugin's hooks: the one file that is read by itself, and what the manifest names besides.
fn of_plugin(look: &mut Look, plugin: &Rc<Plugin>, root: &Path) {
    let first = look.sources.len();
    let new =
        |file: &Path| Source::new(HOST, Kind::ClaudePlugin, plugin.scope, file).of_plugin(plugin);
    let mut files = vec![root.join(DEFAULT)];
    let manifest = root.join(MANIFEST);
    if let Found::Text(text) = look.files.json(&manifest)
        && let Some(hooks) = text.outline.root().and_then(|root| root.get("hooks"))
    {
        let listed = hooks.elements().iter().chain([hooks]);
        for path in listed.clone().filter_map(Node::text) {
            let file = folder::plain(&root.join(path));
            let wrong = if !file.starts_with(root) {
                Some(Wrong::Outside(path.to_owned()))
            } else if !file.exists() {
                Some(Wrong::Missing(path.to_owned()))
            } else {
                None
            };
            if let Some(wrong) = wrong {
                let mut left_out = new(&manifest);
                left_out.drop_for(Fault::new(hooks.line, wrong));
                look.push(left_out);
            } else if !files.contains(&file) {
                files.push(file);
            }
        }
        for inline in listed.filter(|one| one.is_table()) {
            let mut source = new(&manifest);
            source.text = Some(Rc::clone(&text));
            events(&mut source, inline.get("hooks").unwrap_or(inline));
            look.push(source);
        }
    }
    for file in files {
        let found = look.files.json(&file);
        let Some(mut source) = new(&file).holding(found) else {
            continue;
        };
        source.wants_strict_json();
        if let Some(tree) = source.root().cloned() {
            match tree.get("hooks") {
                Some(hooks) => events(&mut source, hooks),
                None => source.drop_for(Fault::new(tree.line, Wrong::NoHooks)),
            }
        }
        look.push(source);
    }
    // A bad entry there, and the client loads nothing of the plugin; another fault stays in its file.
    let fault = look.sources[first..]
        .iter()
        .find_map(|source| match &source.state {
            State::Dropped(fault) if matches!(fault.wrong, Wrong::Whole(_)) => Some(fault.clone()),
            _ => None,
        });
    // What is wrong with a skill or an agent stays in its file.
    matter::of_plugin(look, plugin, root);
    for source in &mut look.sources[first..] {
        if let Some(fault) = &fault {
            source.drop_for(fault.clone());
        }
        if let Standing::Off(cause) = &plugin.standing {
            source.switch_off(cause.clone());
        }
    }
}

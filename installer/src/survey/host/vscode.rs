//! VS Code: its Copilot harness, which reads what Copilot CLI reads of hooks files and plugins, and
//! its Local harness. Both by the vendor's pages and source; neither was seen live.
//!
//! Nothing is said of either where no VS Code keeps settings on this machine.

use super::{copilot_cli, market};
use crate::edit::outline::Node;
use crate::survey::Look;
use crate::survey::cause::{Cause, Switch};
use crate::survey::fault::{Fault, Wrong};
use crate::survey::files::Found;
use crate::survey::groups::{self, Form, Item, no_text};
use crate::survey::handler::Handler;
use crate::survey::plugin::{Gap, Origin, Plugin, Standing};
use crate::survey::source::{HookState, Kind, Scope, Source};
use hookkit_dispatch::contract::Contract;
use hookkit_dispatch::folder;
use hookkit_dispatch::host::VSCODE_LOCAL;
use std::path::{Path, PathBuf};

pub(super) const COPILOT: &str = "vscode-copilot";

pub(super) const LOCAL: &str = "vscode-local";

/// The settings of one VS Code, or of one of its profiles.
struct Settings {
    file: PathBuf,
    root: Node,
}

impl Settings {
    /// A setting that is on or off, and where it says so.
    fn says(&self, name: &str) -> Option<(bool, usize)> {
        let node = self.root.get(name)?;
        Some((node.boolean()?, node.line))
    }

    /// The places of a setting that is a table of paths, each on or off.
    fn places(&self, name: &str) -> impl Iterator<Item = (&str, bool, usize)> {
        let members = self.root.get(name).map_or(&[][..], Node::members);
        members
            .iter()
            .filter_map(|member| Some((&*member.key, member.node.boolean()?, member.line)))
    }
}

/// The settings of every VS Code and profile, those of a workspace last.
fn all_settings(look: &mut Look) -> Vec<Settings> {
    let mut files: Vec<PathBuf> = look
        .places
        .vscode
        .iter()
        .map(|folder| folder.join("settings.json"))
        .collect();
    if let Some(repository) = &look.places.repository {
        files.push(repository.join(".vscode/settings.json"));
    }
    let mut found = Vec::new();
    for file in files {
        if let Found::Text(text) = look.files.json(&file)
            && let Some(root) = text.outline.root()
        {
            let root = root.clone();
            found.push(Settings { file, root });
        }
    }
    found
}

pub(super) fn read_copilot(look: &mut Look) {
    if look.places.vscode.is_empty() {
        return;
    }
    let user = look.places.copilot.join("hooks");
    copilot_cli::hooks_folder(look, COPILOT, Scope::User, &user);
    if let Some(repository) = look.places.repository.clone() {
        let folder = repository.join(".github/hooks");
        copilot_cli::hooks_folder(look, COPILOT, Scope::Project, &folder);
    }
    let settings = all_settings(look);
    for (plugin, found) in plugins(look, COPILOT, &settings) {
        copilot_cli::load(look, plugin, found, None);
    }
}

type Located = (Plugin, Result<(PathBuf, Option<String>), Gap>);

/// The plugins of `chat.pluginLocations`, and those that Copilot CLI has a copy of.
fn plugins(look: &mut Look, host: &'static str, settings: &[Settings]) -> Vec<Located> {
    let mut found: Vec<Located> = Vec::new();
    let plugin = |root: &Path, origin, named: (PathBuf, usize), standing| {
        let name = root.file_name().unwrap_or_default().to_string_lossy();
        Plugin {
            host,
            id: name.into_owned(),
            scope: Scope::User,
            version: None,
            root: Some(root.to_owned()),
            origin,
            named,
            standing,
        }
    };
    for one in settings {
        for (path, is_on, line) in one.places("chat.pluginLocations") {
            let named = (one.file.clone(), line);
            let place = market::place(&at_home(path, &look.places.home), Path::new("/"));
            let (root, place) = match place {
                Ok(root) => {
                    let place = if root.is_dir() {
                        Ok((root.clone(), None))
                    } else if market::is_elsewhere(&root) {
                        Err(Gap::OtherMachine(root.clone()))
                    } else {
                        Err(Gap::Root(root.clone()))
                    };
                    (root, place)
                }
                Err(gap) => (PathBuf::from(path), Err(gap)),
            };
            let standing = if is_on {
                Standing::Loaded
            } else {
                let setting = Switch::Setting("chat.pluginLocations");
                Standing::Off(Cause::at(setting, &one.file, line))
            };
            found.push((plugin(&root, Origin::Location, named, standing), place));
        }
    }
    let copies = look.places.copilot.join("installed-plugins");
    for market in look.files.folder(&copies).folders {
        let origin = if market.ends_with("_direct") {
            Origin::Direct
        } else {
            Origin::Cache
        };
        for root in look.files.folder(&market).folders {
            let named = (root.clone(), 0);
            let place = Ok((root.clone(), None));
            found.push((plugin(&root, origin, named, Standing::Loaded), place));
        }
    }
    found
}

/// A path that may begin with `~`.
fn at_home(path: &str, home: &Path) -> String {
    match path.strip_prefix("~/") {
        Some(rest) => home.join(rest).display().to_string(),
        None => path.to_owned(),
    }
}

pub(super) fn read_local(look: &mut Look) {
    if look.places.vscode.is_empty() {
        return;
    }
    let first = look.sources.len();
    let settings = all_settings(look);
    let last = |name: &str| {
        let mut said = settings.iter().rev();
        said.find_map(|one| one.says(name).map(|(is_on, line)| (is_on, one, line)))
    };
    for (folder, scope, name) in folders(look, &settings) {
        let listing = look.files.folder(&folder);
        let off = settings.iter().rev().find_map(|one| {
            let said = one.places("chat.hookFilesLocations");
            said.filter(|(path, is_on, _)| !is_on && *path == name)
                .map(|(.., line)| {
                    let setting = Switch::Setting("chat.hookFilesLocations");
                    Cause::at(setting, &one.file, line)
                })
                .next()
        });
        for file in listing.files {
            if file.extension().is_some_and(|ending| ending == "json") {
                hooks_file(look, scope, &file, off.clone());
            }
        }
    }
    let claude = match last("chat.useClaudeHooks") {
        Some((true, ..)) => None,
        Some((false, one, line)) => Some(Cause::at(
            Switch::Setting("chat.useClaudeHooks"),
            &one.file,
            line,
        )),
        None => Some(Cause::nowhere(Switch::Setting("chat.useClaudeHooks"))),
    };
    let project = look.places.project().to_owned();
    for (file, scope) in [
        (project.join(".claude/settings.json"), Scope::Project),
        (project.join(".claude/settings.local.json"), Scope::Local),
        (look.places.claude.join("settings.json"), Scope::User),
    ] {
        hooks_file(look, scope, &file, claude.clone());
    }
    for (plugin, found) in plugins(look, LOCAL, &settings) {
        of_plugin(look, plugin, found);
    }
    if let Some((false, one, line)) = last("chat.useHooks") {
        let cause = Cause::at(Switch::Setting("chat.useHooks"), &one.file, line);
        for source in &mut look.sources[first..] {
            source.switch_off(cause.clone());
        }
    }
}

/// The folders that are looked into, and how the settings call them.
fn folders(look: &Look, settings: &[Settings]) -> Vec<(PathBuf, Scope, String)> {
    let mut found = Vec::new();
    let project = look.places.project();
    found.push((
        project.join(".github/hooks"),
        Scope::Project,
        ".github/hooks".to_owned(),
    ));
    found.push((
        look.places.copilot.join("hooks"),
        Scope::User,
        "~/.copilot/hooks".to_owned(),
    ));
    for one in settings {
        for (path, is_on, _) in one.places("chat.hookFilesLocations") {
            let is_known = found.iter().any(|(.., name)| name == path);
            if is_on && !is_known {
                let folder = project.join(at_home(path, &look.places.home));
                found.push((folder::plain(&folder), Scope::User, path.to_owned()));
            }
        }
    }
    found
}

fn hooks_file(look: &mut Look, scope: Scope, file: &Path, off: Option<Cause>) {
    let found = look.files.json(file);
    let Some(mut source) = Source::new(LOCAL, Kind::VscodeHooks, scope, file).holding(found) else {
        return;
    };
    let root = source.root().cloned();
    if let Some(root) = root {
        document(&mut source, &root);
        let is_claudes = file
            .parent()
            .is_some_and(|folder| folder.ends_with(".claude"));
        // A file of settings need not have hooks in it.
        if is_claudes && source.hooks.is_empty() {
            return;
        }
    }
    if let Some(cause) = off {
        source.switch_off(cause);
    }
    look.push(source);
}

/// A hooks file, whatever form its events have.
fn document(source: &mut Source, root: &Node) {
    match root.get("hooks") {
        Some(hooks) if hooks.is_table() => events(source, hooks),
        Some(hooks) => {
            source.drop_for(Fault::new(hooks.line, Wrong::NoTable("hooks".to_owned())));
        }
        None => source.drop_for(Fault::new(root.line, Wrong::NoHooks)),
    }
    if let Some(all) = root.get("disableAllHooks")
        && all.boolean() == Some(true)
    {
        let file = source.file.clone();
        source.switch_off(Cause::at(Switch::AllHooksDisabled, file, all.line));
    }
}

fn events(source: &mut Source, hooks: &Node) {
    for item in groups::items(hooks, Form::Either) {
        let contract = row(&item.event.key);
        let fault = item
            .fault
            .clone()
            .or_else(|| unknown(&item, contract))
            .or_else(|| bad(item.entry));
        let handler = Handler::of(item.entry, None, LINES);
        let state = fault.map_or(HookState::Armed, HookState::Dropped);
        source
            .hooks
            .push(item.hook(&*item.event.key, contract, handler, state));
    }
}

const LINES: &[&str] = if cfg!(windows) {
    &["windows", "powershell", "command"]
} else if cfg!(target_vendor = "apple") {
    &["osx", "bash", "command"]
} else {
    &["linux", "bash", "command"]
};

/// Copilot's names are mapped in every file.
fn row(key: &str) -> Option<&'static Contract> {
    const COPILOTS: &[(&str, &str)] = &[
        ("sessionStart", "SessionStart"),
        ("userPromptSubmitted", "UserPromptSubmit"),
        ("preToolUse", "PreToolUse"),
        ("postToolUse", "PostToolUse"),
        ("agentStop", "Stop"),
        ("subagentStop", "SubagentStop"),
    ];
    let named = COPILOTS.iter().find(|(native, _)| *native == key);
    VSCODE_LOCAL.contract(named.map_or(key, |(_, event)| event))
}

fn unknown(item: &Item, contract: Option<&Contract>) -> Option<Fault> {
    let event = item.event.key.to_string();
    contract
        .is_none()
        .then(|| Fault::new(item.event.line, Wrong::Event(event)))
}

fn bad(entry: &Node) -> Option<Fault> {
    if let Some(kind) = entry.get("type")
        && kind.text() != Some("command")
    {
        let name = kind.text().unwrap_or_default().to_owned();
        return Some(Fault::new(kind.line, Wrong::Type(name)));
    }
    let has_line = LINES.iter().any(|key| entry.get(key).is_some());
    if !has_line {
        return Some(Fault::new(entry.line, Wrong::Nothing("command")));
    }
    LINES.iter().find_map(|key| no_text(entry, key))
}

/// The forms of a plugin, by the first manifest that is there, and where its hooks are.
const FORMS: &[(&str, &str)] = &[
    (".plugin/plugin.json", "hooks/hooks.json"),
    (".claude-plugin/plugin.json", "hooks/hooks.json"),
    ("plugin.json", "hooks.json"),
];

fn of_plugin(look: &mut Look, mut plugin: Plugin, found: Result<(PathBuf, Option<String>), Gap>) {
    let form = match &found {
        Ok((root, _)) => FORMS
            .iter()
            .find(|(manifest, _)| root.join(manifest).is_file())
            .ok_or_else(|| Gap::Manifest(root.clone())),
        Err(gap) => Err(gap.clone()),
    };
    if let Err(gap) = &form
        && plugin.standing == Standing::Loaded
    {
        plugin.standing = Standing::Gone(gap.clone());
    }
    let (Ok((root, _)), Ok((manifest, usual))) = (found, form) else {
        look.plugin(plugin);
        return;
    };
    plugin.version = market::version_in(&mut look.files, &root, &[manifest]);
    let plugin = look.plugin(plugin);
    let named = named_file(look, &root.join(manifest));
    let file = folder::plain(&root.join(named.as_deref().unwrap_or(usual)));
    let kind = Source::new(LOCAL, Kind::VscodePlugin, plugin.scope, &file);
    let mut source = kind.of_plugin(&plugin);
    if file.starts_with(&root) {
        let found = look.files.json(&file);
        let Some(held) = source.holding(found) else {
            if let Some(named) = named {
                let manifest = root.join(manifest);
                let missing = Source::new(LOCAL, Kind::VscodePlugin, plugin.scope, manifest);
                let mut missing = missing.of_plugin(&plugin);
                missing.drop_for(Fault::new(0, Wrong::Missing(named)));
                look.push(missing);
            }
            return;
        };
        source = held;
        if let Some(tree) = source.root().cloned() {
            document(&mut source, &tree);
        }
    } else {
        let wrong = Wrong::Outside(named.unwrap_or_default());
        source.drop_for(Fault::new(0, wrong));
    }
    if let Standing::Off(cause) = &plugin.standing {
        source.switch_off(cause.clone());
    }
    look.push(source);
}

/// The file that a manifest names: a text, the first of a list, or of `paths`.
fn named_file(look: &mut Look, manifest: &Path) -> Option<String> {
    let Found::Text(text) = look.files.json(manifest) else {
        return None;
    };
    let hooks = text.outline.root()?.get("hooks")?;
    let named = hooks
        .text()
        .or_else(|| hooks.elements().first()?.text())
        .or_else(|| hooks.get("paths")?.elements().first()?.text());
    named.map(str::to_owned)
}

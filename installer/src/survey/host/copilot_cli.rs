//! GitHub Copilot CLI, as its client 1.0.102 and its `hooks.discover` showed it.
//!
//! - the administrator's files, the user's hooks files, the user's settings, the repository's hooks
//!   files, four files of the repository's settings, plugins; one after the other
//! - files of a folder in reverse, then its folders in reverse
//! - JSON as the standard has it, but for `config.json` and the user's settings
//! - a bad entry is skipped in a file of a hooks folder; in settings and in plugins all goes with it,
//!   in a repository's settings `enabledPlugins` too
//! - what a repository says counts in a trusted folder, nothing says so elsewhere

mod disabled;
mod files;
mod plugins;

use super::market::Told;
use crate::edit::outline::Node;
use crate::survey::Look;
use crate::survey::cause::{Cause, Switch};
use crate::survey::fault::{Fault, Wrong};
use crate::survey::files::Found;
use crate::survey::source::{Kind, Scope, Source};
use files::{AllHooks, Strictness, document, events};
use hookkit_dispatch::folder;
pub(super) use plugins::load;
use std::path::Path;

pub(super) const HOST: &str = "copilot-cli";

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
    let mut untrusted = Vec::new();
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
            } else {
                untrusted.push(said);
            }
        }
        if !trusted {
            for source in &mut look.sources[first..] {
                source.switch_off(Cause::nowhere(Switch::FolderUntrusted));
            }
        }
    }
    plugins::read(look, HOST, &told, registry.as_ref());
    for said in untrusted {
        plugins::left_out(look, HOST, &said);
    }
    let settings = match look.files.json(&user) {
        Found::Text(text) => text.outline.root().cloned(),
        _ => None,
    };
    disabled::switch_off(look, first_of_others, &user, settings.as_ref());
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
        if file.extension().is_none_or(|ending| ending != "json") {
            continue;
        }
        if is_link {
            let mut source = Source::new(HOST, Kind::CopilotPolicy, Scope::Managed, &file);
            source.drop_for(Fault::new(0, Wrong::Link));
            look.push(source);
        } else {
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
    let bad = root.as_ref().and_then(disabled::bad);
    if let Some(fault) = bad.filter(|_| scope == Scope::User) {
        source.drop_for(fault);
    } else if let Some(root) = &root {
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

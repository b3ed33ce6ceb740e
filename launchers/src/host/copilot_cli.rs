//! GitHub Copilot CLI: `hooks/copilot.json` with `exec` entries.
//!
//! As its client 1.0.102 showed it:
//! - `exec` and `args` start a program without a shell; beside any key for a shell the entry is
//!   dropped
//! - `cwd` "." is the project; without it hooks run in the plugin's folder, and when that goes
//!   away nothing starts and every call is denied
//! - PascalCase keys make most payloads arrive with Claude's member names
//! - an empty matcher makes an entry invalid; a blank or a comma breaks a list of names
//! - `.github/plugin/plugin.json` is read before `.claude-plugin/plugin.json`, so that it never
//!   reads the file that is for Claude Code

use super::Launch;
use super::claude_code::members;
use super::plugin::{Marketplace, Plugin};
use crate::events::Events;
use crate::install::{At, Install, Installed, Place, Says, Scope, Told, Traces, UserFolder};
use crate::registration::exact_names;
use crate::{Entry, File, Registration, json};
use hookkit_dispatch::contract::{Contract, Subject};
use hookkit_dispatch::host::{self, Host};
use hookkit_dispatch::manifest::{Hook, Manifest};
use serde::Serialize;

/// The host of the name `copilot-cli`.
pub(crate) struct CopilotCli;

/// The exact names that the client can match itself; `None` leaves matching to hookkit.
///
/// A permission request names every file tool `edit`: `Write` would never match there. An MCP tool
/// is `server-tool` to the client, before it asks the server `server/tool`, and never
/// `mcp__server__tool`.
pub(crate) fn names_to_match<'h>(contract: &Contract, hooks: &'h [&Hook]) -> Option<Vec<&'h str>> {
    let has_the_names = !matches!(contract.event, "PermissionRequest" | "PreMcpToolCall");
    if contract.subject != Subject::Tool || !has_the_names {
        return None;
    }
    exact_names(hooks).filter(|names| !names.iter().any(|name| name.starts_with("mcp__")))
}

/// The client on which all this was seen.
pub(crate) const SEEN_ON: &str = "1.0.102";

const LOCAL_SETTINGS: &str = ".github/copilot/settings.local.json";

const HOOKS: &str = "hooks/copilot.json";

impl Launch for CopilotCli {
    fn host(&self) -> &'static dyn Host {
        host::COPILOT_CLI
    }

    fn registration_file(&self, _: &str) -> String {
        HOOKS.to_owned()
    }

    fn matcher(&self, contract: &Contract, hooks: &[&Hook]) -> Option<String> {
        let mut names = names_to_match(contract, hooks)?;
        // A patch arrives as Edit, whatever it does; hookkit looks into it and finds new files.
        if names.contains(&"Write") && !names.contains(&"Edit") {
            names.push("Edit");
        }
        Some(names.join("|"))
    }

    fn seen_on(&self) -> Option<&'static str> {
        Some(SEEN_ON)
    }

    fn switches(&self) -> &'static [&'static str] {
        &[
            "`disableAllHooks` in .claude/settings.json or .github/copilot/settings.json ends all \
             hooks, in a trusted folder",
            "`enabledPlugins` with this plugin as false in the same files leaves it out, in a \
             trusted folder",
            "`extraKnownMarketplaces` in the same files can put a plugin of the repository's in its \
             place, in a trusted folder",
            "a project folder that is renamed in mid-session ends the hooks of plugins",
        ]
    }

    fn tree(&self, manifest: &Manifest, registration: &Registration) -> Vec<File> {
        let start = Start {
            exec: "${PLUGIN_ROOT}/dispatch/hookkit-dispatch",
            cwd: ".",
        };
        vec![
            File::data(
                ".github/plugin/plugin.json",
                json::document(&Plugin::of(manifest, Some(HOOKS))),
            ),
            File::data(
                ".github/plugin/marketplace.json",
                json::document(&Marketplace::of(manifest)),
            ),
            File::data(HOOKS, hooks_file(registration, &start)),
        ]
    }

    fn shadows(&self) -> &'static [&'static str] {
        &[".plugin/plugin.json", "plugin.json"]
    }
}

/// What a repository's settings say of plugins counts here, in a trusted folder: it can silence one
/// or put its own in its place, and a project folder that is renamed ends them. It does not reach the
/// user's own hook files, so a plugin with a required gate is registered there. Program and folder
/// are absolute in both: from a folder that is gone nothing starts, and every call is denied. All
/// seen on 1.0.102.
impl Install for CopilotCli {
    fn user_folder(&self) -> UserFolder {
        UserFolder::Of {
            variable: "COPILOT_HOME",
            below_home: ".copilot",
        }
    }

    fn program(&self) -> &'static str {
        "copilot"
    }

    fn package(&self) -> Option<&'static str> {
        Some("@github/copilot")
    }

    /// One that is told apart is a plugin without hooks: VS Code hands the folder to the same client,
    /// which reads the hooks file of the user's as well.
    fn thin(&self, plugin: &Installed) -> Vec<File> {
        let mut files = Self::plugin(plugin);
        if is_apart(plugin) {
            let none = HooksFile {
                version: 1,
                hooks: Events::none(),
            };
            files.retain(|file| file.path != HOOKS);
            files.push(File::data(HOOKS, json::document(&none)));
            return files;
        }
        files.push(File::data(
            ".github/plugin/marketplace.json",
            json::document(&Marketplace::named(
                &plugin.place.marketplace(),
                plugin.manifest,
            )),
        ));
        files
    }

    fn told(&self, plugin: &Installed) -> Vec<Told> {
        if is_apart(plugin) {
            return vec![Told {
                file: At::User(format!("hooks/hookkit-{}.json", plugin.manifest.name)),
                says: Says::Whole(installed_hooks(plugin)),
            }];
        }
        members(plugin, LOCAL_SETTINGS)
    }

    fn settings_of_repository(&self) -> &'static [&'static str] {
        &[
            ".claude/settings.json",
            ".claude/settings.local.json",
            ".github/copilot/settings.json",
            ".github/copilot/settings.local.json",
        ]
    }

    fn local_settings(&self) -> Option<&'static str> {
        Some(LOCAL_SETTINGS)
    }

    fn reads_hooks_of_repository(&self) -> bool {
        true
    }

    /// Seen on 1.0.102.
    fn traces(&self, place: &Place) -> Traces {
        Traces {
            folders: vec![format!("plugin-data/{}", place.marketplace())],
            members: Vec::new(),
        }
    }

    fn starts(&self, place: &Place) -> String {
        place.dispatcher()
    }

    fn remains(&self, plugin: &Installed) -> &'static [&'static str] {
        const ALL_HOOKS: &str = "`disableAllHooks` in its .claude/settings.json or \
                                 .github/copilot/settings.json, in a trusted folder";
        const RENAME: &str = "a rename of the project's folder";
        match plugin.scope {
            Scope::User if is_apart(plugin) => &[ALL_HOOKS],
            Scope::User => &[
                ALL_HOOKS,
                "`enabledPlugins` or `extraKnownMarketplaces` in the same files",
                RENAME,
            ],
            Scope::Local => &[
                ALL_HOOKS,
                "`extraKnownMarketplaces` in the same files",
                "a change of its .github/copilot/settings.local.json, from the next session on",
                RENAME,
            ],
        }
    }
}

impl CopilotCli {
    /// The files of an installed plugin.
    pub(super) fn plugin(plugin: &Installed) -> Vec<File> {
        vec![
            File::data(
                ".github/plugin/plugin.json",
                json::document(&Plugin::of(plugin.manifest, Some(HOOKS))),
            ),
            File::data(HOOKS, installed_hooks(plugin)),
        ]
    }
}

/// A gate that a repository must not switch off stands in a hooks file of the user's, which counts in
/// every folder; one that is local is a plugin's like any other.
fn is_apart(plugin: &Installed) -> bool {
    plugin.is_required() && plugin.scope == Scope::User
}

fn installed_hooks(plugin: &Installed) -> Vec<u8> {
    let dispatcher = plugin.place.dispatcher();
    let start = Start {
        exec: &dispatcher,
        cwd: plugin.place.ground(),
    };
    hooks_file(&plugin.registration, &start)
}

pub(crate) fn hooks_file(registration: &Registration, start: &Start) -> Vec<u8> {
    json::document(&HooksFile {
        version: 1,
        hooks: Events::of(
            registration,
            |entry| key(entry.contract),
            |entry| Handler::of(registration, entry, start),
        ),
    })
}

/// The program that is started, and the folder that it is started in.
pub(crate) struct Start<'s> {
    pub(crate) exec: &'s str,
    pub(crate) cwd: &'s str,
}

/// The key of an event: Claude's name, where the client knows it.
fn key(contract: &Contract) -> &'static str {
    match (contract.event, contract.native) {
        ("UserPromptTransformed", Some(native)) => native,
        (event, _) => event,
    }
}

#[derive(Serialize)]
struct HooksFile<'r> {
    version: u8,
    hooks: Events<Handler<'r>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Handler<'r> {
    r#type: &'static str,
    exec: &'r str,
    args: Vec<String>,
    cwd: &'r str,
    timeout_sec: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    matcher: Option<&'r str>,
}

impl<'r> Handler<'r> {
    fn of(registration: &Registration, entry: &'r Entry, start: &Start<'r>) -> Self {
        Self {
            r#type: "command",
            exec: start.exec,
            args: registration.args(entry),
            cwd: start.cwd,
            timeout_sec: entry.timeout,
            matcher: entry.matcher.as_deref(),
        }
    }
}

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
use super::plugin::{Marketplace, Plugin};
use crate::events::Events;
use crate::registration::exact_names;
use crate::{Entry, File, Registration, json};
use hookkit_dispatch::contract::{Contract, Subject};
use hookkit_dispatch::host::{self, Host};
use hookkit_dispatch::manifest::{Hook, Manifest};
use serde::Serialize;

/// The host of the name `copilot-cli`.
pub(super) struct CopilotCli;

/// The client on which all this was seen.
pub(crate) const SEEN_ON: &str = "1.0.102";

const HOOKS: &str = "hooks/copilot.json";

impl Launch for CopilotCli {
    fn host(&self) -> &'static dyn Host {
        host::COPILOT_CLI
    }

    fn matcher(&self, contract: &Contract, hooks: &[&Hook]) -> Option<String> {
        // A permission request names every file tool `edit`: `Write` would never match there.
        if contract.subject != Subject::Tool || contract.event == "PermissionRequest" {
            return None;
        }
        let mut names = exact_names(hooks)?;
        // A patch arrives as Edit, whatever it does; hookkit looks into it and finds new files.
        if names.contains(&"Write") && !names.contains(&"Edit") {
            names.push("Edit");
        }
        Some(names.join("|"))
    }

    fn seen_on(&self) -> &'static str {
        SEEN_ON
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
        let hooks = HooksFile {
            version: 1,
            hooks: Events::of(
                registration,
                |entry| key(entry.contract),
                |entry| Handler::of(registration, entry),
            ),
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
            File::data(HOOKS, json::document(&hooks)),
        ]
    }

    fn shadows(&self) -> &'static [&'static str] {
        &[".plugin/plugin.json", "plugin.json"]
    }
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
    exec: &'static str,
    args: Vec<String>,
    cwd: &'static str,
    timeout_sec: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    matcher: Option<&'r str>,
}

impl<'r> Handler<'r> {
    fn of(registration: &Registration, entry: &'r Entry) -> Self {
        Self {
            r#type: "command",
            exec: "${PLUGIN_ROOT}/dispatch/hookkit-dispatch",
            args: registration.args(entry),
            cwd: ".",
            timeout_sec: entry.timeout,
            matcher: entry.matcher.as_deref(),
        }
    }
}

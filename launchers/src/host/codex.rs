//! Codex CLI: `hooks/codex.json` with command lines.
//!
//! As its client 0.171.0 showed it:
//! - a command is run by the session's shell: bash, on Windows mostly PowerShell; `${PLUGIN_ROOT}`
//!   is replaced in it beforehand, without quotes
//! - any key at the top but `description` and `hooks` rejects the file, a fraction in `timeout` too
//! - nothing runs before the user has trusted every file of the plugin by its hash, and nothing
//!   says so
//! - `.codex-plugin/plugin.json` is read before Claude's; its marketplace file it shares with Claude

use super::Launch;
use super::plugin::Plugin;
use crate::events::Events;
use crate::registration::exact_names;
use crate::{Entry, File, Registration, json};
use hookkit_dispatch::contract::{Contract, Subject};
use hookkit_dispatch::host::{self, Host};
use hookkit_dispatch::manifest::{Hook, Manifest};
use serde::Serialize;

/// The host of the name `codex`.
pub(super) struct Codex;

const HOOKS: &str = "hooks/codex.json";

const PROGRAM: &str = "${PLUGIN_ROOT}/dispatch/hookkit-dispatch";

/// The last moments of a session wait no longer.
const LONGEST_LAST_MOMENT: u32 = 3;

impl Launch for Codex {
    fn host(&self) -> &'static dyn Host {
        host::CODEX
    }

    fn registration_file(&self, _: &str) -> String {
        HOOKS.to_owned()
    }

    fn longest_timeout(&self, contract: &Contract) -> Option<u32> {
        matches!(contract.event, "SessionEnd" | "Interrupt").then_some(LONGEST_LAST_MOMENT)
    }

    fn matcher(&self, contract: &Contract, hooks: &[&Hook]) -> Option<String> {
        if contract.subject != Subject::Tool {
            return None;
        }
        let mut names = exact_names(hooks)?;
        if names.contains(&"Write") || names.contains(&"Edit") {
            // Every edit is a patch here, whichever of the two its parts are.
            names.retain(|name| !matches!(*name, "Write" | "Edit"));
            names.extend(["apply_patch", "Edit", "Write"]);
        }
        Some(names.join("|"))
    }

    fn seen_on(&self) -> Option<&'static str> {
        Some("0.171.0")
    }

    fn switches(&self) -> &'static [&'static str] {
        &[
            "until the user trusts this plugin's files, and again after each update, none of its \
             hooks runs and nothing says so",
            "`[features] hooks = false` in .codex/config.toml ends all hooks, in a trusted project",
        ]
    }

    fn tree(&self, manifest: &Manifest, registration: &Registration) -> Vec<File> {
        let hooks = HooksFile {
            description: "Written by hookkit build. Change hookkit.json instead.",
            hooks: Events::by_claudes_names(registration, |entry| Group::of(registration, entry)),
        };
        vec![
            File::data(
                ".codex-plugin/plugin.json",
                json::document(&Plugin::of(manifest, Some("./hooks/codex.json"))),
            ),
            File::data(HOOKS, json::document(&hooks)),
        ]
    }
}

#[derive(Serialize)]
struct HooksFile<'r> {
    description: &'static str,
    hooks: Events<Group<'r>>,
}

#[derive(Serialize)]
struct Group<'r> {
    #[serde(skip_serializing_if = "Option::is_none")]
    matcher: Option<&'r str>,
    hooks: [Handler; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Handler {
    r#type: &'static str,
    command: String,
    command_windows: String,
    timeout: u32,
}

impl<'r> Group<'r> {
    fn of(registration: &Registration, entry: &'r Entry) -> Self {
        let line = registration.args(entry).join(" ");
        Self {
            matcher: entry.matcher.as_deref(),
            hooks: [Handler {
                r#type: "command",
                command: format!("\"{PROGRAM}\" {line}"),
                // The one line for a path with blanks that cmd and both PowerShells run; the
                // dispatcher stops reading at `end`, PowerShell passes its exit code on after it.
                command_windows: format!(
                    "cmd /c \"{PROGRAM}.exe\" {line} end ; exit $LASTEXITCODE"
                ),
                timeout: entry.timeout,
            }],
        }
    }
}

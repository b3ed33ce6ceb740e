//! Claude Code: `hooks/hooks.json` in exec form, which VS Code Local reads as well.
//!
//! As its client 2.1.332 showed it:
//! - with `args` the command is started without a shell, and `${CLAUDE_PLUGIN_ROOT}` is replaced
//!   in every text; Windows takes the `.exe` beside the name
//! - unknown members of an entry are ignored, so the strings for VS Code Local may stand in it
//! - a flat entry, as Copilot has them, makes it drop the whole plugin; a byte order mark too
//! - `hooks` in `plugin.json` that names this file loads it twice in older clients

use super::plugin::{Marketplace, Plugin};
use super::{Consequence, Launch};
use crate::events::Events;
use crate::install::{At, Install, Installed, Place, Says, Scope, Told, Traces, UserFolder};
use crate::registration::exact_names;
use crate::{Entry, File, Registration, json};
use hookkit_dispatch::args::IfMissing;
use hookkit_dispatch::contract::{Contract, Subject};
use hookkit_dispatch::host::{self, Host};
use hookkit_dispatch::manifest::{Hook, Manifest};
use hookkit_dispatch::settings;
use serde::Serialize;
use serde_json::{Value, json};

/// The host of the name `claude-code`.
pub(crate) struct ClaudeCode;

const LOCAL_SETTINGS: &str = ".claude/settings.local.json";

const HOOKS: &str = "hooks/hooks.json";

const PROGRAM: &str = "${CLAUDE_PLUGIN_ROOT}/dispatch/hookkit-dispatch";

/// Older clients ignore `onFailure` as an unknown member.
const ON_FAILURE_SINCE: &str = "2.1.295";

/// SessionEnd hooks get what the largest of their timeouts says, but never more.
const LONGEST_SESSION_END: u32 = 60;

impl ClaudeCode {
    /// An element of a list in `hooks` of its settings, by which a program is started.
    pub(crate) fn group(registration: &Registration, entry: &Entry, program: &str) -> Value {
        let mut handler = json!({
            "type": "command",
            "command": program,
            "args": registration.args(entry),
            "timeout": entry.timeout,
        });
        if let Some(on_failure) = on_failure(entry) {
            handler["onFailure"] = json!(on_failure);
        }
        let mut group = json!({"hooks": [handler]});
        if let Some(matcher) = &entry.matcher {
            group["matcher"] = json!(matcher);
        }
        group
    }
}

impl Launch for ClaudeCode {
    fn host(&self) -> &'static dyn Host {
        host::CLAUDE_CODE
    }

    fn registration_file(&self, _: &str) -> String {
        HOOKS.to_owned()
    }

    fn longest_timeout(&self, contract: &Contract) -> Option<u32> {
        (contract.event == "SessionEnd").then_some(LONGEST_SESSION_END)
    }

    /// Tools are matched exactly as hookkit does. Other events fire too rarely to be worth a
    /// matcher that might not be honoured.
    fn matcher(&self, contract: &Contract, hooks: &[&Hook]) -> Option<String> {
        if contract.event == "FileChanged" {
            return watched_files(hooks);
        }
        if contract.subject != Subject::Tool {
            return None;
        }
        exact_names(hooks).map(|names| names.join("|"))
    }

    fn seen_on(&self) -> Option<&'static str> {
        Some("2.1.332")
    }

    /// `onFailure` turns every failure into a refusal, but not at the end of a turn.
    fn without_dispatcher(&self, entry: &Entry) -> Consequence {
        let is_honoured = !matches!(
            entry.contract.event,
            "Stop" | "SubagentStop" | "TaskCompleted" | "TeammateIdle"
        );
        if entry.if_missing == IfMissing::Deny && is_honoured {
            return Consequence::RefusedSince(ON_FAILURE_SINCE);
        }
        Consequence::of(entry.contract.failure.not_started)
    }

    fn switches(&self) -> &'static [&'static str] {
        &[
            "`disableAllHooks` in .claude/settings.json or settings.local.json ends all hooks, also \
             in mid-session",
            "`enabledPlugins` with this plugin as false in the same files leaves it out of the next \
             session",
            "`env` in the same files sets variables of its hooks; hookkit removes those that load \
             code",
        ]
    }

    fn tree(&self, manifest: &Manifest, registration: &Registration) -> Vec<File> {
        files(
            &Plugin::of(manifest, None),
            &Marketplace::of(manifest),
            registration,
            "Written by hookkit build. Change hookkit.json instead.",
        )
    }
}

/// Its client loads a plugin of a folder marketplace in place, by two members of the user's
/// settings; those of a project load nothing in print mode. Both seen on 2.1.332.
impl Install for ClaudeCode {
    fn user_folder(&self) -> UserFolder {
        UserFolder::Of {
            variable: "CLAUDE_CONFIG_DIR",
            below_home: ".claude",
        }
    }

    fn program(&self) -> &'static str {
        "claude"
    }

    fn package(&self) -> Option<&'static str> {
        Some("@anthropic-ai/claude-code")
    }

    fn settings_event(&self) -> Option<&'static str> {
        Some(settings::EVENT)
    }

    fn thin(&self, plugin: &Installed) -> Vec<File> {
        files(
            &Plugin::of(plugin.manifest, None),
            &Marketplace::named(&plugin.place.marketplace(), plugin.manifest),
            &plugin.registration,
            "Written by hookkit install. `hookkit uninstall` takes it away.",
        )
    }

    fn told(&self, plugin: &Installed) -> Vec<Told> {
        members(plugin, LOCAL_SETTINGS)
    }

    /// One comment, and it reads nothing of the file and says nothing (seen on 2.1.332).
    fn reads_comments(&self) -> bool {
        false
    }

    fn settings_of_repository(&self) -> &'static [&'static str] {
        &[".claude/settings.json", ".claude/settings.local.json"]
    }

    fn local_settings(&self) -> Option<&'static str> {
        Some(LOCAL_SETTINGS)
    }

    /// Seen on 2.1.332. What it counts in `.claude.json` is left to it: it writes that file all the
    /// time.
    fn traces(&self, place: &Place) -> Traces {
        let marketplace = place.marketplace();
        Traces {
            folders: vec![
                format!("plugins/data/{}-{marketplace}", place.plugin()),
                format!("plugins/cache/{marketplace}"),
            ],
            members: vec![
                ("plugins/known_marketplaces.json", vec![marketplace]),
                (
                    "plugins/installed_plugins.json",
                    vec!["plugins".to_owned(), place.id()],
                ),
            ],
        }
    }

    /// The thin folder's: this client refuses to start anything of a plugin whose folder is gone,
    /// wherever the program lies.
    fn starts(&self, place: &Place) -> String {
        PROGRAM.replace("${CLAUDE_PLUGIN_ROOT}", &place.thin())
    }

    fn remains(&self, plugin: &Installed) -> &'static [&'static str] {
        match (plugin.scope, plugin.is_required()) {
            (Scope::User, true) => &[
                "`disableAllHooks` or `enabledPlugins` in its .claude/settings.json, where that \
                 stands there before the session starts",
            ],
            (Scope::User, false) => &[
                "`disableAllHooks` in its .claude/settings.json, also in mid-session",
                "`enabledPlugins` there, from the next session on",
            ],
            (Scope::Local, true) => &[
                "`disableAllHooks` in its .claude/settings.json, where that stands there before \
                 the session starts",
                LOCAL_FILE,
            ],
            (Scope::Local, false) => &[
                "`disableAllHooks` in its .claude/settings.json, also in mid-session",
                LOCAL_FILE,
            ],
        }
    }
}

const LOCAL_FILE: &str = "a change of its .claude/settings.local.json, from the next session on";

/// The two members of the settings by which both clients load a plugin of a folder marketplace.
///
/// The marketplace is always the user's: it is an absolute path, and Claude Code does not take one
/// from a repository that way (seen on 2.1.332).
pub(super) fn members(plugin: &Installed, local: &'static str) -> Vec<Told> {
    let place = &plugin.place;
    let source = json!({"source": {"source": "directory", "path": place.thin()}});
    let member = |of: &str, name: String, value| (vec![of.to_owned(), name], value);
    let marketplace = member("extraKnownMarketplaces", place.marketplace(), source);
    let enabled = member("enabledPlugins", place.id(), json!(true));
    let told = |file, members| Told {
        file,
        says: Says::Members(members),
    };
    let of_user = At::User("settings.json".to_owned());
    match plugin.scope {
        Scope::User => vec![told(of_user, vec![marketplace, enabled])],
        Scope::Local => vec![
            told(of_user, vec![marketplace]),
            told(At::Repository(local), vec![enabled]),
        ],
    }
}

fn files(
    plugin: &Plugin,
    marketplace: &Marketplace,
    registration: &Registration,
    description: &'static str,
) -> Vec<File> {
    let hooks = HooksFile {
        description,
        hooks: Events::by_claudes_names(registration, |entry| Group::of(registration, entry)),
    };
    vec![
        File::data(".claude-plugin/plugin.json", json::document(plugin)),
        File::data(
            ".claude-plugin/marketplace.json",
            json::document(marketplace),
        ),
        File::data(HOOKS, json::document(&hooks)),
    ]
}

/// Denies what the dispatcher cannot judge because it does not start. From 2.1.295 on; older clients
/// ignore it.
fn on_failure(entry: &Entry) -> Option<&'static str> {
    (entry.if_missing == IfMissing::Deny).then_some("block")
}

/// For this event the matcher is the list of file names that the client watches: without it
/// nothing ever fires (the vendor's hooks reference, FileChanged).
fn watched_files(hooks: &[&Hook]) -> Option<String> {
    let matchers: Option<Vec<&str>> = hooks.iter().map(|hook| hook.matcher.as_deref()).collect();
    Some(matchers?.join("|")).filter(|matcher| !matcher.is_empty())
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
    command: &'static str,
    args: Vec<String>,
    timeout: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    on_failure: Option<&'static str>,
    linux: String,
    osx: String,
    windows: String,
}

impl<'r> Group<'r> {
    fn of(registration: &Registration, entry: &'r Entry) -> Self {
        let args = registration.args(entry);
        let line = args.join(" ");
        let posix = format!("\"{PROGRAM}\" {line}");
        Self {
            matcher: entry.matcher.as_deref(),
            hooks: [Handler {
                r#type: "command",
                command: PROGRAM,
                args,
                timeout: entry.timeout,
                on_failure: on_failure(entry),
                linux: posix.clone(),
                osx: posix,
                // PowerShell runs a quoted program only after `&`, and makes 1 of every other exit
                // code unless it is told the program's own.
                windows: format!("& \"{PROGRAM}.exe\" {line}; exit $LASTEXITCODE"),
            }],
        }
    }
}

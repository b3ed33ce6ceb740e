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
use crate::install::{At, Install, Installed, Place, Says, Told, Traces, UserFolder};
use crate::registration::exact_names;
use crate::{File, Registration, json, shell};
use hookkit_dispatch::contract::{Contract, Subject};
use hookkit_dispatch::host::{self, Host};
use hookkit_dispatch::manifest::{Hook, Manifest};
use serde::Serialize;
use serde_json::json;

/// The host of the name `codex`.
pub(crate) struct Codex;

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
        let description = "Written by hookkit build. Change hookkit.json instead.";
        files(manifest, registration, description, |args| Lines {
            command: format!("\"{PROGRAM}\" {}", args.join(" ")),
            // The one line for a path with blanks that cmd and both PowerShells run; the dispatcher
            // stops reading at `end`, PowerShell passes its exit code on after it.
            command_windows: Some(format!(
                "cmd /c \"{PROGRAM}.exe\" {} end ; exit $LASTEXITCODE",
                args.join(" ")
            )),
        })
    }
}

/// Its client reads a plugin from a copy below its own folder, and two tables of `config.toml` say
/// which. Its own `codex plugin add` makes that copy and writes these tables, but with other line ends
/// than the file had, so the installer does both. `local` is where it puts a plugin that names no
/// version; as that folder never changes its name, an update takes no folder away from a session.
///
/// What a person trusts is every file of the copy. `content.sha256` names those of the plugin, and the
/// launch line its version: no other one is started before somebody has trusted it. All seen on
/// 0.171.0.
impl Install for Codex {
    fn user_folder(&self) -> UserFolder {
        UserFolder::Of {
            variable: "CODEX_HOME",
            below_home: ".codex",
        }
    }

    fn program(&self) -> &'static str {
        "codex"
    }

    fn package(&self) -> Option<&'static str> {
        Some("@openai/codex")
    }

    fn settings(&self) -> &'static str {
        "config.toml"
    }

    fn hooks_of_user(&self) -> Option<&'static str> {
        Some("hooks.json")
    }

    fn asks_for_trust(&self) -> bool {
        true
    }

    fn thin(&self, plugin: &Installed) -> Vec<File> {
        let marketplace = Marketplace {
            name: &plugin.place.marketplace(),
            plugins: [Offer {
                name: &plugin.manifest.name,
                source: Source {
                    source: "local",
                    path: "./",
                },
            }],
        };
        let mut files = copied(plugin);
        files.push(File::data(
            ".agents/plugins/marketplace.json",
            json::document(&marketplace),
        ));
        files
    }

    fn told(&self, plugin: &Installed) -> Vec<Told> {
        let place = &plugin.place;
        let copy = |file: File| Told {
            file: At::User(format!("{}/{}", copy_of(place), file.path)),
            says: Says::Copy(file.bytes),
        };
        let marketplace = json!({"source_type": "local", "source": place.thin()});
        let members = vec![
            (
                vec!["marketplaces".to_owned(), place.marketplace()],
                marketplace,
            ),
            (
                vec!["plugins".to_owned(), place.id()],
                json!({"enabled": true}),
            ),
        ];
        let settings = Told {
            file: At::User(self.settings().to_owned()),
            says: Says::Members(members),
        };
        copied(plugin)
            .into_iter()
            .map(copy)
            .chain([settings])
            .collect()
    }

    /// It reads no plugins from a repository.
    fn settings_of_repository(&self) -> &'static [&'static str] {
        &[]
    }

    fn local_settings(&self) -> Option<&'static str> {
        None
    }

    fn traces(&self, place: &Place) -> Traces {
        let marketplace = place.marketplace();
        Traces {
            folders: vec![
                format!("plugins/data/{}-{marketplace}", place.plugin()),
                format!("plugins/cache/{marketplace}"),
            ],
            members: Vec::new(),
        }
    }

    fn starts(&self, place: &Place) -> String {
        place.dispatcher()
    }

    fn remains(&self, _: &Installed) -> &'static [&'static str] {
        &["`[features] hooks = false` in its .codex/config.toml, in a trusted project"]
    }
}

/// Where the client reads a plugin that names no version, below its own folder.
fn copy_of(place: &Place) -> String {
    format!(
        "plugins/cache/{}/{}/local",
        place.marketplace(),
        place.plugin()
    )
}

/// What is copied there: all that a person trusts.
fn copied(plugin: &Installed) -> Vec<File> {
    let program = plugin.place.dispatcher_in_line();
    let description = "Written by hookkit install. `hookkit uninstall` takes it away.";
    let mut files = files(plugin.manifest, &plugin.registration, description, |args| {
        Lines {
            command: shell::posix_line(&program, args),
            // An installation is for one machine.
            command_windows: cfg!(windows).then(|| shell::windows_line(&program, args)),
        }
    });
    files.push(File::data("content.sha256", plugin.stored.sums.clone()));
    files
}

fn files(
    manifest: &Manifest,
    registration: &Registration,
    description: &'static str,
    lines: impl Fn(&[String]) -> Lines,
) -> Vec<File> {
    let hooks = HooksFile {
        description,
        hooks: Events::by_claudes_names(registration, |entry| Group {
            matcher: entry.matcher.as_deref(),
            hooks: [Handler {
                r#type: "command",
                lines: lines(&registration.args(entry)),
                timeout: entry.timeout,
            }],
        }),
    };
    vec![
        File::data(
            ".codex-plugin/plugin.json",
            json::document(&Plugin::of(manifest, Some("./hooks/codex.json"))),
        ),
        File::data(HOOKS, json::document(&hooks)),
    ]
}

#[derive(Serialize)]
struct Marketplace<'m> {
    name: &'m str,
    plugins: [Offer<'m>; 1],
}

#[derive(Serialize)]
struct Offer<'m> {
    name: &'m str,
    source: Source,
}

#[derive(Serialize)]
struct Source {
    source: &'static str,
    path: &'static str,
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
struct Handler {
    r#type: &'static str,
    #[serde(flatten)]
    lines: Lines,
    timeout: u32,
}

/// What its shells run.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Lines {
    command: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    command_windows: Option<String>,
}

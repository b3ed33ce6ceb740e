//! Trust of Codex: which of a plugin's hooks it starts, as far as a person has said so.
//!
//! Codex itself says what there is to trust, by its app-server, and what it would write down. That is
//! asked in a scratch folder: the client fills any folder that it is started in, and a person's own
//! shall only hold what they agreed to. What it wrote there goes into their settings by our own edit,
//! for its own changes line ends. Nothing in it depends on the folder (seen on 0.171.0).

use super::known;
use super::machine::Found;
use super::receipt::Member;
use super::settings;
use super::told::Wish;
use crate::rpc::{Server, keep_offline};
use anyhow::{Context as _, Result, bail, ensure};
use fs_err as fs;
use hookkit_dispatch::env::Env;
use hookkit_launchers::install::{At, Installed, Says, UserFolder};
use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// How long one answer may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// Settings with which the client asks nobody on the network and leaves nothing running.
const QUIET: &str = "check_for_update_on_startup = false
[analytics]
enabled = false
[features]
daemon_auto_start = false
remote_plugin = false
";

/// Variables of this process that the client is given.
const KEPT: [&str; 8] = [
    "PATH",
    "LANG",
    "SystemRoot",
    "SystemDrive",
    "ComSpec",
    "PATHEXT",
    "TEMP",
    "TMPDIR",
];

/// Whether a host starts the hooks that it was told of.
#[derive(Clone, Debug)]
pub(crate) struct Trust {
    pub(crate) hooks: Vec<Hook>,
    pub(crate) state: State,
    /// What in the user's own settings switches them off all the same.
    pub(crate) off: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// They run.
    Given,
    /// They wait for somebody to trust them.
    Missing,
    /// What there is to trust is not known, for this reason.
    Unknown(String),
}

/// One hook, as its host shows it to the person who shall trust it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hook {
    pub(crate) event: String,
    pub(crate) matcher: Option<String>,
    pub(crate) command: String,
    pub(crate) hash: String,
    key: String,
    /// What the host writes down when it is trusted.
    noted: Value,
}

impl Trust {
    /// What a host would ask a person about this plugin; `wanted` where the person has said yes.
    pub(crate) fn of(found: &Found, plugin: &Installed, wanted: bool, env: &Env) -> Self {
        let hooks = match &found.program {
            Some(program) => ask(program, found, plugin, env).map_err(|why| format!("{why:#}")),
            None => Err(format!("`{}` is not on the PATH", found.host.program())),
        };
        let hooks = match hooks {
            Ok(hooks) => hooks,
            Err(why) => {
                return Self {
                    hooks: Vec::new(),
                    state: State::Unknown(why),
                    off: None,
                };
            }
        };
        let is_given = wanted || hooks.iter().all(|hook| hook.is_trusted(found));
        Self {
            off: switched_off(found, &hooks),
            hooks,
            state: if is_given {
                State::Given
            } else {
                State::Missing
            },
        }
    }

    /// What its settings say of it. What an earlier version was trusted for goes, and stays where it
    /// is not known whether that is this one.
    pub(super) fn wishes(&self, found: &Found, plugin: &str) -> Vec<Wish> {
        match self.state {
            State::Given => {}
            State::Missing => return Vec::new(),
            State::Unknown(_) => return noted(found, plugin),
        }
        let wish = |hook: &Hook| {
            let at = ["hooks", "state", &hook.key].map(str::to_owned).to_vec();
            (at, hook.noted.clone())
        };
        self.hooks.iter().map(wish).collect()
    }
}

fn switched_off(found: &Found, hooks: &[Hook]) -> Option<String> {
    let settings = settings::open(&found.settings()).ok()?;
    let is_off = |at: &[&str]| settings.value(at) == Some(Value::Bool(false));
    let features = ["hooks", "plugins"].map(|feature| vec!["features", feature]);
    let states = hooks
        .iter()
        .map(|hook| vec!["hooks", "state", &*hook.key, "enabled"]);
    let at = features.into_iter().chain(states).find(|at| is_off(at))?;
    let (key, table) = at.split_last()?;
    Some(format!(
        "`{key} = false` in the table `{}` of {}",
        table.join("."),
        found.settings().display()
    ))
}

fn noted(found: &Found, plugin: &str) -> Vec<Wish> {
    let Ok(settings) = settings::open(&found.settings()) else {
        return Vec::new();
    };
    let wish = |member: Member| Some((member.at.clone(), settings.value(&member.keys())?));
    let noted = known::noted(&*settings, plugin);
    noted.into_iter().filter_map(wish).collect()
}

impl Hook {
    fn is_trusted(&self, found: &Found) -> bool {
        settings::open(&found.settings())
            .is_ok_and(|settings| settings.says(&["hooks", "state", &self.key], &self.noted))
    }
}

/// The hooks of a plugin, as its host itself reads them, and what it writes down to trust them.
fn ask(program: &Path, found: &Found, plugin: &Installed, env: &Env) -> Result<Vec<Hook>> {
    let scratch = tempfile::tempdir()?;
    let file = scratch.path().join(found.host.settings());
    let mut settings = settings::read(&file, QUIET.as_bytes())?;
    for told in found.host.told(plugin) {
        match (told.file, told.says) {
            (At::User(_), Says::Members(members)) => {
                for (at, value) in members {
                    let at: Vec<&str> = at.iter().map(String::as_str).collect();
                    settings.set(&at, &value)?;
                }
            }
            (At::User(file), Says::Copy(bytes) | Says::Whole(bytes)) => {
                let file = scratch.path().join(file);
                fs::create_dir_all(file.parent().unwrap_or(scratch.path()))?;
                fs::write(file, bytes)?;
            }
            (At::Repository(_), _) => {}
        }
    }
    fs::write(&file, settings.text())?;

    let mut server = Server::of_codex(client(program, found, scratch.path(), env), PATIENCE)?;
    let id = plugin.place.id();
    let listed = hooks_of(&mut server, scratch.path(), &id)?;
    ensure!(!listed.is_empty(), "it finds no hook of the plugin");
    let mut state = json!({});
    for hook in &listed {
        state[text(hook, "key")?] = json!({"trusted_hash": hook["currentHash"]});
    }
    let edit = json!({"keyPath": "hooks.state", "value": state, "mergeStrategy": "upsert"});
    server.call("config/batchWrite", &json!({"edits": [edit]}))?;
    let trusted = hooks_of(&mut server, scratch.path(), &id)?;
    ensure!(
        trusted.iter().all(|hook| hook["trustStatus"] == "trusted"),
        "it does not take its own hashes"
    );
    let settings = settings::open(&file)?;
    listed
        .iter()
        .map(|hook| {
            let key = text(hook, "key")?.to_owned();
            let noted = settings.value(&["hooks", "state", &key]);
            Ok(Hook {
                event: text(hook, "eventName")?.to_owned(),
                matcher: hook["matcher"].as_str().map(str::to_owned),
                command: text(hook, "command")?.to_owned(),
                hash: text(hook, "currentHash")?.to_owned(),
                noted: noted.context("it writes down nothing about a hook")?,
                key,
            })
        })
        .collect()
}

fn text<'v>(hook: &'v Value, member: &str) -> Result<&'v str> {
    hook[member]
        .as_str()
        .with_context(|| format!("it names no {member} of a hook"))
}

/// The client in a scratch folder, with little of this process's environment.
fn client(program: &Path, found: &Found, scratch: &Path, env: &Env) -> Command {
    let mut command = Command::new(program);
    command
        .current_dir(scratch)
        .env_clear()
        .env("HOME", scratch)
        .env("USERPROFILE", scratch)
        .stderr(Stdio::null());
    if let UserFolder::Of { variable, .. } = found.host.user_folder() {
        command.env(variable, scratch);
    }
    for name in KEPT {
        if let Some(value) = env.get(name) {
            command.env(name, value);
        }
    }
    keep_offline(&mut command);
    command
}

/// The hooks of one plugin.
fn hooks_of(server: &mut Server, folder: &Path, id: &str) -> Result<Vec<Value>> {
    let mut answer = server.call("hooks/list", &json!({"cwds": [folder]}))?;
    let Value::Array(hooks) = answer["data"][0]["hooks"].take() else {
        bail!("it lists no hooks");
    };
    let is_its = |hook: &Value| hook["pluginId"] == id;
    Ok(hooks.into_iter().filter(is_its).collect())
}

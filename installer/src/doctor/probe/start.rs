//! How a host starts a command hook: the process, its variables, its folder, its limit.
//!
//! As Claude Code 2.1.332, Copilot CLI 1.0.102 and Codex 0.171.0 were seen to, and by VS Code's source.

use super::place::Place;
use crate::doctor::launch::{self, Reader, Text, variables};
use crate::doctor::programs::Machine;
use crate::doctor::{hooks, starts};
use crate::survey::{Hook, Source};
use hookkit_dispatch::interpreter::Command;
use hookkit_dispatch::run::environment;
use serde_json::Value;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A process on its way.
pub(super) struct Start {
    pub(super) command: Command,
    pub(super) env: Vec<(OsString, OsString)>,
    pub(super) cwd: PathBuf,
    /// The host's limit for it.
    pub(super) limit: Duration,
}

/// Why there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Not {
    /// Its entry has nothing for this system, or nobody knows how the host starts it here.
    Here,
    /// What it needs is missing.
    Missing(String),
}

impl Start {
    pub(super) fn of(
        source: &Source,
        hook: &Hook,
        place: &Place,
        machine: &Machine,
    ) -> Result<Self, Not> {
        let entry = hook.entry.json();
        let text = launch::texts(&entry, source.host)
            .into_iter()
            .find(|text| text.is_here)
            .ok_or(Not::Here)?;
        let named = Named::of(source, place);
        let cwd = cwd(&entry, source, place, &named);
        if !cwd.is_dir() {
            return Err(Not::Missing(format!("the folder {}", cwd.display())));
        }
        let command = command(&text, source, &cwd, &named, machine)?;
        let seconds = hooks::limit(source.host, hook);
        Ok(Self {
            command,
            env: env(&entry, source, hook, place, &named),
            cwd,
            limit: Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX),
        })
    }
}

/// The roots that a host names, and what they are here.
struct Named {
    host: &'static str,
    is_plugin: bool,
    values: Vec<(&'static str, String)>,
}

impl Named {
    fn of(source: &Source, place: &Place) -> Self {
        let is_plugin = source.plugin.is_some();
        let text = |path: &Path| path.display().to_string();
        let values = variables::set_by(source.host, is_plugin)
            .map(|name| {
                let value = if name.ends_with("_PROJECT_DIR") {
                    text(place.project())
                } else if name.ends_with("_DATA") {
                    text(&place.data())
                } else {
                    place.plugin().map(text).unwrap_or_default()
                };
                (name, value)
            })
            .collect();
        Self {
            host: source.host,
            is_plugin,
            values,
        }
    }

    /// A text in which the host itself replaces names.
    fn replaced(&self, text: &str) -> String {
        let is_replaced = |name: &str| variables::is_replaced(self.host, self.is_plugin, name);
        self.values
            .iter()
            .filter(|(name, _)| is_replaced(name))
            .fold(text.to_owned(), |text, (name, value)| {
                text.replace(&format!("${{{name}}}"), value)
            })
    }
}

fn is_copilot(host: &str) -> bool {
    matches!(host, "copilot-cli" | "vscode-copilot")
}

/// Claude Code and Codex start hooks where the session is; Copilot those of a plugin in its folder,
/// and any `cwd` counts from the project.
fn cwd(entry: &Value, source: &Source, place: &Place, named: &Named) -> PathBuf {
    let project = place.project().to_owned();
    let own = entry["cwd"].as_str();
    match (source.host, own) {
        ("claude-code" | "codex", _) | ("vscode-local", None) => project,
        (_, Some(own)) => project.join(named.replaced(own)),
        (_, None) => place.plugin().map_or(project, Path::to_owned),
    }
}

fn command(
    text: &Text,
    source: &Source,
    cwd: &Path,
    named: &Named,
    machine: &Machine,
) -> Result<Command, Not> {
    let words = |words: &[&str]| words.iter().map(OsString::from).collect();
    // In Claude's shell form the shell itself replaces the variables.
    let line = if source.host == "claude-code" && text.reader != Reader::Nobody {
        text.text.clone()
    } else {
        named.replaced(&text.text)
    };
    let found = |name: &str| {
        let file = machine.search.find(name);
        file.ok_or_else(|| Not::Missing(format!("{name}, which is in no folder of the PATH,")))
    };
    Ok(match text.reader {
        Reader::Sh => Command {
            program: "/bin/sh".into(),
            args: words(&["-c", &line]),
        },
        Reader::Bash if is_copilot(source.host) => {
            starts::repair(&line, cwd);
            Command {
                program: "/bin/bash".into(),
                args: words(&["--norc", "--noprofile", "-c", &line]),
            }
        }
        Reader::Bash => Command {
            program: "/bin/bash".into(),
            args: words(&["-c", &line]),
        },
        Reader::PowerShell => Command {
            program: found("pwsh").or_else(|why| {
                let own = cfg!(windows).then(|| found("powershell").ok());
                own.flatten().ok_or(why)
            })?,
            args: words(&["-nop", "-nol", "-c", &line]),
        },
        Reader::Nobody => Command {
            program: if line.contains(['/', '\\']) {
                cwd.join(&line)
            } else {
                found(&line)?
            },
            args: text
                .args
                .iter()
                .map(|word| named.replaced(word).into())
                .collect(),
        },
    })
}

/// The events for which Claude Code 2.1.332 names a file that variables may be written to.
const WITH_ENV_FILE: [&str; 4] = ["SessionStart", "Setup", "CwdChanged", "FileChanged"];

fn env(
    entry: &Value,
    source: &Source,
    hook: &Hook,
    place: &Place,
    named: &Named,
) -> Vec<(OsString, OsString)> {
    let mut env = place.env().to_vec();
    let mut set = |name: &str, value: OsString| environment::set(&mut env, name, value);
    if !matches!(source.host, "claude-code" | "codex") {
        for (name, value) in entry["env"].as_object().into_iter().flatten() {
            if let Some(value) = value.as_str() {
                set(name, named.replaced(value).into());
            }
        }
    }
    // What the host sets wins over what an entry sets.
    for (name, value) in &named.values {
        set(name, value.into());
    }
    match source.host {
        "claude-code" => {
            set("CLAUDECODE", "1".into());
            set("CLAUDE_CODE_ENTRYPOINT", "sdk-cli".into());
            if WITH_ENV_FILE.contains(&&*hook.event) {
                set("CLAUDE_ENV_FILE", place.beside("env").into());
            }
        }
        host if is_copilot(host) => {
            set("COPILOT_CLI", "1".into());
            let folder = place.copied(&source.file);
            if let Some(folder) = folder.parent() {
                set("COPILOT_HOOK_DIR", folder.into());
            }
        }
        _ => {}
    }
    env
}

//! A plugin that lies in the repository it guards, for Copilot: its cloud agent on a fresh clone,
//! and Copilot CLI and VS Code on the machines of those who work on it. What Claude Code is told
//! there: [`claude_code`].
//!
//! `.github/hooks/NAME.json` is the only JSON file of ours below that folder, which Copilot reads
//! with its subfolders. What it starts lies in `.github/hookkit/NAME/`: the plugin, its dispatchers
//! and two scripts. No path in any of it is absolute.
//!
//! What the file says, and how far that is known:
//! - keys in camelCase: JetBrains reads no others, and the cloud agent's reference uses them
//! - matchers are regular expressions on the whole native name of a tool (seen on Copilot CLI
//!   1.0.102); VS Code's Local harness ignores them, and hookkit selects anyway
//! - `bash` is all that the cloud agent runs; on Windows Copilot CLI prefers `powershell`, and an
//!   entry without it would refuse every call on a machine without bash
//! - `--host auto`: four hosts read this file, and the payload says which one it is. A refused tool
//!   call carries the forms of both families, and `ask` is a refusal to the cloud agent by its own
//!   rule

pub mod claude_code;

use crate::events::Events;
use crate::host::{Launch, copilot_cli};
use crate::{Entry, File, Registration, json, selector, tree};
use hookkit_dispatch::contract::Contract;
use hookkit_dispatch::host::{self, Host};
use hookkit_dispatch::manifest::{Hook, Manifest};
use serde::Serialize;

/// The script that the agent starts, wherever there is bash; as `run.sh`.
pub const SCRIPT: &str = include_str!("run.bash");

/// The script that developers on Windows start.
pub const POWERSHELL: &str = include_str!("run.ps1");

/// The exit code of a copy of [`SCRIPT`] that was cut off or changed on its way.
pub const DAMAGED: i32 = 70;

/// Where the plugin's files go in a repository.
pub fn folder(plugin: &str) -> String {
    format!(".github/hookkit/{plugin}")
}

/// The script in [`folder`] that picks the dispatcher for the machine it runs on.
pub fn selector(plugin: &str) -> String {
    format!("{}/{}", folder(plugin), selector::PATH)
}

/// What says that an installation wrote all this, and how each file is given back.
pub fn record(plugin: &str) -> String {
    format!("{}.json", folder(plugin))
}

/// The file by which Copilot is told, in the folder that it reads.
pub fn registration_file(plugin: &str) -> String {
    format!(".github/hooks/{plugin}.json")
}

/// What every `bash` line in [`registration_file`] begins with.
pub fn bash_line(plugin: &str) -> String {
    format!("bash {}/run.sh ", folder(plugin))
}

/// What is registered: Copilot's events, whichever of its hosts fires them.
pub fn registration(manifest: &Manifest) -> Registration {
    Registration::of(manifest, &Repository)
}

/// The text of [`registration_file`]. With `bash_only` it does nothing for developers on Windows.
pub fn registered(registration: &Registration, bash_only: bool) -> Vec<u8> {
    json::document(&HooksFile {
        version: 1,
        hooks: Events::of(
            registration,
            |entry| entry.contract.native.unwrap_or(entry.contract.event),
            |entry| Handler::of(registration, entry, bash_only),
        ),
    })
}

/// The generated files of [`folder`], by paths below it, without the dispatchers and the list of
/// sums.
pub fn files() -> Vec<File> {
    vec![
        File::data(".gitattributes", tree::ATTRIBUTES),
        selector::file(),
        // Started by bash's and PowerShell's own names: a checkout may lose an executable bit.
        File::data("run.sh", SCRIPT),
        File::data("run.ps1", POWERSHELL),
    ]
}

/// Copilot, as a repository tells it.
pub(crate) struct Repository;

impl Launch for Repository {
    fn host(&self) -> &'static dyn Host {
        host::COPILOT_CLI
    }

    fn named(&self) -> &'static str {
        "auto"
    }

    fn registration_file(&self, plugin: &str) -> String {
        registration_file(plugin)
    }

    fn matcher(&self, contract: &Contract, hooks: &[&Hook]) -> Option<String> {
        let mut natives: Vec<&str> = Vec::new();
        let mut push = |name| {
            if !natives.contains(&name) {
                natives.push(name);
            }
        };
        for name in copilot_cli::names_to_match(contract, hooks)? {
            let known = self.host().native_tools(name);
            known.iter().copied().for_each(&mut push);
            if known.is_empty() {
                push(name);
            }
            // A patch may make files; hookkit looks into it.
            if name == "Write" {
                push("apply_patch");
            }
        }
        Some(natives.join("|"))
    }

    /// The portable tree is no repository: [`files`] and [`registered`] are its files.
    fn tree(&self, _: &Manifest, _: &Registration) -> Vec<File> {
        Vec::new()
    }

    fn seen_on(&self) -> Option<&'static str> {
        Some(copilot_cli::SEEN_ON)
    }

    fn switches(&self) -> &'static [&'static str] {
        &["it can change these very files"]
    }
}

#[derive(Serialize)]
struct HooksFile {
    version: u8,
    hooks: Events<Handler>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Handler {
    r#type: &'static str,
    bash: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    powershell: Option<String>,
    cwd: &'static str,
    timeout_sec: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    matcher: Option<String>,
}

impl Handler {
    fn of(registration: &Registration, entry: &Entry, bash_only: bool) -> Self {
        let plugin = &registration.plugin;
        let args = registration.args(entry).join(" ");
        let folder = folder(plugin);
        Self {
            r#type: "command",
            bash: bash_line(plugin) + &args,
            // PowerShell makes 1 of every other exit code unless it is told the program's own.
            powershell: (!bash_only)
                .then(|| format!("& {folder}/run.ps1 {args}; exit $LASTEXITCODE")),
            cwd: ".",
            timeout_sec: entry.timeout,
            matcher: entry.matcher.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_ascii_without_line_ends_of_windows() {
        for script in [SCRIPT, POWERSHELL] {
            assert!(script.is_ascii() && !script.contains('\r'));
        }
        assert!(SCRIPT.starts_with("trap \\ exit\\ 70 0 #\n") && SCRIPT.ends_with("\n}\n"));
        assert!(POWERSHELL.ends_with("\n} @args\n"));
    }

    /// Copilot knows them by other names, which hookkit translates.
    #[test]
    fn tools_of_servers_are_not_matched_by_copilot() {
        for (matcher, told) in [
            ("Bash|mcp__files__note", None),
            ("Bash|files-note", Some("bash|powershell|files-note")),
        ] {
            let text = format!(
                r#"{{"schema":1,"name":"demo","version":"1.2.3","hooks":[
                {{"id":"a","event":"PreToolUse","matcher":"{matcher}","run":["x"]}}]}}"#
            );
            let manifest = Manifest::read(&text).expect("JSON");
            let entry = &Registration::of(&manifest, &Repository).entries[0];
            assert_eq!(entry.matcher.as_deref(), told);
        }
    }

    #[test]
    fn a_registration_speaks_copilots_own_language() {
        let text = r#"{"schema":1,"name":"demo","version":"1.2.3","hooks":[
            {"id":"a","event":["PreToolUse","PermissionRequest"],"matcher":"Write|Bash|Task|own_tool","run":["x"],"required":true},
            {"id":"b","event":"Stop","run":["x"],"timeout":1}]}"#;
        let manifest = Manifest::read(text).expect("JSON");
        let document: serde_json::Value =
            serde_json::from_slice(&registered(&registration(&manifest), false)).expect("JSON");
        assert_eq!(document["version"], 1);
        let hooks = &document["hooks"];
        assert_eq!(
            hooks["preToolUse"],
            serde_json::json!([{
                "type": "command",
                "bash": "bash .github/hookkit/demo/run.sh --host auto --event PreToolUse --plugin demo --if-missing deny --deadline 13",
                "powershell": "& .github/hookkit/demo/run.ps1 --host auto --event PreToolUse --plugin demo --if-missing deny --deadline 13; exit $LASTEXITCODE",
                "cwd": ".",
                "timeoutSec": 15,
                "matcher": "create|apply_patch|bash|powershell|task|own_tool",
            }])
        );
        assert_eq!(hooks["permissionRequest"][0].get("matcher"), None);
        let bash_only = registered(&registration(&manifest), true);
        assert!(!String::from_utf8_lossy(&bash_only).contains("powershell\""));
        assert!(hooks["agentStop"].is_array());
    }
}

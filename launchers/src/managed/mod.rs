//! What an administrator rolls out: a plugin in a folder that users cannot write, and files in the
//! places where agents read what their users cannot switch off.
//!
//! Paths in [`File`]s are below the root of the system (on Windows of the drive); hookkit itself places
//! none of them.
//!
//! How far the places are known:
//! - Claude Code reads every file in `managed-settings.d` beside its `managed-settings.json` (seen on
//!   2.1.332 on Linux); other places by its vendor's page on managed settings
//! - Copilot CLI reads the files of `policy.d` that belong to root and that nobody else may write,
//!   also in a folder that is not trusted (seen on 1.0.102 on Linux); Windows by its vendor's hooks
//!   reference
//! - Codex reads one file, `requirements.toml`, so that what belongs there is a fragment to be put in
//!   by hand (seen on 0.171.0 on Linux)

mod check;
mod codex;

use crate::host::{self, ClaudeCode, copilot_cli};
use crate::{File, Registration, Target, json, repository};
use hookkit_dispatch::manifest::Manifest;
use serde_json::{Map, Value, json};
use std::fmt;
use std::str::FromStr;

/// An operating system whose machines are managed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum System {
    Linux,
    Macos,
    Windows,
}

impl System {
    /// All of them, in the order of the documentation.
    pub const ALL: [Self; 3] = [Self::Linux, Self::Macos, Self::Windows];

    /// The name on command lines.
    pub fn name(self) -> &'static str {
        match self {
            Self::Linux => "linux",
            Self::Macos => "macos",
            Self::Windows => "windows",
        }
    }

    /// The machines that it runs on.
    pub fn targets(self) -> &'static [Target] {
        match self {
            Self::Linux => &[Target::LinuxX86_64, Target::LinuxAarch64],
            Self::Macos => &[Target::Macos],
            Self::Windows => &[Target::Windows],
        }
    }

    /// The folder of a plugin, below the root.
    pub fn folder(self, plugin: &str) -> String {
        let all = match self {
            Self::Linux => "opt/hookkit",
            Self::Macos => "Library/hookkit",
            Self::Windows => "Program Files/hookkit",
        };
        format!("{all}/{plugin}")
    }

    /// Where Claude Code is told.
    fn claude_code(self, plugin: &str) -> String {
        let all = match self {
            Self::Linux => "etc/claude-code",
            Self::Macos => "Library/Application Support/ClaudeCode",
            Self::Windows => "Program Files/ClaudeCode",
        };
        format!("{all}/managed-settings.d/50-hookkit-{plugin}.json")
    }

    /// Where Copilot CLI is told.
    fn copilot(self, plugin: &str) -> String {
        let all = match self {
            Self::Linux | Self::Macos => "etc/github-copilot",
            Self::Windows => "ProgramData/GitHub/Copilot",
        };
        format!("{all}/policy.d/hookkit-{plugin}.json")
    }

    /// Where Codex is told, by a fragment that somebody puts there.
    fn codex(self) -> &'static str {
        match self {
            Self::Linux | Self::Macos => "etc/codex/requirements.toml",
            Self::Windows => "ProgramData/OpenAI/Codex/requirements.toml",
        }
    }

    /// A path below the root as programs of this system name it.
    fn absolute(self, path: &str) -> String {
        match self {
            Self::Linux | Self::Macos => format!("/{path}"),
            Self::Windows => format!("C:\\{}", path.replace('/', "\\")),
        }
    }

    /// The program that agents start.
    fn dispatcher(self, plugin: &str) -> String {
        let program = match self {
            // Two kinds of machines: the selector picks.
            Self::Linux => "dispatch/hookkit-dispatch".to_owned(),
            Self::Macos => Target::Macos.path(),
            Self::Windows => Target::Windows.path(),
        };
        self.absolute(&format!("{}/{program}", self.folder(plugin)))
    }

    /// A folder that never goes away.
    fn ground(self) -> &'static str {
        match self {
            Self::Linux | Self::Macos => "/",
            Self::Windows => "C:\\",
        }
    }
}

impl fmt::Display for System {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for System {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let all = Self::ALL;
        all.into_iter()
            .find(|system| system.name() == name)
            .ok_or_else(|| format!("is none of {}", all.map(Self::name).join(", ")))
    }
}

/// Everything that goes to a machine, in the order of the paths: `tree` is the plugin's folder, and
/// `sha256` says the sum of something.
pub fn files<'f>(
    manifest: &Manifest,
    system: System,
    tree: impl IntoIterator<Item = &'f File>,
    sha256: fn(&[u8]) -> String,
) -> Vec<File> {
    let plugin = &*manifest.name;
    let folder = system.folder(plugin);
    let mut files: Vec<File> = tree
        .into_iter()
        .map(|file| File {
            path: format!("{folder}/{}", file.path).into(),
            ..file.clone()
        })
        .collect();
    let claude = repository::claude_code::registration(manifest);
    if !claude.entries.is_empty() {
        let bytes = json::document(&claude_settings(&claude, system));
        files.push(File::data(system.claude_code(plugin), bytes));
    }
    let copilot = Registration::of(manifest, &host::CopilotCli);
    if !copilot.entries.is_empty() {
        let start = copilot_cli::Start {
            exec: &system.dispatcher(plugin),
            cwd: system.ground(),
        };
        let bytes = copilot_cli::hooks_file(&copilot, &start);
        files.push(File::data(system.copilot(plugin), bytes));
    }
    if let Some(fragment) = codex::fragment(manifest, system) {
        files.push(File::data(
            format!("{folder}/codex-requirements.toml"),
            fragment,
        ));
    }
    files.sort_by(|one, other| one.path.cmp(&other.path));
    files.push(check::script(manifest, system, &files, sha256));
    files.sort_by(|one, other| one.path.cmp(&other.path));
    files
}

/// A file of Claude Code's managed settings: nothing in it but hooks, and each starts the dispatcher.
fn claude_settings(registration: &Registration, system: System) -> Value {
    let program = system.dispatcher(&registration.plugin);
    let mut hooks = Map::new();
    for entry in &registration.entries {
        let group = ClaudeCode::group(registration, entry, &program);
        let groups = hooks
            .entry(entry.contract.event)
            .or_insert_with(|| json!([]));
        if let Value::Array(groups) = groups {
            groups.push(group);
        }
    }
    json!({"hooks": hooks})
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(system: System) -> Vec<File> {
        let text = r#"{"schema":1,"name":"demo","version":"1.2.3","hooks":[
            {"id":"a","event":"PreToolUse","matcher":"Bash","run":["x"],"required":true}]}"#;
        let manifest = Manifest::read(text).expect("JSON");
        let sum = |_: &[u8]| "0".repeat(64);
        files(&manifest, system, &[File::data("hookkit.json", text)], sum)
    }

    #[test]
    fn each_system_has_its_own_places() {
        let paths = |system| -> Vec<String> {
            let files = all(system);
            files.iter().map(|file| file.path.to_string()).collect()
        };
        assert_eq!(
            paths(System::Linux),
            [
                "etc/claude-code/managed-settings.d/50-hookkit-demo.json",
                "etc/github-copilot/policy.d/hookkit-demo.json",
                "opt/hookkit/demo/check.sh",
                "opt/hookkit/demo/codex-requirements.toml",
                "opt/hookkit/demo/hookkit.json",
            ]
        );
        assert_eq!(
            paths(System::Macos)[..2],
            [
                "Library/Application Support/ClaudeCode/managed-settings.d/50-hookkit-demo.json",
                "Library/hookkit/demo/check.sh",
            ]
        );
        assert_eq!(
            paths(System::Windows)[..2],
            [
                "Program Files/ClaudeCode/managed-settings.d/50-hookkit-demo.json",
                "Program Files/hookkit/demo/check.ps1",
            ]
        );
    }

    #[test]
    fn every_line_starts_the_dispatcher_by_its_place() {
        for (system, program) in [
            (System::Linux, "/opt/hookkit/demo/dispatch/hookkit-dispatch"),
            (
                System::Macos,
                "/Library/hookkit/demo/dispatch/macos/hookkit-dispatch",
            ),
            (
                System::Windows,
                r"C:\Program Files\hookkit\demo\dispatch\hookkit-dispatch.exe",
            ),
        ] {
            let files = all(system);
            let text = |end: &str| {
                let file = files.iter().find(|file| file.path.ends_with(end));
                String::from_utf8(file.expect("a file").bytes.clone()).expect("text")
            };
            let claude: Value = serde_json::from_str(&text("50-hookkit-demo.json")).expect("JSON");
            let handler = &claude["hooks"]["PreToolUse"][0]["hooks"][0];
            assert_eq!(handler["command"], program);
            assert_eq!(handler["onFailure"], "block");
            assert!(handler.get("bash").is_none());
            let copilot: Value =
                serde_json::from_str(&text("policy.d/hookkit-demo.json")).expect("JSON");
            assert_eq!(copilot["hooks"]["PreToolUse"][0]["exec"], program);
            assert!(text("codex-requirements.toml").contains(program));
            for script in ["check.sh", "check.ps1"] {
                let is_there = files.iter().any(|file| file.path.ends_with(script));
                assert_eq!(
                    is_there,
                    (system == System::Windows) == (script == "check.ps1")
                );
            }
        }
    }
}

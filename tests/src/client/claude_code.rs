//! Claude Code: `claude -p`, with a fake Messages API.

use std::path::Path;

use serde_json::{Value, json};

use super::install::{self, Clients, platform};
use super::session::{Settings, write};
use super::{Client, Permission, Places, Session};
use crate::Tree;
use crate::model::{ERRAND, Model, Script, Turn, anthropic};
use crate::process::Program;

pub(super) struct ClaudeCode(install::Program);

impl ClaudeCode {
    pub(super) fn installed(clients: &Clients) -> Self {
        let packages = platform("SYSTEM-MACHINE-musl")
            .map(|platform| format!("@anthropic-ai/claude-code-{platform}"));
        Self(clients.program(&packages, "claude"))
    }
}

impl Client for ClaudeCode {
    fn host(&self) -> &'static str {
        "claude-code"
    }

    fn version(&self) -> &str {
        &self.0.version
    }

    fn file(&self) -> &Path {
        &self.0.file
    }

    fn program(&self, places: &Places) -> Program {
        places
            .program(&self.0.file)
            .env("CLAUDE_CONFIG_DIR", places.config())
            .env("ANTHROPIC_API_KEY", "test")
            .env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
            .env("DISABLE_AUTOUPDATER", "1")
            .env("DISABLE_TELEMETRY", "1")
            .env("DISABLE_ERROR_REPORTING", "1")
            // As root, bypassPermissions is refused without it.
            .env("IS_SANDBOX", "1")
    }

    fn model(&self, script: Script) -> Model {
        anthropic::start(script)
    }

    fn prepare(&self, session: &Session<'_>, model: &Model) -> Program {
        let places = &session.places;
        if session.settings == Settings::Written {
            write(
                &places.config().join("settings.json"),
                settings(&session.registered).to_string().as_bytes(),
            );
        }
        let mode = match session.permission {
            Permission::AllowAll => "bypassPermissions",
            Permission::Ask => "manual",
        };
        let mut program = self
            .program(places)
            .env("ANTHROPIC_BASE_URL", model.address())
            .args([
                "-p",
                &session.prompt,
                "--output-format",
                "stream-json",
                "--verbose",
                "--include-hook-events",
            ])
            .args(["--permission-mode", mode, "--debug-file"])
            .arg(places.root().join("claude.log"));
        if session.continues {
            program = program.arg("--continue");
        }
        for folder in &session.by_folder {
            program = program.arg("--plugin-dir").arg(folder);
        }
        program
    }

    /// By `claude plugin validate`, which reads the marketplace, the plugin and its hooks.
    fn faults_in(&self, tree: &Tree) -> Vec<String> {
        let places = Places::new();
        let program = self.program(&places);
        let ran = program
            .args(["plugin", "validate", "--json"])
            .arg(tree.path())
            .run();
        let report = ran.json();
        let contents = report["contents"].as_array().into_iter().flatten();
        let parts = contents.chain([&report["manifest"]]);
        let errors = parts.filter_map(|part| part["errors"].as_array()).flatten();
        let mut faults: Vec<_> = errors.map(Value::to_string).collect();
        if !ran.exited(0) && faults.is_empty() {
            faults.push(ran.out());
        }
        faults
    }

    fn shell(&self, command: &str) -> Turn {
        Turn::tool("Bash", json!({"command": command, "description": "Run it"}))
    }

    fn write(&self, file: &Path, content: &str) -> Turn {
        Turn::tool("Write", json!({"file_path": file, "content": content}))
    }

    fn read(&self, file: &Path) -> Turn {
        Turn::tool("Read", json!({"file_path": file}))
    }

    fn edit(&self, file: &Path, old: &str, new: &str) -> Turn {
        Turn::tool(
            "Edit",
            json!({"file_path": file, "old_string": old, "new_string": new}),
        )
    }

    fn errand(&self) -> Turn {
        Turn::tool(
            "Agent",
            json!({
                "description": "Run an errand", "prompt": ERRAND, "subagent_type": "general-purpose",
                "run_in_background": false,
            }),
        )
    }
}

/// The two keys that register and enable plugins of folder marketplaces; both clients read them.
pub(super) fn settings(trees: &[Tree]) -> Value {
    let (mut marketplaces, mut enabled) = (json!({}), json!({}));
    for tree in trees {
        let (plugin, marketplace) = (tree.plugin(), tree.marketplace());
        marketplaces[marketplace] = json!({"source": {"source": "directory", "path": tree.path()}});
        enabled[format!("{plugin}@{marketplace}")] = json!(true);
    }
    json!({"extraKnownMarketplaces": marketplaces, "enabledPlugins": enabled})
}

//! Copilot CLI: `copilot -p`, with an own provider (a fake chat completions API) instead of an
//! account.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::claude_code::settings;
use super::install::{self, Clients, platform};
use super::session::{Settings, write};
use super::{Client, Permission, Places, Session};
use crate::Tree;
use crate::folder::Folder;
use crate::model::{ERRAND, Model, Script, Turn, openai};
use crate::process::{Dialogue, Framing, Program};

/// `hooks.discover` says it whenever it is asked outside a session.
const SAID_OUTSIDE_SESSIONS: &str = "Explicit hook plugins could not be loaded";

pub(super) struct CopilotCli {
    program: install::Program,
    /// What the program unpacks at its first start, shared by all sessions: 235 MB.
    unpacked: PathBuf,
}

impl CopilotCli {
    pub(super) fn installed(clients: &Clients) -> Self {
        let packages =
            platform("SYSTEMmusl-MACHINE").map(|platform| format!("@github/copilot-{platform}"));
        let program = clients.program(&packages, "copilot");
        let cache = clients.cache().join("copilot-cache");
        clients.once(&format!("copilot-{}", program.version), || {
            unpack(&program.file, &cache);
        });
        Self {
            program,
            unpacked: cache.join("copilot/pkg"),
        }
    }
}

fn unpack(program: &Path, cache: &Path) {
    let home = Folder::new("home");
    let ran = Program::new(program)
        .args(["--no-auto-update", "--version"])
        .env("HOME", &*home)
        .env("COPILOT_HOME", &*home)
        .env("XDG_CACHE_HOME", cache)
        .env("COPILOT_OFFLINE", "true")
        .env("COPILOT_AUTO_UPDATE", "false")
        .run();
    assert!(ran.exited(0), "Copilot CLI unpacks itself");
}

impl Client for CopilotCli {
    fn host(&self) -> &'static str {
        "copilot-cli"
    }

    fn version(&self) -> &str {
        &self.program.version
    }

    fn file(&self) -> &Path {
        &self.program.file
    }

    fn program(&self, places: &Places) -> Program {
        share(&self.unpacked, &places.cache().join("copilot"));
        places
            .program(&self.program.file)
            .env("COPILOT_HOME", places.config())
            .env("COPILOT_OFFLINE", "true")
            .env("COPILOT_AUTO_UPDATE", "false")
            .arg("--no-auto-update")
    }

    fn model(&self, script: Script) -> Model {
        openai::start(script)
    }

    fn prepare(&self, session: &Session<'_>, model: &Model) -> Program {
        trust(&session.places);
        if session.settings == Settings::Written {
            write_settings(&session.places, &session.registered);
        }
        let program = with_model(self.program(&session.places), &model.address());
        let mut program = program.args(["--log-level", "all", "-p", &session.prompt]);
        if session.permission == Permission::AllowAll {
            program = program.arg("--allow-all-tools");
        }
        if session.continues {
            program = program.arg("--continue");
        }
        for folder in &session.by_folder {
            program = program.arg("--plugin-dir").arg(folder);
        }
        program
    }

    /// By `copilot plugin list`, which reads settings and marketplace only, and `hooks.discover` of
    /// its JSON-RPC, which reads the hooks.
    fn faults_in(&self, tree: &Tree) -> Vec<String> {
        let places = Places::new();
        trust(&places);
        write_settings(&places, std::slice::from_ref(tree));
        let name = format!("{}@{}", tree.plugin(), tree.marketplace());
        let mut faults = Vec::new();

        let listed = self.program(&places).args(["plugin", "list"]).run().out();
        let is_ours = |line: &str| line.contains(&name) && line.contains("(enabled)");
        if !listed.lines().any(is_ours) {
            faults.push(format!("{name} is not listed as enabled: {listed}"));
        }
        let discovered = self.discover(&places);
        let hooks = discovered["hooks"].as_array().expect("hooks are a list");
        if !hooks
            .iter()
            .any(|hook| hook["source"] == *name && hook["enabled"] == true)
        {
            faults.push(format!("no hook of {name} is loaded"));
        }
        let notes = [&discovered["errors"], &discovered["warnings"]];
        let notes = notes
            .iter()
            .filter_map(|notes| notes.as_array())
            .flatten()
            .map(Value::to_string);
        faults.extend(notes.filter(|note| !note.contains(SAID_OUTSIDE_SESSIONS)));
        faults
    }

    /// By `hooks.discover`.
    fn hooks(&self, places: &Places) -> Value {
        self.discover(places)
    }

    fn shell(&self, command: &str) -> Turn {
        Turn::tool("bash", json!({"command": command, "description": "Run it"}))
    }

    fn write(&self, file: &Path, content: &str) -> Turn {
        Turn::tool("create", json!({"path": file, "file_text": content}))
    }

    fn read(&self, file: &Path) -> Turn {
        Turn::tool("view", json!({"path": file}))
    }

    fn edit(&self, file: &Path, old: &str, new: &str) -> Turn {
        Turn::tool(
            "edit",
            json!({"path": file, "old_str": old, "new_str": new}),
        )
    }

    fn errand(&self) -> Turn {
        Turn::tool(
            "task",
            json!({
                "description": "Run an errand", "prompt": ERRAND, "agent_type": "general-purpose",
                "name": "errand", "mode": "sync",
            }),
        )
    }
}

impl CopilotCli {
    /// All hooks that a session in the project would have, and what is wrong with others.
    fn discover(&self, places: &Places) -> Value {
        let parameters = json!({"projectPaths": [places.project()]});
        let program = with_model(self.program(places), "http://127.0.0.1:9").args([
            "--headless",
            "--stdio",
            "--no-auto-login",
        ]);
        // It ends with its stdin, answered or not.
        Dialogue::open(program, Framing::Headers).ask("hooks.discover", parameters)
    }
}

fn with_model(program: Program, address: &str) -> Program {
    program
        .env("COPILOT_PROVIDER_BASE_URL", format!("{address}/v1"))
        .env("COPILOT_PROVIDER_API_KEY", "test")
        .env("COPILOT_MODEL", openai::MODEL)
}

/// The trust in the project without which its own hooks are not read.
fn trust(places: &Places) {
    let trusted = json!({"trustedFolders": [places.project()]});
    write(
        &places.config().join("config.json"),
        trusted.to_string().as_bytes(),
    );
}

fn write_settings(places: &Places, trees: &[Tree]) {
    write(
        &places.config().join("settings.json"),
        settings(trees).to_string().as_bytes(),
    );
}

#[cfg(unix)]
fn share(unpacked: &Path, cache: &Path) {
    if !cache.exists() {
        fs_err::create_dir_all(cache).unwrap();
        fs_err::os::unix::fs::symlink(unpacked, cache.join("pkg")).unwrap();
    }
}

/// Links need a privilege on Windows: each session unpacks its own.
#[cfg(windows)]
fn share(_: &Path, _: &Path) {}

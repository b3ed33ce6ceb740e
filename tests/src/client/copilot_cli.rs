//! Copilot CLI: `copilot -p`, with an own provider (a fake chat completions API) instead of an account.

use std::path::{Path, PathBuf};

use fs_err as fs;
use serde_json::json;

use super::claude_code::settings;
use super::install::{self, Clients, platform};
use super::session::{PROMPT, write};
use super::{Client, Permission, Places, Session};
use crate::folder::Folder;
use crate::model::{Model, Turn, openai};
use crate::process::Program;
use crate::{Ran, Tree};

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

    fn program(&self, places: &Places) -> Program {
        share(&self.unpacked, &places.cache().join("copilot"));
        places
            .program(&self.program.file)
            .env("COPILOT_HOME", places.config())
            .env("COPILOT_OFFLINE", "true")
            .env("COPILOT_AUTO_UPDATE", "false")
            .arg("--no-auto-update")
    }

    fn model(&self, turns: Vec<Turn>) -> Model {
        openai::start(turns)
    }

    fn prepare(&self, session: &Session<'_>, model: &Model) -> Program {
        let places = &session.places;
        let trusted = json!({"trustedFolders": [places.project()]});
        write(
            &places.config().join("config.json"),
            trusted.to_string().as_bytes(),
        );
        write(
            &places.config().join("settings.json"),
            settings(&session.registered).to_string().as_bytes(),
        );
        let mut program = self
            .program(places)
            .env(
                "COPILOT_PROVIDER_BASE_URL",
                format!("{}/v1", model.address()),
            )
            .env("COPILOT_PROVIDER_API_KEY", "test")
            .env("COPILOT_MODEL", openai::MODEL)
            .args(["--log-level", "all", "-p", PROMPT]);
        if session.permission == Permission::AllowAll {
            program = program.arg("--allow-all-tools");
        }
        for folder in &session.by_folder {
            program = program.arg("--plugin-dir").arg(folder);
        }
        program
    }

    fn accepts(&self, tree: &Tree) -> Ran {
        let places = Places::new();
        write(
            &places.config().join("settings.json"),
            settings(std::slice::from_ref(tree)).to_string().as_bytes(),
        );
        self.program(&places).args(["plugin", "list"]).run()
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
}

#[cfg(unix)]
fn share(unpacked: &Path, cache: &Path) {
    if !cache.exists() {
        fs::create_dir_all(cache).unwrap();
        fs::os::unix::fs::symlink(unpacked, cache.join("pkg")).unwrap();
    }
}

/// Links need a privilege on Windows: each session unpacks its own.
#[cfg(windows)]
fn share(_: &Path, _: &Path) {}

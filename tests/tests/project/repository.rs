//! A repository with a history, and somebody who works on it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use fs_err as fs;
use hookkit_tests::client::Places;
use hookkit_tests::folder;
use hookkit_tests::process::Program;
use hookkit_tests::{Plugin, Ran, program};
use serde_json::{Value, json};

/// Where the plugin's files are.
pub(crate) const FOLDER: &str = ".github/hookkit/gatekeeper";

/// What says that it is installed.
pub(crate) const RECORD: &str = ".github/hookkit/gatekeeper.json";

/// By which Copilot is told.
pub(crate) const FILE: &str = ".github/hooks/gatekeeper.json";

/// By which Claude Code is told.
pub(crate) const SETTINGS: &str = ".claude/settings.json";

/// Refuses what has DENYME in it, in these words, and notes each start.
pub(crate) fn gate(version: &str, words: &str) -> Plugin {
    let hook =
        json!({"id": "gate", "event": "PreToolUse", "matcher": "Bash|Write", "required": true});
    let script = format!(
        "payload=$(cat); echo start >>\"$CLAUDE_PROJECT_DIR/starts\"\n\
         case $payload in *DENYME*) echo '{words}' >&2; exit 2 ;; esac\n"
    );
    Plugin::new("gatekeeper")
        .with("version", json!(version))
        .sh(hook, &script)
}

/// A repository, gone with the value.
pub(crate) struct Repository {
    pub(crate) places: Places,
}

impl Repository {
    /// One with these settings of Claude Code committed in it, or none.
    pub(crate) fn new(settings: Option<&str>) -> Self {
        let repository = Self {
            places: Places::new(),
        };
        if let Some(settings) = settings {
            repository.write(SETTINGS, settings);
        }
        repository.write("README.md", "# A project\n");
        repository.commit();
        repository
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.places.project()
    }

    pub(crate) fn join(&self, name: &str) -> PathBuf {
        self.root().join(name)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.join(name)).unwrap()
    }

    pub(crate) fn document(&self, name: &str) -> Value {
        serde_json::from_str(&self.read(name)).unwrap()
    }

    pub(crate) fn write(&self, name: &str, content: &str) {
        let file = self.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, content).unwrap();
    }

    pub(crate) fn git(&self, words: &[&str]) -> String {
        git_in(&self.places, &self.root(), words)
    }

    pub(crate) fn commit(&self) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "--message=x"]);
    }

    pub(crate) fn status(&self) -> String {
        self.git(&["status", "--porcelain"])
    }

    /// `hookkit` with these words, in the repository.
    pub(crate) fn hookkit(&self, words: &[&str]) -> Program {
        let file = program::hookkit_beside_dispatcher(&self.places.root().join("run"));
        self.places
            .program(file)
            .env("CLAUDE_CONFIG_DIR", self.places.config())
            .args(words)
    }

    pub(crate) fn install(&self, plugin: &Plugin, more: &[&str]) -> Program {
        let target = format!("linux-{}", std::env::consts::ARCH);
        self.hookkit(&["install", "--scope", "project"])
            .args(["--targets", &target])
            .args(more)
            .arg(plugin.path())
    }

    pub(crate) fn installs(&self, plugin: &Plugin) -> Ran {
        let ran = self.install(plugin, &["--yes"]).run();
        assert!(ran.exited(0), "install works");
        ran
    }

    pub(crate) fn uninstall(&self, name: &str) -> Program {
        self.hookkit(&["uninstall", "--yes", "--scope", "project", name])
    }

    pub(crate) fn uninstalls(&self, name: &str) -> Ran {
        let ran = self.uninstall(name).run();
        assert!(ran.exited(0), "uninstall works");
        ran
    }

    /// Every file and folder of the repository and of whoever works on it, with modes; of git's own
    /// folder only what is not git's.
    pub(crate) fn snapshot(&self) -> BTreeMap<String, String> {
        let folders = ["home", "config", "data", "project"];
        folder::snapshot_without(self.places.root(), &folders, |name| {
            name.starts_with("project/.git/") && !name.contains("hookkit")
        })
    }
}

/// git among these folders.
pub(crate) fn git_in(places: &Places, folder: &Path, words: &[&str]) -> String {
    let who = ["-c", "user.name=x", "-c", "user.email=x@localhost"];
    let ran = places
        .program("git")
        .args(who)
        .args(words)
        .cwd(folder)
        .run();
    assert!(ran.exited(0), "git {words:?}: {}", ran.err());
    ran.out()
}

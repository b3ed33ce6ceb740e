//! A throw-away home with `hookkit` in it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use fs_err as fs;
use hookkit_tests::client::{Client, Places};
use hookkit_tests::folder::snapshot;
use hookkit_tests::process::Program;
use hookkit_tests::{Plugin, Ran, program};
use serde_json::{Value, json};

/// The folders of one person on one machine.
pub(crate) struct Home<'p> {
    places: &'p Places,
    host: &'static str,
}

impl<'p> Home<'p> {
    /// The home of somebody who uses this host.
    pub(crate) fn of(host: &'static str, places: &'p Places) -> Self {
        Self { places, host }
    }

    /// The file of `hookkit`.
    pub(crate) fn program(&self) -> PathBuf {
        program::hookkit_beside_dispatcher(&self.places.root().join("run"))
    }

    /// `hookkit` with these words.
    pub(crate) fn hookkit<const N: usize>(&self, words: [&str; N]) -> Program {
        let variable = match self.host {
            "claude-code" => "CLAUDE_CONFIG_DIR",
            "codex" => "CODEX_HOME",
            _ => "COPILOT_HOME",
        };
        self.places
            .program(self.program())
            .env(variable, self.places.config())
            .args(words)
    }

    /// `hookkit install --yes` of a folder, for this host.
    pub(crate) fn install(&self, plugin: &Path) -> Program {
        self.hookkit(["install", "--yes", "--host", self.host])
            .arg(plugin)
    }

    pub(crate) fn installs(&self, plugin: &Plugin) -> Ran {
        let ran = self.install(&plugin.path()).run();
        assert!(ran.exited(0), "install works");
        ran
    }

    pub(crate) fn uninstalls(&self, name: &str) -> Ran {
        let ran = self.hookkit(["uninstall", "--yes", name]).run();
        assert!(ran.exited(0), "uninstall works");
        ran
    }

    /// A path in the data folder.
    pub(crate) fn data(&self, path: &str) -> PathBuf {
        self.places.root().join("data/hookkit").join(path)
    }

    pub(crate) fn settings(&self) -> PathBuf {
        self.places.config().join(match self.host {
            "codex" => "config.toml",
            _ => "settings.json",
        })
    }

    /// `hookkit` with the programs of these clients on its PATH.
    pub(crate) fn beside<const N: usize>(
        &self,
        clients: &[&dyn Client],
        words: [&str; N],
    ) -> Program {
        let folders = clients.iter().map(|client| client.file().parent().unwrap());
        let folders: Vec<String> = folders.map(|folder| folder.display().to_string()).collect();
        let path = format!("{}:{}", folders.join(":"), program::search_path());
        self.hookkit(words).env("PATH", path)
    }

    pub(crate) fn receipt(&self, name: &str) -> Value {
        let bytes = fs::read(self.data("receipts").join(name)).unwrap();
        serde_json::from_slice(&bytes).unwrap()
    }

    /// Everything that somebody could lose: every file and link of home, settings and data, with its
    /// mode.
    pub(crate) fn snapshot(&self) -> BTreeMap<String, String> {
        snapshot(self.places.root(), &["home", "config", "data", "project"])
    }
}

/// Refuses what has `forbidden` in it, in these words; `required` where somebody relies on it.
pub(crate) fn gate(version: &str, words: &str, is_required: bool) -> Plugin {
    let mut hook = json!({"id": "no-markers", "event": "PreToolUse", "matcher": "Bash"});
    hook["required"] = json!(is_required);
    Plugin::new("gatekeeper")
        .with("version", json!(version))
        .sh(
            hook,
            &format!("case $(cat) in *forbidden*) echo '{words}' >&2; exit 2 ;; esac\n"),
        )
}

/// A session of this client in which hookkit has installed something, and its home.
pub(crate) fn session(client: &dyn Client) -> hookkit_tests::client::Session<'_> {
    client.session().keep_settings()
}

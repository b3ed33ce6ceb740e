//! The throw-away folders of one session.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use fs_err as fs;

use crate::folder::Folder;
use crate::process::Program;

/// A port of 127.0.0.1 on which nobody listens: whatever a client sends elsewhere ends there.
const NOWHERE: &str = "http://127.0.0.1:9";

/// A home, a project and the folders that clients and hooks may write to; gone with the value.
#[derive(Debug)]
pub struct Places {
    root: Folder,
    project: &'static str,
}

impl Places {
    /// Fresh folders; the project is an empty git repository.
    pub fn new() -> Self {
        let places = Self {
            root: Folder::new("session"),
            project: "project",
        };
        for folder in ["home", "config", "project", "cache", "data", "state", "run"] {
            fs::create_dir(places.root.join(folder)).unwrap();
        }
        let made = Program::new("git")
            .args(["init", "--quiet", "--initial-branch=main"])
            .arg(places.project())
            .run();
        assert!(made.exited(0), "git makes a repository");
        places
    }

    /// The folder that holds all others.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The project that the session works on.
    pub fn project(&self) -> PathBuf {
        self.root.join(self.project)
    }

    /// The session works on another folder below [`Places::root`].
    pub(super) fn work_in(&mut self, project: &'static str) {
        self.project = project;
    }

    /// The client's own folder: `CLAUDE_CONFIG_DIR`, `COPILOT_HOME` or `CODEX_HOME`.
    pub fn config(&self) -> PathBuf {
        self.root.join("config")
    }

    /// `XDG_CACHE_HOME`.
    pub fn cache(&self) -> PathBuf {
        self.root.join("cache")
    }

    /// A program that sees these places, a dead proxy, and else only `PATH`.
    pub fn program(&self, file: impl Into<PathBuf>) -> Program {
        let place = |name: &str| OsString::from(self.root.join(name));
        let proxies = [
            "HTTP_PROXY",
            "HTTPS_PROXY",
            "ALL_PROXY",
            "http_proxy",
            "https_proxy",
            "all_proxy",
        ];
        let loopback = ["NO_PROXY", "no_proxy"];
        let mut program = Program::new(file)
            .cwd(self.project())
            .env("HOME", place("home"))
            .env("USERPROFILE", place("home"))
            .env("XDG_CONFIG_HOME", place("home/.config"))
            .env("XDG_CACHE_HOME", place("cache"))
            .env("XDG_DATA_HOME", place("data"))
            .env("XDG_STATE_HOME", place("state"))
            .env("XDG_RUNTIME_DIR", place("run"))
            .env("LANG", "C.UTF-8")
            .env("TERM", "dumb")
            // Without it Claude Code runs commands by zsh where there is one.
            .env("SHELL", "/bin/bash");
        for variable in proxies {
            program = program.env(variable, NOWHERE);
        }
        for variable in loopback {
            program = program.env(variable, "127.0.0.1,localhost");
        }
        program
    }
}

impl Default for Places {
    fn default() -> Self {
        Self::new()
    }
}

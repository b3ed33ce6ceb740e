//! Where hosts look on this machine.

use crate::install;
use crate::outcome::Stop;
use crate::plugin::absolute;
use hookkit_dispatch::env::Env;
use hookkit_dispatch::folder;
use std::path::{Path, PathBuf};

/// Where hosts look.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    pub(crate) home: PathBuf,
    /// `CLAUDE_CONFIG_DIR`, else `~/.claude`.
    pub(crate) claude: PathBuf,
    /// `COPILOT_HOME`, else `~/.copilot`.
    pub(crate) copilot: PathBuf,
    /// `CODEX_HOME`, else `~/.codex`.
    pub(crate) codex: PathBuf,
    /// Where each VS Code, and each profile of it, keeps the user's settings.
    pub(crate) vscode: Vec<PathBuf>,
    pub(crate) managed: Managed,
    /// The folder that a session would start in.
    pub(crate) start: PathBuf,
    /// The repository that it lies in.
    pub(crate) repository: Option<PathBuf>,
    /// The value of `COPILOT_ALLOW_ALL` and its like: every folder is trusted.
    pub(crate) trusts_all: bool,
}

/// Where an administrator's files lie.
#[derive(Clone, Debug)]
pub(crate) struct Managed {
    pub(crate) claude: PathBuf,
    pub(crate) copilot: PathBuf,
    pub(crate) codex: PathBuf,
}

impl Places {
    /// The places of this user, seen from a folder.
    pub(crate) fn of(env: &Env, start: &Path) -> Result<Self, Stop> {
        let home = env
            .home()
            .ok_or_else(|| Stop::unusable("HOME is not set, so no agent's settings are found"))?;
        let named = |variable: &str, below: &str| match env.get(variable).map(PathBuf::from) {
            Some(named) => absolute(&named, env),
            None => Ok(home.join(below)),
        };
        let start = folder::real(&absolute(start, env)?);
        if !start.is_dir() {
            return Err(Stop::unusable(format!("{} is no folder", start.display())));
        }
        let editors = install::editors(env).unwrap_or_default();
        let says = |variable: &str| env.get(variable).is_some_and(|value| value == "true");
        Ok(Self {
            claude: named("CLAUDE_CONFIG_DIR", ".claude")?,
            copilot: named("COPILOT_HOME", ".copilot")?,
            codex: named("CODEX_HOME", ".codex")?,
            vscode: editors
                .into_iter()
                .filter(|folder| folder.is_dir())
                .collect(),
            managed: Managed::of(env),
            repository: folder::git_root(&start).map(Path::to_owned),
            trusts_all: says("COPILOT_ALLOW_ALL") || says("GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS"),
            start,
            home,
        })
    }

    /// The repository, or the folder itself where it lies in none.
    pub(crate) fn project(&self) -> &Path {
        self.repository.as_deref().unwrap_or(&self.start)
    }
}

impl Managed {
    /// As the vendors' pages have them.
    fn of(env: &Env) -> Self {
        let (claude, copilot, codex) = if cfg!(windows) {
            let data = env
                .get("ProgramData")
                .map_or_else(|| PathBuf::from("C:\\ProgramData"), PathBuf::from);
            (
                PathBuf::from("C:\\Program Files\\ClaudeCode"),
                data.join("GitHub\\Copilot"),
                data.join("OpenAI\\Codex"),
            )
        } else if cfg!(target_vendor = "apple") {
            (
                PathBuf::from("/Library/Application Support/ClaudeCode"),
                PathBuf::from("/etc/github-copilot"),
                PathBuf::from("/etc/codex"),
            )
        } else {
            (
                PathBuf::from("/etc/claude-code"),
                PathBuf::from("/etc/github-copilot"),
                PathBuf::from("/etc/codex"),
            )
        };
        Self {
            claude,
            copilot,
            codex,
        }
    }
}

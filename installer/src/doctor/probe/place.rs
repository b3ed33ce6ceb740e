//! Where hooks are tried: a project, a home and the plugin's own files, all copies, all gone with it.

use crate::survey::Source;
use anyhow::{Context as _, Result, bail};
use fs_err as fs;
use hookkit_dispatch::env::{Env, same_name};
use hookkit_dispatch::folder;
use hookkit_dispatch::run::environment;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A plugin that holds more is not copied, in bytes: each run has a copy of its own.
const LARGEST: u64 = 128 << 20;

/// What stands for the project in a payload.
pub(super) const PROJECT: &str = "@PROJECT@";

/// What the payloads name, so that a hook which looks for it finds something.
const FILES: [(&str, &str); 8] = [
    ("README.md", "# Demo\n"),
    ("notes.md", "# Notes\n"),
    ("src/app.py", "port = 80\n"),
    ("transcript.jsonl", ""),
    ("transcript.json", ""),
    ("rollout.jsonl", ""),
    // A repository without a commit, as `git init` makes it.
    (".git/HEAD", "ref: refs/heads/main\n"),
    (
        ".git/config",
        "[core]\n\trepositoryformatversion = 0\n\tbare = false\n",
    ),
];

/// The folders of one run.
pub(super) struct Place {
    _folder: TempDir,
    root: PathBuf,
    project: PathBuf,
    plugin: Option<PathBuf>,
    original: Option<PathBuf>,
    env: Vec<(OsString, OsString)>,
}

impl Place {
    /// Copies what the source's plugin is.
    pub(super) fn new(source: &Source, env: &Env) -> Result<Self> {
        let made = tempfile::Builder::new()
            .prefix("hookkit-probe-")
            .tempdir_in(env.temp())
            .context("a scratch folder cannot be made")?;
        let root = folder::real(made.path());
        let project = root.join("project");
        for folder in [
            "project/src",
            "project/.git/refs/heads",
            "project/.git/objects",
            "home",
            "temp",
            "data",
        ] {
            fs::create_dir_all(root.join(folder))?;
        }
        for (path, content) in FILES {
            fs::write(project.join(path), content)?;
        }
        let original = source
            .plugin
            .as_ref()
            .and_then(|plugin| plugin.root.as_deref());
        let original = original.map(Path::to_owned);
        let plugin = original.as_ref().map(|_| root.join("plugin"));
        if let (Some(original), Some(plugin)) = (&original, &plugin) {
            let original = folder::real(original);
            let mut left = LARGEST;
            copy_folder(&original, &original, plugin, &mut left)?;
        }
        Ok(Self {
            env: variables(env, &root),
            _folder: made,
            project,
            plugin,
            original,
            root,
        })
    }

    pub(super) fn project(&self) -> &Path {
        &self.project
    }

    /// The copy of the plugin.
    pub(super) fn plugin(&self) -> Option<&Path> {
        self.plugin.as_deref()
    }

    /// The folder that the plugin may keep things in.
    pub(super) fn data(&self) -> PathBuf {
        self.root.join("data")
    }

    /// A file of the plugin, in the copy; any other as it is.
    pub(super) fn copied(&self, file: &Path) -> PathBuf {
        let copied = self.original.as_ref().zip(self.plugin.as_ref());
        copied
            .and_then(|(original, copy)| Some(copy.join(file.strip_prefix(original).ok()?)))
            .unwrap_or_else(|| file.to_owned())
    }

    /// What a hook said, with the plugin's own folder in place of the copy.
    pub(super) fn with_original(&self, said: &str) -> String {
        match (&self.original, &self.plugin) {
            (Some(original), Some(copy)) => {
                said.replace(&*copy.to_string_lossy(), &original.to_string_lossy())
            }
            _ => said.to_owned(),
        }
    }

    /// A payload with the project's folder in it, as JSON has it.
    pub(super) fn in_project(&self, payload: &str) -> String {
        let folder = serde_json::Value::from(self.project.to_string_lossy()).to_string();
        payload.replace(PROJECT, folder.trim_matches('"'))
    }

    /// A file beside the project.
    pub(super) fn beside(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// What every process gets here, whichever host starts it.
    pub(super) fn env(&self) -> &[(OsString, OsString)] {
        &self.env
    }
}

/// The environment of this process, with other homes in it, and nothing that a host sets.
fn variables(env: &Env, root: &Path) -> Vec<(OsString, OsString)> {
    let is_of_hosts = |name: &OsString| {
        ["CLAUDE", "COPILOT_", "CODEX_", "PLUGIN_", "HOOKKIT_"]
            .iter()
            .any(|family| {
                let name = name.as_encoded_bytes();
                name.len() >= family.len()
                    && name[..family.len()].eq_ignore_ascii_case(family.as_bytes())
            })
    };
    let mut all: Vec<(OsString, OsString)> = env
        .all()
        .into_iter()
        .filter(|(name, _)| !is_of_hosts(name) && !same_name(name, "PWD"))
        .collect();
    for (name, below) in [
        ("HOME", "home"),
        ("USERPROFILE", "home"),
        ("APPDATA", "home/AppData/Roaming"),
        ("LOCALAPPDATA", "home/AppData/Local"),
        ("XDG_CONFIG_HOME", "home/.config"),
        ("XDG_CACHE_HOME", "home/.cache"),
        ("XDG_DATA_HOME", "home/.local/share"),
        ("XDG_STATE_HOME", "home/.local/state"),
        ("CLAUDE_CONFIG_DIR", "home/.claude"),
        ("COPILOT_HOME", "home/.copilot"),
        ("CODEX_HOME", "home/.codex"),
        ("TMPDIR", "temp"),
        ("TEMP", "temp"),
        ("TMP", "temp"),
    ] {
        environment::set(&mut all, name, root.join(below));
    }
    all
}

/// Copies a folder with its modes and links; a link that leads out of it leads to the same place.
fn copy_folder(top: &Path, from: &Path, to: &Path, left: &mut u64) -> Result<()> {
    fs::create_dir(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (path, copy) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type()?;
        if kind.is_symlink() {
            link(top, &path, &copy)?;
        } else if kind.is_dir() {
            // The history of a plugin is none of its hooks' business.
            if entry.file_name() != ".git" {
                copy_folder(top, &path, &copy, left)?;
            }
        } else if kind.is_file() {
            let length = entry.metadata()?.len();
            match left.checked_sub(length) {
                Some(less) => *left = less,
                None => bail!("its folder holds more than {} MiB", LARGEST >> 20),
            }
            fs::copy(&path, &copy)?;
        }
    }
    Ok(())
}

#[cfg(unix)]
fn link(top: &Path, path: &Path, copy: &Path) -> Result<()> {
    let written = fs::read_link(path)?;
    let real = path.canonicalize().ok();
    let target = match real {
        Some(real) if !real.starts_with(top) => real,
        _ => written,
    };
    Ok(fs::os::unix::fs::symlink(target, copy)?)
}

/// Links need a privilege on Windows: what they lead to is copied.
#[cfg(windows)]
fn link(_: &Path, path: &Path, copy: &Path) -> Result<()> {
    if path.is_file() {
        fs::copy(path, copy)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_home_of_the_hosts_is_none_of_a_tried_hook() {
        let given = [
            ("HOME", "/h"),
            ("PATH", "/bin"),
            ("CLAUDE_PLUGIN_ROOT", "/outer"),
            ("XDG_DATA_HOME", "/h/d"),
        ];
        let given = given
            .iter()
            .map(|(name, value)| ((*name).into(), (*value).into()));
        let env = Env::given(given.collect(), "/".into(), "/x".into());
        let all = variables(&env, Path::new("/s"));
        let of = |name: &str| {
            let found = all.iter().find(|(present, _)| present == name);
            found.map(|(_, value)| value.to_string_lossy().into_owned())
        };
        assert_eq!(of("HOME").as_deref(), Some("/s/home"));
        assert_eq!(of("XDG_DATA_HOME").as_deref(), Some("/s/home/.local/share"));
        assert_eq!(of("PATH").as_deref(), Some("/bin"));
        assert_eq!(of("CLAUDE_PLUGIN_ROOT"), None);
    }
}

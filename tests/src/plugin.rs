//! A small plugin, written in a throw-away folder.
//!
//! ```no_run
//! use hookkit_tests::{Plugin, payload};
//! use serde_json::json;
//!
//! let plugin = Plugin::new("demo")
//!     .sh(json!({"id": "no", "event": "PreToolUse"}), "echo no >&2; exit 2");
//! let ran = plugin
//!     .dispatch(["--host", "claude-code", "--event", "PreToolUse"])
//!     .stdin(payload::claude::pre_tool_use("Bash", json!({"command": "ls"})))
//!     .run();
//! assert_eq!(ran.json()["hookSpecificOutput"]["permissionDecision"], "deny");
//! ```

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use fs_err as fs;
use serde_json::{Value, json};

use crate::Tree;
use crate::folder::Folder;
use crate::process::Program;
use crate::program;

/// A plugin with `hookkit.json` and its files, and beside it a home and a project; gone with the
/// value.
#[derive(Debug)]
#[must_use]
pub struct Plugin {
    root: Folder,
    manifest: Value,
}

impl Plugin {
    /// A plugin without hooks.
    pub fn new(name: &str) -> Self {
        let root = Folder::new("plugin");
        for folder in ["plugin", "home", "project"] {
            fs::create_dir(root.join(folder)).unwrap();
        }
        let manifest = json!({"schema": 1, "name": name, "version": "0.1.0", "description": "For a test.", "hooks": []});
        Self { root, manifest }.written()
    }

    /// One more entry in `hooks`, as it stands.
    pub fn hook(mut self, entry: Value) -> Self {
        self.manifest["hooks"]
            .as_array_mut()
            .expect("hooks is a list")
            .push(entry);
        self.written()
    }

    /// A hook that `sh` runs: the entry without `run`, and the script.
    pub fn sh(self, entry: Value, script: &str) -> Self {
        self.script("sh", "sh", entry, script)
    }

    /// A hook that python runs: the entry without `run`, and the script.
    pub fn python(self, entry: Value, script: &str) -> Self {
        self.script("python", "py", entry, script)
    }

    /// A hook that is the program `nasty` with these words: the entry without `run`.
    pub fn nasty(self, entry: Value, words: &[&str]) -> Self {
        self.program(entry, &program::nasty(), words)
    }

    /// A hook that is a copy of this program, with these words: the entry without `run`.
    pub fn program(self, mut entry: Value, program: &Path, words: &[&str]) -> Self {
        let file = Path::new("hooks").join(program.file_name().expect("a program is a file"));
        let name = format!("./{}", file.display());
        entry["run"] = json!(
            std::iter::once(name.as_str())
                .chain(words.iter().copied())
                .collect::<Vec<_>>()
        );
        let copy = self.path().join(file);
        if !copy.exists() {
            fs::create_dir_all(self.path().join("hooks")).unwrap();
            copy_program(program, &copy);
        }
        self.hook(entry)
    }

    /// Sets another key of the manifest.
    pub fn with(mut self, key: &str, value: Value) -> Self {
        self.manifest[key] = value;
        self.written()
    }

    /// Writes a file of the plugin, with this mode where there are modes.
    pub fn file(self, name: &str, content: impl AsRef<[u8]>, mode: u32) -> Self {
        let file = self.path().join(name);
        fs::create_dir_all(file.parent().expect("a file lies in a folder")).unwrap();
        if mode & 0o111 == 0 {
            fs::write(&file, content).unwrap();
        } else {
            let draft = self.root.join("draft");
            fs::write(&draft, content).unwrap();
            copy_program(&draft, &file);
        }
        set_mode(&file, mode);
        self
    }

    /// The manifest as bytes, whatever they are. Later changes of the manifest replace them.
    pub fn manifest_bytes(self, bytes: impl AsRef<[u8]>) -> Self {
        self.file("hookkit.json", bytes, 0o644)
    }

    /// The plugin's folder.
    pub fn path(&self) -> PathBuf {
        self.root.join("plugin")
    }

    /// The folder that dispatches run in.
    pub fn project(&self) -> PathBuf {
        self.root.join("project")
    }

    /// Starts the dispatcher on this plugin: with `--plugin-root` and these arguments, in the
    /// project, with `PATH` and an empty `HOME` as the only variables.
    pub fn dispatch<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Program {
        Program::new(program::dispatcher())
            .arg("--plugin-root")
            .arg(self.path())
            .args(arguments)
            .cwd(self.project())
            .env("HOME", self.root.join("home"))
    }

    /// The portable tree that `hookkit build` makes of it.
    pub fn build(&self) -> Tree {
        Tree::build(&self.path())
    }

    fn script(self, interpreter: &str, extension: &str, mut entry: Value, script: &str) -> Self {
        let name = format!(
            "hooks/{}.{extension}",
            entry["id"].as_str().expect("a hook has an id")
        );
        entry["run"] = json!([interpreter, format!("./{name}")]);
        self.file(&name, script, 0o755).hook(entry)
    }

    fn written(self) -> Self {
        let text = serde_json::to_string_pretty(&self.manifest).expect("a manifest is JSON");
        self.manifest_bytes(text + "\n")
    }
}

/// Copies a program, by a process of its own: what is open for writing here while another test forks
/// cannot be started ("text file busy").
#[cfg(unix)]
pub fn copy_program(from: &Path, to: &Path) {
    assert!(Program::new("cp").arg(from).arg(to).run().exited(0));
}

#[cfg(windows)]
pub fn copy_program(from: &Path, to: &Path) {
    fs::copy(from, to).unwrap();
}

#[cfg(unix)]
fn set_mode(file: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(file, std::fs::Permissions::from_mode(mode)).unwrap();
}

#[cfg(windows)]
fn set_mode(_: &Path, _: u32) {}

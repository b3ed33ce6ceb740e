//! Settings files of others, edited on a real disk: every kind of file, every way to be stopped.
//!
//! What an edit does to a text is tested beside the code, and on documents of any layout in
//! `properties.rs`.
#![cfg(target_os = "linux")]
#![expect(
    clippy::unwrap_used,
    reason = "a fixture that cannot be made fails the test"
)]

mod cases;
mod configs;
mod diffs;
mod faults;
mod files;
mod turns;
mod undoing;

use std::fs;
use std::path::{Path, PathBuf};

use hookkit::edit::{Change, Document, Lock, Refused};
use hookkit_tests::folder::Folder;
use hookkit_tests::process::Program;
use hookkit_tests::program;
use serde_json::json;

/// A home, and the data folder beside it.
struct Home {
    folder: Folder,
}

impl Home {
    fn new() -> Self {
        let folder = Folder::new("edits");
        fs::create_dir_all(folder.join("home/.claude")).unwrap();
        Self { folder }
    }

    /// A home with a settings file.
    fn with(text: &str) -> Self {
        let home = Self::new();
        fs::write(home.settings(), text).unwrap();
        home
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.join(path)
    }

    fn settings(&self) -> PathBuf {
        self.path("home/.claude/settings.json")
    }

    fn text(&self) -> String {
        fs::read_to_string(self.settings()).unwrap()
    }

    fn turn(&self) -> Lock {
        Lock::take(&self.path("data")).unwrap()
    }

    /// Adds the one entry that these tests add.
    fn change(&self) -> Result<Change, Refused> {
        added(&self.settings())
    }

    fn write(&self, change: &Change) -> Result<(), Refused> {
        change.write(&self.turn())
    }

    /// The change is refused; what is said of it begins with this.
    #[track_caller]
    fn refuses(&self, says: &str) {
        let before = listing(&self.folder);
        let refused = self.change().unwrap_err();
        assert_eq!(refused.file, self.settings());
        assert!(refused.what.starts_with(says), "{refused}");
        assert!(!refused.todo.is_empty());
        assert_eq!(listing(&self.folder), before, "nothing was changed");
    }

    /// The program that edits, in a process of its own.
    fn editor(&self, words: &[&str]) -> Program {
        self.editor_under(Program::new(program::built("editor")), words)
    }

    /// The same, as the arguments of another program.
    fn editor_under(&self, program: Program, words: &[&str]) -> Program {
        program
            .arg(self.path("data"))
            .arg(self.settings())
            .args(words)
    }
}

fn added(file: &Path) -> Result<Change, Refused> {
    let mut document = Document::open(file)?;
    document.push(&["hooks", "Stop"], json!({"command": "/ours/stop"}))?;
    Ok(document.change())
}

fn take_back(document: &mut Document) -> Result<(), Refused> {
    let ours = |element: &serde_json::Value| element["command"] == "/ours/stop";
    document
        .remove_elements(&["hooks", "Stop"], 2, &ours)
        .map(drop)
}

/// Every file and folder below a folder, with mode and text or target.
fn listing(folder: &Path) -> Vec<String> {
    use std::os::unix::fs::PermissionsExt as _;
    let mut lines = Vec::new();
    let mut rest = vec![folder.to_owned()];
    while let Some(path) = rest.pop() {
        let metadata = fs::symlink_metadata(&path).unwrap();
        let what = if metadata.is_symlink() {
            format!("-> {}", fs::read_link(&path).unwrap().display())
        } else if metadata.is_dir() {
            rest.extend(
                fs::read_dir(&path)
                    .unwrap()
                    .map(|entry| entry.unwrap().path()),
            );
            "/".to_owned()
        } else if metadata.is_file() {
            String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned()
        } else {
            "special".to_owned()
        };
        let mode = metadata.permissions().mode();
        lines.push(format!("{} {mode:o} {what}", path.display()));
    }
    lines.sort();
    lines
}

/// The names in the folder of the settings.
fn names(home: &Home) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(home.path("home/.claude"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

//! Somebody's home, in which hookkit is to be installed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use fs_err as fs;
use hookkit_tests::folder::{Folder, snapshot};
use hookkit_tests::process::Program;
use hookkit_tests::program;

/// The shells that read `install.sh`, each with the words that make it a shell.
pub(crate) const SHELLS: [&[&str]; 4] = [&["dash"], &["bash"], &["busybox", "sh"], &["zsh"]];

/// A home with the files that a new account has.
pub(crate) struct Home {
    root: Folder,
}

impl Home {
    pub(crate) fn new() -> Self {
        let root = Folder::new("home o'neill \u{e9}");
        fs::create_dir(root.join("home")).unwrap();
        let home = Self { root };
        home.write(".profile", "# mine\nPATH=\"$HOME/bin:$PATH\"");
        home.write(".bashrc", "# mine too\n");
        home
    }

    pub(crate) fn write(&self, file: &str, text: &str) {
        let file = self.path().join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    pub(crate) fn read(&self, file: &str) -> String {
        fs::read_to_string(self.path().join(file)).unwrap()
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.root.join("home")
    }

    /// Everything in it, with modes.
    pub(crate) fn everything(&self) -> BTreeMap<String, String> {
        snapshot(&self.root, &["home"])
    }

    /// Where hookkit goes.
    pub(crate) fn own(&self) -> PathBuf {
        self.path().join(".local/share/hookkit/self")
    }

    /// A program that this person starts.
    pub(crate) fn program(&self, file: impl Into<PathBuf>) -> Program {
        Program::new(file)
            .env("HOME", self.path())
            .env("SHELL", "/bin/bash")
            .cwd(self.path())
    }

    /// A shell that reads a script.
    pub(crate) fn shell(&self, shell: &[&str], script: &Path) -> Program {
        self.program(shell[0]).args(&shell[1..]).arg(script)
    }

    /// `hookkit` as it was installed.
    pub(crate) fn hookkit<const N: usize>(&self, words: [&str; N]) -> Program {
        self.program(self.own().join("bin/hookkit")).args(words)
    }

    pub(crate) fn version(&self) -> String {
        let ran = self.hookkit(["--version"]).run();
        assert!(ran.exited(0));
        ran.out().trim().to_owned()
    }
}

/// A folder with nothing but these programs.
pub(crate) fn only(programs: &[&str]) -> Folder {
    let folder = Folder::new("path");
    for name in programs {
        let file = program::found(name).unwrap();
        std::os::unix::fs::symlink(file, folder.join(name)).unwrap();
    }
    folder
}

/// What `install.sh` uses wherever it runs.
pub(crate) const USED: [&str; 14] = [
    "cat", "chmod", "cp", "gzip", "id", "mkdir", "mv", "rm", "rmdir", "sh", "tail", "tar", "uname",
    "grep",
];

//! The shells that the selector is run by.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Once;

use hookkit_tests::process::Program;

/// A shell, and the words before a script.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shell {
    pub(crate) name: &'static str,
    file: &'static str,
    words: &'static [&'static str],
}

const SHELLS: [Shell; 4] = [
    Shell {
        name: "dash",
        file: "dash",
        words: &[],
    },
    Shell {
        name: "bash",
        file: "bash",
        words: &[],
    },
    Shell {
        name: "bash as sh",
        file: "bash",
        words: &["--posix"],
    },
    Shell {
        name: "busybox sh",
        file: "busybox",
        words: &["sh"],
    },
];

impl Shell {
    /// Runs a script.
    pub(crate) fn run(&self, script: impl AsRef<Path>) -> Program {
        Program::new(self.path().expect("only shells that are there are run"))
            .args(self.words)
            .arg(script.as_ref())
    }

    /// The shell's program and the words that go before a script.
    pub(crate) fn command(&self) -> (PathBuf, &'static [&'static str]) {
        let path = self.path().expect("only shells that are there are run");
        (path, self.words)
    }

    fn path(&self) -> Option<PathBuf> {
        ["/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"]
            .iter()
            .map(|folder| Path::new(folder).join(self.file))
            .find(|file| file.is_file())
    }
}

/// Every shell that this machine has. Those that are missing are named, past the test runner.
pub(crate) fn all() -> Vec<Shell> {
    static SAID: Once = Once::new();
    SAID.call_once(|| {
        for shell in SHELLS.iter().filter(|shell| shell.path().is_none()) {
            let (name, file) = (shell.name, shell.file);
            let said = format!("SKIPPED the selector under {name}: {file} is not installed");
            // Past the test runner, which hides what a passing test prints.
            let _ = writeln!(std::io::stderr(), "{said}");
        }
    });
    let shells: Vec<Shell> = SHELLS
        .into_iter()
        .filter(|shell| shell.path().is_some())
        .collect();
    assert!(!shells.is_empty(), "no shell is here at all");
    shells
}

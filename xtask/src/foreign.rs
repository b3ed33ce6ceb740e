//! Builds for targets that are not this machine's own.
//!
//! Where the toolchain holds a target's standard library, cargo is called as always. Else the
//! standard library is built too (`-Z build-std`), from the source that `rust_src` finds.

mod mingw;
mod musl;
mod zig;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, anyhow};
use fs_err as fs;

pub(crate) use self::zig::OLDEST_MACOS;
use crate::rust_src;
use crate::workspace::{self, Workspace};

/// A target that programs are shipped for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Triple {
    MuslX86_64,
    MuslAarch64,
    MacX86_64,
    MacAarch64,
    Windows,
}

impl Triple {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::MuslX86_64 => "x86_64-unknown-linux-musl",
            Self::MuslAarch64 => "aarch64-unknown-linux-musl",
            Self::MacX86_64 => "x86_64-apple-darwin",
            Self::MacAarch64 => "aarch64-apple-darwin",
            Self::Windows => "x86_64-pc-windows-gnu",
        }
    }

    fn linker(self) -> Linker {
        match self {
            Self::MuslX86_64 => Linker::Musl,
            Self::Windows => Linker::Mingw,
            Self::MuslAarch64 | Self::MacX86_64 | Self::MacAarch64 => Linker::Zig,
        }
    }

    fn ending(self) -> &'static str {
        if self == Self::Windows { ".exe" } else { "" }
    }

    /// Where a program of this target lies after a build.
    fn built(self, workspace: &Workspace, program: &str) -> PathBuf {
        target_dir(workspace)
            .join(self.name())
            .join("release")
            .join([program, self.ending()].concat())
    }
}

/// What makes programs of a target out of object files.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Linker {
    Musl,
    Mingw,
    /// With the C libraries of other systems in it; cargo-zigbuild hands them over.
    Zig,
}

/// Programs of one package, and what cargo is told beside their names.
pub(crate) struct Programs<'p> {
    pub(crate) package: &'p str,
    pub(crate) options: &'p [&'p str],
    pub(crate) names: &'p [&'p str],
}

/// What came of one target: its programs in the order of their names.
pub(crate) type Made = (Triple, Result<Vec<PathBuf>>);

/// Builds programs for targets. One that fails does not keep the others from being made.
pub(crate) fn build(workspace: &Workspace, triples: &[Triple], programs: &Programs) -> Vec<Made> {
    let (by_zig, by_others): (Vec<Triple>, Vec<Triple>) = triples
        .iter()
        .partition(|triple| triple.linker() == Linker::Zig);
    [by_others, by_zig]
        .into_iter()
        .filter(|group| !group.is_empty())
        .flat_map(|group| build_group(workspace, &group, programs))
        .collect()
}

/// As [`build`], for one target.
pub(crate) fn build_one(
    workspace: &Workspace,
    triple: Triple,
    programs: &Programs,
) -> Result<Vec<PathBuf>> {
    let made = build(workspace, &[triple], programs);
    made.into_iter()
        .next()
        .map_or_else(|| Err(anyhow!("nothing was built")), |(_, made)| made)
}

/// One call of cargo for all of them: the standard libraries are built side by side.
fn build_group(workspace: &Workspace, group: &[Triple], programs: &Programs) -> Vec<Made> {
    let (mut targets, mut made) = (Vec::new(), Vec::new());
    for triple in group {
        match Linked::new(workspace, *triple) {
            Ok(linked) => targets.push(linked),
            Err(why) => made.push((*triple, Err(why))),
        }
    }
    if targets.is_empty() {
        return made;
    }
    let called = call(workspace, &targets, programs);
    made.extend(targets.iter().map(|target| {
        let of_target = programs.names.iter().map(|name| {
            let program = target.triple.built(workspace, name);
            // What an earlier run made is gone, so what is there is new.
            match &called {
                _ if program.is_file() => Ok(program),
                Ok(()) => Err(anyhow!("cargo made no {}", program.display())),
                Err(why) => Err(anyhow!("{name} was not built: {why:#}")),
            }
        });
        (target.triple, of_target.collect())
    }));
    made
}

fn call(workspace: &Workspace, targets: &[Linked], programs: &Programs) -> Result<()> {
    let mut command = if targets[0].triple.linker() == Linker::Zig {
        zig::cargo(workspace)?
    } else {
        cargo(workspace)?
    };
    command
        .args(["--release", "--locked", "--keep-going", "--target-dir"])
        .arg(target_dir(workspace))
        .args(["--package", programs.package])
        .args(programs.options);
    for name in programs.names {
        command.args(["--bin", name]);
    }
    let library = targets.iter().find_map(|target| target.library.as_deref());
    if let Some(library) = library {
        build_std(&mut command, library);
    }
    for target in targets {
        command.args(["--target", target.triple.name(), "--config"]);
        command.arg(target.flags(workspace, library)?);
        if let Some(linker) = target.program {
            let name = target.triple.name().replace('-', "_").to_uppercase();
            command.env(format!("CARGO_TARGET_{name}_LINKER"), linker);
        }
        for name in programs.names {
            let earlier = target.triple.built(workspace, name);
            if earlier.exists() {
                fs::remove_file(earlier)?;
            }
        }
    }
    // Either of the two removed would come before the flags of the targets.
    command
        .env("HOOKKIT_COMMIT", workspace.commit()?)
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS");
    workspace::run(&mut command)
}

/// cargo-auditable, where it is installed: programs that are built by it hold the list of the crates
/// that they are made of, for `cargo audit bin`.
pub(crate) fn auditable(workspace: &Workspace) -> Option<PathBuf> {
    workspace.program("cargo-auditable")
}

fn cargo(workspace: &Workspace) -> Result<Command> {
    let mut cargo = match auditable(workspace) {
        Some(auditable) => {
            let mut command = workspace.without_rustup(&auditable, &[])?;
            command.arg("auditable");
            command
        }
        None => workspace.cargo_without_rustup()?,
    };
    cargo.arg("build");
    Ok(cargo)
}

fn build_std(cargo: &mut Command, library: &Path) {
    cargo
        .args(["-Z", "build-std=std,panic_abort"])
        // Without what prints backtraces: the panic hook says all that hookkit says.
        .args(["-Z", "build-std-features="])
        .env("RUSTC_BOOTSTRAP", "1")
        // Cargo's own tests use this variable; it leaves the toolchain's folder untouched.
        .env("__CARGO_TESTS_ONLY_SRC_ROOT", library);
}

/// One target and how it is linked.
struct Linked {
    triple: Triple,
    program: Option<&'static str>,
    flags: Vec<String>,
    /// The standard library's source, when it is to be built.
    library: Option<PathBuf>,
}

impl Linked {
    fn new(workspace: &Workspace, triple: Triple) -> Result<Self> {
        let library = if workspace.has_target(triple.name())? {
            None
        } else {
            Some(rust_src::library(workspace)?)
        };
        let mut linked = Self {
            triple,
            program: None,
            flags: Vec::new(),
            library,
        };
        match triple.linker() {
            Linker::Musl => musl::link(workspace, &mut linked)?,
            Linker::Mingw => mingw::link(workspace, &mut linked)?,
            Linker::Zig => zig::link(workspace, &mut linked)?,
        }
        Ok(linked)
    }

    fn builds_std(&self) -> bool {
        self.library.is_some()
    }

    fn flag(&mut self, flag: impl Into<String>) {
        self.flags.push(flag.into());
    }

    /// The target's flags as a line of cargo's configuration, with neutral names for the folders
    /// that would end up in the program.
    fn flags(&self, workspace: &Workspace, library: Option<&Path>) -> Result<String> {
        let folders: [(Option<&Path>, &str); 3] = [
            (Some(&workspace.root), "/hookkit"),
            (workspace.cargo_home.as_deref(), "/cargo"),
            (library, "/rust/library"),
        ];
        let renames = folders.into_iter().filter_map(|(folder, name)| {
            folder.map(|folder| format!("--remap-path-prefix={}={name}", folder.display()))
        });
        let flags: Vec<String> = self.flags.iter().cloned().chain(renames).collect();
        let list = serde_json::to_string(&flags).context("flags are text")?;
        Ok(format!("target.{}.rustflags={list}", self.triple.name()))
    }
}

/// Apart from the machine's own builds, so that neither waits for the other's lock.
fn target_dir(workspace: &Workspace) -> PathBuf {
    workspace.target_dir.join("foreign")
}

//! Where the workspace, its build folder and its toolchain are, and how a program of them is run.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail, ensure};

/// The checkout and the toolchain that `cargo xtask` was started with.
pub(crate) struct Workspace {
    /// The folder of the workspace's `Cargo.toml`.
    pub(crate) root: PathBuf,
    /// Cargo's build folder.
    pub(crate) target_dir: PathBuf,
    /// Where cargo keeps the sources of dependencies.
    pub(crate) cargo_home: Option<PathBuf>,
    cargo: PathBuf,
    path: OsString,
}

impl Workspace {
    pub(crate) fn find() -> Result<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"))
            .parent()
            .context("xtask lies outside of a workspace")?
            .to_path_buf();
        let cargo_home = variable("CARGO_HOME").map(PathBuf::from).or_else(|| {
            let home = variable("HOME").or_else(|| variable("USERPROFILE"))?;
            Some(Path::new(&home).join(".cargo"))
        });
        Ok(Self {
            target_dir: variable("CARGO_TARGET_DIR")
                .map_or_else(|| root.join("target"), |folder| root.join(folder)),
            cargo_home,
            cargo: variable("CARGO").map_or_else(|| "cargo".into(), PathBuf::from),
            path: variable("PATH").unwrap_or_default(),
            root,
        })
    }

    /// The toolchain's own cargo (not rustup's proxy), in the workspace's folder.
    ///
    /// With `RUSTUP_AUTO_INSTALL=0` a missing toolchain or component is a fault and not a download.
    pub(crate) fn cargo(&self) -> Command {
        let mut command = Command::new(&self.cargo);
        command
            .current_dir(&self.root)
            .env("RUSTUP_AUTO_INSTALL", "0");
        command
    }

    /// As [`Self::cargo`], with rustup taken off the PATH, for a target that rustup may not know.
    pub(crate) fn cargo_without_rustup(&self) -> Result<Command> {
        self.without_rustup(&self.cargo, &[])
    }

    /// A program that starts cargo, with these folders in front of the PATH and rustup off it.
    pub(crate) fn without_rustup(&self, program: &Path, in_front: &[&Path]) -> Result<Command> {
        let toolchain = self.cargo.parent().filter(|folder| folder.is_absolute());
        let folders = in_front
            .iter()
            .copied()
            .chain(toolchain)
            .map(Path::to_path_buf)
            .chain(std::env::split_paths(&self.path))
            .filter(|folder| !holds_program(folder, "rustup"));
        let mut command = Command::new(program);
        command
            .current_dir(&self.root)
            .env("RUSTUP_AUTO_INSTALL", "0")
            .env_remove("RUSTUP_TOOLCHAIN")
            .env("PATH", std::env::join_paths(folders)?)
            .env("CARGO", &self.cargo)
            .env("RUSTC", self.rustc());
        Ok(command)
    }

    /// The commit that is built, with `-dirty` where files differ from it.
    pub(crate) fn commit(&self) -> Result<String> {
        let git =
            |words: &[&str]| output(Command::new("git").arg("-C").arg(&self.root).args(words));
        let commit = git(&["rev-parse", "--short=12", "HEAD"])?;
        let is_clean = git(&["status", "--porcelain", "--untracked-files=no"])?.is_empty();
        let mark = if is_clean { "" } else { "-dirty" };
        Ok(format!("{}{mark}", commit.trim_end()))
    }

    /// Whether what is made is for a release: the switch that the build script of `hookkit` reads.
    pub(crate) fn is_release() -> bool {
        variable("HOOKKIT_RELEASE").is_some_and(|value| value == "1")
    }

    /// The rustc that stands beside the cargo in use.
    fn rustc(&self) -> PathBuf {
        let sibling = self
            .cargo
            .with_file_name(format!("rustc{}", std::env::consts::EXE_SUFFIX));
        if sibling.is_file() {
            sibling
        } else {
            "rustc".into()
        }
    }

    /// The compiler's version, such as `1.95.0`.
    pub(crate) fn rustc_version(&self) -> Result<String> {
        let text = output(Command::new(self.rustc()).arg("-vV"))?;
        text.lines()
            .find_map(|line| line.strip_prefix("release: "))
            .map(str::to_owned)
            .context("rustc -vV names no release")
    }

    /// The toolchain's folder.
    pub(crate) fn sysroot(&self) -> Result<PathBuf> {
        let text = output(Command::new(self.rustc()).args(["--print", "sysroot"]))?;
        Ok(PathBuf::from(text.trim_end()))
    }

    /// Whether the toolchain already holds a compiled standard library for this target.
    pub(crate) fn has_target(&self, target: &str) -> Result<bool> {
        Ok(self
            .sysroot()?
            .join("lib/rustlib")
            .join(target)
            .join("lib")
            .is_dir())
    }

    pub(crate) fn has_program(&self, name: &str) -> bool {
        self.program(name).is_some()
    }

    /// A program on the PATH.
    pub(crate) fn program(&self, name: &str) -> Option<PathBuf> {
        std::env::split_paths(&self.path)
            .find(|folder| holds_program(folder, name))
            .map(|folder| folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX)))
    }

    /// Fails with the name of the Debian package to install when the program is not on the PATH.
    pub(crate) fn require(&self, program: &str, package: &str) -> Result<()> {
        ensure!(
            self.has_program(program),
            "{program} is missing: apt-get install {package}"
        );
        Ok(())
    }
}

/// Shows the command, runs it and fails when it does.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    eprintln!("$ {}", shown(command));
    let status = command
        .status()
        .with_context(|| format!("cannot start {}", command.get_program().display()))?;
    if !status.success() {
        bail!(
            "{} ended with {status}; what it said is above",
            brief(command)
        );
    }
    Ok(())
}

/// What the command prints on stdout; stderr goes to the terminal.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("cannot start {}", command.get_program().display()))?;
    if !output.status.success() {
        bail!("{} ended with {}", shown(command), output.status);
    }
    String::from_utf8(output.stdout)
        .with_context(|| format!("{} printed something that is not UTF-8", shown(command)))
}

/// The program's name and its arguments; flags that arrive by the environment are not shown.
fn shown(command: &Command) -> String {
    with_arguments(command, usize::MAX)
}

/// The program's name and what it was to do, after the whole line was shown.
fn brief(command: &Command) -> String {
    with_arguments(command, 1)
}

fn with_arguments(command: &Command, count: usize) -> String {
    let program = Path::new(command.get_program());
    let name = program
        .file_stem()
        .unwrap_or(program.as_os_str())
        .display()
        .to_string();
    command.get_args().take(count).fold(name, |line, argument| {
        format!("{line} {}", argument.display())
    })
}

fn holds_program(folder: &Path, name: &str) -> bool {
    folder
        .join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
        .is_file()
}

#[expect(
    clippy::disallowed_methods,
    reason = "xtask is a build tool: cargo talks to it by variables, and no test of it reads them"
)]
pub(crate) fn variable(name: impl AsRef<OsStr>) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

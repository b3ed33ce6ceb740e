//! The source of the standard library, of the compiler's own version.
//!
//! Needed to build for a target whose standard library the toolchain does not hold. Taken, in this
//! order, from the toolchain (`rustup component add rust-src`), from an earlier run, or from
//! Debian's `rust-src` package: downloaded by apt-get with private lists and unpacked below the
//! build folder, so that the system's own sources and packages stay as they are.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use fs_err as fs;

use crate::workspace::{self, Workspace};

/// Debian releases that carry compilers newer than the stable release's own.
const SUITES: [&str; 3] = ["trixie-backports", "testing", "unstable"];

/// The folder `library` of the compiler's source.
pub(crate) fn library(workspace: &Workspace) -> Result<PathBuf> {
    let own = workspace.sysroot()?.join("lib/rustlib/src/rust/library");
    if own.is_dir() {
        return Ok(own);
    }
    let version = workspace.rustc_version()?;
    let unpacked = workspace.target_dir.join("rust-src").join(&version);
    let library = unpacked
        .join("usr/src")
        .join(format!("rustc-{version}"))
        .join("library");
    if library.is_dir() {
        return Ok(library);
    }
    from_debian(workspace, &version, &unpacked).with_context(|| {
        format!(
            "the source of the standard library of Rust {version} is missing \
             (rustup component add rust-src gives it too)"
        )
    })?;
    if !library.is_dir() {
        bail!("the rust-src package holds no {}", library.display());
    }
    Ok(library)
}

fn from_debian(workspace: &Workspace, version: &str, unpacked: &Path) -> Result<()> {
    workspace.require("apt-get", "apt, on a Debian system")?;
    let mirror = debian_mirror()?;
    for suite in SUITES {
        let apt = PrivateApt::new(&workspace.target_dir.join("rust-src").join(suite))?;
        apt.set_source(&mirror, suite)?;
        if let Err(fault) = workspace::run(apt.command("apt-get").args(["-qq", "update"])) {
            eprintln!("{suite} is left out: {fault:#}");
            continue;
        }
        let known = workspace::output(apt.command("apt-cache").args(["madison", "rust-src"]))?;
        let Some(package) = package_of(&known, version) else {
            eprintln!("{suite} has no rust-src {version}");
            continue;
        };
        workspace::run(
            apt.command("apt-get")
                .current_dir(&apt.downloads)
                .args(["-qq", "download"])
                .arg(format!("rust-src={package}")),
        )?;
        return apt.unpack(unpacked);
    }
    bail!(
        "no Debian suite of {} has rust-src {version}",
        SUITES.join(", ")
    )
}

/// The mirror that this system already uses for its own release.
fn debian_mirror() -> Result<String> {
    let release = fs::read_to_string("/etc/os-release")?;
    let codename = release
        .lines()
        .find_map(|line| line.strip_prefix("VERSION_CODENAME="))
        .filter(|_| release.lines().any(|line| line == "ID=debian"))
        .context("this system is not a Debian with a code name")?;
    let targets = workspace::output(Command::new("apt-get").args([
        "indextargets",
        "--format",
        "$(RELEASE) $(REPO_URI)",
        "Created-By: Packages",
    ]))?;
    mirror_of(&targets, codename)
        .map(str::to_owned)
        .with_context(|| format!("the system's own sources name no mirror of {codename}"))
}

/// `apt-get indextargets` prints `RELEASE URI` a line; the release's own name rules out
/// `bookworm-security` and other vendors' repositories.
fn mirror_of<'a>(targets: &'a str, codename: &str) -> Option<&'a str> {
    targets
        .lines()
        .filter_map(|line| line.split_once(' '))
        .find_map(|(release, mirror)| (release == codename).then_some(mirror))
}

/// Picks `1.95.0+dfsg1-2~bpo13+1` from lines of `rust-src | 1.95.0+dfsg1-2~bpo13+1 | ...`.
fn package_of<'a>(madison: &'a str, version: &str) -> Option<&'a str> {
    madison
        .lines()
        .filter_map(|line| line.split('|').nth(1).map(str::trim))
        .find(|package| {
            package
                .strip_prefix(version)
                .is_some_and(|rest| rest.starts_with(['+', '-', '~']))
        })
}

/// An apt with lists, cache and sources of its own in one folder.
struct PrivateApt {
    folder: PathBuf,
    downloads: PathBuf,
}

impl PrivateApt {
    fn new(folder: &Path) -> Result<Self> {
        let downloads = folder.join("downloads");
        for part in ["parts", "lists/partial", "cache/archives/partial"] {
            fs::create_dir_all(folder.join(part))?;
        }
        if downloads.is_dir() {
            // What an interrupted run left.
            fs::remove_dir_all(&downloads)?;
        }
        fs::create_dir_all(&downloads)?;
        Ok(Self {
            folder: folder.to_path_buf(),
            downloads,
        })
    }

    fn set_source(&self, mirror: &str, suite: &str) -> Result<()> {
        fs::write(
            self.folder.join("parts/rust-src.sources"),
            format!(
                "Types: deb\nURIs: {mirror}\nSuites: {suite}\nComponents: main\n\
                 Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg\n"
            ),
        )?;
        Ok(())
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        for (key, value) in [
            ("Dir::Etc::sourcelist", PathBuf::from("/dev/null")),
            ("Dir::Etc::sourceparts", self.folder.join("parts")),
            ("Dir::State::lists", self.folder.join("lists")),
            ("Dir::State::status", PathBuf::from("/dev/null")),
            ("Dir::Cache", self.folder.join("cache")),
            ("Acquire::Languages", PathBuf::from("none")),
            // The folder need not be readable for apt's own user.
            ("APT::Sandbox::User", PathBuf::from("root")),
        ] {
            command.arg("-o").arg(format!("{key}={}", value.display()));
        }
        command
    }

    fn unpack(&self, into: &Path) -> Result<()> {
        let package = fs::read_dir(&self.downloads)?
            .next()
            .context("apt-get downloaded nothing")??
            .path();
        fs::create_dir_all(into)?;
        workspace::run(Command::new("dpkg").arg("-x").arg(&package).arg(into))
    }
}

#[cfg(test)]
mod tests {
    use super::{mirror_of, package_of};

    #[test]
    fn only_the_compilers_own_version_is_taken() {
        let madison = "  rust-src | 1.95.1+dfsg1-1 | u\n  rust-src | 1.95.0+dfsg1-2~bpo13+1 | u\n";
        assert_eq!(
            package_of(madison, "1.95.0"),
            Some("1.95.0+dfsg1-2~bpo13+1")
        );
        assert_eq!(package_of(madison, "1.95"), None);
        assert_eq!(package_of("", "1.95.0"), None);
    }

    #[test]
    fn the_mirror_is_the_one_of_the_release_itself() {
        let targets =
            "cloud-sdk-bookworm http://a/\nbookworm-security http://b/\nbookworm http://c/\n";
        assert_eq!(mirror_of(targets, "bookworm"), Some("http://c/"));
        assert_eq!(mirror_of(targets, "trixie"), None);
    }
}

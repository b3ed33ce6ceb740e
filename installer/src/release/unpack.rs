//! What is in the archive of a release goes into a folder. It is unpacked only once the signed list
//! vouches for it.

use super::List;
use super::offer::Archive;
use crate::archive;
use anyhow::{Context as _, Result, bail, ensure};
use flate2::read::GzDecoder;
use fs_err as fs;
use std::io::Read as _;
use std::path::{Component, Path};
use std::process::{Command, Stdio};

/// More than any release has, unpacked.
const MOST_BYTES: u64 = 256 << 20;

/// The two programs, which must be of one version.
const PROGRAMS: [&str; 2] = ["hookkit", "hookkit-dispatch"];

impl Archive {
    /// Puts the files into a folder that is empty, and looks whether they are what was promised.
    pub(crate) fn unpack(&self, folder: &Path, version: &str) -> Result<()> {
        if Path::new(&self.name)
            .extension()
            .is_some_and(|ending| ending == "zip")
        {
            match archive::Archive::read(self.bytes.clone()) {
                Ok(zip) => zip.extract(folder)?,
                Err(faults) => bail!(
                    "{} cannot be opened: {}",
                    self.name,
                    faults.first().map(ToString::to_string).unwrap_or_default()
                ),
            }
        } else {
            self.untar(folder)
                .with_context(|| format!("{} cannot be unpacked", self.name))?;
        }
        let inside = fs::read_to_string(folder.join(List::NAME))?;
        let inside =
            List::read(&inside).with_context(|| format!("{} holds no release", self.name))?;
        ensure!(
            inside.version == version,
            "{} holds hookkit {}, and {version} was promised",
            self.name,
            inside.version
        );
        PROGRAMS
            .iter()
            .try_for_each(|name| starts(&folder.join(name), name, version))
    }

    /// Files and folders below the one that holds everything, and nothing else.
    fn untar(&self, folder: &Path) -> Result<()> {
        let unpacked = GzDecoder::new(&*self.bytes).take(MOST_BYTES);
        let mut tar = tar::Archive::new(unpacked);
        for entry in tar.entries()? {
            let mut entry = entry?;
            let path = entry.path()?.into_owned();
            let inside = path
                .strip_prefix(&self.stem)
                .ok()
                .filter(|inside| {
                    inside
                        .components()
                        .all(|part| matches!(part, Component::Normal(_)))
                })
                .with_context(|| format!("`{}` does not belong into it", path.display()))?;
            let kind = entry.header().entry_type();
            ensure!(
                kind.is_file() || kind.is_dir(),
                "`{}` is neither a file nor a folder",
                path.display()
            );
            let to = folder.join(inside);
            if kind.is_dir() {
                fs::create_dir_all(&to)?;
                continue;
            }
            if let Some(around) = to.parent() {
                fs::create_dir_all(around)?;
            }
            entry.unpack(&to)?;
        }
        Ok(())
    }
}

/// A program that starts here, and says that it is of this version.
fn starts(program: &Path, name: &str, version: &str) -> Result<()> {
    let program = program.with_extension(std::env::consts::EXE_EXTENSION);
    let said = Command::new(&program)
        .arg("--version")
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("{name} {version} does not start here"))?;
    let said = String::from_utf8_lossy(&said.stdout);
    let mut words = said.split_whitespace();
    ensure!(
        words.next() == Some(name) && words.next() == Some(version),
        "{name} {version} says that it is `{}`",
        said.lines().next().unwrap_or_default().escape_debug()
    );
    Ok(())
}

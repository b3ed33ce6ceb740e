//! The dispatchers that go into a tree, and where they are found.
//!
//! A folder with a release's list is taken at the list's word: one version for all machines, and
//! no file that the list does not name with just these bytes.

use super::sums::{self, SUMS};
use fs_err as fs;
use hookkit_launchers::{File, Target};
use std::path::{Path, PathBuf};
use std::process::Command;

/// One dispatcher for each machine that a tree is for.
#[derive(Debug)]
pub(crate) struct Dispatchers(Vec<(Target, Vec<u8>)>);

/// Why a dispatcher cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoDispatcher {
    #[error(
        "there is no dispatcher for {target}: looked for {looked_for}. Name a file or a folder \
         that holds it with --dispatcher"
    )]
    Missing { target: Target, looked_for: String },
    #[error("{file} is no program for {target}")]
    Foreign { file: String, target: Target },
    #[error(
        "{file} is {found}, but this is hookkit {}: both must be of one version",
        hookkit_dispatch::version()
    )]
    OtherVersion { file: String, found: String },
    #[error("{0} names one file, but there are several targets; name a folder")]
    OneFile(String),
    #[error("{file} is not the one that {SUMS} beside it lists; get the release again")]
    NotAsReleased { file: String },
    #[error(transparent)]
    Unreadable(#[from] std::io::Error),
}

impl Dispatchers {
    /// Finds a dispatcher for each target: in `named`, a file or a folder such as a release's,
    /// else in the folder of the running `hookkit`.
    pub(crate) fn find(
        targets: &[Target],
        named: Option<&Path>,
        own_folder: &Path,
    ) -> Result<Self, NoDispatcher> {
        if let Some(file) = named.filter(|named| named.is_file()) {
            return match targets {
                [target] => Ok(Self(vec![(*target, read(file, *target)?)])),
                _ => Err(NoDispatcher::OneFile(file.display().to_string())),
            };
        }
        let folder = named.unwrap_or(own_folder);
        targets
            .iter()
            .map(|target| Ok((*target, Self::in_folder(folder, *target)?)))
            .collect::<Result<_, _>>()
            .map(Self)
    }

    /// The one for a machine that a folder holds: a release only as its list has it.
    pub(crate) fn in_folder(folder: &Path, target: Target) -> Result<Vec<u8>, NoDispatcher> {
        let places = places(folder, target);
        let Some(file) = places.iter().find(|place| place.is_file()) else {
            return Err(NoDispatcher::Missing {
                target,
                looked_for: places
                    .iter()
                    .map(|place| place.display().to_string())
                    .collect::<Vec<_>>()
                    .join(", "),
            });
        };
        let Some(release) = sums::release(folder)? else {
            return read(file, target);
        };
        of_this_version(&folder.join(SUMS), &release.version)?;
        // Before it is asked for its version: what is not as released is not started.
        if !sums::has(&release, folder, file, &fs::read(file)?) {
            return Err(NoDispatcher::NotAsReleased {
                file: file.display().to_string(),
            });
        }
        read(file, target)
    }

    /// As files of the tree.
    pub(super) fn into_files(self) -> impl Iterator<Item = File> {
        self.0
            .into_iter()
            .map(|(target, bytes)| File::program(target.path(), bytes))
    }
}

/// Where a folder may hold a dispatcher: as in a tree, or beside `hookkit`.
fn places(folder: &Path, target: Target) -> Vec<PathBuf> {
    let mut places = vec![
        folder.join("dispatch").join(target.place()),
        folder.join(target.place()),
    ];
    if Target::of_this_machine() == Some(target) && target != Target::Windows {
        places.push(folder.join("hookkit-dispatch"));
    }
    places
}

fn read(file: &Path, target: Target) -> Result<Vec<u8>, NoDispatcher> {
    let bytes = fs::read(file)?;
    if !is_for(&bytes, target) {
        return Err(NoDispatcher::Foreign {
            file: file.display().to_string(),
            target,
        });
    }
    if Target::of_this_machine() == Some(target) {
        same_version(file)?;
    }
    Ok(bytes)
}

/// The first bytes of a program say what it is for.
fn is_for(bytes: &[u8], target: Target) -> bool {
    let elf = |machine: u16| {
        bytes.starts_with(b"\x7fELF\x02\x01")
            && bytes
                .get(18..20)
                .is_some_and(|found| found == machine.to_le_bytes())
    };
    match target {
        Target::LinuxX86_64 => elf(62),
        Target::LinuxAarch64 => elf(183),
        Target::Macos => {
            bytes.starts_with(b"\xca\xfe\xba\xbe") || bytes.starts_with(b"\xcf\xfa\xed\xfe")
        }
        Target::Windows => bytes.starts_with(b"MZ"),
    }
}

/// A dispatcher of this machine can be asked. An older one would refuse the manifest of the tree.
fn same_version(file: &Path) -> Result<(), NoDispatcher> {
    let said = Command::new(file).arg("--version").output()?;
    let said = String::from_utf8_lossy(&said.stdout);
    let mut words = said.split_whitespace();
    match (words.next(), words.next()) {
        (Some("hookkit-dispatch"), Some(version)) => of_this_version(file, version),
        _ => Err(NoDispatcher::OtherVersion {
            file: file.display().to_string(),
            found: "no hookkit-dispatch".to_owned(),
        }),
    }
}

fn of_this_version(file: &Path, version: &str) -> Result<(), NoDispatcher> {
    if version == hookkit_dispatch::version() {
        return Ok(());
    }
    Err(NoDispatcher::OtherVersion {
        file: file.display().to_string(),
        found: format!("version {version}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_known_by_its_first_bytes() {
        let mut elf = b"\x7fELF\x02\x01".to_vec();
        elf.resize(18, 0);
        elf.extend([62, 0]);
        assert!(is_for(&elf, Target::LinuxX86_64) && !is_for(&elf, Target::LinuxAarch64));
        assert!(is_for(b"MZ\x90", Target::Windows) && !is_for(b"#!/bin/sh", Target::Windows));
        assert!(is_for(b"\xca\xfe\xba\xbe", Target::Macos) && !is_for(b"", Target::Macos));
    }
}

//! `cargo xtask release pack`: archives, install scripts and their list, in a folder of their own.

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use fs_err as fs;
use lexopt::prelude::*;

use super::archive::{self, Packed};
use super::{list, scripts};
use crate::dist::{Machine, Product};
use crate::sums::{self, Sums, sha256};
use crate::workspace::Workspace;

/// What people read, in every archive.
const PAGES: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];

pub(super) fn run(workspace: &Workspace, mut arguments: lexopt::Parser) -> Result<()> {
    let mut machines = Vec::new();
    let mut from = workspace.target_dir.join("dist");
    let mut out = workspace.target_dir.join("release-files");
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("from") => from = PathBuf::from(arguments.value()?),
            Long("out") => out = PathBuf::from(arguments.value()?),
            Value(name) => machines.push(Machine::named(&name.string()?)?),
            other => return Err(other.unexpected().into()),
        }
    }
    if machines.is_empty() {
        machines = Machine::ALL.to_vec();
    }
    if out.exists() {
        fs::remove_dir_all(&out)?;
    }
    fs::create_dir_all(&out)?;
    let made = Made {
        sums: Sums::read(&from)?,
        folder: from,
    };
    let mut archives = Sums::new(&made.sums.version, &made.sums.commit);
    for machine in machines {
        let name = machine.archive_name(&made.sums.version);
        let bytes = made.archive(workspace, machine)?;
        archives.add(&name, &sha256(&bytes));
        println!("{}  {}", out.join(&name).display(), bytes.len());
        fs::write(out.join(name), bytes)?;
    }
    for name in scripts::NAMES {
        let text = scripts::rendered(workspace, name, &archives)?;
        fs::write(out.join(name), text)?;
    }
    list::write(&out, &archives.version, &archives.commit)
}

/// What `cargo xtask dist` made.
struct Made {
    folder: PathBuf,
    sums: Sums,
}

impl Made {
    /// Both programs side by side, and the dispatchers of every machine, which authors build their
    /// plugins with.
    fn archive(&self, workspace: &Workspace, machine: Machine) -> Result<Vec<u8>> {
        let mut files = vec![
            self.program(&Product::Hookkit.place(machine), None)?,
            self.program(&Product::Dispatcher.place(machine), None)?,
        ];
        for each in Machine::ALL {
            let place = Product::Dispatcher.place(each);
            files.push(self.program(&place, Some(&place))?);
        }
        for name in PAGES {
            files.push(Packed {
                name: name.to_owned(),
                bytes: fs::read(workspace.root.join(name))?,
                is_program: false,
            });
        }
        let mut inside = Sums::new(&self.sums.version, &self.sums.commit);
        for file in &files {
            inside.add(&file.name, &sha256(&file.bytes));
        }
        files.push(Packed {
            name: sums::NAME.to_owned(),
            bytes: inside.text().into_bytes(),
            is_program: false,
        });
        if machine == Machine::Windows {
            archive::zip(&files)
        } else {
            archive::tar_gz(&machine.archive_stem(&self.sums.version), &files)
        }
    }

    /// A program as it was listed when it was made, or as code signing listed it afterwards.
    fn program(&self, place: &str, name: Option<&str>) -> Result<Packed> {
        let bytes = fs::read(self.folder.join(place))?;
        ensure!(
            self.sums.of(place) == Some(&sha256(&bytes)),
            "{place} is not the file that {} lists in {}",
            sums::NAME,
            self.folder.display()
        );
        let plain = Path::new(place).file_name().unwrap_or_default();
        Ok(Packed {
            name: name.map_or_else(|| plain.display().to_string(), str::to_owned),
            bytes,
            is_program: true,
        })
    }
}

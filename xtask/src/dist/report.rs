//! What was made, for people, for programs and for `sha256sum -c`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Result;
use fs_err as fs;
use serde_json::json;

use super::machine::Machine;
use crate::sums::{Sums, sha256};

pub(super) struct Report {
    pub(super) folder: PathBuf,
    pub(super) faults: Vec<String>,
    commit: String,
    files: Vec<Shipped>,
}

struct Shipped {
    /// Below the folder, with `/`.
    name: String,
    machine: &'static str,
    bytes: usize,
    sha256: String,
}

impl Report {
    pub(super) fn new(folder: PathBuf, commit: String) -> Self {
        Self {
            folder,
            faults: Vec::new(),
            commit,
            files: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, file: &Path, machine: Machine) -> Result<()> {
        let bytes = fs::read(file)?;
        let name = file.strip_prefix(&self.folder)?.display().to_string();
        self.files.push(Shipped {
            name: name.replace('\\', "/"),
            machine: machine.name(),
            bytes: bytes.len(),
            sha256: sha256(&bytes),
        });
        Ok(())
    }

    /// Says at once what went wrong, and keeps it for the end.
    pub(super) fn fault(&mut self, fault: String) {
        eprintln!("NOT MADE: {fault}");
        self.faults.push(fault);
    }

    pub(super) fn write_sums(&self) -> Result<()> {
        let mut sums = Sums::new(env!("CARGO_PKG_VERSION"), &self.commit);
        for file in &self.files {
            sums.add(&file.name, &file.sha256);
        }
        sums.write(&self.folder)
    }

    pub(super) fn table(&self) -> String {
        let width = |of: fn(&Shipped) -> usize| self.files.iter().map(of).max().unwrap_or(0);
        let (name, bytes) = (
            width(|file| file.name.len()),
            width(|file| file.bytes.to_string().len()),
        );
        let mut text = format!("{}\n", self.folder.display());
        // Writing to a text does not fail.
        for file in &self.files {
            let _ = writeln!(
                text,
                "  {:name$}  {:>bytes$}  {}",
                file.name, file.bytes, file.sha256
            );
        }
        for fault in &self.faults {
            let _ = writeln!(text, "  NOT MADE: {fault}");
        }
        text
    }

    pub(super) fn json(&self) -> String {
        let files: Vec<_> = self
            .files
            .iter()
            .map(|file| {
                json!({
                    "name": file.name, "machine": file.machine,
                    "bytes": file.bytes, "sha256": file.sha256,
                })
            })
            .collect();
        json!({
            "schema": 1,
            "version": env!("CARGO_PKG_VERSION"),
            "commit": self.commit,
            "folder": self.folder.display().to_string(),
            "files": files,
            "not_made": self.faults,
        })
        .to_string()
    }
}

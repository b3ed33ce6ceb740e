//! `SHA256SUMS`: `hookkit VERSION COMMIT`, then a line for each file as `sha256sum` writes it.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result};
use fs_err as fs;
use sha2::{Digest as _, Sha256};

/// Its name, in every folder that it lists.
pub(crate) const NAME: &str = "SHA256SUMS";

pub(crate) struct Sums {
    pub(crate) version: String,
    pub(crate) commit: String,
    /// Name and sum of each file, in the order of the list.
    files: Vec<(String, String)>,
}

impl Sums {
    pub(crate) fn new(version: &str, commit: &str) -> Self {
        Self {
            version: version.to_owned(),
            commit: commit.to_owned(),
            files: Vec::new(),
        }
    }

    pub(crate) fn read(folder: &Path) -> Result<Self> {
        let file = folder.join(NAME);
        let text = fs::read_to_string(&file)?;
        let mut lines = text.lines();
        let words: Vec<_> = lines.next().unwrap_or_default().split(' ').collect();
        let ["hookkit", version, commit] = words[..] else {
            anyhow::bail!(
                "{} does not begin with `hookkit VERSION COMMIT`",
                file.display()
            );
        };
        let mut sums = Self::new(version, commit);
        for line in lines {
            let (sum, name) = line
                .split_once("  ")
                .with_context(|| format!("{}: {line} is no sum", file.display()))?;
            sums.add(name, sum);
        }
        Ok(sums)
    }

    pub(crate) fn add(&mut self, name: &str, sum: &str) {
        self.files.push((name.to_owned(), sum.to_owned()));
    }

    pub(crate) fn of(&self, name: &str) -> Option<&str> {
        let found = self.files.iter().find(|(listed, _)| listed == name);
        found.map(|(_, sum)| sum.as_str())
    }

    /// Is it the sum of one of them?
    pub(crate) fn has(&self, sum: &str) -> bool {
        self.files.iter().any(|(_, listed)| listed == sum)
    }

    pub(crate) fn text(&self) -> String {
        let mut text = format!("hookkit {} {}\n", self.version, self.commit);
        for (name, sum) in &self.files {
            // Writing to a text does not fail.
            let _ = writeln!(text, "{sum}  {name}");
        }
        text
    }

    pub(crate) fn write(&self, folder: &Path) -> Result<()> {
        Ok(fs::write(folder.join(NAME), self.text())?)
    }
}

/// As 64 hexadecimal digits.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
}

//! `hookkit verify`: who made a package, and whether it may be opened.

use super::{Context, vouch};
use crate::archive::{Archive, MOST_BYTES};
use crate::cli::{Detail, EXIT_CODES};
use crate::outcome::{Outcome, Stop};
use crate::screen::{self, BAD, BOLD, DIM, GOOD};
use crate::signature::{self, EXTENSION, Key};
use clap::Args;
use fs_err as fs;
use hookkit::digest::sha256;
use hookkit_launchers::Role;
use serde_json::json;
use std::fmt::Write as _;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// Check who made a package, and that it can be opened without harm
///
/// With --key the signature beside the file, FILE.minisig, must be one by that key, for these bytes
/// and for this name. With --sha256 the file must have that sum. Without either nobody vouches for
/// the file, so one of them must be given; with both, both must hold. Nothing in the file is looked
/// at before that.
///
/// Then every entry is held against what a package may hold: paths that stay inside and mean one
/// and the same file on every system; files and folders only, with ordinary modes; content that has
/// the size and the checksum that is said, not encrypted, and not more than 256 MiB. Everything that
/// is wrong is named. Nothing is written.
#[derive(Args)]
#[command(after_long_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub(crate) struct Verify {
    /// The package
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The author's public key, in the format of minisign: its file, or the key itself
    #[arg(long, value_name = "FILE|KEY", required_unless_present = "sha256")]
    key: Option<String>,
    /// The sum that the file must have, as 64 hexadecimal digits
    #[arg(long, value_name = "HEX")]
    sha256: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  hookkit verify guard-rails-0.1.0.zip --key minisign.pub
  hookkit verify guard-rails-0.1.0.zip --sha256 $SUM";

impl Verify {
    pub(crate) fn run(self, context: &Context) -> Result<Outcome, Stop> {
        let asked = self.asked()?;
        let bytes = read(&self.file)?;
        let mut found = Found {
            sum: sha256(&bytes),
            problems: asked.problems(&bytes),
            archive: None,
        };
        if found.problems.is_empty() {
            match Archive::read(bytes) {
                Ok(archive) => found.archive = Some(archive),
                Err(faults) => {
                    found.problems = faults.iter().map(ToString::to_string).collect();
                }
            }
        }
        if self.json {
            screen::json(&found.document(&asked))?;
        } else {
            found.print(&self.file, context.detail)?;
        }
        Ok(if found.problems.is_empty() {
            Outcome::Done
        } else {
            Outcome::Problems
        })
    }

    fn asked(&self) -> Result<Asked, Stop> {
        let name = self.file.file_name().and_then(|name| name.to_str());
        let Some(name) = name else {
            return Err(Stop::unusable(format!(
                "{} has no name that is text",
                self.file.display()
            )));
        };
        let sum = match &self.sha256 {
            Some(sum) => Some(vouch::sum(sum)?),
            None => None,
        };
        let signature = match &self.key {
            Some(key) => Some(Signature::read(&self.file, key)?),
            None => None,
        };
        Ok(Asked {
            name: name.to_owned(),
            sum,
            signature,
        })
    }
}

/// A file of at most the size that a package may have.
fn read(file: &Path) -> Result<Vec<u8>, Stop> {
    let mut bytes = Vec::new();
    fs::File::open(file)?
        .take(MOST_BYTES + 1)
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(Stop::unusable(format!(
            "{} has more than {} MiB, which is no package",
            file.display(),
            MOST_BYTES >> 20
        )));
    }
    Ok(bytes)
}

/// What must vouch for the file.
struct Asked {
    name: String,
    sum: Option<String>,
    signature: Option<Signature>,
}

struct Signature {
    key: Key,
    /// `None` where there is no such file.
    text: Option<String>,
    shown: String,
}

impl Signature {
    fn read(file: &Path, key: &str) -> Result<Self, Stop> {
        let key = vouch::key(key)?;
        let mut beside = file.as_os_str().to_owned();
        beside.push(format!(".{EXTENSION}"));
        let beside = PathBuf::from(beside);
        Ok(Self {
            key,
            text: fs::read_to_string(&beside).ok(),
            shown: beside.display().to_string(),
        })
    }
}

impl Asked {
    fn problems(&self, bytes: &[u8]) -> Vec<String> {
        let mut problems = Vec::new();
        let sum = sha256(bytes);
        if let Some(wanted) = self.sum.as_ref().filter(|wanted| **wanted != sum) {
            problems.push(format!("the file's sha256 is {sum}, not {wanted}"));
        }
        if let Some(signature) = &self.signature {
            match &signature.text {
                None => problems.push(format!("there is no signature {}", signature.shown)),
                Some(text) => {
                    if let Err(why) = signature::vouch(bytes, &self.name, text, &signature.key) {
                        problems.push(format!("the signature {} {why}", signature.shown));
                    }
                }
            }
        }
        problems
    }
}

struct Found {
    sum: String,
    problems: Vec<String>,
    /// Once something vouches for it, and if nothing is wrong with it.
    archive: Option<Archive>,
}

impl Found {
    fn print(&self, file: &Path, detail: Detail) -> Result<(), Stop> {
        for problem in &self.problems {
            anstream::eprintln!("{BAD}{}{BAD:#}: {problem}", file.display());
        }
        match &self.archive {
            None => anstream::eprintln!("nothing of it should be used"),
            Some(archive) if detail > Detail::Quiet => {
                screen::print(&self.report(file, archive))?;
            }
            Some(_) => {}
        }
        Ok(())
    }

    fn report(&self, file: &Path, archive: &Archive) -> String {
        let mut text = format!(
            "{GOOD}{}{GOOD:#} is vouched for, and can be opened\n  {DIM}sha256{DIM:#}  {}\n",
            file.display(),
            self.sum
        );
        // Writing to a text does not fail.
        if let Some((name, version)) = plugin(archive) {
            let _ = writeln!(text, "  {DIM}plugin{DIM:#}  {BOLD}{name} {version}{BOLD:#}");
        }
        for entry in archive.entries() {
            let Some(role) = entry.role else { continue };
            let mark = if role == Role::Program { "*" } else { "" };
            let _ = writeln!(text, "  {:>9}  {}{mark}", entry.size, entry.name);
        }
        text
    }

    fn document(&self, asked: &Asked) -> serde_json::Value {
        let archive = self.archive.as_ref();
        let named = archive.and_then(plugin);
        let entries = archive.map(|archive| {
            let entries = archive.entries().iter().map(|entry| {
                let kind = match entry.role {
                    None => "folder",
                    Some(Role::Data) => "file",
                    Some(Role::Program) => "program",
                };
                json!({"name": entry.name, "size": entry.size, "kind": kind})
            });
            entries.collect::<Vec<_>>()
        });
        json!({
            "schema": 1,
            "file": asked.name,
            "sha256": self.sum,
            "signature": asked.signature.is_some(),
            "plugin": named.as_ref().map(|(name, _)| name),
            "version": named.as_ref().map(|(_, version)| version),
            "problems": self.problems,
            "entries": entries,
        })
    }
}

/// Name and version of the plugin in an archive, if there is one.
fn plugin(archive: &Archive) -> Option<(String, String)> {
    let bytes = archive.content(hookkit_dispatch::root::MANIFEST)?;
    let manifest: serde_json::Value = serde_json::from_slice(&bytes).ok()?;
    let text = |key: &str| {
        manifest[key]
            .as_str()
            .map(|text| text.escape_debug().to_string())
    };
    Some((text("name")?, text("version")?))
}

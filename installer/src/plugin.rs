//! A plugin's folder on this machine.

use crate::screen::BAD;
use anyhow::{Context as _, Result, bail};
use fs_err as fs;
use hookkit_dispatch::env::Env;
use hookkit_dispatch::folder;
use hookkit_dispatch::manifest::{Fault, Manifest, Severity};
use hookkit_dispatch::root::MANIFEST;
use std::path::{Path, PathBuf};

/// A folder with `hookkit.json`, and the text of that.
pub(crate) struct Plugin {
    /// Absolute, without links.
    pub(crate) folder: PathBuf,
    /// As it was named, for messages; empty for the working directory.
    pub(crate) shown: PathBuf,
    /// The manifest's text; a fault in it is for whoever reads it.
    pub(crate) text: String,
}

impl Plugin {
    /// Opens the plugin in a folder; `hookkit.json` itself may be named as well.
    pub(crate) fn open(named: &Path, env: &Env) -> Result<Self> {
        let shown = match named.file_name() {
            Some(name) if name == MANIFEST => named.parent().unwrap_or(named),
            _ => named,
        };
        // Nobody writes `./hookkit.json` for the file before their eyes.
        let shown = shown.strip_prefix(".").unwrap_or(shown).to_owned();
        let folder = absolute(&shown, env)?;
        let file = folder.join(MANIFEST);
        if !file.is_file() {
            bail!(
                "{} has no {MANIFEST}; name the plugin's folder, or make a plugin with `hookkit \
                 init`",
                display(&shown)
            );
        }
        let bytes = fs::read(&file)?;
        let text = String::from_utf8(bytes)
            .ok()
            .with_context(|| format!("{} is not UTF-8; save it as UTF-8", file.display()))?;
        Ok(Self {
            folder: folder::real(&folder),
            shown,
            text,
        })
    }

    /// The manifest, if nothing in it stops an event; else everything that is wrong with it.
    pub(crate) fn manifest(&self) -> Result<Manifest<'_>, Vec<Fault>> {
        let manifest = Manifest::read(&self.text).map_err(|fault| vec![fault])?;
        let stops = |fault: &Fault| fault.severity == Severity::Stops;
        if manifest.faults.iter().any(stops) {
            return Err(manifest.faults);
        }
        Ok(manifest)
    }

    /// Names faults with their places, on stderr.
    pub(crate) fn print(&self, faults: &[Fault]) {
        let file = self.manifest_file();
        for fault in faults {
            anstream::eprintln!("{BAD}{}:{}{BAD:#}: {fault}", file.display(), fault.line);
        }
    }

    /// The manifest's file as it is shown to people.
    pub(crate) fn manifest_file(&self) -> PathBuf {
        self.shown.join(MANIFEST)
    }
}

/// A path from the working directory.
pub(crate) fn absolute(path: &Path, env: &Env) -> Result<PathBuf> {
    if path.is_absolute() {
        return Ok(folder::plain(path));
    }
    let cwd = env
        .cwd()
        .context("the working directory is gone; name folders by absolute paths")?;
    Ok(folder::plain(&cwd.join(path)))
}

/// A path as people read it: `.` for the folder that they stand in.
pub(crate) fn display(path: &Path) -> String {
    let text = path.display().to_string();
    if text.is_empty() {
        ".".to_owned()
    } else {
        text
    }
}

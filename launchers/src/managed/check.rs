//! The script by which an administrator, or their tool, sees whether everything is in place.

use super::System;
use crate::{File, Role};
use hookkit_dispatch::manifest::Manifest;
use std::collections::BTreeSet;
use std::fmt::Write as _;

const SH: &str = include_str!("check.sh");
const POWERSHELL: &str = include_str!("check.ps1");

/// The script for these files, which are all but itself.
pub(super) fn script(
    manifest: &Manifest,
    system: System,
    files: &[File],
    sha256: fn(&[u8]) -> String,
) -> File {
    let folder = system.folder(&manifest.name);
    let (name, text) = match system {
        System::Linux | System::Macos => ("check.sh", SH),
        System::Windows => ("check.ps1", POWERSHELL),
    };
    let text = text
        .replace("@PLUGIN@", &manifest.name)
        .replace("@VERSION@", &manifest.version)
        .replace("@CODEX@", &system.absolute(system.codex()))
        .replace("@DISPATCHER@", &system.dispatcher(&manifest.name))
        .replace("@FILES@\n", &list(files, &folder, sha256));
    File::data(format!("{folder}/{name}"), text)
}

/// A line for each folder on the way to a file, then for each file: its kind, its sum, its path.
fn list(files: &[File], folder: &str, sha256: fn(&[u8]) -> String) -> String {
    let own = folder.rsplit_once('/').map_or(folder, |(around, _)| around);
    let mut folders = BTreeSet::new();
    for file in files {
        let above = file
            .path
            .match_indices('/')
            .map(|(end, _)| &file.path[..end]);
        // Folders that hold more than what is ours are the system's own, up to the agent's.
        folders.extend(above.filter(|path| {
            path.starts_with(own)
                || path.ends_with("managed-settings.d")
                || path.ends_with("policy.d")
        }));
    }
    let mut text = String::new();
    for folder in folders {
        // Writing to a text does not fail.
        let _ = writeln!(text, "folder - {folder}");
    }
    for file in files {
        let kind = match file.role {
            Role::Program => "program",
            Role::Data => "data",
        };
        let _ = writeln!(text, "{kind} {} {}", sha256(&file.bytes), file.path);
    }
    text
}

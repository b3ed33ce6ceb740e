//! Folders that no installation has any more, and paths of other machines.

use super::codes::roots as code;
use super::finding::Finding;
use crate::survey::Places;
use std::path::{Path, PathBuf};

/// Versions that Claude Code put aside: `cache/MARKETPLACE/PLUGIN/VERSION/.orphaned_at`.
pub(super) fn orphaned(places: &Places, findings: &mut Vec<Finding>) {
    const MARK: &str = ".orphaned_at";
    let mut folders = vec![places.claude.join("plugins/cache")];
    for _ in 0..3 {
        folders = folders.iter().flat_map(|folder| below(folder)).collect();
    }
    for version in folders {
        if version.join(MARK).is_file() {
            let what = "belongs to no installation any more";
            findings.push(
                Finding::new(&code::ORPHANED, what)
                    .of("claude-code")
                    .at(&version, None),
            );
        }
    }
}

fn below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs_err::read_dir(folder).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .map(|entry| entry.path())
        .collect();
    folders.sort_unstable();
    folders
}

/// A path with a drive where there are none, as a word of a line.
pub(super) fn of_windows(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_drive = |at: usize| {
        let before = at.checked_sub(1).map_or(b' ', |before| bytes[before]);
        bytes[at].is_ascii_alphabetic()
            && matches!(before, b' ' | b'"' | b'\'' | b'=')
            && bytes.get(at + 1) == Some(&b':')
            && matches!(bytes.get(at + 2), Some(b'\\' | b'/'))
            && bytes.get(at + 3) != Some(&b'/')
    };
    (0..bytes.len()).any(is_drive)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drive_is_known() {
        for (text, expected) in [
            ("\"C:\\tools\\t.exe\" check", true),
            ("bash C:/tools/x.sh", true),
            ("curl https://example.com", false),
            ("x a:b", false),
            ("s://x", false),
        ] {
            assert_eq!(of_windows(text), expected, "{text}");
        }
    }
}

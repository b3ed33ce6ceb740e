//! The hosts' own logs: the signature of a launcher that did not start.

use super::codes::outside as code;
use super::finding::Finding;
use crate::survey::Places;
use std::fs;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

/// How much of the end of a log is read, and of how many logs of each host.
const TAIL: u64 = 1 << 20;
const LOGS: usize = 4;

pub(super) fn judge(places: &Places, hosts: &[&str], findings: &mut Vec<Finding>) {
    let folders = [
        ("claude-code", places.claude.join("debug")),
        ("copilot-cli", places.copilot.join("logs")),
        ("codex", places.codex.join("log")),
    ];
    for (host, folder) in folders {
        if !hosts.is_empty() && !hosts.contains(&host) {
            continue;
        }
        for file in newest(&folder) {
            let Some((text, first_line)) = tail(&file) else {
                continue;
            };
            if let Some((line, sign)) = last_sign(&text) {
                let what = format!("tells of a launcher that did not start: {sign}");
                let line = first_line.map(|first| first + line);
                findings.push(Finding::new(&code::LOGGED, what).of(host).at(&file, line));
            }
        }
    }
}

/// The newest logs of a folder.
fn newest(folder: &Path) -> Vec<PathBuf> {
    let mut logs: Vec<_> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let path = entry.path();
            let is_log = path
                .extension()
                .is_some_and(|ending| ending == "log" || ending == "txt");
            let about = entry
                .metadata()
                .ok()
                .filter(|about| about.is_file() && is_log)?;
            Some((about.modified().ok()?, path))
        })
        .collect();
    logs.sort_unstable_by(|left, right| right.cmp(left));
    logs.into_iter().take(LOGS).map(|(_, path)| path).collect()
}

/// The end of a log, and the number of its first line where all of it is there.
fn tail(file: &Path) -> Option<(String, Option<usize>)> {
    let mut log = fs::File::open(file).ok()?;
    let length = log.metadata().ok()?.len();
    let is_cut = length > TAIL;
    if is_cut {
        log.seek(SeekFrom::End(-i64::try_from(TAIL).ok()?)).ok()?;
    }
    let mut bytes = Vec::new();
    log.take(TAIL).read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    Some((text, (!is_cut).then_some(1)))
}

/// The last line, from 0, that has a signature, and what it says: no word of the log is repeated.
fn last_sign(text: &str) -> Option<(usize, &'static str)> {
    let lines = text.lines().enumerate();
    lines
        .filter_map(|(index, line)| Some((index, sign(line)?)))
        .last()
}

fn sign(line: &str) -> Option<&'static str> {
    let lower = line.to_ascii_lowercase();
    let names_launcher = lower.contains("hookkit-dispatch") || lower.contains("_dispatch.py");
    let is_missing = ["errno 2", "enoent", "no such file", "cannot find"]
        .iter()
        .any(|sign| lower.contains(sign));
    if names_launcher && is_missing {
        return Some("its file is missing (errno 2)");
    }
    if lower.contains("module_not_found") {
        return Some("a module is missing (MODULE_NOT_FOUND)");
    }
    if !lower.contains("hook") {
        return None;
    }
    if lower.contains("hook errored") {
        return Some("`hook errored`");
    }
    let codes = [
        (126, "exit 126, not executable"),
        (127, "exit 127, not found"),
        (49, "exit 49, the Microsoft Store's alias"),
        (9009, "exit 9009, not found"),
    ];
    codes
        .into_iter()
        .find(|(code, _)| {
            [
                "exit code ",
                "exited with code ",
                "code: ",
                "status ",
                "exit code: ",
            ]
            .iter()
            .any(|before| {
                let sign = format!("{before}{code}");
                lower.find(&sign).is_some_and(|at| {
                    !lower[at + sign.len()..].starts_with(|next: char| next.is_ascii_digit())
                })
            })
        })
        .map(|(_, words)| words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_launcher_that_did_not_start_is_known_by_its_line() {
        for (line, expected) in [
            (
                "python3: can't open file 'C:\\x\\_dispatch.py': [Errno 2] No such file",
                true,
            ),
            ("spawn /p/dispatch/hookkit-dispatch ENOENT", true),
            (
                "Error: Cannot find module '/x/hook.mjs' code: 'MODULE_NOT_FOUND'",
                true,
            ),
            ("Hook command failed with exit code 127", true),
            ("preToolUse hook exited with code 9009", true),
            ("Denied by preToolUse hook (hook errored)", true),
            ("Hook command failed with exit code 1270", false),
            ("command exited with code 127", false),
            ("hook exited with code 2", false),
            ("hookkit-dispatch started", false),
        ] {
            assert_eq!(sign(line).is_some(), expected, "{line}");
        }
    }
}

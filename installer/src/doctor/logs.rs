//! The hosts' own logs: the signatures of a launcher that did not start, or was ended as it ran.

use super::code::Code;
use super::codes::dispatcher::KILLED;
use super::codes::outside::LOGGED;
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
            for (line, sign) in last_signs(&text) {
                let line = first_line.map(|first| first + line);
                let what = format!("tells of a hook that failed: {}", sign.words);
                findings.push(Finding::new(sign.code, what).of(host).at(&file, line));
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

/// What a line of a log says, in words of our own: none of the log is repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sign {
    code: &'static Code,
    words: &'static str,
}

const fn unstarted(words: &'static str) -> Sign {
    Sign {
        code: &LOGGED,
        words,
    }
}

/// For each code the last line, from 0, that has a signature of it.
fn last_signs(text: &str) -> Vec<(usize, Sign)> {
    let lines = text.lines().enumerate();
    let signs: Vec<_> = lines
        .filter_map(|(index, line)| Some((index, sign(line)?)))
        .collect();
    let last_of = |code: &'static Code| {
        let mut of_code = signs.iter().rev();
        of_code.find(|(_, sign)| sign.code == code).copied()
    };
    [&LOGGED, &KILLED].into_iter().filter_map(last_of).collect()
}

fn sign(line: &str) -> Option<Sign> {
    let lower = line.to_ascii_lowercase();
    let names_launcher = lower.contains("hookkit-dispatch") || lower.contains("_dispatch.py");
    let is_missing = ["errno 2", "enoent", "no such file", "cannot find"]
        .iter()
        .any(|sign| lower.contains(sign));
    if names_launcher && is_missing {
        return Some(unstarted("its file is missing (errno 2)"));
    }
    if lower.contains("module_not_found") {
        return Some(unstarted("a module is missing (MODULE_NOT_FOUND)"));
    }
    if !lower.contains("hook") {
        return None;
    }
    if lower.contains("hook errored") {
        return Some(unstarted("`hook errored`"));
    }
    let codes = [
        (126, unstarted("exit 126, not executable")),
        (127, unstarted("exit 127, not found")),
        (49, unstarted("exit 49, the Microsoft Store's alias")),
        (9009, unstarted("exit 9009, not found")),
        (
            137,
            Sign {
                code: &KILLED,
                words: "exit 137, ended by signal 9",
            },
        ),
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
        .map(|(_, sign)| sign)
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

    #[test]
    fn the_last_line_of_each_code_is_named() {
        let text = "hook: exit code 137\nhook: exit code 127\nhook: exit code 137\n";
        let found: Vec<_> = last_signs(text)
            .into_iter()
            .map(|(line, sign)| (line, sign.code.id))
            .collect();
        assert_eq!(found, [(1, "HK801"), (2, "HK213")]);
        assert_eq!(last_signs("hook: exit code 0\n"), []);
    }
}

//! What Windows makes of the paths on a line: Git Bash of arguments, cmd and PowerShell of names.

use super::powershell::outside_quotes;
use super::words::{Line, Word};
use super::{Judged, Place, Reader, Text};
use crate::doctor::codes::launch as code;
use std::ffi::OsStr;
use std::path::Path;

pub(super) fn judge(text: &Text, place: &Place, judged: &mut Judged) {
    let is_alone = text.reader == Reader::Nobody;
    // Codex gives such a line to PowerShell there.
    if matches!(text.reader, Reader::Sh | Reader::Bash)
        && place.host != "codex"
        && let Some((program, word)) = converted(&text.text)
    {
        let what = format!("Git Bash gives `{program}` a path of Windows in place of `{word}`");
        judged.add(&code::PATH_ARGUMENT, what);
    }
    if !is_alone && let Some(word) = cut_at_ampersand(&text.text) {
        let what = format!("the `&` in `{word}` ends the command");
        judged.add(&code::PATH_CHARACTER, what);
    }
    if matches!(text.reader, Reader::PowerShell | Reader::Nobody)
        && let Some(name) = replaced_by_cmd(text)
    {
        let what = format!("cmd replaces `{name}` in the path, in quotes too");
        judged.add(&code::PATH_CHARACTER, what);
    }
}

/// A program of Windows, and a word for it that MSYS takes for a path of its own and rewrites.
fn converted(line: &str) -> Option<(String, String)> {
    let line = Line::read(line);
    line.commands().into_iter().find_map(|(_, words)| {
        let is_kept = |word: &&Word| {
            let plain = word.plain();
            ["MSYS2_ARG_CONV_EXCL=", "MSYS_NO_PATHCONV="]
                .iter()
                .any(|name| plain.starts_with(name))
        };
        let (set, rest) =
            words.split_at(words.iter().take_while(|word| word.is_assignment()).count());
        let program = rest.first()?.plain();
        let name = program.to_ascii_lowercase();
        if !(ends_with(&name, &["exe"]) || name == "cmd") || set.iter().any(is_kept) {
            return None;
        }
        let mut arguments = rest[1..].iter().map(|word| word.plain());
        let word = arguments
            .find(|word| word.len() > 1 && word.starts_with('/') && !word.starts_with("//"))?;
        Some((program, word))
    })
}

/// Has a file one of these endings?
fn ends_with(file: &str, endings: &[&str]) -> bool {
    let ending = Path::new(file).extension().and_then(OsStr::to_str);
    ending.is_some_and(|ending| endings.contains(&ending))
}

/// A path with an `&` in it that no quotes keep from the shell.
fn cut_at_ampersand(line: &str) -> Option<String> {
    let bare = outside_quotes(line);
    bare.split_whitespace()
        .find(|word| {
            word.match_indices('&').any(|(at, _)| {
                let (before, after) = (&word[..at], &word[at + 1..]);
                let is_inside = before.ends_with(char::is_alphanumeric)
                    && after.starts_with(char::is_alphanumeric);
                is_inside && before.contains(['/', '\\']) && after.contains(['/', '\\'])
            })
        })
        .map(str::to_owned)
}

/// A name between two `%` behind another character of a path, where cmd reads the line: what begins a
/// path, or follows a `\`, is meant to be replaced.
fn replaced_by_cmd(text: &Text) -> Option<String> {
    let lower = text.text.to_ascii_lowercase();
    let is_cmds = match text.reader {
        Reader::Nobody => ends_with(&lower, &["cmd", "bat"]),
        _ => ["cmd /c", "cmd.exe /c", ".cmd", ".bat"]
            .iter()
            .any(|sign| lower.contains(sign)),
    };
    if !is_cmds {
        return None;
    }
    text.text.match_indices('%').find_map(|(at, _)| {
        let (before, after) = (&text.text[..at], &text.text[at + 1..]);
        let (name, _) = after.split_once('%')?;
        let is_name = !name.is_empty()
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        (is_name && before.ends_with(char::is_alphanumeric)).then(|| format!("%{name}%"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_msys_rewrites_are_known() {
        for (line, expected) in [
            ("C:/hk/hk.exe --event /PreToolUse", true),
            ("cmd /c dir", true),
            ("C:/hk/hk.exe --event=/PreToolUse", false),
            ("C:/hk/hk.exe --event //PreToolUse", false),
            (
                "MSYS2_ARG_CONV_EXCL='*' C:/hk/hk.exe --event /PreToolUse",
                false,
            ),
            ("hk --event /PreToolUse", false),
        ] {
            assert_eq!(converted(line).is_some(), expected, "{line}");
        }
    }

    #[test]
    fn an_ampersand_of_a_path_is_told_from_one_of_the_shell() {
        for (line, expected) in [
            (r"C:\Users\A&B\bin\hk.exe run", true),
            ("/home/a&b/hk run", true),
            (r#"& "C:\Users\A&B\bin\hk.exe" run"#, false),
            ("./a/x 2>&1", false),
            ("./a/x&& ./b/y", false),
            ("sleep 1&wait", false),
            (r"/home/a\&b/hk", false),
        ] {
            assert_eq!(cut_at_ampersand(line).is_some(), expected, "{line}");
        }
    }
}

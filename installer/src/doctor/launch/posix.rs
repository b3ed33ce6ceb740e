//! What a POSIX shell makes of a launch line.

use super::words::{Line, Piece, Quote, Token, Word};
use super::{Judged, Reader, Who, references, variables};
use crate::doctor::codes::launch as code;

/// What `sh` and `bash` have in common, and what `sh` alone does not read.
pub(super) fn judge(text: &str, who: &Who, judged: &mut Judged) {
    let line = Line::read(text);
    if line.is_open {
        judged.add(&code::ODD_QUOTES, "a quote or bracket in it is not closed");
        return;
    }
    if who.reader == Reader::Sh
        && let Some(what) = bashism(&line)
    {
        let what = format!("has {what}, which /bin/sh need not know");
        judged.add(&code::BASHISM, what);
    }
    let commands = line.commands();
    for (_, words) in &commands {
        let is_inner = is_given_to_an_inner_shell(words);
        for word in words {
            quotes(word, who, is_inner, judged);
        }
    }
    if who.can_block {
        swallowed(&commands, judged);
    }
    twice(&commands, judged);
    if let Some(name) = foreign_variables(text) {
        let what = format!("has `{name}`, which a POSIX shell does not replace");
        judged.add(&code::SHELL_VARIABLE, what);
    }
}

/// What only bash has, in words.
fn bashism(line: &Line) -> Option<&'static str> {
    let mut is_start = true;
    for (index, token) in line.tokens.iter().enumerate() {
        match token {
            Token::Operator("<<<") => return Some("`<<<`"),
            Token::Operator("<(" | ">(") => return Some("`<(`"),
            Token::Operator("&>" | "&>>") => return Some("`&>`"),
            Token::Operator("|&") => return Some("`|&`"),
            Token::Operator("(") => {
                let before = index
                    .checked_sub(1)
                    .and_then(|index| line.tokens.get(index));
                if matches!(before, Some(Token::Word(word)) if word.is_assignment()) {
                    return Some("a list in `NAME=(...)`");
                }
                is_start = true;
            }
            Token::Operator(_) => is_start = true,
            Token::Word(word) => {
                let text = word.plain();
                match &*text {
                    "[[" if is_start => return Some("`[[`"),
                    "source" if is_start => return Some("`source`"),
                    "function" if is_start => return Some("`function`"),
                    "pipefail" => return Some("`pipefail`"),
                    _ => {}
                }
                let expands = |piece: &Piece| piece.quote != Quote::Single;
                if word
                    .pieces
                    .iter()
                    .filter(|piece| expands(piece))
                    .any(bash_expansion)
                {
                    return Some("an expansion such as `${X//a/b}` or `${X^^}`");
                }
                let keeps = matches!(
                    &*text,
                    "if" | "then" | "else" | "elif" | "while" | "do" | "!"
                );
                is_start = keeps || (is_start && word.is_assignment());
            }
        }
    }
    None
}

fn bash_expansion(piece: &Piece) -> bool {
    piece.text.match_indices("${").any(|(at, _)| {
        let inner = &piece.text[at + 2..];
        let length = inner
            .bytes()
            .take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
            .count();
        let rest = &inner[length..];
        let is_substring = rest.strip_prefix(':').is_some_and(|rest| {
            rest.starts_with(|next: char| next.is_ascii_digit() || next == ' ')
        });
        length > 0 && (rest.starts_with(['/', '^', ',', '@', '[']) || is_substring)
    })
}

/// `bash -c '...'`: the inner program sees the variables by itself.
fn is_given_to_an_inner_shell(words: &[&Word]) -> bool {
    words.iter().any(|word| {
        let text = word.plain();
        matches!(
            &*text,
            "-c" | "-e" | "-lc" | "-ec" | "-p" | "-Command" | "--eval" | "eval"
        )
    })
}

fn quotes(word: &Word, who: &Who, is_inner: bool, judged: &mut Judged) {
    for (index, piece) in word.pieces.iter().enumerate() {
        let roots = || references(&piece.text).filter(|found| variables::is_root(found.name));
        match piece.quote {
            Quote::Single if !is_inner && !who.replaces_text => {
                if let Some(found) = roots().next() {
                    let what = format!("keeps `{}` as it is: it is in single quotes", found.text);
                    judged.add(&code::SINGLE_QUOTED, what);
                }
            }
            Quote::None if !word.is_assignment() => {
                if let Some(found) = roots().next() {
                    let what = format!("`{}` is not in quotes", found.text);
                    judged.add(&code::UNQUOTED_ROOT, what);
                }
            }
            Quote::Double if who.minds_closed_quotes => {
                let ends = roots().any(|found| piece.text == found.text);
                let next = word.pieces.get(index + 1);
                let is_path = next
                    .is_some_and(|next| next.quote == Quote::None && next.text.starts_with('/'));
                if ends && is_path {
                    let what = format!("closes the quote before the path behind {}", piece.text);
                    judged.add(&code::QUOTE_CLOSED, what);
                }
            }
            _ => {}
        }
        if piece.quote == Quote::None && is_windows_path(&piece.text) {
            judged.add(
                &code::BACKSLASH,
                "has a path whose backslashes a POSIX shell drops",
            );
        }
    }
}

/// `.claude\hooks\x.sh`, with two backslashes before letters.
fn is_windows_path(text: &str) -> bool {
    // What is inside of a command of its own was not read as words.
    if text.contains(['`', '(']) {
        return false;
    }
    let bytes = text.as_bytes();
    let before_letters = bytes
        .windows(2)
        .filter(|pair| pair[0] == b'\\' && pair[1].is_ascii_alphanumeric());
    before_letters.count() > 1
}

/// `|| true` behind something that is no question.
fn swallowed(commands: &[(&str, Vec<&Word>)], judged: &mut Judged) {
    // Values of variables are not repeated: they may be secret.
    let plain = |words: &[&Word]| -> Vec<String> {
        let words = words.iter().skip_while(|word| word.is_assignment());
        words.map(|word| word.plain()).collect()
    };
    for pair in commands.windows(2) {
        let [(_, asked), (operator, then)] = pair else {
            continue;
        };
        let (asked, then) = (plain(asked), plain(then));
        let (Some(program), Some(answer)) = (asked.first(), then.first()) else {
            continue;
        };
        let is_question = {
            matches!(
                &**program,
                "[" | "[[" | "test" | "command" | "which" | "type" | "hash" | "cd" | "if" | "!"
            )
        };
        let ends_well = matches!(
            then.iter().map(String::as_str).collect::<Vec<_>>()[..],
            ["true" | ":"] | ["exit", "0"]
        ) || matches!(&**answer, "echo" | "printf");
        if *operator == "||" && !is_question && ends_well {
            let what = format!("`|| {answer}` hides the exit code of `{program}`");
            judged.add(&code::SWALLOWED, what);
            return;
        }
    }
    let last = commands
        .last()
        .map(|(operator, words)| (*operator, plain(words)));
    if let Some((";", words)) = last
        && commands.len() > 1
        && (words == ["true"] || words == ["exit", "0"])
    {
        let what = format!("ends with `{}`, whatever happened before", words.join(" "));
        judged.add(&code::SWALLOWED, what);
    }
}

/// `python3 x || python x`.
fn twice(commands: &[(&str, Vec<&Word>)], judged: &mut Judged) {
    for pair in commands.windows(2) {
        let [(_, first), ("||", second)] = pair else {
            continue;
        };
        let ([first, first_args @ ..], [second, second_args @ ..]) = (&first[..], &second[..])
        else {
            continue;
        };
        let family = |word: &Word| variables::interpreter_family(&word.plain());
        let (first, second) = (first, second);
        let arguments = |words: &[&Word]| -> Vec<String> {
            let words = words.iter().map(|word| word.plain());
            words.filter(|word| !word.starts_with('-')).collect()
        };
        let is_same = family(first).is_some()
            && family(first) == family(second)
            && !first_args.is_empty()
            && arguments(first_args) == arguments(second_args);
        if is_same {
            let what = format!(
                "`{}` runs the hook again when `{}` refused",
                second.plain(),
                first.plain()
            );
            judged.add(&code::RUN_TWICE, what);
            return;
        }
    }
}

/// `%NAME%` and `$env:NAME`.
fn foreign_variables(text: &str) -> Option<String> {
    let powershell = text.find("$env:").map(|at| {
        let name = text[at + 5..]
            .chars()
            .take_while(|next| next.is_ascii_alphanumeric() || *next == '_');
        format!("$env:{}", name.collect::<String>())
    });
    powershell.or_else(|| {
        let parts: Vec<&str> = text.split('%').collect();
        let enclosed = parts
            .get(1..parts.len().saturating_sub(1))
            .unwrap_or_default();
        enclosed
            .iter()
            .find(|part| {
                part.len() > 3
                    && part
                        .bytes()
                        .all(|byte| byte.is_ascii_uppercase() || byte == b'_')
            })
            .map(|name| format!("%{name}%"))
    })
}

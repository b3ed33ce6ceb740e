//! A change as a unified diff, in which nobody's tokens can be read.

use super::change::Change;
use super::kept::Kept;
use super::syntax::{Syntax, range, readable};
use jsonc_parser::tokens::{Token, TokenAndRange};
use similar::TextDiff;
use std::ops::Range;

/// Lines around a change.
const CONTEXT: usize = 3;

/// What is shown of a line beside a change, in characters.
const LONG: usize = 160;

/// What stands in place of a text that is not shown.
const HIDDEN: char = '\u{2026}';

pub(super) fn unified(change: &Change) -> String {
    if change.before() == change.after() {
        return String::new();
    }
    let name = |bytes: Option<&[u8]>, side: char| match bytes {
        Some(_) => format!("{side}{}", change.file().display()),
        None => "/dev/null".to_owned(),
    };
    let before = shown(change.before(), &change.kept);
    let after = shown(change.after(), &change.kept.reversed());
    let header = (name(change.before(), 'a'), name(change.after(), 'b'));
    TextDiff::from_lines(&before, &after)
        .unified_diff()
        .context_radius(CONTEXT)
        .header(&header.0, &header.1)
        .to_string()
}

/// A text with the values and comments hidden that are also on the other side. Lines stay lines.
fn shown(bytes: Option<&[u8]>, kept: &Kept) -> String {
    let text = String::from_utf8_lossy(bytes.unwrap_or_default());
    let mut shown = String::with_capacity(text.len());
    let mut foreign = foreign(&text).into_iter().peekable();
    let mut at = 0;
    for run in kept.runs_before() {
        shown.push_str(&text[at..run.start]);
        at = run.start;
        let mut hidden = String::new();
        while let Some(range) = foreign.next_if(|range| range.end <= run.end) {
            if range.start >= run.start {
                hidden.push_str(&text[at..range.start]);
                for line in text[range.clone()].split_inclusive('\n') {
                    hidden.push(HIDDEN);
                    hidden.extend(line.ends_with('\n').then_some('\n'));
                }
                at = range.end;
            }
        }
        hidden.push_str(&text[at..run.end]);
        hidden
            .split_inclusive('\n')
            .for_each(|line| shorten(line, &mut shown));
        at = run.end;
    }
    shown.push_str(&text[at..]);
    shown
        .chars()
        .map(|character| match character {
            '\n' | '\t' | '\r' => character,
            // A terminal would obey it.
            control if control.is_control() => char::REPLACEMENT_CHARACTER,
            other => other,
        })
        .collect()
}

/// The beginning and the end of a part of a line, which may be a whole file.
fn shorten(line: &str, shown: &mut String) {
    let place = |count| line.char_indices().nth(count).map(|(place, _)| place);
    let tail = line
        .char_indices()
        .nth_back(LONG / 2)
        .map(|(place, _)| place);
    match (place(LONG), place(LONG / 2), tail) {
        (Some(_), Some(head), Some(tail)) => {
            shown.push_str(&line[..head]);
            shown.push(HIDDEN);
            shown.push_str(&line[tail..]);
        }
        _ => shown.push_str(line),
    }
}

/// What is inside the quotes of every text that is no key, and behind the start of every comment.
fn foreign(text: &str) -> Vec<Range<usize>> {
    let mark = text.len() - text.trim_start_matches('\u{feff}').len();
    let readable = readable(&text[mark..]);
    let Ok(syntax) = Syntax::parse(&readable) else {
        return Vec::new();
    };
    let tokens = &syntax.tokens;
    let hidden = |(place, token): (usize, &TokenAndRange)| {
        let Range { start, end } = range(token);
        match token.token {
            Token::String(_) => {
                let is_key = tokens[place + 1..]
                    .iter()
                    .find(|next| !super::syntax::is_comment(next))
                    .is_some_and(|next| next.token == Token::Colon);
                (!is_key).then_some(start + 1..end - 1)
            }
            Token::CommentLine(_) => Some(start + 2..end),
            Token::CommentBlock(_) => Some(start + 2..end - 2),
            _ => None,
        }
    };
    tokens
        .iter()
        .enumerate()
        .filter_map(hidden)
        .filter(|inside| !inside.is_empty())
        .map(|inside| inside.start + mark..inside.end + mark)
        .collect()
}

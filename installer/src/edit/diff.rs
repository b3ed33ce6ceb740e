//! A change as a unified diff, in which nobody's tokens can be read.

use super::change::Change;
use super::kept::Kept;
use super::syntax::{Syntax, range, readable};
use jsonc_parser::tokens::{Token, TokenAndRange};
use similar::TextDiff;
use std::ops::Range;

/// Lines around a change.
const CONTEXT: usize = 3;

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
    let mut at = 0;
    for hidden in foreign(&text) {
        if kept.of_before(&hidden).is_some() {
            shown.push_str(&text[at..hidden.start]);
            for line in text[hidden.clone()].split_inclusive('\n') {
                shown.push(HIDDEN);
                shown.extend(line.ends_with('\n').then_some('\n'));
            }
            at = hidden.end;
        }
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

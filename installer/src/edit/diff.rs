//! A change as a unified diff, in which nobody's tokens can be read.

use super::change::Change;
use super::found::MARK;
use super::kept::Kept;
use super::syntax::{Syntax, range, readable};
use jsonc_parser::tokens::{Token, TokenAndRange};
use serde::{Deserialize, Serialize};
use similar::TextDiff;
use std::collections::HashSet;
use std::ops::Range;
use toml_parser::Source;
use toml_parser::parser::{Event, EventKind, parse_document};

/// Lines around a change.
const CONTEXT: usize = 3;

/// What is shown of a line beside a change, in characters.
const LONG: usize = 160;

/// What stands in place of a text that is not shown.
const HIDDEN: char = '\u{2026}';

/// What the text of a file is, as far as it is somebody else's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Format {
    /// All of it is ours.
    Whole,
    Json,
    Toml,
    Lines,
}

pub(super) fn unified(change: &Change) -> String {
    if change.before() == change.after() {
        return String::new();
    }
    let name = |bytes: Option<&[u8]>, side: char| match bytes {
        Some(_) => format!("{side}{}", change.file().display()),
        None => "/dev/null".to_owned(),
    };
    let text =
        |bytes: Option<&[u8]>| String::from_utf8_lossy(bytes.unwrap_or_default()).into_owned();
    let (before, after) = (text(change.before()), text(change.after()));
    let there = change.kept.reversed();
    let (hidden_before, hidden_after) = match change.format {
        Format::Whole => (Vec::new(), Vec::new()),
        Format::Json => (
            staying(texts_of_json(&before), &change.kept),
            staying(texts_of_json(&after), &there),
        ),
        Format::Toml => common(&before, &after),
        Format::Lines => (
            staying(lines(&before), &change.kept),
            staying(lines(&after), &there),
        ),
    };
    let before = shown(&before, &change.kept, &hidden_before);
    let after = shown(&after, &there, &hidden_after);
    let header = (name(change.before(), 'a'), name(change.after(), 'b'));
    TextDiff::from_lines(&before, &after)
        .unified_diff()
        .context_radius(CONTEXT)
        .header(&header.0, &header.1)
        .to_string()
}

/// Every line of a text, without its end.
fn lines(text: &str) -> Vec<Range<usize>> {
    let mut at = 0;
    text.split_inclusive('\n')
        .map(|line| {
            let start = at;
            at += line.len();
            start..start + line.trim_end().len()
        })
        .filter(|line| !line.is_empty())
        .collect()
}

/// Those that an edit kept.
fn staying(mut texts: Vec<Range<usize>>, kept: &Kept) -> Vec<Range<usize>> {
    texts.retain(|range| kept.of_before(range).is_some());
    texts
}

/// Those of each side that are on the other side as well: what an edit of TOML keeps is known by
/// lines only.
fn common(before: &str, after: &str) -> (Vec<Range<usize>>, Vec<Range<usize>>) {
    let (mut first, mut second) = (texts_of_toml(before), texts_of_toml(after));
    let all = |text: &'_ str, ranges: &[Range<usize>]| -> HashSet<String> {
        ranges
            .iter()
            .map(|range| text[range.clone()].to_owned())
            .collect()
    };
    let (old, new) = (all(before, &first), all(after, &second));
    first.retain(|range| new.contains(&before[range.clone()]));
    second.retain(|range| old.contains(&after[range.clone()]));
    (first, second)
}

/// A text with some ranges hidden, and without the middle of long lines that stay. Lines stay lines.
fn shown(text: &str, kept: &Kept, hidden: &[Range<usize>]) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut at = 0;
    for run in kept.runs_before() {
        shown.push_str(&masked(text, at..run.start, hidden));
        masked(text, run.clone(), hidden)
            .split_inclusive('\n')
            .for_each(|line| shorten(line, &mut shown));
        at = run.end;
    }
    shown.push_str(&masked(text, at..text.len(), hidden));
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

/// A part of a text, with what is hidden of it as one character for each line.
fn masked(text: &str, part: Range<usize>, hidden: &[Range<usize>]) -> String {
    let mut masked = String::new();
    let mut at = part.start;
    let first = hidden.partition_point(|range| range.end <= part.start);
    for range in hidden[first..]
        .iter()
        .take_while(|range| range.start < part.end)
    {
        let (start, end) = (range.start.max(at), range.end.min(part.end));
        masked.push_str(&text[at..start]);
        for line in text[start..end].split_inclusive('\n') {
            masked.push(HIDDEN);
            masked.extend(line.ends_with('\n').then_some('\n'));
        }
        at = end;
    }
    masked.push_str(&text[at..part.end]);
    masked
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

/// Where they are: inside the quotes of every text that is no key, behind the start of a comment.
fn texts_of_json(text: &str) -> Vec<Range<usize>> {
    let mark = text.len() - text.trim_start_matches(MARK).len();
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

fn texts_of_toml(text: &str) -> Vec<Range<usize>> {
    let mark = text.len() - text.trim_start_matches(MARK).len();
    let source = Source::new(&text[mark..]);
    let tokens = source.lex().into_vec();
    let mut events: Vec<Event> = Vec::new();
    parse_document(&tokens, &mut events, &mut ());
    events
        .iter()
        .filter(|event| match event.kind() {
            EventKind::Scalar => event.encoding().is_some(),
            kind => kind == EventKind::Comment,
        })
        .map(|event| {
            let span = event.span();
            let quote = usize::from(event.encoding().is_some());
            mark + span.start() + 1..mark + span.end() - quote
        })
        .filter(|inside| !inside.is_empty())
        .collect()
}

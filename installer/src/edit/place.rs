//! Places in a document: the way to a member, and the bytes that come or go for one.

use super::layout::{Layout, NEWLINES, begins_line, indentation};
use super::syntax::{Syntax, is_comment, places_of, range};
use jsonc_parser::ast::Value;
use jsonc_parser::common::Ranged;
use jsonc_parser::tokens::Token;
use std::ops::Range;

/// Bytes that give way to others.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Splice {
    pub(super) range: Range<usize>,
    pub(super) with: String,
}

impl Splice {
    pub(super) fn new(range: Range<usize>, with: impl Into<String>) -> Self {
        Self {
            range,
            with: with.into(),
        }
    }

    fn insert(at: usize, with: impl Into<String>) -> Self {
        Self::new(at..at, with)
    }

    fn delete(range: Range<usize>) -> Self {
        Self::new(range, "")
    }
}

/// The way from the root to a place, as far as it is there.
pub(super) struct Way<'s, 't> {
    /// The root, and the value behind each step.
    pub(super) values: Vec<&'s Value<'t>>,
    /// Which item of the value before it each step is.
    pub(super) items: Vec<usize>,
}

/// Why a way cannot be gone.
#[derive(Debug)]
pub(super) enum Snag {
    /// A key stands at both of these places, and only one of them counts.
    Twice(String, usize, usize),
    /// What is at this place is no object, and no array with such an element.
    NoObject(usize),
}

impl<'s, 't> Way<'s, 't> {
    /// Goes from the root by keys; in an array a step is the number of an element.
    pub(super) fn go(root: &'s Value<'t>, at: &[&str]) -> Result<Self, Snag> {
        let mut way = Self {
            values: vec![root],
            items: Vec::new(),
        };
        let mut value = root;
        for step in at {
            let (item, inner) = match value {
                Value::Object(object) => {
                    let places = places_of(object, step);
                    if let [first, .., last] = *places {
                        return Err(Snag::Twice((*step).to_owned(), first, last));
                    }
                    let members = object.properties.iter().enumerate();
                    let Some((item, member)) =
                        { members }.find(|(_, member)| member.name.as_str() == *step)
                    else {
                        break;
                    };
                    (item, &member.value)
                }
                Value::Array(array) => {
                    let item = step.parse().ok();
                    item.and_then(|item: usize| Some((item, array.elements.get(item)?)))
                        .ok_or_else(|| Snag::NoObject(value.start()))?
                }
                _ => return Err(Snag::NoObject(value.start())),
            };
            way.items.push(item);
            way.values.push(inner);
            value = inner;
        }
        Ok(way)
    }

    /// The deepest value on the way that is there.
    pub(super) fn end(&self) -> &'s Value<'t> {
        self.values[self.items.len()]
    }
}

/// The items of an object or array, a member with its key.
fn items(container: &Value) -> Vec<Range<usize>> {
    match container {
        Value::Object(object) => object.properties.iter().map(range).collect(),
        Value::Array(array) => array.elements.iter().map(range).collect(),
        _ => Vec::new(),
    }
}

/// What lies between the brackets.
fn inside(container: &Value) -> Range<usize> {
    container.start() + 1..container.end() - 1
}

/// Is there nothing between the brackets, not even a comment?
pub(super) fn is_empty(text: &str, container: &Value) -> bool {
    text[inside(container)].trim().is_empty()
}

/// A new item at the end of an object or array. The item is written for lines with an indentation,
/// or for the middle of a line.
pub(super) fn append(
    text: &str,
    syntax: &Syntax,
    layout: &Layout,
    container: &Value,
    item: &dyn Fn(Option<&str>) -> String,
) -> Vec<Splice> {
    let inside = inside(container);
    let outer = indentation(text, container.start());
    let inner = format!("{outer}{}", layout.indent);
    if is_empty(text, container) {
        let with = if layout.one_line {
            item(None)
        } else {
            let newline = layout.newline;
            format!("{newline}{inner}{}{newline}{outer}", item(Some(&inner)))
        };
        return vec![Splice::new(inside, with)];
    }
    // Behind everything that is there: a comment stays with what it was written to.
    let Some(last_token) = syntax.token_before(inside.end) else {
        return Vec::new();
    };
    let items = items(container);
    let comma = items
        .last()
        .map(|last| (last.end, syntax.comma_behind(last.end)));
    let before = match items.last() {
        Some(last) => gap_before(text, syntax, last.start),
        None => &text[inside.clone()],
    };
    let ends_line = matches!(last_token.token, Token::CommentLine(_));
    let (separator, indentation) = if before.contains(NEWLINES) || ends_line {
        let line = items.last().map_or(last_token.start(), |last| last.start);
        let indentation = if begins_line(text, line) {
            indentation(text, line)
        } else {
            &inner
        };
        (
            format!("{}{indentation}", layout.newline),
            Some(indentation),
        )
    } else if items.len() > 1 {
        (before.to_owned(), None)
    } else {
        (layout.blank.to_owned(), None)
    };
    let mut with = separator + &item(indentation);
    let mut splices = Vec::new();
    match comma {
        Some((end, None)) if end == last_token.end() => with.insert(0, ','),
        Some((end, None)) => splices.push(Splice::insert(end, ",")),
        Some((_, Some(_))) => with.push(','),
        None => {}
    }
    splices.push(Splice::insert(last_token.end(), with));
    splices
}

/// What stands between an item and the token before it.
fn gap_before<'t>(text: &'t str, syntax: &Syntax, start: usize) -> &'t str {
    let end = syntax.token_before(start).map_or(0, Ranged::end);
    &text[end..start]
}

/// An item goes, with its comma and the blanks that belong to it. Comments around it stay.
pub(super) fn remove(text: &str, syntax: &Syntax, container: &Value, index: usize) -> Vec<Splice> {
    let items = items(container);
    let inside = inside(container);
    let item = items[index].clone();
    let comments = syntax
        .tokens
        .iter()
        .filter(|token| is_comment(token) && inside.contains(&token.start()))
        .any(|comment| !item.contains(&comment.start()));
    if items.len() == 1 && !comments {
        return vec![Splice::delete(inside)];
    }
    let mut splices = Vec::new();
    let mut end = item.end;
    let mut own_comma = None;
    match syntax.comma_behind(item.end) {
        Some(comma) if text[item.end..comma.start].trim().is_empty() => end = comma.end,
        Some(comma) => own_comma = Some(Splice::delete(comma)),
        // The last one: the comma before it would be left over.
        None if index > 0 => splices.extend(
            syntax
                .comma_behind(items[index - 1].end)
                .map(Splice::delete),
        ),
        None => {}
    }
    if let (Some(before), Some(behind)) =
        (syntax.token_before(item.start), syntax.token_behind(end))
    {
        let same_line = !text[end..behind.start()].contains(NEWLINES);
        // What stands behind takes the item's place, where it needs one: a comment in its line, the
        // next item if this was the first, anything where the line before is a comment.
        let takes_place = same_line
            && (is_comment(behind) || matches!(before.token, Token::CommentLine(_)))
            || index == 0 && items.len() > 1;
        splices.push(Splice::delete(if takes_place {
            item.start..behind.start()
        } else {
            before.end()..end
        }));
    }
    splices.extend(own_comma);
    splices
}

/// Another value takes the place of one.
pub(super) fn replace(
    text: &str,
    layout: &Layout,
    value: &Value,
    with: &serde_json::Value,
) -> Vec<Splice> {
    let indentation = (!layout.one_line).then(|| indentation(text, value.start()));
    vec![Splice::new(range(value), layout.write(with, indentation))]
}

//! JSON as bytes: where a value begins and ends, without building a tree.
//!
//! Hosts send what their language could write: lone surrogates, control characters inside strings,
//! 10,000 levels, numbers of any size. Values that hookkit does not look at are kept as the bytes
//! they came in; only strings that it does look at are decoded. What hooks print is held to the
//! standard instead, by serde_json ([`is_document`]).

mod scan;
mod write;

pub use scan::{Member, Progress, Scanner, find, members, value_end};
pub use write::{push_ascii, push_string, quoted};

use std::borrow::Cow;

/// The type of a raw JSON value, from its first byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Object,
    Array,
    Text,
    Number,
    Bool,
    Null,
}

/// What a raw value is; `None` for bytes that begin no JSON value.
pub fn kind(raw: &[u8]) -> Option<Kind> {
    Some(match raw.first()? {
        b'{' => Kind::Object,
        b'[' => Kind::Array,
        b'"' => Kind::Text,
        b't' | b'f' => Kind::Bool,
        b'n' => Kind::Null,
        b'-' | b'0'..=b'9' => Kind::Number,
        _ => return None,
    })
}

/// Is this exactly one JSON document, by the standard? Depth is not limited.
pub fn is_document(bytes: &[u8]) -> Result<(), serde_json::Error> {
    serde_json::from_slice::<serde::de::IgnoredAny>(bytes).map(drop)
}

/// The text of a raw JSON string; `None` when the value is no string.
///
/// Half of a surrogate pair and bytes that are not UTF-8 become U+FFFD: this is for looking at a
/// value, never for passing it on.
pub fn text(raw: &[u8]) -> Option<Cow<'_, str>> {
    let inner = raw.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
    let text = readable(inner);
    if memchr::memchr(b'\\', inner).is_none() {
        return Some(text);
    }
    Some(Cow::Owned(unescape(&text)))
}

/// As `String::from_utf8_lossy`, which takes longer over what is UTF-8.
fn readable(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => String::from_utf8_lossy(bytes),
    }
}

/// The elements of a raw JSON array; `None` when the value is no array or ends early.
pub fn elements(raw: &[u8]) -> Option<Vec<&[u8]>> {
    let mut rest = blanks(raw.strip_prefix(b"[")?);
    let mut found = Vec::new();
    if rest.first() == Some(&b']') {
        return Some(found);
    }
    loop {
        let end = value_end(rest)?;
        found.push(&rest[..end]);
        rest = blanks(&rest[end..]);
        match rest.first()? {
            b',' => rest = blanks(&rest[1..]),
            b']' => return Some(found),
            _ => return None,
        }
    }
}

/// Do two raw values say the same, whatever their spelling (blanks, escapes, order of keys)?
pub fn same(left: &[u8], right: &[u8]) -> bool {
    left == right
        || match (
            serde_json::from_slice::<serde_json::Value>(left),
            serde_json::from_slice::<serde_json::Value>(right),
        ) {
            (Ok(left), Ok(right)) => left == right,
            _ => false,
        }
}

/// Where `inner`, a slice of `outer`, stands in it; `None` when it is no slice of it.
pub fn span_in(outer: &[u8], inner: &[u8]) -> Option<std::ops::Range<usize>> {
    let start = inner.as_ptr().addr().checked_sub(outer.as_ptr().addr())?;
    let end = start.checked_add(inner.len())?;
    (end <= outer.len()).then_some(start..end)
}

pub(crate) fn blanks(bytes: &[u8]) -> &[u8] {
    bytes.trim_ascii_start()
}

fn unescape(inner: &str) -> String {
    let mut text = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        let mut after = rest[at + 1..].chars();
        match after.next() {
            Some('u') => {
                let (unit, used) = code_point(&rest[at..]);
                text.push(unit);
                rest = &rest[at + used..];
                continue;
            }
            Some('n') => text.push('\n'),
            Some('t') => text.push('\t'),
            Some('r') => text.push('\r'),
            Some('b') => text.push('\u{8}'),
            Some('f') => text.push('\u{c}'),
            Some(other) => text.push(other),
            None => {}
        }
        rest = after.as_str();
    }
    text.push_str(rest);
    text
}

/// Reads `\uXXXX`, or a pair of them; gives the character and how many bytes it took.
fn code_point(escape: &str) -> (char, usize) {
    let Some(first) = code_unit(escape) else {
        return (char::REPLACEMENT_CHARACTER, 2);
    };
    if (0xD800..0xDC00).contains(&first)
        && let Some(second) = escape.get(6..).and_then(code_unit)
        && (0xDC00..0xE000).contains(&second)
    {
        let joined = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
        return (
            char::from_u32(joined).unwrap_or(char::REPLACEMENT_CHARACTER),
            12,
        );
    }
    (
        char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER),
        6,
    )
}

fn code_unit(escape: &str) -> Option<u32> {
    u32::from_str_radix(escape.strip_prefix("\\u")?.get(..4)?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_decode_as_far_as_they_mean_something() {
        let said = |raw: &'static str| text(raw.as_bytes()).map(Cow::into_owned);
        assert_eq!(said(r#""plain""#).as_deref(), Some("plain"));
        assert_eq!(said(r#""a\n\"b\" \u00e9""#).as_deref(), Some("a\n\"b\" é"));
        assert_eq!(said(r#""\ud83d\ude00""#).as_deref(), Some("😀"));
        assert_eq!(said(r#""\ud83d end""#).as_deref(), Some("\u{fffd} end"));
        assert_eq!(said(r#""\udc00""#).as_deref(), Some("\u{fffd}"));
        assert_eq!(said(r#""\u12""#).as_deref(), Some("\u{fffd}12"));
        assert_eq!(said("12"), None);
    }

    #[test]
    fn elements_are_found_in_any_layout() {
        assert_eq!(elements(b"[]"), Some(vec![]));
        assert_eq!(
            elements(b"[ 1 , [2,3],\"a]b\" ]"),
            Some(vec![&b"1"[..], b"[2,3]", b"\"a]b\""])
        );
        assert_eq!(elements(b"[1, 2"), None);
        assert_eq!(elements(b"{}"), None);
    }

    #[test]
    fn values_are_the_same_by_meaning() {
        assert!(same(b"\"\\u00e9\"", "\"é\"".as_bytes()));
        assert!(same(b"{\"a\":1,\"b\":[2]}", b"{ \"b\": [2], \"a\": 1 }"));
        assert!(!same(b"1", b"\"1\""));
    }
}

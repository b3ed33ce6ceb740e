//! Finds the ends of values by following strings and brackets.

use super::{blanks, text};
use std::borrow::Cow;

/// How far a [`Scanner`] has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The object is not complete yet.
    More,
    /// The object ends before this offset of the bytes fed so far.
    Complete(usize),
    /// The first byte that is no blank does not begin an object.
    NotAnObject,
}

/// Follows a growing buffer until one top-level object is complete.
///
/// Each byte is looked at once, so a 64 MiB payload in small pieces costs as much as in one.
#[derive(Debug, Default)]
pub struct Scanner {
    at: usize,
    depth: usize,
    in_string: bool,
    started: bool,
}

impl Scanner {
    /// Where the object begins, once it has begun.
    pub fn advance(&mut self, buffer: &[u8]) -> Progress {
        if !self.started {
            let from = blanks(&buffer[self.at..]);
            self.at = buffer.len() - from.len();
            match from.first() {
                None => return Progress::More,
                Some(b'{') => self.started = true,
                Some(_) => return Progress::NotAnObject,
            }
        }
        while self.at < buffer.len() {
            if self.in_string {
                match string_rest(&buffer[self.at..]) {
                    StringRest::Ends(length) => {
                        self.at += length;
                        self.in_string = false;
                    }
                    StringRest::Open(length) => {
                        self.at += length;
                        return Progress::More;
                    }
                }
                continue;
            }
            let byte = buffer[self.at];
            self.at += 1;
            match byte {
                b'"' => self.in_string = true,
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => {
                    self.depth -= 1;
                    if self.depth == 0 {
                        return Progress::Complete(self.at);
                    }
                }
                _ => {}
            }
        }
        Progress::More
    }

    /// Has anything but blanks been seen?
    pub fn has_started(&self) -> bool {
        self.started
    }
}

enum StringRest {
    /// The closing quote is the last of these bytes.
    Ends(usize),
    /// These bytes belong to the string; more must come (a trailing backslash is not counted).
    Open(usize),
}

/// `bytes` lie inside a string: where does it end?
fn string_rest(bytes: &[u8]) -> StringRest {
    let mut at = 0;
    loop {
        match memchr::memchr2(b'"', b'\\', &bytes[at..]) {
            None => return StringRest::Open(bytes.len()),
            Some(step) if bytes[at + step] == b'"' => return StringRest::Ends(at + step + 1),
            Some(step) if at + step + 1 == bytes.len() => return StringRest::Open(at + step),
            Some(step) => at += step + 2,
        }
    }
}

/// Where the value that `bytes` begin with ends; `None` when it does not end, or none begins.
pub fn value_end(bytes: &[u8]) -> Option<usize> {
    match bytes.first()? {
        b'"' => match string_rest(&bytes[1..]) {
            StringRest::Ends(length) => Some(length + 1),
            StringRest::Open(_) => None,
        },
        b'{' | b'[' => {
            let mut scanner = Scanner {
                started: true,
                ..Scanner::default()
            };
            match scanner.advance(bytes) {
                Progress::Complete(end) => Some(end),
                _ => None,
            }
        }
        b',' | b':' | b'}' | b']' => None,
        _ => bytes
            .iter()
            .position(|byte| {
                matches!(byte, b',' | b'}' | b']' | b':') || byte.is_ascii_whitespace()
            })
            .or(Some(bytes.len())),
    }
}

/// One `"key": value` of an object, both as raw bytes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member<'a> {
    /// The key with its quotes.
    pub raw_key: &'a [u8],
    /// The value as it stands.
    pub value: &'a [u8],
}

impl<'a> Member<'a> {
    /// The key, decoded.
    pub fn key(&self) -> Cow<'a, str> {
        text(self.raw_key).unwrap_or_default()
    }
}

/// The value of this key; of two the later one counts.
pub fn find<'a>(members: &[Member<'a>], key: &str) -> Option<&'a [u8]> {
    let mut members = members.iter().rev();
    let member = members.find(|member| member.key() == key)?;
    Some(member.value)
}

/// The members of a raw JSON object in their order, duplicates included; `None` when the value is
/// no object or its members cannot be told apart.
pub fn members(object: &[u8]) -> Option<Vec<Member<'_>>> {
    let mut rest = blanks(object.strip_prefix(b"{")?);
    let mut found = Vec::with_capacity(16);
    if rest.first() == Some(&b'}') {
        return Some(found);
    }
    loop {
        if rest.first() != Some(&b'"') {
            return None;
        }
        let key_end = value_end(rest)?;
        let raw_key = &rest[..key_end];
        rest = blanks(blanks(&rest[key_end..]).strip_prefix(b":")?);
        let end = value_end(rest)?;
        found.push(Member {
            raw_key,
            value: &rest[..end],
        });
        rest = blanks(&rest[end..]);
        match rest.first()? {
            b',' => rest = blanks(&rest[1..]),
            b'}' => return Some(found),
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(bytes: &[u8]) -> Progress {
        Scanner::default().advance(bytes)
    }

    /// The same bytes one at a time must give the same answer.
    fn trickled(bytes: &[u8]) -> Progress {
        let mut scanner = Scanner::default();
        for end in 1..=bytes.len() {
            let progress = scanner.advance(&bytes[..end]);
            if progress != Progress::More {
                return progress;
            }
        }
        Progress::More
    }

    #[test]
    fn an_object_ends_at_its_last_brace() {
        for (bytes, expected) in [
            (&b" \n{\"a\":1}"[..], Progress::Complete(9)),
            (b"{\"a\":\"}\\\"}\\\\\"} trailing", Progress::Complete(14)),
            (b"{\"a\":[{\"b\":[]}]}{}", Progress::Complete(16)),
            (b"{\"a\":", Progress::More),
            (b"   ", Progress::More),
            (b"", Progress::More),
            (b"[1]", Progress::NotAnObject),
            (b"nope", Progress::NotAnObject),
        ] {
            assert_eq!(whole(bytes), expected, "{}", bytes.escape_ascii());
            assert_eq!(trickled(bytes), expected, "{}", bytes.escape_ascii());
        }
    }

    #[test]
    fn depth_costs_no_stack() {
        let deep = [
            b"{\"v\":".to_vec(),
            vec![b'['; 1_000_000],
            vec![b']'; 1_000_000],
            b"}".to_vec(),
        ]
        .concat();
        assert_eq!(whole(&deep), Progress::Complete(deep.len()));
        assert_eq!(members(&deep).map(|all| all.len()), Some(1));
    }

    #[test]
    fn members_keep_their_raw_bytes_and_order() {
        let object = b"{ \"a\" : 1,\"b\\u0031\":\"x\ny\", \"a\":[1, 2] ,\"c\":{\"d\":null}}";
        let all = members(object).expect("an object");
        let keys: Vec<_> = all.iter().map(|member| member.key().into_owned()).collect();
        assert_eq!(keys, ["a", "b1", "a", "c"]);
        assert_eq!(all[1].value, b"\"x\ny\"");
        assert_eq!(all[2].value, b"[1, 2]");
        assert_eq!(members(b"{}"), Some(vec![]));
        for broken in [
            &b"{\"a\"}"[..],
            b"{\"a\":}",
            b"{\"a\":1",
            b"{a:1}",
            b"[]",
            b"{\"a\":1 2}",
        ] {
            assert_eq!(members(broken), None, "{}", broken.escape_ascii());
        }
    }
}

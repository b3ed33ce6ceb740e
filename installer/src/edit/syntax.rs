//! A text as JSONC: its tree, and every token with its place.

use jsonc_parser::ast::{Object, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::tokens::{Token, TokenAndRange};
use jsonc_parser::{CollectOptions, CommentCollectionStrategy, ParseOptions};
use std::borrow::Cow;
use std::ops::Range;

/// JSON as the hosts read it: with comments and trailing commas, and nothing else of JavaScript.
pub(super) const DIALECT: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// Why a text is no JSONC.
pub(super) struct Fault {
    /// From 1.
    pub(super) line: usize,
    pub(super) what: String,
}

/// A text and what it means. Every place is an offset in bytes.
pub(super) struct Syntax<'t> {
    pub(super) root: Value<'t>,
    /// With comments, in the order of the text.
    pub(super) tokens: Vec<TokenAndRange<'t>>,
}

impl<'t> Syntax<'t> {
    /// Reads a text that [`readable`] has gone over, with all of its tokens.
    pub(super) fn parse(text: &'t str) -> Result<Self, Fault> {
        let collect = CollectOptions {
            comments: CommentCollectionStrategy::AsTokens,
            tokens: true,
        };
        Self::parse_as(text, &collect, &DIALECT)
    }

    /// The same, with what is collected and allowed.
    pub(super) fn parse_as(
        text: &'t str,
        collect: &CollectOptions,
        dialect: &ParseOptions,
    ) -> Result<Self, Fault> {
        let parsed = jsonc_parser::parse_to_ast(text, collect, dialect).map_err(|error| Fault {
            line: error.line_display(),
            what: format!(
                "does not parse: {} (column {})",
                lower_first(&error.kind().to_string()),
                error.column_display()
            ),
        })?;
        let root = parsed.value.ok_or_else(|| Fault {
            line: line_of(text.as_bytes(), text.len()),
            what: "holds comments and no value".to_owned(),
        })?;
        Ok(Self {
            root,
            tokens: parsed.tokens.unwrap_or_default(),
        })
    }

    /// The last token, comments included, that ends here or before.
    pub(super) fn token_before(&self, offset: usize) -> Option<&TokenAndRange<'t>> {
        let count = self.tokens.partition_point(|token| token.end() <= offset);
        self.tokens.get(count.checked_sub(1)?)
    }

    /// The first token, comments included, that begins here or behind.
    pub(super) fn token_behind(&self, offset: usize) -> Option<&TokenAndRange<'t>> {
        let count = self.tokens.partition_point(|token| token.start() < offset);
        self.tokens.get(count)
    }

    /// The comma that follows a value, with nothing but comments between.
    pub(super) fn comma_behind(&self, offset: usize) -> Option<Range<usize>> {
        let count = self.tokens.partition_point(|token| token.start() < offset);
        let next = self.tokens[count..]
            .iter()
            .find(|token| !is_comment(token))?;
        (next.token == Token::Comma).then(|| range(next))
    }
}

pub(super) fn is_comment(token: &TokenAndRange) -> bool {
    matches!(token.token, Token::CommentLine(_) | Token::CommentBlock(_))
}

pub(super) fn range(ranged: &impl Ranged) -> Range<usize> {
    ranged.start()..ranged.end()
}

/// Where the lines of a text begin.
pub(super) struct Lines {
    starts: Vec<usize>,
}

impl Lines {
    pub(super) fn of(text: &str) -> Self {
        let ends = text.match_indices('\n').map(|(at, _)| at + 1);
        Self {
            starts: std::iter::once(0).chain(ends).collect(),
        }
    }

    /// The line of a place, from 1.
    pub(super) fn of_offset(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset)
    }
}

/// From 1.
pub(super) fn line_of(text: &[u8], offset: usize) -> usize {
    text[..offset.min(text.len())]
        .split(|byte| *byte == b'\n')
        .count()
}

fn lower_first(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| {
        first.to_lowercase().chain(characters).collect()
    })
}

/// A value of the tree as a value of its own. A number that no machine number holds is its text as a
/// string, so it equals no number; of a key that stands twice the last counts, as for the hosts.
pub(super) fn to_json(value: &Value) -> serde_json::Value {
    match value {
        Value::NullKeyword(_) => serde_json::Value::Null,
        Value::BooleanLit(boolean) => boolean.value.into(),
        Value::StringLit(string) => string.value.as_ref().into(),
        Value::NumberLit(number) => {
            serde_json::from_str(number.value).unwrap_or_else(|_| number.value.into())
        }
        Value::Array(array) => array.elements.iter().map(to_json).collect(),
        Value::Object(object) => object
            .properties
            .iter()
            .map(|member| (member.name.as_str().to_owned(), to_json(&member.value)))
            .collect(),
    }
}

/// The same text with each half of a surrogate pair that stands alone as another escape of the same
/// length. JSON allows them and the hosts read them; the parser has no character for them.
pub(super) fn readable(text: &str) -> Cow<'_, str> {
    let mut alone = Vec::new();
    let mut rest = 0;
    while let Some(found) = text[rest..].find('\\') {
        let at = rest + found;
        rest = at + escape_length(&text[at..]);
        match surrogate(&text[at..]) {
            Some(Half::High) if surrogate(&text[rest..]) == Some(Half::Low) => {
                rest += ESCAPE;
            }
            Some(_) => alone.push(at),
            None => {}
        }
    }
    if alone.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut readable = text.to_owned();
    for at in alone {
        readable.replace_range(at..at + ESCAPE, "\\uFFFD");
    }
    Cow::Owned(readable)
}

/// The length of `\uXXXX`.
const ESCAPE: usize = 6;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Half {
    High,
    Low,
}

/// The half of a pair that a text begins with.
fn surrogate(text: &str) -> Option<Half> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    match u16::from_str_radix(digits, 16).ok()? {
        0xD800..0xDC00 => Some(Half::High),
        0xDC00..0xE000 => Some(Half::Low),
        _ => None,
    }
}

/// The length of what a backslash and the character behind it are.
fn escape_length(text: &str) -> usize {
    if surrogate(text).is_some() {
        return ESCAPE;
    }
    1 + text[1..].chars().next().map_or(0, char::len_utf8)
}

/// Every place in an object where a key stands.
pub(super) fn places_of(object: &Object, key: &str) -> Vec<usize> {
    object
        .properties
        .iter()
        .filter(|member| member.name.as_str() == key)
        .map(Ranged::start)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> String {
        Syntax::parse(&readable(text)).map_or_else(
            |fault| format!("{}: {}", fault.line, fault.what),
            |syntax| format!("{:?}", to_json(&syntax.root)),
        )
    }

    #[test]
    fn json_with_comments_and_trailing_commas_and_no_more_of_javascript() {
        for fine in [
            "{}",
            "// a\n{\"a\": [1, 2,], /* b */ }\n// c",
            "{\"a\": 1e400, \"b\": 12345678901234567890123, \"c\": -0.0}",
            "{\"a\": \"\\ud800\", \"\\udc00\\ud83d\": \"\\ud83d\\ude00\"}",
        ] {
            assert!(!fault(fine).contains("does not parse"), "{}", fault(fine));
        }
        for wrong in [
            "{a: 1}",
            "{'a': 1}",
            "{\"a\": 0x1}",
            "{\"a\": +1}",
            "{\"a\": .5}",
            "{\"a\": NaN}",
            "{\"a\" 1}",
            "{\"a\": 1 \"b\": 2}",
            "[1 2]",
            "{\"a\": \"\\x41\"}",
            "{\"a\": 1,,}",
            "{} {}",
            "{\"a\": 1",
            "{\"a\": \u{0} 1}",
        ] {
            assert!(fault(wrong).contains("does not parse"), "{wrong}");
        }
        assert_eq!(
            fault("{\n  \"a\": 1\n  \"b\": 2\n}"),
            "2: does not parse: expected comma (column 9)"
        );
        assert_eq!(fault("// only\n"), "2: holds comments and no value");
    }

    #[test]
    fn depth_is_refused_before_it_costs_the_stack() {
        let deep = format!("{{\"a\": {}{}}}", "[".repeat(10_000), "]".repeat(10_000));
        assert!(fault(&deep).contains("nesting"), "{}", fault(&deep));
    }

    #[test]
    fn a_number_that_no_machine_number_holds_equals_none() {
        assert_eq!(
            fault("[1e400, 1.0]"),
            "Array [String(\"1e400\"), Number(1.0)]"
        );
    }

    #[test]
    fn halves_of_pairs_keep_every_place() {
        for text in [
            r#""\ud800""#,
            r#""\\ud800 \ud83d\ud83d\ude00""#,
            "\"\\",
            "\"\\ü",
        ] {
            assert_eq!(readable(text).len(), text.len());
        }
        assert_eq!(readable(r#""\\ud800""#), r#""\\ud800""#);
        assert_eq!(readable(r#""\ud83d\ude00""#), r#""\ud83d\ude00""#);
        assert_eq!(
            readable(r#""\ud83d\ud83d\ude00\udc00""#),
            r#""\uFFFD\ud83d\ude00\uFFFD""#
        );
    }
}

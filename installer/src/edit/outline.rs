//! A settings file as a tree in which every value and every key has its line: what is read of a file
//! that nobody is going to change.

use super::found::MARK;
use super::syntax::{DIALECT, Fault, Lines, Syntax, readable};
use jsonc_parser::ast::Value as Ast;
use jsonc_parser::common::Ranged as _;
use jsonc_parser::{CollectOptions, ParseOptions};
use serde_json::Value as Json;
use std::sync::Arc;

mod toml;
mod yaml;

/// What a file says, and what some hosts do not take in it.
#[derive(Clone, Debug)]
pub struct Outline {
    /// It begins with a byte order mark.
    pub has_mark: bool,
    /// The line of its first comment, in JSON.
    pub comment: Option<usize>,
    /// The line of the first comma behind a last element, in JSON.
    pub comma: Option<usize>,
    /// What it says; JSON is read with comments and commas at ends.
    pub tree: Result<Node, Unparsed>,
}

/// Why a text is no document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unparsed {
    /// From 1.
    pub line: usize,
    /// What follows the name of the file in a sentence.
    pub what: String,
}

impl From<Fault> for Unparsed {
    fn from(fault: Fault) -> Self {
        Self {
            line: fault.line,
            what: fault.what,
        }
    }
}

/// A value, and the line that it begins in. Copies share what they hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// From 1.
    pub line: usize,
    pub value: Value,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Null,
    Bool(bool),
    Number(f64),
    Text(Arc<str>),
    List(Arc<[Node]>),
    /// As it is written: a key that stands twice is there twice.
    Table(Arc<[Member]>),
}

/// A member of an object, or an entry of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    pub key: Box<str>,
    /// The line of its key, from 1.
    pub line: usize,
    pub node: Node,
}

impl Outline {
    /// Reads JSON, with comments and commas at ends where there are some.
    pub fn json(bytes: &[u8]) -> Self {
        Self::of(bytes, |text, outline| {
            let text = readable(text);
            let lines = Lines::of(&text);
            if let Ok(tree) = parse(&text, &lines, &STRICT) {
                return Ok(tree);
            }
            let tree = parse(&text, &lines, &DIALECT)?;
            let without = |options| parse(&text, &lines, options).err().map(|fault| fault.line);
            outline.comment = without(&NO_COMMENTS);
            outline.comma = without(&NO_COMMAS);
            Ok(tree)
        })
    }

    /// Reads TOML.
    pub fn toml(bytes: &[u8]) -> Self {
        Self::of(bytes, |text, _| toml::parse(text))
    }

    /// Reads the front matter of a Markdown file where it has a line that begins with `hooks`; else there
    /// is nothing, and nothing is parsed.
    pub fn front_matter(bytes: &[u8]) -> Self {
        Self::of(bytes, |text, _| {
            let matter = yaml::front_matter(text).filter(|matter| {
                matter
                    .lines()
                    .any(|line| line.trim_start().starts_with("hooks"))
            });
            matter.map_or_else(|| Ok(Node::nothing()), yaml::parse)
        })
    }

    fn of(bytes: &[u8], read: impl Fn(&str, &mut Self) -> Result<Node, Unparsed>) -> Self {
        let mut outline = Self {
            has_mark: false,
            comment: None,
            comma: None,
            tree: Ok(Node::nothing()),
        };
        outline.tree = match std::str::from_utf8(bytes) {
            Ok(text) => {
                let unmarked = text.strip_prefix(MARK);
                outline.has_mark = unmarked.is_some();
                read(unmarked.unwrap_or(text), &mut outline)
            }
            Err(error) => Err(Unparsed {
                line: super::syntax::line_of(bytes, error.valid_up_to()),
                what: "is not UTF-8".to_owned(),
            }),
        };
        outline
    }

    /// What it says, if it says anything.
    pub fn root(&self) -> Option<&Node> {
        self.tree.as_ref().ok()
    }
}

impl Node {
    fn nothing() -> Self {
        Self {
            line: 1,
            value: Value::Null,
        }
    }

    /// The member of this key; of several the last, as the hosts read it.
    pub fn get(&self, key: &str) -> Option<&Self> {
        let found = self.members().iter().rev();
        found
            .into_iter()
            .find(|member| &*member.key == key)
            .map(|member| &member.node)
    }

    /// What lies at the end of some keys.
    pub fn at(&self, keys: &[&str]) -> Option<&Self> {
        keys.iter().try_fold(self, |node, key| node.get(key))
    }

    /// The members of an object; none of what is none.
    pub fn members(&self) -> &[Member] {
        match &self.value {
            Value::Table(members) => members,
            _ => &[],
        }
    }

    /// The elements of a list; none of what is none.
    pub fn elements(&self) -> &[Self] {
        match &self.value {
            Value::List(elements) => elements,
            _ => &[],
        }
    }

    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    pub fn boolean(&self) -> Option<bool> {
        match self.value {
            Value::Bool(boolean) => Some(boolean),
            _ => None,
        }
    }

    pub fn number(&self) -> Option<f64> {
        match self.value {
            Value::Number(number) => Some(number),
            _ => None,
        }
    }

    pub fn is_table(&self) -> bool {
        matches!(self.value, Value::Table(_))
    }

    pub fn is_list(&self) -> bool {
        matches!(self.value, Value::List(_))
    }

    /// The same without lines; of a key that stands twice the last counts.
    pub fn json(&self) -> Json {
        match &self.value {
            Value::Null => Json::Null,
            Value::Bool(boolean) => (*boolean).into(),
            Value::Number(number) => whole(*number)
                .map(Json::from)
                .or_else(|| serde_json::Number::from_f64(*number).map(Json::Number))
                .unwrap_or_default(),
            Value::Text(text) => text.as_ref().into(),
            Value::List(elements) => elements.iter().map(Self::json).collect(),
            Value::Table(members) => members
                .iter()
                .map(|member| (member.key.to_string(), member.node.json()))
                .collect(),
        }
    }
}

/// A number that has no fraction, as such a one.
#[expect(
    clippy::cast_possible_truncation,
    reason = "only numbers that stay the same are taken"
)]
fn whole(number: f64) -> Option<i64> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    (number.fract() == 0.0 && number.abs() <= EXACT).then_some(number as i64)
}

const STRICT: ParseOptions = ParseOptions {
    allow_comments: false,
    allow_trailing_commas: false,
    ..DIALECT
};

const NO_COMMENTS: ParseOptions = ParseOptions {
    allow_comments: false,
    ..DIALECT
};

const NO_COMMAS: ParseOptions = ParseOptions {
    allow_trailing_commas: false,
    ..DIALECT
};

fn parse(text: &str, lines: &Lines, options: &ParseOptions) -> Result<Node, Unparsed> {
    let syntax = Syntax::parse_as(text, &CollectOptions::default(), options)?;
    Ok(node(&syntax.root, lines))
}

fn node(value: &Ast, lines: &Lines) -> Node {
    Node {
        line: lines.of_offset(value.start()),
        value: match value {
            Ast::NullKeyword(_) => Value::Null,
            Ast::BooleanLit(boolean) => Value::Bool(boolean.value),
            Ast::NumberLit(number) => Value::Number(number.value.parse().unwrap_or(f64::NAN)),
            Ast::StringLit(string) => Value::Text(string.value.as_ref().into()),
            Ast::Array(array) => Value::List(
                array
                    .elements
                    .iter()
                    .map(|element| node(element, lines))
                    .collect(),
            ),
            Ast::Object(object) => Value::Table(
                object
                    .properties
                    .iter()
                    .map(|member| Member {
                        key: member.name.as_str().into(),
                        line: lines.of_offset(member.start()),
                        node: node(&member.value, lines),
                    })
                    .collect(),
            ),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_and_key_has_its_line() {
        let outline = Outline::json(
            b"{\n  \"a\":\n    [1,\n     {\"b\": \"x\"}],\n  \"a\": true, \"c\": null\n}",
        );
        let root = outline.root().expect("a tree");
        let lines: Vec<(&str, usize)> = root
            .members()
            .iter()
            .map(|member| (&*member.key, member.line))
            .collect();
        assert_eq!(lines, [("a", 2), ("a", 5), ("c", 5)]);
        assert_eq!(root.get("a").and_then(Node::boolean), Some(true));
        let list = &root.members()[0].node;
        assert_eq!((list.line, list.elements()[1].line), (3, 4));
        assert_eq!(
            list.json(),
            serde_json::json!([1, {"b": "x"}]),
            "whole numbers stay whole"
        );
    }

    #[test]
    fn what_some_hosts_do_not_take_is_noted() {
        let of = |text: &str| {
            let outline = Outline::json(text.as_bytes());
            (outline.has_mark, outline.comment, outline.comma)
        };
        assert_eq!(of("{}"), (false, None, None));
        assert_eq!(of("\u{feff}{}"), (true, None, None));
        assert_eq!(of("{\n// a\n\"a\": 1}"), (false, Some(2), None));
        assert_eq!(of("{\"a\": [1,\n2,\n]\n}"), (false, None, Some(2)));
        assert_eq!(
            of("{\"a\": \"http://x/*\"}"),
            (false, None, None),
            "no comment"
        );
        assert_eq!(of("/* a */ {\"a\": 1,}"), (false, Some(1), Some(1)));
    }

    #[test]
    fn what_is_no_document_says_where() {
        for (text, line) in [
            (&b"{\n  \"a\": 1\n  \"b\": 2\n}"[..], 2),
            (b"", 1),
            (b"{\"a\":\n \"\xff\"}", 2),
        ] {
            let fault = Outline::json(text).tree.expect_err("no document");
            assert_eq!(fault.line, line, "{}", fault.what);
        }
    }
}

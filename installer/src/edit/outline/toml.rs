//! TOML as such a tree.

use super::{Member, Node, Unparsed, Value};
use crate::edit::syntax::Lines;
use std::ops::Range;
use toml_edit::{Document, Item, TableLike, Value as Toml};

pub(super) fn parse(text: &str) -> Result<Node, Unparsed> {
    let lines = Lines::of(text);
    let document = Document::parse(text).map_err(|error| Unparsed {
        line: lines.of_offset(error.span().map_or(0, |span| span.start)),
        what: format!(
            "does not parse: {}",
            error.message().lines().next().unwrap_or_default()
        ),
    })?;
    let mut root = item(document.as_item(), &lines, 1);
    root.line = 1;
    Ok(root)
}

/// `line` is that of the key, for tables that have no place of their own.
fn item(item: &Item, lines: &Lines, line: usize) -> Node {
    let line = start(item.span(), lines, line);
    match item {
        Item::None => Node {
            line,
            value: Value::Null,
        },
        Item::Value(value) => of_value(value, lines, line),
        Item::Table(table) => Node {
            line,
            value: of_table(table, lines, line),
        },
        Item::ArrayOfTables(tables) => {
            let of = |table: &toml_edit::Table| {
                let line = start(table.span(), lines, line);
                Node {
                    line,
                    value: of_table(table, lines, line),
                }
            };
            Node {
                line,
                value: Value::List(tables.iter().map(of).collect()),
            }
        }
    }
}

fn of_table(table: &dyn TableLike, lines: &Lines, line: usize) -> Value {
    let member = |(key, value): (&str, &Item)| {
        let span = table.get_key_value(key).and_then(|(key, _)| key.span());
        let line = start(span, lines, line);
        Member {
            key: key.into(),
            line,
            node: item(value, lines, line),
        }
    };
    Value::Table(table.iter().map(member).collect())
}

#[expect(
    clippy::cast_precision_loss,
    reason = "no setting of a host is a number of that size"
)]
fn of_value(value: &Toml, lines: &Lines, line: usize) -> Node {
    let line = start(value.span(), lines, line);
    let value = match value {
        Toml::String(text) => Value::Text(text.value().as_str().into()),
        Toml::Boolean(boolean) => Value::Bool(*boolean.value()),
        Toml::Integer(number) => Value::Number(*number.value() as f64),
        Toml::Float(number) => Value::Number(*number.value()),
        Toml::Datetime(date) => Value::Text(date.value().to_string().into()),
        Toml::Array(array) => {
            Value::List(array.iter().map(|one| of_value(one, lines, line)).collect())
        }
        Toml::InlineTable(table) => of_table(table, lines, line),
    };
    Node { line, value }
}

fn start(span: Option<Range<usize>>, lines: &Lines, line: usize) -> usize {
    span.map_or(line, |span| lines.of_offset(span.start))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::Outline;

    #[test]
    fn tables_and_keys_have_their_lines() {
        let text = "# a\nmodel = \"m\"\n\n[[hooks.PreToolUse]]\nmatcher = \"^Bash$\"\n\n\
                    [[hooks.PreToolUse.hooks]]\ntype = \"command\"\ncommand = \"x\"\n\n\
                    [hooks.state.\"/a:b\"]\nenabled = false\n";
        let outline = Outline::toml(text.as_bytes());
        let root = outline.root().expect("a tree");
        let groups = root.at(&["hooks", "PreToolUse"]).expect("groups");
        let group = &groups.elements()[0];
        assert_eq!(group.line, 4);
        assert_eq!(group.get("matcher").map(|node| node.line), Some(5));
        let handler = &group.get("hooks").expect("handlers").elements()[0];
        assert_eq!(handler.line, 7);
        assert_eq!(handler.get("command").map(|node| node.line), Some(9));
        let state = root.at(&["hooks", "state", "/a:b"]).expect("a state");
        assert_eq!(
            (state.line, state.get("enabled").and_then(Node::boolean)),
            (11, Some(false))
        );
    }

    #[test]
    fn what_is_no_toml_says_where() {
        let fault = Outline::toml(b"a = 1\nb =\n").tree.expect_err("no TOML");
        assert_eq!(fault.line, 2, "{}", fault.what);
    }
}

//! The front matter of a Markdown file, YAML between two lines of `---`, as such a tree.

use super::{Member, Node, Unparsed, Value};
use saphyr_parser::{Event, Parser, ScalarStyle};

/// Lists and tables in each other; what reads the tree goes down by calling itself.
const DEEPEST: usize = 64;

/// The front matter, from its first `---` to before the second; none where there is none.
pub(super) fn front_matter(text: &str) -> Option<&str> {
    let mut end = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let is_fence = line.trim_end() == "---";
        if number == 0 && !is_fence {
            return None;
        }
        if number > 0 && is_fence {
            return text.get(..end);
        }
        end += line.len();
    }
    None
}

pub(super) fn parse(text: &str) -> Result<Node, Unparsed> {
    let mut open = Vec::new();
    let mut whole = None;
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| {
            let what = format!("does not parse: {}", error.info());
            fault(error.marker().line(), &what)
        })?;
        let line = span.start.line();
        let done = match event {
            Event::Scalar(text, style, ..) => Node {
                line,
                value: scalar(&text, style),
            },
            Event::SequenceStart(..) | Event::MappingStart(..) => {
                if open.len() == DEEPEST {
                    let what = format!("lists and tables lie over {DEEPEST} deep in each other");
                    return Err(fault(line, &what));
                }
                let is_list = matches!(event, Event::SequenceStart(..));
                open.push(Open::new(line, is_list));
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => match open.pop() {
                Some(closed) => closed.node(),
                None => continue,
            },
            Event::Alias(_) => {
                return Err(fault(line, "has an alias, which hookkit does not follow"));
            }
            _ => continue,
        };
        match open.last_mut() {
            Some(around) => around.take(done)?,
            None => whole = Some(done),
        }
    }
    Ok(whole.unwrap_or_else(Node::nothing))
}

fn fault(line: usize, what: &str) -> Unparsed {
    Unparsed {
        line,
        what: what.to_owned(),
    }
}

/// A list or a table whose end was not there yet.
enum Open {
    List(usize, Vec<Node>),
    /// With the key whose value comes next.
    Table(usize, Vec<Member>, Option<(Box<str>, usize)>),
}

impl Open {
    fn new(line: usize, is_list: bool) -> Self {
        if is_list {
            Self::List(line, Vec::new())
        } else {
            Self::Table(line, Vec::new(), None)
        }
    }

    fn take(&mut self, node: Node) -> Result<(), Unparsed> {
        match self {
            Self::List(_, elements) => elements.push(node),
            Self::Table(_, members, key) => match key.take() {
                Some((key, line)) => members.push(Member { key, line, node }),
                None => *key = Some((name(&node)?, node.line)),
            },
        }
        Ok(())
    }

    fn node(self) -> Node {
        match self {
            Self::List(line, elements) => Node {
                line,
                value: Value::List(elements.into()),
            },
            Self::Table(line, members, _) => Node {
                line,
                value: Value::Table(members.into()),
            },
        }
    }
}

fn name(node: &Node) -> Result<Box<str>, Unparsed> {
    match &node.value {
        Value::List(_) | Value::Table(_) => Err(fault(node.line, "has a key that is no text")),
        Value::Text(text) => Ok(text.as_ref().into()),
        _ => Ok(node.json().to_string().into()),
    }
}

/// By the core schema of YAML 1.2.
fn scalar(text: &str, style: ScalarStyle) -> Value {
    if style != ScalarStyle::Plain {
        return Value::Text(text.into());
    }
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        // Not the words for what is no number, which Rust would take.
        _ if text.contains(|one: char| one.is_ascii_digit()) => text
            .parse()
            .map_or_else(|_| Value::Text(text.into()), Value::Number),
        _ => Value::Text(text.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::Outline;

    #[test]
    fn front_matter_has_its_lines() {
        let text = "---\nname: a\nhooks:\n  Stop:\n    - hooks:\n        - type: command\n          \
                    command: \"true\"\n          timeout: 5\n---\n\n# hooks:\n";
        let outline = Outline::front_matter(text.as_bytes());
        let root = outline.root().expect("a tree");
        let hooks = root.get("hooks").expect("hooks");
        let stop = &hooks.members()[0];
        assert_eq!(
            (&*stop.key, stop.line, root.members()[1].line),
            ("Stop", 4, 3)
        );
        let entry = &stop.node.elements()[0]
            .get("hooks")
            .expect("a list")
            .elements()[0];
        assert_eq!((stop.node.elements()[0].line, entry.line), (5, 6));
        assert_eq!(entry.get("command").and_then(Node::text), Some("true"));
        assert_eq!(entry.get("timeout").and_then(Node::number), Some(5.0));
        assert_eq!(entry.members()[2].line, 8);
    }

    #[test]
    fn what_has_no_hooks_is_not_parsed() {
        for text in [
            "# hooks:\n---\nhooks: [\n---\n",
            "---\nname: [\n---\nhooks:\n",
            "---\nhooks: [\n",
            "",
        ] {
            let tree = Outline::front_matter(text.as_bytes()).tree;
            assert_eq!(tree.map(|node| node.value), Ok(Value::Null), "{text:?}");
        }
    }

    #[test]
    fn what_does_not_parse_says_where() {
        let deep = format!("---\nhooks: {}\n---\n", "[".repeat(100_000));
        for (text, line) in [
            ("---\nhooks:\n  - [a\n---\n", 3),
            ("---\na: &b c\nhooks: *b\n---\n", 3),
            (deep.as_str(), 2),
        ] {
            let fault = Outline::front_matter(text.as_bytes())
                .tree
                .expect_err("no document");
            assert!(
                fault.line.abs_diff(line) <= 1,
                "{}: {}",
                fault.line,
                fault.what
            );
        }
    }
}

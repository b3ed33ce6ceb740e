//! How a file is laid out, and values written in the same way.

use super::syntax::Syntax;
use jsonc_parser::ast::Value;
use jsonc_parser::common::Ranged as _;
use serde_json::Value as Json;

/// What is put between the tokens of a new value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// The file's own line end.
    pub(super) newline: &'static str,
    /// What a line has more than the line that encloses it; used for values on lines of their own.
    pub(super) indent: String,
    /// Is every value of the file on one line?
    pub(super) one_line: bool,
    /// Behind a colon, and behind a comma in a line.
    pub(super) blank: &'static str,
}

impl Layout {
    /// The layout of a text. An empty object tells nothing; then it is two blanks and lines.
    pub(super) fn of(text: &str, syntax: &Syntax) -> Self {
        let inside = &text[syntax.root.start()..syntax.root.end()];
        let is_empty = match &syntax.root {
            Value::Object(object) => object.properties.is_empty(),
            _ => false,
        };
        let one_line = !is_empty && !inside.contains(NEWLINES);
        Self {
            newline: newline(text),
            indent: indent(text, &syntax.root).unwrap_or_else(|| "  ".to_owned()),
            one_line,
            blank: blank(text, &syntax.root).unwrap_or(if one_line { "" } else { " " }),
        }
    }

    /// A value, in lines that begin with this indentation, or all in one line.
    pub(super) fn write(&self, value: &Json, indentation: Option<&str>) -> String {
        let mut text = String::new();
        self.write_to(&mut text, value, indentation);
        text
    }

    /// A key with its colon.
    pub(super) fn key(&self, key: &str) -> String {
        format!("{}:{}", Json::from(key), self.blank)
    }

    fn write_to(&self, text: &mut String, value: &Json, indentation: Option<&str>) {
        let inner = indentation.map(|outer| format!("{outer}{}", self.indent));
        let inner = inner.as_deref();
        let separate = |text: &mut String, is_first: bool| {
            if !is_first {
                text.push(',');
            }
            match inner {
                Some(inner) => {
                    text.push_str(self.newline);
                    text.push_str(inner);
                }
                None if !is_first => text.push_str(self.blank),
                None => {}
            }
        };
        let end = |text: &mut String, bracket| {
            if let Some(outer) = indentation {
                text.push_str(self.newline);
                text.push_str(outer);
            }
            text.push(bracket);
        };
        match value {
            Json::Object(members) if !members.is_empty() => {
                text.push('{');
                for (place, (key, value)) in members.iter().enumerate() {
                    separate(text, place == 0);
                    text.push_str(&self.key(key));
                    self.write_to(text, value, inner);
                }
                end(text, '}');
            }
            Json::Array(elements) if !elements.is_empty() => {
                text.push('[');
                for (place, value) in elements.iter().enumerate() {
                    separate(text, place == 0);
                    self.write_to(text, value, inner);
                }
                end(text, ']');
            }
            _ => text.push_str(&value.to_string()),
        }
    }
}

/// A line ends at either; a lone carriage return ends one too.
pub(super) const NEWLINES: [char; 2] = ['\n', '\r'];

/// The first line end of a text.
fn newline(text: &str) -> &'static str {
    match text.find(NEWLINES) {
        Some(at) if text[at..].starts_with("\r\n") => "\r\n",
        Some(at) if text[at..].starts_with('\r') => "\r",
        _ => "\n",
    }
}

/// The blanks that the line of an offset begins with.
pub(super) fn indentation(text: &str, offset: usize) -> &str {
    let start = text[..offset].rfind(NEWLINES).map_or(0, |at| at + 1);
    let line = &text[start..offset];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// Does a line begin with what stands here?
pub(super) fn begins_line(text: &str, offset: usize) -> bool {
    let before = text[..offset].trim_end_matches([' ', '\t']);
    before.ends_with(NEWLINES)
}

/// What the first value on a line of its own is indented more than the value around it.
fn indent(text: &str, value: &Value) -> Option<String> {
    let (starts, values): (Vec<usize>, Vec<&Value>) = match value {
        Value::Object(object) => object
            .properties
            .iter()
            .map(|member| (member.start(), &member.value))
            .unzip(),
        Value::Array(array) => array
            .elements
            .iter()
            .map(|element| (element.start(), element))
            .unzip(),
        _ => return None,
    };
    let own = starts
        .iter()
        .find(|start| begins_line(text, **start))
        .map(|start| {
            let inner = indentation(text, *start);
            let outer = indentation(text, value.start());
            inner.strip_prefix(outer).unwrap_or(inner).to_owned()
        });
    own.or_else(|| values.iter().find_map(|value| indent(text, value)))
}

/// What stands behind the first colon.
fn blank(text: &str, value: &Value) -> Option<&'static str> {
    match value {
        Value::Object(object) => {
            let member = object.properties.first()?;
            let colon = &text[member.name.end()..member.value.start()];
            Some(if colon.ends_with(':') { "" } else { " " })
        }
        Value::Array(array) => array.elements.iter().find_map(|inner| blank(text, inner)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn layout(text: &str) -> Layout {
        let Ok(syntax) = Syntax::parse(text) else {
            panic!("{text} does not parse");
        };
        Layout::of(text, &syntax)
    }

    #[test]
    fn a_value_is_written_as_the_file_is() {
        let value = json!({"a": [1, {"b": "&\n"}], "c": {}, "d": []});
        let written = |text| layout(text).write(&value, Some(""));
        assert_eq!(
            written("{}"),
            "{\n  \"a\": [\n    1,\n    {\n      \"b\": \"&\\n\"\n    }\n  ],\n  \"c\": {},\n  \"d\": []\n}"
        );
        assert_eq!(
            written("{\r\n\t\"x\":1\r\n}"),
            "{\r\n\t\"a\":[\r\n\t\t1,\r\n\t\t{\r\n\t\t\t\"b\":\"&\\n\"\r\n\t\t}\r\n\t],\r\n\t\"c\":{},\r\n\t\"d\":[]\r\n}"
        );
        let in_line = |text| layout(text).write(&value, None);
        assert_eq!(
            in_line("{\"x\":1}"),
            "{\"a\":[1,{\"b\":\"&\\n\"}],\"c\":{},\"d\":[]}"
        );
        assert_eq!(
            in_line("{\"x\": 1}"),
            "{\"a\": [1, {\"b\": \"&\\n\"}], \"c\": {}, \"d\": []}"
        );
    }

    #[test]
    fn the_indentation_is_what_a_line_has_more_than_the_one_around_it() {
        assert_eq!(layout("{\n    \"a\": 1\n}").indent, "    ");
        assert_eq!(layout("  {\n     \"a\": 1\n  }").indent, "   ");
        assert_eq!(layout("{ \"a\": {\n\t\"b\": 1 }\n}").indent, "\t");
        assert_eq!(layout("{\n\"a\": 1\n}").indent, "");
        assert_eq!(layout("{ // c\n}").indent, "  ");
    }

    #[test]
    fn a_file_on_one_line_stays_on_one_line() {
        assert!(layout("{\"a\":{}}\n").one_line);
        assert!(!layout("{}").one_line);
        assert!(!layout("{\n}").one_line);
        assert!(!layout("{\"a\":1,\n\"b\":2}").one_line);
    }
}

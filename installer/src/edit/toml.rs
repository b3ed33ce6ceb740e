//! A TOML file as it was found, and what it shall become: Codex's `config.toml`.

use super::change::Change;
use super::diff::Format;
use super::found::{Found, MARK};
use super::kept::Kept;
use super::refused::Refused;
use super::syntax::line_of;
use serde_json::Value as Json;
use std::path::Path;
use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, TableLike, Value};

/// A TOML file as it was found, and what it shall become.
///
/// `at` is the way to an entry by keys, whatever form the tables on the way are written in. Comments,
/// order and layout are kept by toml_edit; line ends, a byte order mark and an end without a line
/// end, which it drops, by this.
#[derive(Debug)]
pub struct Toml {
    found: Found,
    tree: DocumentMut,
    frame: Frame,
}

/// What is around the lines of a text.
#[derive(Debug)]
struct Frame {
    has_mark: bool,
    newline: &'static str,
    /// The last line has no end.
    is_open: bool,
}

impl Toml {
    /// Reads a file; one that is missing counts as empty. A link leads to its target.
    ///
    /// Refused: what does not parse, has line ends of both kinds, or is a file that
    /// [`Document::open`](super::Document::open) would not take either.
    pub fn open(file: &Path) -> Result<Self, Refused> {
        Self::of(Found::look(file)?)
    }

    /// The same of a text that is in no file, for tests: nothing is read.
    pub fn read(file: &Path, bytes: &[u8]) -> Result<Self, Refused> {
        Self::of(Found::given(file, bytes))
    }

    pub(super) fn of(found: Found) -> Result<Self, Refused> {
        let text = found.text()?;
        let (frame, lines) = Frame::of(text);
        if frame.around(&lines) != text {
            return Err(found.refuse(
                "has line ends of both kinds",
                "save it with line ends of one kind",
            ));
        }
        let tree: DocumentMut = lines.parse().map_err(|error: toml_edit::TomlError| {
            let place = error.span().map_or(0, |span| span.start);
            let what = error.message().lines().next().unwrap_or_default();
            found
                .refuse(
                    format!("does not parse: {what}"),
                    "correct it there; nothing was changed",
                )
                .at_line(line_of(lines.as_bytes(), place))
        })?;
        if tree.to_string() != lines {
            return Err(found.refuse(
                "has a layout that would not stay as it is",
                "make this change by hand",
            ));
        }
        Ok(Self { found, tree, frame })
    }

    /// The text as it would be written.
    pub fn text(&self) -> String {
        self.frame.around(&self.tree.to_string())
    }

    /// What is at a place. A date is its text, and so is a number that JSON does not have.
    pub fn value(&self, at: &[&str]) -> Option<Json> {
        let start = Some(self.tree.as_item());
        at.iter()
            .fold(start, |item, key| item?.as_table_like()?.get(key))
            .map(to_json)
    }

    /// Sets an entry; makes the tables on the way that are missing. One that has another value keeps
    /// its place and its comments. The same value: nothing changes. An object becomes an inline table.
    pub fn set(&mut self, at: &[&str], value: &Json) -> Result<(), Refused> {
        let Some((key, around)) = at.split_last() else {
            return Err(self.found.refuse(
                "is edited by its entries only",
                "name the entry that shall change",
            ));
        };
        if self.value(at).as_ref() == Some(value) {
            return Ok(());
        }
        let Some(mut value) = to_toml(value) else {
            return Err(self.found.refuse(
                "would get a null, which TOML does not have",
                "leave that entry out",
            ));
        };
        let mut table: &mut dyn TableLike = self.tree.as_table_mut();
        for step in around {
            let made = || {
                let mut table = Table::new();
                // Its line is only written when it has entries of its own.
                table.set_implicit(true);
                Item::Table(table)
            };
            let next = table.entry(step).or_insert_with(made);
            let Some(next) = next.as_table_like_mut() else {
                return Err(self.found.refuse(
                    format!("has another value where a table \"{step}\" should be"),
                    "correct it there, or remove that entry",
                ));
            };
            table = next;
        }
        match table.get_mut(key) {
            Some(Item::Value(there)) => {
                *value.decor_mut() = there.decor().clone();
                *there = value;
            }
            Some(_) => {
                return Err(self.found.refuse(
                    format!("has a table where a value \"{key}\" should be"),
                    "correct it there, or remove that table",
                ));
            }
            None => {
                table.insert(key, Item::Value(value));
            }
        }
        Ok(())
    }

    /// Removes an entry or a table with its comments; one that is absent needs nothing. Tables that are
    /// empty afterwards stay, but for as many levels above as `prune` says.
    pub fn remove(&mut self, at: &[&str], prune: usize) -> Result<(), Refused> {
        for levels in 0..=prune.min(at.len()) {
            let Some((key, around)) = at[..at.len() - levels].split_last() else {
                break;
            };
            let start: Option<&mut dyn TableLike> = Some(self.tree.as_table_mut());
            let table = around.iter().fold(start, |table, step| {
                table?.get_mut(step)?.as_table_like_mut()
            });
            let Some(table) = table else { break };
            let may_go = |item: &Item| match levels {
                0 => true,
                _ => item.as_table_like().is_some_and(TableLike::is_empty),
            };
            if !table.get(key).is_some_and(may_go) {
                break;
            }
            table.remove(key);
        }
        Ok(())
    }

    /// What becomes of the file.
    pub fn change(self) -> Change {
        let after = self.text();
        let is_there = self.found.bytes.is_some() || !after.is_empty();
        let kept = Kept::lines(self.found.text().unwrap_or_default(), &after);
        let after = is_there.then(|| after.into_bytes());
        Change::edited(self.found, after, kept, Format::Toml)
    }

    /// Is there nothing in the file, not even a comment?
    pub(super) fn holds_nothing(&self) -> bool {
        self.tree.to_string().trim().is_empty()
    }
}

impl Frame {
    /// The frame of a text, and its lines, each with an end of `\n`.
    fn of(text: &str) -> (Self, String) {
        let unmarked = text.strip_prefix(MARK);
        let lines = unmarked.unwrap_or(text);
        let frame = Self {
            has_mark: unmarked.is_some(),
            newline: if lines.contains("\r\n") { "\r\n" } else { "\n" },
            is_open: !lines.is_empty() && !lines.ends_with('\n'),
        };
        let mut lines = lines.replace("\r\n", "\n");
        if frame.is_open {
            lines.push('\n');
        }
        (frame, lines)
    }

    fn around(&self, lines: &str) -> String {
        let mark = if self.has_mark { MARK } else { "" };
        let lines = match lines.strip_suffix('\n') {
            Some(open) if self.is_open => open,
            _ => lines,
        };
        format!("{mark}{}", lines.replace('\n', self.newline))
    }
}

fn to_json(item: &Item) -> Json {
    match item {
        Item::None => Json::Null,
        Item::Value(value) => value_to_json(value),
        Item::Table(table) => table_to_json(table),
        Item::ArrayOfTables(tables) => tables.iter().map(|table| table_to_json(table)).collect(),
    }
}

fn table_to_json(table: &dyn TableLike) -> Json {
    table
        .iter()
        .map(|(key, item)| (key.to_owned(), to_json(item)))
        .collect()
}

fn value_to_json(value: &Value) -> Json {
    match value {
        Value::String(text) => text.value().as_str().into(),
        Value::Boolean(boolean) => (*boolean.value()).into(),
        Value::Integer(number) => (*number.value()).into(),
        Value::Float(number) => serde_json::Number::from_f64(*number.value())
            .map_or_else(|| number.to_string().trim().into(), Json::Number),
        Value::Datetime(date) => date.value().to_string().into(),
        Value::Array(array) => array.iter().map(value_to_json).collect(),
        Value::InlineTable(table) => table_to_json(table),
    }
}

/// `None` for what TOML does not have.
fn to_toml(value: &Json) -> Option<Value> {
    Some(match value {
        Json::Null => return None,
        Json::Bool(boolean) => (*boolean).into(),
        Json::String(text) => text.as_str().into(),
        Json::Number(number) => match number.as_i64() {
            Some(number) => number.into(),
            None => number.as_f64()?.into(),
        },
        Json::Array(elements) => {
            Value::Array(elements.iter().map(to_toml).collect::<Option<Array>>()?)
        }
        Json::Object(members) => {
            let mut table = InlineTable::new();
            for (key, value) in members {
                table.insert(key, to_toml(value)?);
            }
            Value::InlineTable(table)
        }
    })
}

#[cfg(test)]
mod tests;

//! A host's file of settings, in whichever notation it is written.

use super::receipt::Member;
use crate::edit::{Change, Document, Refused, Toml, Undo};
use serde_json::Value;
use std::path::Path;

/// A file of settings as it was found, and what it shall become.
pub(crate) trait Settings {
    /// What is at a place.
    fn value(&self, at: &[&str]) -> Option<Value>;

    /// Does a member say this already?
    fn says(&self, at: &[&str], value: &Value) -> bool {
        self.value(at).as_ref() == Some(value)
    }

    /// Sets a member; the objects on the way are made.
    fn set(&mut self, at: &[&str], value: &Value) -> Result<(), Refused>;

    /// Removes a member, and the objects around it that were made for it and are empty then.
    fn remove(&mut self, member: &Member) -> Result<(), Refused>;

    /// The text as it would be written.
    fn text(&self) -> String;

    /// What becomes of the file.
    fn change(self: Box<Self>) -> Change;
}

impl Settings for Document {
    fn value(&self, at: &[&str]) -> Option<Value> {
        self.value(at)
    }

    fn set(&mut self, at: &[&str], value: &Value) -> Result<(), Refused> {
        self.set(at, value.clone())
    }

    fn remove(&mut self, member: &Member) -> Result<(), Refused> {
        self.remove(&member.keys(), member.made)
    }

    fn text(&self) -> String {
        self.text()
    }

    fn change(self: Box<Self>) -> Change {
        (*self).change()
    }
}

/// An object is a table of its own here, of which the entries that are not named stay.
impl Settings for Toml {
    fn value(&self, at: &[&str]) -> Option<Value> {
        self.value(at)
    }

    fn says(&self, at: &[&str], value: &Value) -> bool {
        let is_there = |at: &[&str], value: &Value| self.value(at).as_ref() == Some(value);
        match value {
            Value::Object(entries) => entries
                .iter()
                .all(|(key, value)| is_there(&[at, &[key]].concat(), value)),
            _ => is_there(at, value),
        }
    }

    fn set(&mut self, at: &[&str], value: &Value) -> Result<(), Refused> {
        let Value::Object(entries) = value else {
            return self.set(at, value);
        };
        entries
            .iter()
            .try_for_each(|(key, value)| self.set(&[at, &[key]].concat(), value))
    }

    fn remove(&mut self, member: &Member) -> Result<(), Refused> {
        self.remove(&member.keys(), member.made)
    }

    fn text(&self) -> String {
        self.text()
    }

    fn change(self: Box<Self>) -> Change {
        (*self).change()
    }
}

/// Reads a file; one that is missing counts as empty.
pub(crate) fn open(file: &Path) -> Result<Box<dyn Settings>, Refused> {
    Ok(if is_toml(file) {
        Box::new(Toml::open(file)?)
    } else {
        Box::new(Document::open(file)?)
    })
}

/// The same of a text: nothing is read.
pub(crate) fn read(file: &Path, bytes: &[u8]) -> Result<Box<dyn Settings>, Refused> {
    Ok(if is_toml(file) {
        Box::new(Toml::read(file, bytes)?)
    } else {
        Box::new(Document::read(file, bytes)?)
    })
}

/// The change that undoes one: see [`Undo::change`].
pub(crate) fn undo(
    undo: &Undo,
    remove: impl FnOnce(&mut dyn Settings) -> Result<(), Refused>,
) -> Result<Change, Refused> {
    if is_toml(&undo.file) {
        undo.change_toml(|toml| remove(toml))
    } else {
        undo.change(|document| remove(document))
    }
}

pub(crate) fn is_toml(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending == "toml")
}

//! A settings file as it was found, and what it shall become.

use super::change::Change;
use super::diff::Format;
use super::found::{Found, MARK};
use super::kept::Kept;
use super::layout::Layout;
use super::place::{self, Snag, Splice, Way};
use super::refused::Refused;
use super::syntax::{Syntax, line_of, range, readable, to_json};
use jsonc_parser::ast::Value;
use jsonc_parser::tokens::TokenAndRange;
use serde_json::Value as Json;
use std::path::Path;

/// A JSON or JSONC file as it was found, and what it shall become.
///
/// `at` is the way to a member by keys; in an array a step is the number of an element. A key that
/// stands twice in an object refuses every way through it: hosts take the last one, and whoever
/// wrote the first one believes that it counts. Elsewhere in the file it harms nothing and stays.
///
/// Comments are kept, also beside what is removed; only those inside a removed value go with it.
#[derive(Debug)]
pub struct Document {
    found: Found,
    /// Without the byte order mark.
    text: String,
    has_mark: bool,
    kept: Kept,
}

impl Document {
    /// Reads a file; one that is missing or blank counts as `{}`. A link leads to its target.
    ///
    /// Refused: what does not parse, has no object at its top, is no UTF-8, no plain file, too big,
    /// not the user's own, not writable.
    pub fn open(file: &Path) -> Result<Self, Refused> {
        Self::of(Found::look(file)?)
    }

    /// The same of a text that is in no file, for tests: nothing is read.
    pub fn read(file: &Path, bytes: &[u8]) -> Result<Self, Refused> {
        Self::of(Found::given(file, bytes))
    }

    pub(super) fn of(found: Found) -> Result<Self, Refused> {
        let text = found.text()?;
        let unmarked = text.strip_prefix(MARK);
        let text = unmarked.unwrap_or(text).to_owned();
        let document = Self {
            kept: Kept::all(text.len()),
            has_mark: unmarked.is_some(),
            text,
            found,
        };
        if !document.is_blank() {
            let text = readable(&document.text);
            let syntax = document.parse(&text)?;
            if !matches!(syntax.root, Value::Object(_)) {
                let start = range(&syntax.root).start;
                return Err(document.refuse_at(
                    start,
                    "has no object at its top",
                    "see whether it is the file that it should be",
                ));
            }
        }
        Ok(document)
    }

    /// The text as it would be written.
    pub fn text(&self) -> String {
        let mark = if self.has_mark { MARK } else { "" };
        format!("{mark}{}", self.text)
    }

    /// What is at a place. A number that no machine number holds is its text, as a string.
    ///
    /// `None` too where a key on the way stands twice.
    pub fn value(&self, at: &[&str]) -> Option<Json> {
        let text = readable(&self.text);
        let syntax = Syntax::parse(&text).ok()?;
        let way = Way::go(&syntax.root, at).ok()?;
        (way.items.len() == at.len()).then(|| to_json(way.end()))
    }

    /// Sets a member; makes the objects on the way that are missing. A new member is the last of its
    /// object; one that has another value keeps its place. The same value: nothing changes.
    pub fn set(&mut self, at: &[&str], value: Json) -> Result<(), Refused> {
        if at.is_empty() {
            return Err(self.found.refuse(
                "is edited by its members only",
                "name the member that shall change",
            ));
        }
        self.give_root();
        self.edit(|document, text, syntax| {
            let way = document.way(syntax, at)?;
            let layout = Layout::of(text, syntax);
            let Some((key, rest)) = at[way.items.len()..].split_first() else {
                if to_json(way.end()) == value {
                    return Ok(Vec::new());
                }
                return Ok(place::replace(text, &layout, way.end(), &value));
            };
            document.need_object(way.end())?;
            let nested = rest
                .iter()
                .rev()
                .fold(value, |inner, key| serde_json::json!({ *key: inner }));
            let item =
                |indentation: Option<&str>| layout.key(key) + &layout.write(&nested, indentation);
            Ok(place::append(text, syntax, &layout, way.end(), &item))
        })
    }

    /// Removes a member; one that is absent needs nothing. What is empty afterwards stays, but for
    /// as many levels above as `prune` says, where not even a comment is left in them.
    pub fn remove(&mut self, at: &[&str], prune: usize) -> Result<(), Refused> {
        for levels in 0..=prune.min(at.len()) {
            let place = &at[..at.len() - levels];
            let may_go = match levels {
                0 => self.is_there(place)?,
                _ => !place.is_empty() && self.is_empty(place)?,
            };
            if !may_go {
                break;
            }
            self.edit(|document, text, syntax| {
                let way = document.way(syntax, place)?;
                let items = way.values.iter().zip(&way.items).next_back();
                Ok(items.map_or_else(Vec::new, |(container, item)| {
                    place::remove(text, syntax, container, *item)
                }))
            })?;
        }
        Ok(())
    }

    /// Adds an element at the end of an array, which is made where it is missing.
    pub fn push(&mut self, at: &[&str], value: Json) -> Result<(), Refused> {
        if self.value(at).is_none() {
            return self.set(at, Json::Array(vec![value]));
        }
        self.edit(|document, text, syntax| {
            let way = document.way(syntax, at)?;
            document.need_array(way.end())?;
            let layout = Layout::of(text, syntax);
            let item = |indentation: Option<&str>| layout.write(&value, indentation);
            Ok(place::append(text, syntax, &layout, way.end(), &item))
        })
    }

    /// Removes the elements of an array of which `ours` says so, and says how many went. What is
    /// empty afterwards stays, but for as many levels as `prune` says, the array being the first.
    pub fn remove_elements(
        &mut self,
        at: &[&str],
        prune: usize,
        ours: &dyn Fn(&Json) -> bool,
    ) -> Result<usize, Refused> {
        if !self.is_there(at)? {
            return Ok(0);
        }
        let Some(Json::Array(elements)) = self.value(at) else {
            return Ok(0);
        };
        let mut gone = 0;
        for (index, _) in elements
            .iter()
            .enumerate()
            .rev()
            .filter(|(_, element)| ours(element))
        {
            self.edit(|document, text, syntax| {
                let way = document.way(syntax, at)?;
                Ok(place::remove(text, syntax, way.end(), index))
            })?;
            gone += 1;
        }
        if gone > 0 && prune > 0 && self.is_empty(at)? {
            self.remove(at, prune - 1)?;
        }
        Ok(gone)
    }

    /// What becomes of the file.
    pub fn change(self) -> Change {
        let after =
            (self.found.bytes.is_some() || !self.is_blank()).then(|| self.text().into_bytes());
        let kept = if self.has_mark {
            self.kept.behind(MARK.len())
        } else {
            self.kept
        };
        Change::edited(self.found, after, kept, Format::Json)
    }

    /// Is there nothing in the document but an object without members, not even a comment?
    pub(super) fn holds_nothing(&self) -> bool {
        let text = self.text.trim();
        let inside = text
            .strip_prefix('{')
            .and_then(|text| text.strip_suffix('}'));
        text.is_empty() || inside.is_some_and(|inside| inside.trim().is_empty())
    }

    fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// A blank document gets the object that it counts as.
    fn give_root(&mut self) {
        if self.is_blank() {
            let end = if self.text.contains('\n') { "" } else { "\n" };
            self.splice(&Splice::new(0..0, format!("{{}}{end}")));
        }
    }

    /// Is there anything at a place? Refused where a key on the way stands twice.
    fn is_there(&self, at: &[&str]) -> Result<bool, Refused> {
        if self.is_blank() {
            return Ok(false);
        }
        let text = readable(&self.text);
        let syntax = self.parse(&text)?;
        match Way::go(&syntax.root, at) {
            Ok(way) => Ok(way.items.len() == at.len()),
            Err(Snag::NoObject(_)) => Ok(false),
            Err(twice) => Err(self.refuse_way(twice)),
        }
    }

    /// Is there an object or array at a place, with nothing in it?
    fn is_empty(&self, at: &[&str]) -> Result<bool, Refused> {
        let text = readable(&self.text);
        let syntax = self.parse(&text)?;
        let way = self.way(&syntax, at)?;
        let is_container = matches!(way.end(), Value::Object(_) | Value::Array(_));
        Ok(way.items.len() == at.len() && is_container && place::is_empty(&text, way.end()))
    }

    /// Makes an edit, and looks whether everything around it is what it was.
    fn edit<F>(&mut self, splices: F) -> Result<(), Refused>
    where
        F: FnOnce(&Self, &str, &Syntax) -> Result<Vec<Splice>, Refused>,
    {
        let old = readable(&self.text).into_owned();
        let before = self.parse(&old)?;
        let splices = splices(self, &old, &before)?;
        if splices.is_empty() {
            return Ok(());
        }
        // Of a big file the two trees together would take a gigabyte.
        let tokens = before.tokens;
        let (text, kept) = (self.text.clone(), self.kept.clone());
        let mut step = Kept::all(text.len());
        for splice in splices.iter().rev() {
            step.splice(&splice.range, splice.with.len());
            self.splice(splice);
        }
        let new = readable(&self.text);
        let is_whole =
            Syntax::parse(&new).is_ok_and(|after| has_all(&tokens, &step, &after.tokens));
        if is_whole {
            return Ok(());
        }
        (self.text, self.kept) = (text, kept);
        Err(self.found.refuse(
            "cannot be edited without touching what stands around the place",
            "write that place in lines of its own, without comments in between",
        ))
    }

    fn splice(&mut self, splice: &Splice) {
        self.text.replace_range(splice.range.clone(), &splice.with);
        self.kept.splice(&splice.range, splice.with.len());
    }

    fn parse<'t>(&self, text: &'t str) -> Result<Syntax<'t>, Refused> {
        Syntax::parse(text).map_err(|fault| {
            self.found
                .refuse(fault.what, "correct it there; nothing was changed")
                .at_line(fault.line)
        })
    }

    fn way<'s, 't>(&self, syntax: &'s Syntax<'t>, at: &[&str]) -> Result<Way<'s, 't>, Refused> {
        Way::go(&syntax.root, at).map_err(|snag| self.refuse_way(snag))
    }

    fn refuse_way(&self, snag: Snag) -> Refused {
        match snag {
            Snag::Twice(key, first, last) => {
                let (first, last) = (
                    line_of(self.text.as_bytes(), first),
                    line_of(self.text.as_bytes(), last),
                );
                let lines = if first == last {
                    "in this line".to_owned()
                } else {
                    format!("in lines {first} and {last}")
                };
                self.found
                    .refuse(
                        format!(
                            "has the key \"{key}\" twice, {lines}, and hosts read only the last"
                        ),
                        "merge the two, or remove one",
                    )
                    .at_line(first)
            }
            Snag::NoObject(place) => self.no_object(place),
        }
    }

    fn need_object(&self, value: &Value) -> Result<(), Refused> {
        match value {
            Value::Object(_) => Ok(()),
            other => Err(self.no_object(range(other).start)),
        }
    }

    fn no_object(&self, place: usize) -> Refused {
        self.refuse_at(
            place,
            "has another value where an object should be",
            "correct it there, or remove that member",
        )
    }

    fn need_array(&self, value: &Value) -> Result<(), Refused> {
        match value {
            Value::Array(_) => Ok(()),
            other => Err(self.refuse_at(
                range(other).start,
                "has another value where an array should be",
                "correct it there, or remove that member",
            )),
        }
    }

    fn refuse_at(&self, place: usize, what: &str, todo: &str) -> Refused {
        self.found
            .refuse(what, todo)
            .at_line(line_of(self.text.as_bytes(), place))
    }
}

/// Is every token that an edit kept the same token at its new place?
fn has_all(before: &[TokenAndRange], step: &Kept, after: &[TokenAndRange]) -> bool {
    before.iter().all(|token| {
        step.of_before(&range(token)).is_none_or(|place| {
            let found = after.binary_search_by_key(&place.start, |token| range(token).start);
            found.is_ok_and(|index| {
                let same = &after[index];
                range(same) == place && same.token == token.token
            })
        })
    })
}

#[cfg(test)]
mod tests;

//! Settings files: what is put in can be taken out again, and nothing else ever changes.

use hookkit::edit::{Document, Refused};
use serde_json::{Value, json};
use std::path::Path;

/// Generators put this into texts and comments, and never into keys: no diff may show it.
pub const TOKEN: &str = "tok_";

/// What an install might do.
struct Edit {
    at: &'static [&'static str],
    value: Value,
    is_element: bool,
}

fn edits() -> [Edit; 4] {
    let group = |command| json!({"hooks": [{"command": command, "type": "command"}]});
    let hooks: &[&str] = &["hooks", "PreToolUse"];
    [
        Edit {
            at: hooks,
            value: group("/ours/a && b"),
            is_element: true,
        },
        Edit {
            at: &["enabledPlugins", "ours@market"],
            value: json!(true),
            is_element: false,
        },
        Edit {
            at: &["a", "b", "ours"],
            value: json!({"source": {"path": "/ours", "n": 1.5}}),
            is_element: false,
        },
        Edit {
            at: hooks,
            value: group("/ours/b"),
            is_element: true,
        },
    ]
}

impl Edit {
    fn make(&self, document: &mut Document) -> Result<(), Refused> {
        if self.is_element {
            document.push(self.at, self.value.clone())
        } else {
            document.set(self.at, self.value.clone())
        }
    }

    /// Undoes it; so many levels above were made for it.
    fn take_back(&self, document: &mut Document, made: usize) -> Result<(), Refused> {
        if !self.is_element {
            return document.remove(self.at, made);
        }
        let ours = |element: &Value| *element == self.value;
        document.remove_elements(self.at, made, &ours).map(drop)
    }

    /// How many levels above are missing for it.
    fn makes(&self, document: &Document) -> usize {
        let above = if self.is_element {
            self.at
        } else {
            &self.at[..self.at.len() - 1]
        };
        let there = |levels: &usize| document.value(&above[..above.len() - levels]).is_some();
        (0..above.len()).find(there).unwrap_or(above.len())
    }
}

/// Any bytes as a settings file.
pub fn hold(data: &[u8]) {
    let Ok(document) = read(data) else { return };
    assert_eq!(document.text().as_bytes(), data, "it is read as it is");
    assert!(read(data).is_ok_and(|document| document.change().is_empty()));
    let Some((with, made)) = install(document) else {
        return;
    };
    let after = with.text();
    for is_backwards in [true, false] {
        let mut document = read(after.as_bytes()).expect("what was written can be read");
        for index in 0..made.len() {
            let index = if is_backwards {
                made.len() - 1 - index
            } else {
                index
            };
            // Whose level it was is not written in the file: forwards, the last one clears it away.
            let edit = &edits()[index];
            let levels = if is_backwards {
                made[index]
            } else {
                let same = edits()
                    .iter()
                    .zip(&made)
                    .filter(|(other, _)| other.at == edit.at)
                    .map(|(_, made)| *made)
                    .max();
                same.unwrap_or_default()
            };
            edit.take_back(&mut document, levels)
                .expect("what was put in can be taken out");
        }
        is_what_it_was(data, document.text().as_bytes());
    }
    let change = with.change();
    assert!(!change.is_empty());
    let undo = change.undo();
    assert_eq!(undo.before(after.as_bytes()), Some(Some(data.to_owned())));
    assert!(undo.before(data).is_none(), "the record fits one text only");
    assert!(!change.diff().contains(TOKEN), "{}", change.diff());
}

fn read(data: &[u8]) -> Result<Document, Refused> {
    Document::read(Path::new("settings.json"), data)
}

/// Makes all edits. `None` where one is refused, which changes nothing, or was there already.
fn install(mut document: Document) -> Option<(Document, Vec<usize>)> {
    let mut made = Vec::new();
    for edit in edits() {
        let before = document.value(&[]);
        if !edit.is_element && document.value(edit.at).is_some() {
            return None;
        }
        let text = document.text();
        made.push(edit.makes(&document));
        if let Err(refused) = edit.make(&mut document) {
            assert!(!refused.what.contains("without touching"), "{refused}");
            assert_eq!(document.text(), text, "refused, and changed");
            return None;
        }
        let there = document.value(edit.at).expect("it is there");
        let is_there = if edit.is_element {
            there.as_array().and_then(|all| all.last()) == Some(&edit.value)
        } else {
            there == edit.value
        };
        assert!(is_there, "{there} is what was put in");
        others_stay(before, document.value(&[]), edit.at);
    }
    Some((document, made))
}

/// Everything but what lies on the way is the same value.
fn others_stay(before: Option<Value>, after: Option<Value>, at: &[&str]) {
    let before = before.unwrap_or_else(|| json!({}));
    let (Value::Object(mut before), Some(Value::Object(mut after))) = (before, after) else {
        panic!("an object stays an object");
    };
    let way = (before.remove(at[0]), after.remove(at[0]));
    assert_eq!(before, after, "others changed");
    if let (Some(before), after) = way
        && before.is_object()
        && at.len() > 1
    {
        others_stay(Some(before), after, &at[1..]);
    }
}

/// The same bytes; only blanks between empty brackets, which had to give way, may be gone.
fn is_what_it_was(before: &[u8], again: &[u8]) {
    let is_blank = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().is_empty();
    let unmarked = before.strip_prefix("\u{feff}".as_bytes()).unwrap_or(before);
    if before == again || is_blank(unmarked) {
        return;
    }
    let tight = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (before, again) = (tight(before), tight(again));
    let same = before
        .bytes()
        .zip(again.bytes())
        .take_while(|(a, b)| a == b)
        .count();
    let rest = before.len() - same;
    let gone = rest.checked_sub(again.len() - same);
    let between = gone.map(|gone| &before[same..same + gone]);
    assert!(
        between.is_some_and(|between| between.trim().is_empty()
            && before[same + between.len()..] == again[same..]
            && again[..same].ends_with(['{', '['])
            && again[same..].starts_with(['}', ']'])),
        "{before:?} came back as {again:?}"
    );
}

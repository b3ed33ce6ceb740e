//! A text that is only looked at by lines: what a shell reads when it starts.

use super::change::Change;
use super::diff::Format;
use super::found::Found;
use super::kept::Kept;
use super::refused::Refused;
use std::path::Path;

/// The mode of a file that is made: shells read it for its user, and nothing in it is a secret.
const MODE: u32 = 0o644;

/// A text as it was found, and what it shall become. Its lines end as most of them do.
#[derive(Debug)]
pub struct Lines {
    found: Found,
    text: String,
}

impl Lines {
    /// Reads a file; one that is missing counts as empty. A link leads to its target.
    ///
    /// Refused: what is no UTF-8, or cannot be written.
    pub fn open(file: &Path) -> Result<Self, Refused> {
        Self::of(Found::look(file)?)
    }

    pub(super) fn of(found: Found) -> Result<Self, Refused> {
        let text = found.text()?.to_owned();
        Ok(Self { found, text })
    }

    /// Adds a line at the end, where it is not in the text yet. A last line without an end stays one.
    pub fn add(&mut self, line: &str) {
        if self.text.lines().any(|present| present == line) {
            return;
        }
        let newline = if self.text.contains("\r\n") {
            "\r\n"
        } else {
            "\n"
        };
        if self.text.is_empty() || self.text.ends_with('\n') {
            self.text += line;
            self.text += newline;
        } else {
            self.text += newline;
            self.text += line;
        }
    }

    /// Takes a line out, wherever it stands.
    pub fn remove(&mut self, line: &str) {
        let lines: Vec<_> = self.text.split_inclusive('\n').collect();
        let is_it = |found: &&str| found.trim_end_matches(['\r', '\n']) == line;
        let mut kept: String = { lines.iter().copied() }
            .filter(|found| !is_it(found))
            .collect();
        // The last one has no end if the one before had none when this was added.
        let was_open = lines
            .last()
            .is_some_and(|last| is_it(last) && !last.ends_with('\n'));
        if was_open && kept.ends_with('\n') {
            kept.pop();
            if kept.ends_with('\r') {
                kept.pop();
            }
        }
        self.text = kept;
    }

    /// Is there nothing in it but blanks?
    pub fn holds_nothing(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// What is to be written.
    pub fn change(self) -> Change {
        let before = self.found.text().unwrap_or_default();
        let kept = Kept::lines(before, &self.text);
        let is_new = self.found.bytes.is_none();
        let after = Some(self.text.into_bytes()).filter(|text| !(is_new && text.is_empty()));
        let change = Change::edited(self.found, after, kept, Format::Lines);
        let mode = if is_new { MODE } else { change.mode };
        Change { mode, ..change }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Lines {
        Lines::of(Found::given(Path::new("profile"), text.as_bytes())).expect("UTF-8")
    }

    #[test]
    fn a_line_that_comes_and_goes_leaves_the_same_bytes() {
        for text in [
            "",
            "a\n",
            "a",
            "a\r\nb\r\n",
            "a\r\nb",
            "a\n\n",
            "\n",
            "a\n\n\nb",
        ] {
            let mut with = lines(text);
            with.add("ours");
            assert_eq!(with.text.lines().filter(|line| *line == "ours").count(), 1);
            let once = with.text.clone();
            with.add("ours");
            assert_eq!(with.text, once, "twice is once");
            with.remove("ours");
            assert_eq!(with.text, text);
        }
    }

    #[test]
    fn what_others_wrote_around_it_stays() {
        let mut text = lines("a\nours\nb\n# ours\n");
        text.remove("ours");
        assert_eq!(text.text, "a\nb\n# ours\n");
        text.remove("ours");
        assert_eq!(text.text, "a\nb\n# ours\n");
    }

    #[test]
    fn the_way_back_is_in_the_record() {
        let mut text = lines("secret=1\n");
        text.add("ours");
        let change = text.change();
        let undo = change.undo();
        let after = change.after().expect("a text");
        assert_eq!(undo.before(after), Some(Some(b"secret=1\n".to_vec())));
        let record = serde_json::to_string(&undo).expect("JSON");
        assert!(!record.contains("secret") && !change.diff().contains("secret"));
        assert!(change.diff().contains("+ours"));
    }
}

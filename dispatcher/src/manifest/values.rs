//! The values of a manifest's members, and the faults in them with their lines.

use super::{Concerns, Fault, Severity};
use crate::json::{self, Member};
use std::borrow::Cow;
use std::cell::Cell;

/// Walks through the text and collects faults.
pub(super) struct Reader<'m> {
    text: &'m [u8],
    /// The last offset whose line was asked for, and that line: most questions go forward.
    counted: Cell<(usize, usize)>,
    pub(super) faults: Vec<Fault>,
    /// The hook that is being read.
    pub(super) hook: Option<String>,
    pub(super) concerns: Concerns,
}

impl<'m> Reader<'m> {
    pub(super) fn new(text: &'m str) -> Self {
        Self {
            text: text.as_bytes(),
            counted: Cell::new((0, 1)),
            faults: Vec::new(),
            hook: None,
            concerns: Concerns::Everything,
        }
    }

    pub(super) fn line_of(&self, value: &[u8]) -> usize {
        let offset = json::span_in(self.text, value).map_or(0, |span| span.start);
        let (from, line) = match self.counted.get() {
            counted if counted.0 <= offset => counted,
            _ => (0, 1),
        };
        let line = line + memchr::memchr_iter(b'\n', &self.text[from..offset]).count();
        self.counted.set((offset, line));
        line
    }

    pub(super) fn fault(&mut self, value: &[u8], severity: Severity, what: String) {
        let fault = Fault {
            line: self.line_of(value),
            hook: self.hook.clone(),
            severity,
            concerns: self.concerns.clone(),
            what,
        };
        self.faults.push(fault);
    }

    pub(super) fn stop(&mut self, value: &[u8], what: String) {
        self.fault(value, Severity::Stops, what);
    }

    pub(super) fn unknown(&mut self, member: &Member, key: &str) {
        let what = format!("`{key}` is no key of this place; remove it or correct its spelling");
        self.fault(member.raw_key, Severity::Check, what);
    }

    pub(super) fn duplicates(&mut self, members: &[Member]) {
        for (index, member) in members.iter().enumerate() {
            let key = member.key();
            if members[..index].iter().any(|earlier| earlier.key() == key) {
                self.stop(member.raw_key, format!("`{key}` stands here twice"));
            }
        }
    }

    pub(super) fn filled_text(&mut self, value: &'m [u8], key: &str) -> Option<Cow<'m, str>> {
        let text = json::text(value).filter(|text| !text.trim().is_empty() && !text.contains('\0'));
        if text.is_none() {
            self.stop(value, format!("`{key}` must be a text that is not empty"));
        }
        text
    }

    /// A name that is used in paths, registrations and command lines.
    pub(super) fn name(&mut self, value: &'m [u8], key: &str) -> Option<Cow<'m, str>> {
        let name = json::text(value).filter(|name| {
            !name.is_empty()
                && name.len() <= 64
                && name
                    .starts_with(|first: char| first.is_ascii_lowercase() || first.is_ascii_digit())
                && name
                    .bytes()
                    .all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_'))
        });
        if name.is_none() {
            self.stop(
                value,
                format!("`{key}` must be 1 to 64 of a-z, 0-9, `-` and `_`, and begin with a letter or digit"),
            );
        }
        name
    }

    pub(super) fn texts(&mut self, value: &'m [u8], key: &str) -> Option<Vec<Cow<'m, str>>> {
        let texts = json::elements(value).and_then(|elements| {
            elements
                .into_iter()
                .map(json::text)
                .collect::<Option<Vec<_>>>()
        });
        match texts {
            Some(texts) if !texts.iter().any(|text| text.contains('\0')) => Some(texts),
            _ => {
                self.stop(value, format!("`{key}` must be a list of texts"));
                None
            }
        }
    }

    pub(super) fn pairs(
        &mut self,
        value: &'m [u8],
        key: &str,
    ) -> Vec<(Cow<'m, str>, Cow<'m, str>)> {
        let pairs = json::members(value).and_then(|members| {
            members
                .into_iter()
                .map(|member| Some((member.key(), json::text(member.value)?)))
                .collect::<Option<Vec<_>>>()
        });
        let is_usable = |(name, text): &(Cow<str>, Cow<str>)| {
            !name.is_empty() && !name.contains(['=', '\0']) && !text.contains('\0')
        };
        match pairs {
            Some(pairs) if pairs.iter().all(is_usable) => pairs,
            _ => {
                self.stop(value, format!("`{key}` must be an object of texts"));
                Vec::new()
            }
        }
    }
}

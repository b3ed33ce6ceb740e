//! Reads a manifest from its text.

use super::values::Reader;
use super::{Concerns, Fault, Hook, Needs, SCHEMA, Severity};
use crate::json::{self, Member};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A manifest and everything that is wrong with it.
#[derive(Clone, Debug)]
pub struct Manifest<'m> {
    pub name: Cow<'m, str>,
    pub version: Cow<'m, str>,
    pub description: Option<Cow<'m, str>>,
    pub author: Option<Cow<'m, str>>,
    pub license: Option<Cow<'m, str>>,
    pub homepage: Option<Cow<'m, str>>,
    /// The oldest dispatcher that reads it, as written by a build (`>=0.1.0`).
    pub dispatch: Option<Cow<'m, str>>,
    pub hooks: Vec<Hook<'m>>,
    pub needs: Vec<Needs<'m>>,
    pub files: Option<Vec<Cow<'m, str>>>,
    pub env: Vec<(Cow<'m, str>, Cow<'m, str>)>,
    /// Hooks of one event run one after the other instead of side by side.
    pub in_sequence: bool,
    pub faults: Vec<Fault>,
}

impl<'m> Manifest<'m> {
    /// Reads a manifest. Only a text that is no JSON object gives an error, which stops every
    /// event; other faults are in [`Manifest::faults`].
    pub fn read(text: &'m str) -> Result<Self, Fault> {
        let trimmed = text.strip_prefix('\u{feff}').unwrap_or(text);
        let stop = |line, what| Fault {
            line,
            hook: None,
            severity: Severity::Stops,
            concerns: Concerns::Everything,
            what,
        };
        json::is_document(trimmed.as_bytes())
            .map_err(|error| stop(error.line(), format!("is no JSON: {error}")))?;
        let members = json::members(trimmed.trim().as_bytes())
            .ok_or_else(|| stop(1, "must be one JSON object".to_owned()))?;
        let mut reader = Reader::new(text);
        let mut manifest = Self {
            name: Cow::Borrowed(""),
            version: Cow::Borrowed(""),
            description: None,
            author: None,
            license: None,
            homepage: None,
            dispatch: None,
            hooks: Vec::new(),
            needs: Vec::new(),
            files: None,
            env: Vec::new(),
            in_sequence: false,
            faults: Vec::new(),
        };
        reader.duplicates(&members);
        for member in &members {
            manifest.take(member, &mut reader);
        }
        for key in ["schema", "name", "version", "hooks"] {
            if !members.iter().any(|member| member.key() == key) {
                reader.stop(trimmed.as_bytes(), format!("`{key}` is missing"));
            }
        }
        if let Some(needed) = &manifest.dispatch
            && is_newer(needed, crate::version())
        {
            reader.stop(
                trimmed.as_bytes(),
                format!(
                    "needs hookkit-dispatch {needed}, this one is {}; update hookkit",
                    crate::version()
                ),
            );
        }
        manifest.twins(&mut reader);
        manifest.faults = reader.faults;
        Ok(manifest)
    }

    /// The first fault that stops an event.
    pub fn fault_on(&self, event: &str) -> Option<&Fault> {
        self.faults.iter().find(|fault| fault.stops(event))
    }

    fn take(&mut self, member: &Member<'m>, reader: &mut Reader<'m>) {
        let value = member.value;
        match &*member.key() {
            "$schema" | "managed" => {}
            "schema" => {
                let schema = std::str::from_utf8(value)
                    .ok()
                    .and_then(|text| text.parse().ok());
                if schema.is_none_or(|schema: u64| schema == 0 || schema > SCHEMA) {
                    reader.stop(
                        value,
                        format!("`schema` must be {SCHEMA}: update hookkit for a newer one"),
                    );
                }
            }
            "name" => self.name = reader.name(value, "name").unwrap_or_default(),
            "version" => self.version = reader.filled_text(value, "version").unwrap_or_default(),
            "description" => self.description = reader.filled_text(value, "description"),
            "author" => self.author = reader.filled_text(value, "author"),
            "license" => self.license = reader.filled_text(value, "license"),
            "homepage" => self.homepage = reader.filled_text(value, "homepage"),
            "dispatch" => self.dispatch = reader.filled_text(value, "dispatch"),
            "needs" => {
                self.needs = reader
                    .pairs(value, "needs")
                    .into_iter()
                    .map(|(program, version)| Needs { program, version })
                    .collect();
            }
            "files" => self.files = reader.texts(value, "files"),
            "env" => self.env = reader.pairs(value, "env"),
            "order" => match json::text(value).as_deref() {
                Some("sequence") => self.in_sequence = true,
                Some("parallel") => {}
                _ => reader.stop(
                    value,
                    "`order` must be \"parallel\" or \"sequence\"".to_owned(),
                ),
            },
            "hooks" => match json::elements(value) {
                Some(entries) => {
                    self.hooks = entries
                        .into_iter()
                        .filter_map(|entry| reader.read_hook(entry))
                        .collect();
                }
                None => reader.stop(value, "`hooks` must be a list".to_owned()),
            },
            other => reader.unknown(member, other),
        }
    }

    /// Two hooks of one id could not be told apart, in reasons as little as in registrations.
    fn twins(&self, reader: &mut Reader<'m>) {
        let mut first_of: BTreeMap<&str, &Hook> = BTreeMap::new();
        for hook in &self.hooks {
            let first = *first_of.entry(&hook.id).or_insert(hook);
            if std::ptr::eq(first, hook) {
                continue;
            }
            let mut events: Vec<String> = hook.events.iter().map(ToString::to_string).collect();
            events.extend(first.events.iter().map(ToString::to_string));
            reader.faults.push(Fault {
                line: hook.line,
                hook: Some(hook.id.to_string()),
                severity: Severity::Stops,
                concerns: Concerns::Events(events),
                what: format!(
                    "has the id of the hook in line {}; choose another",
                    first.line
                ),
            });
        }
    }
}

/// Is the version in `>=1.2.3` newer than `present`?
fn is_newer(needed: &str, present: &str) -> bool {
    let numbers = |version: &str| -> Vec<u64> {
        version
            .trim_start_matches(['>', '=', ' '])
            .split(['.', '-', '+'])
            .map_while(|part| part.parse().ok())
            .collect()
    };
    numbers(needed) > numbers(present)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest(hooks: &str) -> String {
        format!(
            "{{\n\"schema\": 1,\n\"name\": \"demo\",\n\"version\": \"1\",\n\"hooks\": [\n{hooks}\n]}}"
        )
    }

    #[test]
    fn two_hooks_of_one_id_stop_their_events() {
        let text = manifest(
            "{\"id\":\"a\",\"event\":\"Stop\",\"run\":[\"x\"]},\n{\"id\":\"a\",\"event\":\"PreToolUse\",\"run\":[\"x\"]}",
        );
        let manifest = Manifest::read(&text).expect("JSON");
        assert!(manifest.fault_on("Stop").is_some() && manifest.fault_on("PreToolUse").is_some());
    }

    #[test]
    fn what_is_no_manifest_says_where() {
        assert_eq!(
            Manifest::read("{\n  \"a\": 1,\n}")
                .expect_err("no JSON")
                .line,
            3
        );
        assert!(Manifest::read("[]").is_err());
        let missing = Manifest::read("{}").expect("JSON");
        assert_eq!(missing.faults.len(), 4, "{:?}", missing.faults);
        let nameless = r#"{"schema":1,"version":"1","hooks":[{"id":"a","event":"Stop","run":["x"],"name":"b"}]}"#;
        let nameless = Manifest::read(nameless).expect("JSON");
        assert!(nameless.fault_on("Stop").is_some());
    }

    #[test]
    fn a_newer_schema_or_dispatcher_is_refused() {
        let newer = r#"{"schema":2,"name":"a","version":"1","hooks":[]}"#;
        assert!(
            Manifest::read(newer)
                .expect("JSON")
                .fault_on("Stop")
                .is_some()
        );
        let newer = r#"{"schema":1,"name":"a","version":"1","dispatch":">=99.0.0","hooks":[]}"#;
        assert!(
            Manifest::read(newer)
                .expect("JSON")
                .fault_on("Stop")
                .is_some()
        );
        let same = format!(
            r#"{{"schema":1,"name":"a","version":"1","dispatch":">={}","hooks":[]}}"#,
            crate::version()
        );
        assert!(Manifest::read(&same).expect("JSON").faults.is_empty());
    }
}

//! Reads a manifest from its text.

use super::{Concerns, Fault, Hook, Needs, SCHEMA, Severity};
use crate::event::Mode;
use crate::host::HOST_NAMES;
use crate::json::{self, Kind, Member};
use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::time::Duration;

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
        let mut reader = Reader {
            text: text.as_bytes(),
            counted: Cell::new((0, 1)),
            faults: Vec::new(),
            hook: None,
            concerns: Concerns::Everything,
        };
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
            && is_newer(needed, env!("CARGO_PKG_VERSION"))
        {
            reader.stop(
                trimmed.as_bytes(),
                format!(
                    "needs hookkit-dispatch {needed}, this one is {}; update hookkit",
                    env!("CARGO_PKG_VERSION")
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

/// Walks through the text and collects faults.
struct Reader<'m> {
    text: &'m [u8],
    /// The last offset whose line was asked for, and that line: most questions go forward.
    counted: Cell<(usize, usize)>,
    faults: Vec<Fault>,
    /// The hook that is being read.
    hook: Option<String>,
    concerns: Concerns,
}

impl<'m> Reader<'m> {
    fn line_of(&self, value: &[u8]) -> usize {
        let offset = json::span_in(self.text, value).map_or(0, |span| span.start);
        let (from, line) = match self.counted.get() {
            counted if counted.0 <= offset => counted,
            _ => (0, 1),
        };
        let line = line + memchr::memchr_iter(b'\n', &self.text[from..offset]).count();
        self.counted.set((offset, line));
        line
    }

    fn fault(&mut self, value: &[u8], severity: Severity, what: String) {
        let fault = Fault {
            line: self.line_of(value),
            hook: self.hook.clone(),
            severity,
            concerns: self.concerns.clone(),
            what,
        };
        self.faults.push(fault);
    }

    fn stop(&mut self, value: &[u8], what: String) {
        self.fault(value, Severity::Stops, what);
    }

    fn unknown(&mut self, member: &Member, key: &str) {
        let what = format!("`{key}` is no key of this place; remove it or correct its spelling");
        self.fault(member.raw_key, Severity::Check, what);
    }

    fn duplicates(&mut self, members: &[Member]) {
        for (index, member) in members.iter().enumerate() {
            let key = member.key();
            if members[..index].iter().any(|earlier| earlier.key() == key) {
                self.stop(member.raw_key, format!("`{key}` stands here twice"));
            }
        }
    }

    fn filled_text(&mut self, value: &'m [u8], key: &str) -> Option<Cow<'m, str>> {
        let text = json::text(value).filter(|text| !text.trim().is_empty() && !text.contains('\0'));
        if text.is_none() {
            self.stop(value, format!("`{key}` must be a text that is not empty"));
        }
        text
    }

    /// A name that is used in paths, registrations and command lines.
    fn name(&mut self, value: &'m [u8], key: &str) -> Option<Cow<'m, str>> {
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

    fn texts(&mut self, value: &'m [u8], key: &str) -> Option<Vec<Cow<'m, str>>> {
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

    fn pairs(&mut self, value: &'m [u8], key: &str) -> Vec<(Cow<'m, str>, Cow<'m, str>)> {
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

    /// Reads one entry of `hooks`. Its faults concern the events that it names; an entry whose
    /// events cannot be read might be a gate on any of them.
    fn read_hook(&mut self, entry: &'m [u8]) -> Option<Hook<'m>> {
        self.hook = None;
        self.concerns = Concerns::Everything;
        let hook = self.hook_of(entry);
        self.hook = None;
        self.concerns = Concerns::Everything;
        hook
    }

    fn hook_of(&mut self, entry: &'m [u8]) -> Option<Hook<'m>> {
        let Some(members) = json::members(entry) else {
            self.stop(entry, "a hook must be an object".to_owned());
            return None;
        };
        let find = |key: &str| {
            members
                .iter()
                .rev()
                .find(|member| member.key() == key)
                .map(|member| member.value)
        };
        self.hook = find("id").and_then(json::text).map(Cow::into_owned);
        let events = self.events(find("event"), entry);
        if let Some(events) = &events {
            self.concerns = Concerns::Events(events.iter().map(ToString::to_string).collect());
        }
        let id = if let Some(value) = find("id") {
            self.name(value, "id")
        } else {
            self.stop(entry, "a hook needs an `id`".to_owned());
            None
        };
        self.duplicates(&members);
        let before = self.faults.len();
        let mut hook = Hook {
            id: id.clone().unwrap_or_default(),
            events: events.clone().unwrap_or_default(),
            matcher: None,
            run: Vec::new(),
            run_everywhere: Vec::new(),
            mode: None,
            required: false,
            timeout: Hook::TIMEOUT,
            hosts: None,
            env: Vec::new(),
            allows_uninspectable: false,
            line: self.line_of(entry),
        };
        for member in &members {
            self.take(&mut hook, member);
        }
        let stops = |fault: &Fault| fault.severity == Severity::Stops;
        if hook.run.is_empty() && !self.faults[before..].iter().any(stops) {
            self.stop(
                entry,
                "`run` is missing: a program and its arguments".to_owned(),
            );
        }
        self.fits_together(&hook, entry);
        (id.is_some() && events.is_some()).then_some(hook)
    }

    fn events(&mut self, value: Option<&'m [u8]>, entry: &'m [u8]) -> Option<Vec<Cow<'m, str>>> {
        let Some(value) = value else {
            self.stop(
                entry,
                "`event` is missing: an event's name, or a list of them".to_owned(),
            );
            return None;
        };
        let events = match json::kind(value) {
            Some(Kind::Array) => self.texts(value, "event")?,
            _ => vec![self.filled_text(value, "event")?],
        };
        let is_unusable = events.is_empty()
            || events.iter().any(|event| event.trim().is_empty())
            || (1..events.len()).any(|index| events[..index].contains(&events[index]));
        if is_unusable {
            self.stop(value, "`event` must name events, each once".to_owned());
            return None;
        }
        Some(events)
    }

    fn take(&mut self, hook: &mut Hook<'m>, member: &Member<'m>) {
        let value = member.value;
        match &*member.key() {
            "id" | "event" | "description" => {}
            "matcher" => hook.matcher = self.matcher(value),
            "run" => {
                let run = self.command(value, "run");
                if hook.run.is_empty() {
                    hook.run.clone_from(&run);
                }
                hook.run_everywhere.push(("run", run));
            }
            system @ ("windows" | "macos" | "linux") => {
                let name = ["windows", "macos", "linux"]
                    .into_iter()
                    .find(|name| *name == system)
                    .unwrap_or_default();
                let run = self.command(value, name);
                if name == std::env::consts::OS {
                    hook.run.clone_from(&run);
                }
                hook.run_everywhere.push((name, run));
            }
            "mode" => {
                hook.mode = json::text(value).as_deref().and_then(Mode::from_word);
                if hook.mode.is_none() {
                    self.stop(
                        value,
                        "`mode` must be gate, observe, silent or direct".to_owned(),
                    );
                }
            }
            "required" => match value {
                b"true" => hook.required = true,
                b"false" => {}
                _ => self.stop(value, "`required` must be true or false".to_owned()),
            },
            "timeout" => match seconds(value) {
                Some(timeout) => hook.timeout = timeout,
                None => self.stop(
                    value,
                    "`timeout` must be a number of seconds over 0, at most 3600".to_owned(),
                ),
            },
            "hosts" => {
                hook.hosts = self.texts(value, "hosts");
                let hosts = hook.hosts.iter().flatten();
                let strange = hosts.clone().find(|host| !HOST_NAMES.contains(&&***host));
                if hook.hosts.as_ref().is_some_and(Vec::is_empty) {
                    self.stop(
                        value,
                        "`hosts` is empty: the hook would never run".to_owned(),
                    );
                } else if let Some(strange) = strange {
                    let names = HOST_NAMES.join(", ");
                    let what = format!("`hosts` names `{strange}`, which is none of {names}");
                    self.stop(value, what);
                }
            }
            "env" => hook.env = self.pairs(value, "env"),
            "uninspectable" => match json::text(value).as_deref() {
                Some("allow") => hook.allows_uninspectable = true,
                Some("deny") => {}
                _ => self.stop(
                    value,
                    "`uninspectable` must be \"allow\" or \"deny\"".to_owned(),
                ),
            },
            other => self.unknown(member, other),
        }
    }

    fn matcher(&mut self, value: &'m [u8]) -> Option<Cow<'m, str>> {
        let matcher = json::text(value);
        match &matcher {
            None => self.stop(value, "`matcher` must be a text".to_owned()),
            Some(pattern) => {
                if let Err(error) = crate::matcher::Matcher::read(pattern).check() {
                    let what = format!("`matcher` is no pattern that hookkit reads: {error}");
                    self.fault(value, Severity::Check, what);
                }
            }
        }
        matcher
    }

    /// A program and its arguments. Names that begin with `./` are files of the plugin and must not
    /// leave it by their text; links are followed when the hook is started.
    fn command(&mut self, value: &'m [u8], key: &str) -> Vec<Cow<'m, str>> {
        let Some(words) = self.texts(value, key) else {
            return Vec::new();
        };
        if words
            .first()
            .is_none_or(|program| program.trim().is_empty())
        {
            self.stop(value, format!("`{key}` is empty: it needs a program"));
            return Vec::new();
        }
        if let Some(escaping) = words.iter().find(|word| escapes(word)) {
            self.stop(
                value,
                format!("`{key}` names `{escaping}`, which leaves the plugin"),
            );
        }
        let program = &words[0];
        if !program.starts_with("./") && program.contains(['/', '\\']) && !is_absolute(program) {
            let what = format!(
                "`{key}` names the program `{program}`: begin a file of the plugin with `./`"
            );
            self.stop(value, what);
        }
        words
    }

    fn fits_together(&mut self, hook: &Hook<'m>, entry: &'m [u8]) {
        if hook.required
            && hook
                .events
                .iter()
                .any(|event| hook.mode_on(event) != Mode::Gate)
        {
            let what =
                "is `required` but no gate on every event it names; only a gate can be required";
            self.stop(entry, what.to_owned());
        }
    }
}

fn seconds(value: &[u8]) -> Option<Duration> {
    let seconds: f64 = std::str::from_utf8(value).ok()?.parse().ok()?;
    // Less than a nanosecond is none.
    (1e-9..=3600.0)
        .contains(&seconds)
        .then(|| Duration::from_secs_f64(seconds))
}

fn escapes(word: &str) -> bool {
    if !word.starts_with("./") {
        return false;
    }
    let mut depth = 0;
    for part in word.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." => depth -= 1,
            _ => depth += 1,
        }
        if depth < 0 {
            return true;
        }
    }
    false
}

fn is_absolute(program: &str) -> bool {
    program.starts_with('/') || program.as_bytes().get(1) == Some(&b':')
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

    fn faults(hooks: &str) -> Vec<(usize, String)> {
        Manifest::read(&manifest(hooks))
            .expect("JSON")
            .faults
            .iter()
            .map(|fault| (fault.line, fault.to_string()))
            .collect()
    }

    #[test]
    fn a_hook_is_read_with_its_defaults() {
        let text = manifest(
            r#"{"id":"a","event":["PreToolUse","PostToolUse"],"run":["./x"],"timeout":0.5}"#,
        );
        let manifest = Manifest::read(&text).expect("JSON");
        assert!(manifest.faults.is_empty(), "{:?}", manifest.faults);
        let hook = &manifest.hooks[0];
        assert_eq!(hook.mode_on("PreToolUse"), Mode::Gate);
        assert_eq!(hook.mode_on("PostToolUse"), Mode::Observe);
        assert_eq!(hook.timeout, Duration::from_millis(500));
        assert_eq!(hook.line, 6);
        assert!(hook.is_for("codex") && hook.is_on("PostToolUse") && !hook.is_on("Stop"));
    }

    #[test]
    fn every_fault_is_named_with_its_line() {
        for (hooks, expected) in [
            (r#"{"event":"Stop","run":["x"]}"#, "a hook needs an `id`"),
            (r#"{"id":"a","run":["x"]}"#, "`event` is missing"),
            (r#"{"id":"a","event":[],"run":["x"]}"#, "`event` must name"),
            (
                r#"{"id":"a","event":["Stop","Stop"],"run":["x"]}"#,
                "`event` must name",
            ),
            (r#"{"id":"a","event":"Stop"}"#, "`run` is missing"),
            (r#"{"id":"a","event":"Stop","run":[]}"#, "`run` is empty"),
            (
                r#"{"id":"a","event":"Stop","run":"sh x"}"#,
                "`run` must be a list",
            ),
            (
                r#"{"id":"a","event":"Stop","run":["./../x"]}"#,
                "leaves the plugin",
            ),
            (
                r#"{"id":"a","event":"Stop","run":["sh","./a/../../x"]}"#,
                "leaves the plugin",
            ),
            (
                r#"{"id":"a","event":"Stop","run":["hooks/x"]}"#,
                "begin a file",
            ),
            (
                r#"{"id":"a","event":"Stop","run":["x"],"mode":"strict"}"#,
                "`mode` must be",
            ),
            (
                r#"{"id":"a","event":"Stop","run":["x"],"timeout":0}"#,
                "`timeout` must be",
            ),
            (
                r#"{"id":"a","event":"Stop","run":["x"],"timeout":"5"}"#,
                "`timeout` must be",
            ),
            (
                r#"{"id":"a","event":"Stop","run":["x"],"hosts":["claude"]}"#,
                "which is none of",
            ),
            (
                r#"{"id":"a","event":"Stop","run":["x"],"hosts":[]}"#,
                "never run",
            ),
            (
                r#"{"id":"a","event":"PostToolUse","run":["x"],"required":true}"#,
                "only a gate",
            ),
            (
                r#"{"id":"a","event":"Stop","run":["x"],"matcher":"("}"#,
                "`matcher` is no pattern",
            ),
            (
                r#"{"id":"a","event":"Stop","run":["x"],"extra":1}"#,
                "`extra` is no key",
            ),
            (
                r#"{"id":"a","id":"b","event":"Stop","run":["x"]}"#,
                "stands here twice",
            ),
            (r#"{"id":"a","event":"Stop","extra":1}"#, "`run` is missing"),
            (
                r#"{"id":"a","event":"Stop","run":["x"],"timeout":1e-10}"#,
                "`timeout` must be",
            ),
            (r#"{"id":"A b","event":"Stop","run":["x"]}"#, "`id` must be"),
            ("7", "a hook must be an object"),
        ] {
            let found = faults(hooks);
            assert!(
                found
                    .iter()
                    .any(|(line, what)| *line == 6 && what.contains(expected)),
                "{hooks}: {found:?}"
            );
        }
    }

    #[test]
    fn a_fault_concerns_the_events_of_its_hook() {
        let text = manifest(
            "{\"id\":\"a\",\"event\":\"Stop\",\"run\":[\"x\"]},\n{\"id\":\"b\",\"event\":\"PreToolUse\",\"run\":[]}",
        );
        let manifest = Manifest::read(&text).expect("JSON");
        assert!(manifest.fault_on("Stop").is_none());
        assert_eq!(
            manifest.fault_on("PreToolUse").map(|fault| fault.line),
            Some(7)
        );
    }

    #[test]
    fn an_unreadable_event_concerns_everything_and_unknown_keys_nothing() {
        let text = manifest(r#"{"id":"a","event":5,"run":["x"]}"#);
        assert!(
            Manifest::read(&text)
                .expect("JSON")
                .fault_on("SessionStart")
                .is_some()
        );
        let text = manifest(r#"{"id":"a","event":"Stop","run":["x"],"extra":1}"#);
        assert!(
            Manifest::read(&text)
                .expect("JSON")
                .fault_on("Stop")
                .is_none()
        );
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
            env!("CARGO_PKG_VERSION")
        );
        assert!(Manifest::read(&same).expect("JSON").faults.is_empty());
    }
}

//! One entry of `hooks`.

use super::values::Reader;
use super::{Concerns, Fault, Hook, Severity};
use crate::event::Mode;
use crate::host::HOST_NAMES;
use crate::json::{self, Kind, Member};
use std::borrow::Cow;
use std::time::Duration;

impl<'m> Reader<'m> {
    /// Reads one entry of `hooks`. Its faults concern the events that it names; an entry whose
    /// events cannot be read might be a gate on any of them.
    pub(super) fn read_hook(&mut self, entry: &'m [u8]) -> Option<Hook<'m>> {
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
        let find = |key: &str| json::find(&members, key);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::Manifest;

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
}

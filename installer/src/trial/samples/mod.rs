//! What hosts send, made up: realistic documents for every event that a host has.

mod dialect;
mod tools;
mod values;

pub(crate) use tools::{Call, calls_on, main_argument};
pub(crate) use values::subjects;

use dialect::{Dialect, snake_case};
use hookkit_dispatch::contract::Subject;
use hookkit_dispatch::host::Host;
use serde_json::Value;
use std::path::Path;

/// Something that happens in a session, before a host has put it into words.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    /// By Claude Code's name.
    pub(crate) event: &'static str,
    /// What matchers look at, where the event has such a thing.
    pub(crate) subject: Option<String>,
    /// The tool that is called, on events about one.
    pub(crate) call: Option<Call>,
}

impl Moment {
    /// The moment as one line, without its event.
    pub(crate) fn title(&self) -> String {
        match (&self.call, &self.subject) {
            (Some(call), _) => format!("{}, {}", call.tool, call.argument()),
            (None, Some(subject)) => subject.clone(),
            (None, None) => String::new(),
        }
    }

    /// The document that a host sends, or why this never happens there.
    pub(crate) fn document(&self, host: &dyn Host, cwd: &Path) -> Result<Value, String> {
        self.in_dialect(Dialect::of(host), host, cwd)
    }

    /// The document that a host sends to a hook that stands under this key.
    pub(crate) fn document_under(
        &self,
        key: &str,
        host: &dyn Host,
        cwd: &Path,
    ) -> Result<Value, String> {
        self.in_dialect(Dialect::under(key, host), host, cwd)
    }

    fn in_dialect(&self, dialect: Dialect, host: &dyn Host, cwd: &Path) -> Result<Value, String> {
        let Some(contract) = host.contract(self.event) else {
            return Err(format!("there is no {}", self.event));
        };
        if let Some(call) = self.call.as_ref().filter(|call| !dialect.has(&call.tool)) {
            return Err(format!("there is no tool {}", call.tool));
        }
        if let (Subject::Field(field), Some(subject)) = (contract.subject, &self.subject)
            && dialect.subject(self.event, subject).is_none()
        {
            return Err(format!("its {field} is never `{subject}`"));
        }
        let mut document = dialect.common(contract.event);
        for field in contract.fields {
            if let Some(value) = self.value(field, dialect, host) {
                document.insert(dialect.name(contract.event, field), value);
            }
        }
        let mut document = Value::Object(document);
        place(&mut document, &cwd.to_string_lossy());
        Ok(document)
    }

    /// The value of one member, by the host's name of it.
    fn value(&self, field: &str, dialect: Dialect, host: &dyn Host) -> Option<Value> {
        let name = snake_case(field);
        let call = self.call.as_ref();
        call.and_then(|call| dialect.of_call(self.event, &name, call, host))
            .or_else(|| {
                let subject = self.subject.as_deref().unwrap_or_default();
                let is_subject = self.subject_field(host) == Some(&name);
                is_subject.then(|| dialect.subject(self.event, subject))?
            })
            .or_else(|| dialect.value(&name))
            .or_else(|| values::of(self.event, &name))
    }

    /// The member that matchers look at.
    fn subject_field(&self, host: &dyn Host) -> Option<&'static str> {
        match host.contract(self.event)?.subject {
            Subject::Field(name) => Some(name),
            _ => None,
        }
    }
}

/// Does a host have a tool of this name? Of a name that no sample is known of, it may.
pub(crate) fn has_tool(host: &dyn Host, tool: &str) -> bool {
    Dialect::of(host).has(tool)
}

/// Puts the session's folder where `$CWD` stands.
fn place(value: &mut Value, cwd: &str) {
    match value {
        Value::String(text) if text.contains("$CWD") => *text = text.replace("$CWD", cwd),
        Value::Array(values) => values.iter_mut().for_each(|value| place(value, cwd)),
        Value::Object(members) => members.values_mut().for_each(|value| place(value, cwd)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hookkit_dispatch::host;
    use hookkit_dispatch::payload::Fields;
    use serde_json::json;

    fn write() -> Moment {
        let call = calls_on("PreToolUse")
            .into_iter()
            .find(|call| call.tool == "Write");
        Moment {
            event: "PreToolUse",
            subject: Some("Write".to_owned()),
            call,
        }
    }

    #[test]
    fn each_host_says_it_in_its_own_words() {
        let cwd = Path::new("/w");
        let said = |host: &dyn Host| {
            write()
                .document(host, cwd)
                .expect("every host writes files")
        };
        let claude = said(host::CLAUDE_CODE);
        assert_eq!(claude["tool_input"]["file_path"], "/w/notes.md");
        assert!(claude.get("timestamp").is_none() && claude["tool_use_id"].is_string());
        let copilot = said(host::COPILOT_CLI);
        assert_eq!(copilot["tool_input"]["path"], "/w/notes.md");
        assert!(copilot["timestamp"].is_string() && copilot.get("tool_use_id").is_none());
        let codex = said(host::by_name("codex").expect("a host"));
        assert_eq!(codex["tool_name"], "apply_patch");
        let patch = codex["tool_input"]["command"].as_str().expect("a patch");
        assert!(
            patch.contains("*** Add File: notes.md\n+# Notes\n"),
            "{patch}"
        );
        let cloud = said(host::COPILOT_CLOUD);
        assert_eq!(
            (&cloud["toolName"], &cloud["toolArgs"]["path"]),
            (&json!("create"), &json!("/w/notes.md"))
        );
        assert!(cloud["timestamp"].is_number() && cloud.get("hook_event_name").is_none());
        let harness = said(host::VSCODE_COPILOT);
        assert_eq!(harness, copilot);
        let local = said(host::VSCODE_LOCAL);
        assert_eq!(
            (&local["tool_name"], &local["tool_input"]["filePath"]),
            (&json!("create_file"), &json!("/w/notes.md"))
        );
        assert!(local["timestamp"].is_string() && local["tool_use_id"].is_string());
    }

    #[test]
    fn what_never_happens_on_a_host_is_said() {
        let why = |host: &dyn Host, moment: Moment| moment.document(host, Path::new("/w")).err();
        let of = |event, subject: &str| Moment {
            event,
            subject: Some(subject.to_owned()),
            call: None,
        };
        let multi_edit = Moment {
            call: calls_on("PreToolUse")
                .into_iter()
                .find(|call| call.tool == "MultiEdit"),
            ..write()
        };
        for (host, moment, expected) in [
            (
                host::COPILOT_CLOUD,
                of("Notification", "idle_prompt"),
                Some("there is no Notification"),
            ),
            (host::COPILOT_CLI, of("Notification", "idle_prompt"), None),
            (
                host::COPILOT_CLOUD,
                of("PreCompact", "manual"),
                Some("its trigger is never `manual`"),
            ),
            (host::COPILOT_CLOUD, of("PreCompact", "auto"), None),
            (
                host::VSCODE_LOCAL,
                of("SessionStart", "resume"),
                Some("its source is never `resume`"),
            ),
            (host::VSCODE_LOCAL, of("SessionStart", "startup"), None),
            (
                host::VSCODE_LOCAL,
                multi_edit.clone(),
                Some("there is no tool MultiEdit"),
            ),
            (host::CLAUDE_CODE, multi_edit, None),
        ] {
            assert_eq!(why(host, moment).as_deref(), expected, "{}", host.name());
        }
    }

    #[test]
    fn every_event_of_every_host_has_a_document_of_its_own_host() {
        for launch in hookkit_launchers::host::every() {
            let host = launch.host();
            for contract in host.contracts() {
                let moment = Moment {
                    event: contract.event,
                    subject: subjects(contract.event)
                        .first()
                        .map(|&subject| subject.to_owned()),
                    call: (contract.subject == Subject::Tool)
                        .then(|| calls_on(contract.event).remove(0)),
                };
                let document = moment.document(host, Path::new("/w"));
                let bytes = document.expect("it happens").to_string();
                let fields = Fields::read(bytes.as_bytes()).expect("an object");
                let env = hookkit_dispatch::env::Env::given(Vec::new(), "/".into(), "/x".into());
                let chosen = hookkit_dispatch::host::choose(None, Some(&fields), &env);
                let chosen = chosen.expect("a host").host.name();
                let is_alike = host::ALIKE.iter().any(|row| {
                    (row.host, row.taken_for) == (host.name(), chosen)
                        && (row.events.is_empty() || row.events.contains(&contract.event))
                });
                assert!(is_alike || chosen == host.name(), "{chosen}: {bytes}");
            }
        }
    }
}

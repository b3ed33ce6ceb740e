//! What hosts send, made up: realistic documents for every event that a host has.

mod dialect;
mod tools;
mod values;

pub(crate) use tools::{Call, catalogue, main_argument};
pub(crate) use values::subjects;

use dialect::{Dialect, snake_case};
use hookkit_dispatch::contract::{Contract, Subject};
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

    /// The document that a host sends; `None` if this never happens there.
    pub(crate) fn document(
        &self,
        host: &dyn Host,
        contract: &Contract,
        cwd: &Path,
    ) -> Option<Value> {
        let dialect = Dialect::of(host);
        if self
            .call
            .as_ref()
            .is_some_and(|call| !dialect.has(&call.tool))
        {
            return None;
        }
        let mut document = dialect.common(contract.event);
        for field in contract.fields {
            if let Some(value) = self.value(field, dialect, host) {
                document.insert(dialect.name(contract.event, field), value);
            }
        }
        let mut document = Value::Object(document);
        place(&mut document, &cwd.to_string_lossy());
        Some(document)
    }

    /// The value of one member, by the host's name of it.
    fn value(&self, field: &str, dialect: Dialect, host: &dyn Host) -> Option<Value> {
        let name = snake_case(field);
        let call = self.call.as_ref();
        call.and_then(|call| dialect.of_call(self.event, &name, call, host))
            .or_else(|| {
                (self.subject_field(host) == Some(&name)).then(|| {
                    dialect.subject(self.event, self.subject.as_deref().unwrap_or_default())
                })
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

    fn write() -> Moment {
        let call = catalogue().into_iter().find(|call| call.tool == "Write");
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
            let contract = host.contract("PreToolUse").expect("every host has it");
            write()
                .document(host, contract, cwd)
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
    }

    #[test]
    fn every_event_of_every_host_has_a_document_of_its_own_host() {
        for launch in hookkit_launchers::host::ALL {
            let host = launch.host();
            for contract in host.contracts() {
                let moment = Moment {
                    event: contract.event,
                    subject: Some("x".to_owned()),
                    call: (contract.subject == Subject::Tool).then(|| catalogue().remove(0)),
                };
                let document = moment.document(host, contract, Path::new("/w"));
                let bytes = document.expect("it happens").to_string();
                let fields = Fields::read(bytes.as_bytes()).expect("an object");
                let env = hookkit_dispatch::env::Env::given(Vec::new(), "/".into(), "/x".into());
                let chosen = hookkit_dispatch::host::choose(None, Some(&fields), &env);
                let chosen = chosen.expect("a host").host.name();
                let is_alike = matches!(contract.event, "SessionStart" | "SessionEnd")
                    && (chosen, host.name()) == ("claude-code", "codex");
                assert!(is_alike || chosen == host.name(), "{chosen}: {bytes}");
            }
        }
    }
}

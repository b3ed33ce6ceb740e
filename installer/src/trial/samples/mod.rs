//! What hosts send, made up: realistic documents for every event that a host has.

mod tools;
mod values;

pub(crate) use tools::{Call, catalogue, main_argument};
pub(crate) use values::subjects;

use hookkit_dispatch::contract::{Contract, Subject};
use hookkit_dispatch::host::Host;
use hookkit_dispatch::payload::Fields;
use serde_json::{Map, Value, json};
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
        let is_copilot = host.name() == "copilot-cli";
        if self
            .call
            .as_ref()
            .is_some_and(|call| is_copilot && !call.on_copilot)
        {
            return None;
        }
        let mut document = if is_copilot {
            copilots(contract)
        } else {
            claudes(contract)
        };
        for field in contract.fields {
            let name = if is_copilot {
                under_pascal_case(contract.event, field)
            } else {
                (*field).to_owned()
            };
            if let Some(value) = self.value(field, host) {
                document.insert(name, value);
            }
        }
        let mut document = Value::Object(document);
        place(&mut document, &cwd.to_string_lossy());
        Some(document)
    }

    /// The value of one member, by the host's name of it.
    fn value(&self, field: &str, host: &dyn Host) -> Option<Value> {
        let name = snake_case(field);
        if let Some(call) = &self.call {
            let in_claudes_names = field == "toolInput";
            let of_call = match &*name {
                "tool_name" => Some(json!(call.tool)),
                "tool_input" | "tool_args" if in_claudes_names => Some(call.input.clone()),
                "tool_input" | "tool_args" => Some(call.input_for(host)),
                "tool_response" => Some(call.response.clone()),
                "tool_result" => Some(json!({
                    "result_type": "success",
                    "text_result_for_llm": call.result_text,
                })),
                _ => None,
            };
            if of_call.is_some() {
                return of_call;
            }
        }
        if self.subject_field() == Some(&name) {
            let subject = self.subject.as_deref().unwrap_or_default();
            // Copilot calls a fresh session `new`.
            let subject = if host.name() == "copilot-cli" && subject == "startup" {
                "new"
            } else {
                subject
            };
            return Some(json!(subject));
        }
        values::of(self.event, &name)
    }

    /// The member that matchers look at.
    fn subject_field(&self) -> Option<&'static str> {
        let claude = hookkit_dispatch::host::CLAUDE_CODE.contract(self.event)?;
        match claude.subject {
            Subject::Field(name) => Some(name),
            _ => None,
        }
    }
}

/// What Claude Code sends with every event.
fn claudes(contract: &Contract) -> Map<String, Value> {
    object(json!({
        "session_id": SESSION,
        "transcript_path": "$CWD/transcript.jsonl",
        "cwd": "$CWD",
        "permission_mode": "default",
        "hook_event_name": contract.event,
    }))
}

/// What Copilot CLI sends with every event that is registered by its PascalCase name.
fn copilots(contract: &Contract) -> Map<String, Value> {
    if keeps_camel_case(contract.event) {
        return object(
            json!({"sessionId": SESSION, "timestamp": 1_796_040_000_000_u64, "cwd": "$CWD"}),
        );
    }
    object(json!({
        "hook_event_name": contract.event,
        "session_id": SESSION,
        "timestamp": "2026-11-30T12:00:00.000Z",
        "cwd": "$CWD",
    }))
}

const SESSION: &str = "7d1c1a2e-0000-4000-8000-00000000e57e";

/// Events that Copilot CLI 1.0.102 sends in its own casing whatever the key says.
fn keeps_camel_case(event: &str) -> bool {
    matches!(
        event,
        "PermissionRequest" | "Notification" | "SubagentStart" | "UserPromptTransformed"
    )
}

/// The name of a member as Copilot CLI sends it under a PascalCase key.
fn under_pascal_case(event: &str, field: &str) -> String {
    match (event, field) {
        ("SubagentStart", "agentId" | "agentType" | "parentAgentId") => snake_case(field),
        ("SubagentStop", "response") => "last_assistant_message".to_owned(),
        (_, "toolArgs") if !keeps_camel_case(event) => "tool_input".to_owned(),
        _ if keeps_camel_case(event) => field.to_owned(),
        _ => snake_case(field),
    }
}

fn snake_case(name: &str) -> String {
    let mut snake = String::with_capacity(name.len() + 4);
    for character in name.chars() {
        if character.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(character.to_ascii_lowercase());
    }
    snake
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        _ => Map::new(),
    }
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

impl Call {
    /// The arguments in the names that a host has for them.
    fn input_for(&self, host: &dyn Host) -> Value {
        let call = json!({"tool_name": self.tool}).to_string();
        let input = self.input.to_string();
        let Some(fields) = Fields::read(call.as_bytes()) else {
            return self.input.clone();
        };
        let own = host.own_input(&fields, input.as_bytes());
        serde_json::from_slice(&own).unwrap_or_else(|_| self.input.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hookkit_dispatch::host;

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
                assert_eq!(chosen, host.name(), "{}: {bytes}", contract.event);
            }
        }
    }
}

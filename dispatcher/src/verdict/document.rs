//! A document that a hook printed, member by member.

use super::{Asked, Fault, Said, refusal_on};
use crate::json::{self, Kind};
use crate::merge::{Choice, Decision};
use std::borrow::Cow;

/// One JSON object that a hook printed.
pub(super) struct Document<'a> {
    pub(super) asked: Asked<'a>,
    pub(super) members: Vec<json::Member<'a>>,
}

impl Document<'_> {
    pub(super) fn said(&self, output: &[u8]) -> Result<Said, Fault> {
        let mut said = Said::default();
        let mut root = Root::default();
        for (index, member) in self.members.iter().enumerate() {
            let key = member.key();
            if self.members[..index]
                .iter()
                .any(|earlier| earlier.key() == key)
            {
                return self.fault_unless_echo(output, format!("printed `{key}` twice"));
            }
            if let Err(what) = self.take_root(&key, member.value, &mut said, &mut root) {
                return self.fault_unless_echo(output, what);
            }
        }
        self.close(&mut said, root)
            .map_err(Fault::new)
            .map(|()| said)
    }

    /// A hook that prints its input says nothing with it.
    fn fault_unless_echo(&self, output: &[u8], what: String) -> Result<Said, Fault> {
        if (self.asked.saw)().trim_ascii() == output {
            Ok(Said::default())
        } else {
            Err(Fault::new(what))
        }
    }

    fn take_root(
        &self,
        key: &str,
        value: &[u8],
        said: &mut Said,
        root: &mut Root,
    ) -> Result<(), String> {
        let event = self.asked.contract.event;
        match key {
            "continue" => match value {
                b"true" => {}
                b"false" => root.stops = true,
                _ => return Err(wrong_type(key, "true or false")),
            },
            "stopReason" => root.stop_reason = Some(text_of(key, value)?),
            "suppressOutput" if matches!(value, b"true" | b"false") => {}
            "systemMessage" => said.notice = filled(text_of(key, value)?),
            "decision" => root.decision = Some(text_of(key, value)?),
            "reason" => root.reason = Some(text_of(key, value)?),
            "permissionDecision" if event == "PreToolUse" => {
                root.permission = Some(permission(key, value)?);
            }
            "permissionDecisionReason" if event == "PreToolUse" => {
                root.permission_reason = Some(text_of(key, value)?);
            }
            "additionalContext" if self.asked.has_context => {
                root.context = Some(text_of(key, value)?);
            }
            "modifiedArgs" if event == "PreToolUse" => root.input = Some(object_of(key, value)?),
            "hookSpecificOutput" => self.take_nested(value, said)?,
            _ => return Err(format!("printed `{key}`, which {event} does not know")),
        }
        Ok(())
    }

    fn take_nested(&self, value: &[u8], said: &mut Said) -> Result<(), String> {
        let contract = self.asked.contract;
        let event = contract.event;
        let members =
            json::members(value).ok_or_else(|| wrong_type("hookSpecificOutput", "an object"))?;
        let mut nested = Nested::default();
        for (index, member) in members.iter().enumerate() {
            let key = member.key();
            let value = member.value;
            if members[..index].iter().any(|earlier| earlier.key() == key) {
                return Err(format!("printed `{key}` twice"));
            }
            match &*key {
                "hookEventName" => nested.event = Some(text_of(&key, value)?),
                "permissionDecision" if decides_permission(event) => {
                    nested.permission = Some(permission(&key, value)?);
                }
                "permissionDecisionReason" if decides_permission(event) => {
                    nested.reason = text_of(&key, value)?;
                }
                "additionalContext" if self.asked.has_context => {
                    said.context = filled(text_of(&key, value)?);
                }
                "updatedInput" if event == "PreToolUse" => {
                    said.input = Some(object_of(&key, value)?);
                }
                "updatedToolOutput" | "updatedMCPToolOutput" if event == "PostToolUse" => {
                    said.result = Some(value.to_vec());
                }
                "decision" if event == "PermissionRequest" => self.take_behavior(value, said)?,
                "retry" if event == "PermissionDenied" => match value {
                    b"true" => nested.permission = Some(Choice::Allow),
                    b"false" => {}
                    _ => return Err(wrong_type(&key, "true or false")),
                },
                "action" if event.starts_with("Elicitation") => {
                    nested.permission = Some(action(&key, value)?);
                }
                "content" if event.starts_with("Elicitation") => {
                    said.result = Some(object_of(&key, value)?);
                }
                _ => return Err(format!("printed `{key}`, which {event} does not know")),
            }
        }
        match nested.event {
            Some(named) if named == event => {}
            Some(named) => return Err(format!("named the event `{named}` on {event}")),
            None => return Err("printed hookSpecificOutput without hookEventName".to_owned()),
        }
        if let Some(choice) = nested.permission {
            said.decision = Some(Decision {
                choice,
                reason: nested.reason.trim().to_owned(),
            });
        }
        Ok(())
    }

    /// `hookSpecificOutput.decision` of a permission request.
    fn take_behavior(&self, value: &[u8], said: &mut Said) -> Result<(), String> {
        let members = json::members(value).ok_or_else(|| wrong_type("decision", "an object"))?;
        let mut choice = None;
        let mut reason = String::new();
        let mut interrupts = false;
        for member in &members {
            let value = member.value;
            match &*member.key() {
                "behavior" => {
                    choice = Some(match &*text_of("behavior", value)? {
                        "allow" => Choice::Allow,
                        "deny" => Choice::Deny,
                        other => return Err(format!("printed the behavior `{other}`")),
                    });
                }
                "message" => text_of("message", value)?.trim().clone_into(&mut reason),
                "interrupt" => match value {
                    b"true" => interrupts = true,
                    b"false" => {}
                    _ => return Err(wrong_type("interrupt", "true or false")),
                },
                "updatedInput" => said.input = Some(object_of("updatedInput", value)?),
                key => return Err(format!("printed `{key}` in a permission decision")),
            }
        }
        let choice = choice.ok_or("printed a permission decision without behavior")?;
        if choice == Choice::Deny && interrupts {
            said.stop = Some(self.or_default(&reason));
        }
        said.decision = Some(Decision { choice, reason });
        Ok(())
    }

    /// Joins the root's members with what `hookSpecificOutput` said.
    fn close(&self, said: &mut Said, root: Root) -> Result<(), String> {
        let event = self.asked.contract.event;
        let root_permission = root.permission.map(|choice| Decision {
            choice,
            reason: root.permission_reason.unwrap_or_default().trim().to_owned(),
        });
        agree(
            "permissionDecision",
            &mut said.decision,
            root_permission,
            |nested, root| nested.choice == root.choice,
        )?;
        agree(
            "additionalContext",
            &mut said.context,
            root.context.and_then(filled),
            |nested, root| nested == root,
        )?;
        agree(
            "modifiedArgs",
            &mut said.input,
            root.input,
            |nested, root| json::same(nested, root),
        )?;
        let reason = root.reason.unwrap_or_default().trim().to_owned();
        if let Some(word) = root.decision {
            let legacy = event == "PermissionRequest";
            if legacy && matches!(&*word, "approve" | "deny") && reason.is_empty() {
                return Err(format!("printed `decision: {word}` without a reason"));
            }
            let choice = match &*word {
                "block" => refusal_on(self.asked.contract),
                "approve" => Choice::Allow,
                "deny" if legacy => Choice::Deny,
                "ask" if legacy => Choice::Ask,
                _ => {
                    return Err(format!(
                        "printed `decision: {word}`, which {event} does not know"
                    ));
                }
            };
            let stronger = said
                .decision
                .as_ref()
                .is_none_or(|present| choice > present.choice);
            if stronger {
                said.decision = Some(Decision { choice, reason });
            }
        }
        if let Some(decision) = &mut said.decision
            && decision.choice >= Choice::Block
            && decision.reason.is_empty()
        {
            decision.reason = self.or_default("");
        }
        if root.stops {
            let reason = root.stop_reason.unwrap_or_default();
            said.stop = Some(self.or_default(reason.trim()));
        }
        Ok(())
    }

    fn or_default(&self, reason: &str) -> String {
        if reason.is_empty() {
            format!(
                "Hook `{}` refused this without giving a reason.",
                self.asked.hook
            )
        } else {
            reason.to_owned()
        }
    }
}

/// Members of the root that are judged together.
#[derive(Default)]
struct Root {
    stops: bool,
    stop_reason: Option<String>,
    decision: Option<String>,
    reason: Option<String>,
    permission: Option<Choice>,
    permission_reason: Option<String>,
    context: Option<String>,
    input: Option<Vec<u8>>,
}

#[derive(Default)]
struct Nested {
    event: Option<String>,
    permission: Option<Choice>,
    reason: String,
}

/// Two places for one thing: one of them is enough, both must say the same.
fn agree<T>(
    key: &str,
    nested: &mut Option<T>,
    root: Option<T>,
    same: impl Fn(&T, &T) -> bool,
) -> Result<(), String> {
    match (&nested, root) {
        (Some(nested), Some(root)) if !same(nested, &root) => Err(format!(
            "printed `{key}` at the root that disagrees with hookSpecificOutput"
        )),
        (None, root) => {
            *nested = root;
            Ok(())
        }
        _ => Ok(()),
    }
}

fn decides_permission(event: &str) -> bool {
    matches!(
        event,
        "PreToolUse" | "PreModelSwitch" | "PreSkillShellCommand"
    )
}

fn permission(key: &str, value: &[u8]) -> Result<Choice, String> {
    match &*text_of(key, value)? {
        "allow" => Ok(Choice::Allow),
        "ask" => Ok(Choice::Ask),
        "defer" => Ok(Choice::Defer),
        "deny" => Ok(Choice::Deny),
        other => Err(format!(
            "printed `{key}: {other}`, which is none of allow, ask, defer, deny"
        )),
    }
}

fn action(key: &str, value: &[u8]) -> Result<Choice, String> {
    match &*text_of(key, value)? {
        "accept" => Ok(Choice::Allow),
        "decline" | "cancel" => Ok(Choice::Deny),
        other => Err(format!(
            "printed `{key}: {other}`, which is none of accept, decline, cancel"
        )),
    }
}

fn text_of(key: &str, value: &[u8]) -> Result<String, String> {
    json::text(value)
        .map(Cow::into_owned)
        .ok_or_else(|| wrong_type(key, "a text"))
}

fn object_of(key: &str, value: &[u8]) -> Result<Vec<u8>, String> {
    if json::kind(value) == Some(Kind::Object) {
        Ok(value.to_vec())
    } else {
        Err(wrong_type(key, "an object"))
    }
}

fn wrong_type(key: &str, wanted: &str) -> String {
    format!("printed `{key}` that is not {wanted}")
}

fn filled(text: String) -> Option<String> {
    (!text.trim().is_empty()).then_some(text)
}

//! What one hook said, by Claude Code's contract, read strictly.
//!
//! Hosts read the same output leniently, each in its own way: noise before a document, a second
//! document or a misspelt key silently turns a refusal into nothing. Here such output is a
//! [`Fault`], and a gate with a fault denies.

use crate::contract::{Contract, Form};
use crate::event::{Mode, continues_the_turn, reads_plain_text, takes_feedback};
use crate::json::{self, Kind};
use crate::merge::{Choice, Decision};
use crate::run::{End, Finished, MOST_STDOUT};
use crate::text;
use std::borrow::Cow;
use std::fmt;

/// What a hook said, in Claude's terms. Nothing at all is the default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    pub decision: Option<Decision>,
    pub context: Option<String>,
    /// A rewritten input: a raw object.
    pub input: Option<Vec<u8>>,
    /// A rewritten result: a raw value.
    pub result: Option<Vec<u8>>,
    /// The reason to end the turn.
    pub stop: Option<String>,
    /// A message for the user.
    pub notice: Option<String>,
}

/// What kept a hook from saying something that can be understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What happened, as words that follow the hook's name.
    pub what: String,
    /// The refusal that the output holds all the same.
    pub own_reason: Option<String>,
}

impl Fault {
    fn new(what: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            own_reason: None,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.what)
    }
}

/// The hook whose output is read, and on what.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    pub hook: &'a str,
    pub mode: Mode,
    /// Claude's contract of the event: what hooks are written against, whatever the host.
    pub contract: &'a Contract,
    /// Can a hook speak to the model here, on the host or by Claude's contract?
    pub has_context: bool,
    /// What the hook read on stdin, to know an echo.
    pub saw: &'a dyn Fn() -> Vec<u8>,
}

/// Reads what a hook said.
pub fn read(asked: Asked, finished: &Finished) -> Result<Said, Fault> {
    match &finished.end {
        End::NotStarted(why) => Err(Fault::new(format!("cannot start: {why}"))),
        End::TimedOut(limit) => Err(Fault::new(format!(
            "did not end within {} s",
            limit.as_secs_f64()
        ))),
        End::Deadline => Err(Fault::new("did not end before the agent's own limit")),
        End::HostSignal => Err(Fault::new(
            "was ended because the agent told hookkit to end",
        )),
        End::Signal(signal) => Err(Fault::new(format!("was ended by signal {signal}"))),
        End::Exited(2) => Ok(refusal(asked, finished)),
        End::Exited(0) => said(asked, finished),
        End::Exited(code) => Err(failed(asked, finished, *code)),
    }
}

/// Exit 2: refused, whatever stdout says.
fn refusal(asked: Asked, finished: &Finished) -> Said {
    let reason = [&finished.stdout, &finished.stderr]
        .into_iter()
        .find_map(|output| reason_in(output))
        .unwrap_or_else(|| text::printed(&finished.stderr));
    let reason = if reason.is_empty() {
        format!(
            "Hook `{}` refused this without giving a reason.",
            asked.hook
        )
    } else {
        reason
    };
    Said {
        decision: Some(Decision {
            choice: refusal_on(asked.contract),
            reason,
        }),
        ..Said::default()
    }
}

/// A refusal of a call denies it; of anything else it blocks.
fn refusal_on(contract: &Contract) -> Choice {
    if matches!(contract.event, "PreToolUse" | "PermissionRequest") {
        Choice::Deny
    } else {
        Choice::Block
    }
}

/// Any other exit code: a fault, with the refusal that stdout holds as its reason.
fn failed(asked: Asked, finished: &Finished, code: i32) -> Fault {
    let complaint = text::printed(&finished.stderr);
    let last_line = complaint.lines().next_back().unwrap_or_default();
    let what = if last_line.is_empty() {
        format!("ended with exit code {code}")
    } else {
        format!("ended with exit code {code}: {}", text::cut(last_line, 300))
    };
    Fault {
        what,
        own_reason: refusal_in(asked, &finished.stdout),
    }
}

/// Exit 0: nothing, text, or exactly one document.
fn said(asked: Asked, finished: &Finished) -> Result<Said, Fault> {
    if finished.stdout_overflowed {
        return Err(Fault::new(format!(
            "printed more than {} MiB on stdout",
            MOST_STDOUT >> 20
        )));
    }
    let output = without_mark(&finished.stdout).trim_ascii();
    if output.is_empty() {
        return Ok(Said::default());
    }
    if output.starts_with(b"{")
        && std::str::from_utf8(output).is_ok()
        && json::is_document(output).is_ok()
    {
        let members = json::members(output).unwrap_or_default();
        return Document { asked, members }.said(output);
    }
    let looks_like_json = output
        .split(|byte| *byte == b'\n')
        .map(|line| without_mark(line.trim_ascii_start()).trim_ascii_start())
        .any(|line| matches!(line.first(), Some(b'{' | b'[')));
    if looks_like_json {
        return Err(Fault {
            what: "printed something that is not exactly one JSON document on stdout".to_owned(),
            own_reason: refusal_in(asked, output),
        });
    }
    let event = asked.contract.event;
    let is_context =
        asked.contract.has_context() && (reads_plain_text(event) || asked.mode == Mode::Observe);
    Ok(Said {
        context: is_context.then(|| text::printed(output)),
        ..Said::default()
    })
}

fn without_mark(output: &[u8]) -> &[u8] {
    output.strip_prefix("\u{feff}".as_bytes()).unwrap_or(output)
}

/// The reason in a document on stdout or stderr, whatever else is in it.
fn reason_in(output: &[u8]) -> Option<String> {
    let output = without_mark(output).trim_ascii();
    json::is_document(output).ok()?;
    let members = json::members(output)?;
    let find = |members: &[json::Member], key: &str| {
        members
            .iter()
            .rev()
            .find(|member| member.key() == key)
            .and_then(|member| json::text(member.value))
            .map(|reason| reason.trim().to_owned())
            .filter(|reason| !reason.is_empty())
    };
    let nested = members
        .iter()
        .find(|member| member.key() == "hookSpecificOutput")
        .and_then(|member| json::members(member.value))
        .unwrap_or_default();
    find(&nested, "permissionDecisionReason")
        .or_else(|| find(&members, "permissionDecisionReason"))
        .or_else(|| find(&members, "reason"))
        .or_else(|| find(&members, "stopReason"))
        .or_else(|| find(&members, "message"))
}

/// The reason of a valid refusal in output that is otherwise at fault: in it as a whole, or in one
/// of its lines.
fn refusal_in(asked: Asked, output: &[u8]) -> Option<String> {
    let whole = std::iter::once(output);
    let lines = output.split(|byte| *byte == b'\n');
    whole.chain(lines).find_map(|part| {
        let part = without_mark(part).trim_ascii();
        if !part.starts_with(b"{") || json::is_document(part).is_err() {
            return None;
        }
        let members = json::members(part)?;
        let said = Document { asked, members }.said(part).ok()?;
        let decision = said.decision?;
        (decision.choice >= Choice::Block && !decision.reason.is_empty()).then_some(decision.reason)
    })
}

/// One JSON object that a hook printed.
struct Document<'a> {
    asked: Asked<'a>,
    members: Vec<json::Member<'a>>,
}

impl Document<'_> {
    fn said(&self, output: &[u8]) -> Result<Said, Fault> {
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

/// What an observing hook's words come to: its decisions do not count, except that exit 2 after a
/// tool ran is feedback for the model. A host that cannot be told so by a block is told by context.
/// Another result of a tool is what the model reads; another answer to a question is a decision.
pub fn observed(said: Said, finished: &Finished, contract: &Contract) -> Said {
    let after_a_tool = takes_feedback(contract.event);
    let is_feedback = finished.end == End::Exited(2) && after_a_tool;
    let mut said = Said {
        decision: said.decision.filter(|_| is_feedback),
        stop: None,
        input: None,
        result: said.result.filter(|_| after_a_tool),
        ..said
    };
    if contract.block == Form::Absent
        && let Some(decision) = said.decision.take()
    {
        said.context = Some(decision.reason);
    }
    said
}

/// May a fault of a gate block this event? A broken gate must not keep a turn from ending for ever.
pub fn fault_blocks(event: &str, stop_hook_active: bool) -> bool {
    !(continues_the_turn(event) && stop_hook_active)
}

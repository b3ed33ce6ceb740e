//! What one hook said, by Claude Code's contract, read strictly.
//!
//! Hosts read the same output leniently, each in its own way: noise before a document, a second
//! document or a misspelt key silently turns a refusal into nothing. Here such output is a
//! [`Fault`], and a gate with a fault denies.

mod document;

use crate::contract::{Contract, Form};
use crate::event::{Mode, continues_the_turn, reads_plain_text, takes_feedback};
use crate::json;
use crate::merge::{Choice, Decision};
use crate::run::{End, Finished, MOST_STDOUT};
use crate::text;
use document::Document;
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
        json::find(members, key)
            .and_then(json::text)
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

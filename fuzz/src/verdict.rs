//! Verdicts: what hooks said, merged, as each host is told it.
//!
//! The input holds the tool's input that all of them saw, and then up to [`MOST_HOOKS`] hooks, with
//! a byte 1D before each. A hook is a letter for its end (see [`end`]), a letter for its mode (see
//! [`mode`]), its stdout, and after a byte 1E its stderr. `@EVENT` stands for the event's name, so
//! that one input speaks of all events.

use hookkit_dispatch::contract::{Contract, Form};
use hookkit_dispatch::event::{Mode, continues_the_turn, takes_feedback};
use hookkit_dispatch::failure::{self, At};
use hookkit_dispatch::host::{CLAUDE_CODE, COPILOT_CLI, HOSTS, Host};
use hookkit_dispatch::interpreter::CannotStart;
use hookkit_dispatch::json;
use hookkit_dispatch::merge::{self, Choice, Decision, Outcome, Part};
use hookkit_dispatch::payload::Fields;
use hookkit_dispatch::run::{End, Finished};
use hookkit_dispatch::verdict::{self, Asked, Fault, Said};
use serde_json::Value;
use std::borrow::Cow;
use std::time::Duration;

use super::told::{Effect, Told};

/// Stands before each hook.
pub const HOOK: u8 = 0x1d;

/// Stands before a hook's stderr.
pub const STDERR: u8 = 0x1e;

/// Stands for the event's name.
pub const EVENT: &str = "@EVENT";

/// More hooks than this are left out.
pub const MOST_HOOKS: usize = 4;

/// The calls that a rewritten input is written for.
const COPILOTS_CALLS: [&[u8]; 3] = [
    br#"{"toolName":"create","toolArgs":{}}"#,
    br#"{"toolName":"bash","toolArgs":{}}"#,
    br#"{"tool_name":"mcp","tool_input":{}}"#,
];

/// Any hooks on every event of every host.
pub fn hold(data: &[u8]) {
    let case = Case::read(data);
    let mut events: Vec<&str> = all_contracts()
        .map(|(_, contract)| contract.event)
        .collect();
    events.sort_unstable();
    events.dedup();
    for event in events {
        case.on(event);
    }
}

fn all_contracts() -> impl Iterator<Item = (&'static dyn Host, &'static Contract)> {
    HOSTS.iter().flat_map(|&host| {
        host.contracts()
            .iter()
            .map(move |contract| (host, contract))
    })
}

struct Case<'d> {
    input: Cow<'d, [u8]>,
    hooks: Vec<Hook<'d>>,
}

struct Hook<'d> {
    mode: Mode,
    end: End,
    overflowed: bool,
    stdout: Output<'d>,
    stderr: Output<'d>,
}

/// What stands before, between and after the marks of the event's name.
struct Output<'d>(Vec<&'d [u8]>);

impl<'d> Output<'d> {
    fn read(mut output: &'d [u8]) -> Self {
        let mut parts = Vec::new();
        let mark = EVENT.as_bytes();
        while let Some(at) = output.windows(mark.len()).position(|bytes| bytes == mark) {
            parts.push(&output[..at]);
            output = &output[at + mark.len()..];
        }
        parts.push(output);
        Self(parts)
    }

    fn on(&self, event: &str) -> Vec<u8> {
        self.0.join(event.as_bytes())
    }
}

const NAMES: [&str; MOST_HOOKS] = ["one", "two", "three", "four"];

impl<'d> Case<'d> {
    fn read(data: &'d [u8]) -> Self {
        let mut sections = data.split(|byte| *byte == HOOK);
        let input = sections.next().unwrap_or_default();
        let is_object = json::members(input).is_some() && json::is_document(input).is_ok();
        Self {
            input: if is_object && std::str::from_utf8(input).is_ok() {
                Cow::Borrowed(input)
            } else {
                Cow::Borrowed(br#"{"command":"ls","timeout":5}"#)
            },
            hooks: sections.take(MOST_HOOKS).map(Hook::read).collect(),
        }
    }

    /// What hooks said is the same for all hosts that take the same kinds of words from them; each
    /// has its own form of a reply.
    fn on(&self, event: &str) {
        let takes = |contract: &Contract| (has_context(contract), contract.block == Form::Absent);
        let hosts: Vec<_> = all_contracts()
            .filter(|(_, contract)| contract.event == event)
            .collect();
        for kind in [(false, false), (false, true), (true, false), (true, true)] {
            let alike: Vec<_> = hosts
                .iter()
                .filter(|(_, contract)| takes(contract) == kind)
                .collect();
            let Some((_, contract)) = alike.first() else {
                continue;
            };
            let outcome = self.outcome(contract);
            for (host, contract) in alike {
                Self::is_told_to(*host, contract, &outcome);
            }
        }
    }

    /// What the hooks said together.
    fn outcome(&self, contract: &Contract) -> Outcome {
        let said: Vec<Said> = self
            .hooks
            .iter()
            .zip(NAMES)
            .map(|(hook, name)| hook.said(name, contract))
            .collect();
        let outcome = merge::merge(self.parts(&said, false));
        let other_way = merge::merge(self.parts(&said, true));
        assert_eq!(
            strength(&outcome),
            strength(&other_way),
            "the order of registration decides nothing"
        );
        self.merges_what_was_said(&said, &outcome);
        if !self.hooks.iter().any(|hook| hook.mode == Mode::Gate) {
            self.only_gates_decide(&outcome, contract);
        }
        outcome
    }

    fn is_told_to(host: &'static dyn Host, contract: &'static Contract, outcome: &Outcome) {
        let other = match host.name() {
            "claude-code" => Some(COPILOT_CLI),
            "copilot-cli" => Some(CLAUDE_CODE),
            _ => None,
        };
        // Only a rewritten input is written differently for different calls.
        let calls = if outcome.input.is_some() {
            &COPILOTS_CALLS[..]
        } else {
            &COPILOTS_CALLS[..1]
        };
        for call in calls {
            let fields = Fields::read(call).expect("a call is an object");
            Self::is_told(host, contract, None, &fields, outcome);
            if let Some(other) = other
                && contract.event == "PreToolUse"
            {
                let shared = other.contract(contract.event);
                Self::is_told(host, contract, shared, &fields, outcome);
            }
        }
    }

    fn parts(&self, said: &[Said], backwards: bool) -> Vec<Part<'_>> {
        let mut parts: Vec<_> = said
            .iter()
            .zip(NAMES)
            .map(|(said, hook)| Part {
                hook,
                said: said.clone(),
                saw: Some(Cow::Borrowed(&*self.input)),
                can_rewrite: true,
            })
            .collect();
        if backwards {
            parts.reverse();
        }
        parts
    }

    fn merges_what_was_said(&self, said: &[Said], outcome: &Outcome) {
        for one in said {
            let choice = one.decision.as_ref().map(|decision| decision.choice);
            assert!(choice <= strength(outcome).0, "no decision is weakened");
            if let Some(stop) = &one.stop {
                assert!(!stop.trim().is_empty(), "a stop has a reason");
                assert!(outcome.stop.is_some());
            }
        }
        let wanted: Vec<_> = said
            .iter()
            .filter_map(|said| said.input.as_deref())
            .collect();
        if let ([wanted], Some(seen)) = (&wanted[..], value(&self.input))
            && let Some(wanted) = value(wanted)
        {
            let merged = outcome.input.as_deref().map(|input| {
                value(input).unwrap_or_else(|| panic!("{} is JSON", input.escape_ascii()))
            });
            if wanted == seen {
                assert!(merged.is_none_or(|merged| merged == wanted));
            } else if outcome
                .decision
                .as_ref()
                .is_none_or(|said| said.choice < Choice::Block)
            {
                assert_eq!(merged, Some(wanted), "the input as the hook wants it");
            }
        }
        if let Some(decision) = &outcome.decision
            && decision.choice >= Choice::Block
        {
            assert!(!decision.reason.trim().is_empty(), "a refusal has a reason");
        }
    }

    fn only_gates_decide(&self, outcome: &Outcome, contract: &Contract) {
        let gives_feedback = takes_feedback(contract.event)
            && self
                .hooks
                .iter()
                .any(|hook| hook.mode == Mode::Observe && hook.end == End::Exited(2));
        assert!(outcome.decision.is_none() || gives_feedback);
        assert!(outcome.stop.is_none() && outcome.input.is_none());
        // An answer to a question of a server is a decision, a result of a tool is not.
        assert!(outcome.result.is_none() || takes_feedback(contract.event));
    }

    fn is_told(
        host: &'static dyn Host,
        contract: &'static Contract,
        shared_with: Option<&'static Contract>,
        fields: &Fields,
        outcome: &Outcome,
    ) {
        let at = At {
            host,
            contract,
            shared_with,
            stop_hook_active: false,
            plugin: None,
        };
        let input = outcome
            .input
            .as_deref()
            .map(|input| host.own_input(fields, input));
        let result = outcome
            .result
            .as_deref()
            .and_then(|result| host.own_result(result));
        let reply = at.encode(outcome, input.as_deref(), result.as_deref());
        let told = Told::read(&reply, contract);

        let (refuses, stops) = (told.does(Effect::Refuses), told.does(Effect::Stops));
        let can_refuse =
            contract.can_block() && !(continues_the_turn(contract.event) && outcome.stop.is_some());
        if can_refuse && outcome.refuses() {
            assert!(
                refuses || stops,
                "{} is told {told:?} of {outcome:?}",
                contract.event
            );
        }
        if can_refuse && strength(outcome).0 >= Some(Choice::Block) {
            let stops_instead = stops && contract.deny == Form::StopTurn;
            assert!(
                refuses || stops_instead,
                "{} is told {told:?} of {outcome:?}",
                contract.event
            );
        }
        if refuses || stops {
            // Claude Code shows the result beside a refusal of it, so what a hook took out stays out.
            let is_of_result =
                outcome.result.is_some() && contract.rewrite_result == Form::NestedOutput;
            let rewrites = told.does(Effect::Rewrites) && !is_of_result;
            assert!(
                !rewrites && !told.does(Effect::Allows),
                "{told:?} of {outcome:?}"
            );
        }
        if told.does(Effect::Allows) {
            let goes_only_with_allow = outcome.decision.is_none()
                && match outcome.input {
                    Some(_) => contract.rewrite_input == Form::NestedInputAllowed,
                    None => {
                        contract.rewrite_result == Form::NestedContent && outcome.result.is_some()
                    }
                };
            assert!(
                outcome.allows() || goes_only_with_allow,
                "{} is told {told:?} of {outcome:?}",
                contract.event
            );
        }
        if shared_with.is_some() && (refuses || told.does(Effect::Allows)) {
            assert_eq!(told.words.len(), 2, "both forms: {:?}", told.words);
            assert_eq!(told.words[0], told.words[1], "both forms are equal");
        }
        let says_nothing = *outcome == Outcome::default();
        assert!(
            !says_nothing || told == Told::default(),
            "{told:?} of nothing"
        );
    }
}

impl<'d> Hook<'d> {
    fn read(section: &'d [u8]) -> Self {
        let (head, rest) = section.split_at(section.len().min(2));
        let letter = |at: usize| head.get(at).copied().unwrap_or_default();
        let mut channels = rest.splitn(2, |byte| *byte == STDERR);
        Self {
            end: end(letter(0)),
            overflowed: letter(0) == b'o',
            mode: mode(letter(1)),
            stdout: Output::read(channels.next().unwrap_or_default()),
            stderr: Output::read(channels.next().unwrap_or_default()),
        }
    }

    fn finished(&self, event: &str) -> Finished {
        Finished {
            end: self.end.clone(),
            stdout: self.stdout.on(event),
            stdout_overflowed: self.overflowed,
            stderr: self.stderr.on(event),
            elapsed: Duration::ZERO,
        }
    }

    /// What this hook's end means, in its mode, as a session takes it.
    fn said(&self, name: &str, contract: &Contract) -> Said {
        let event = contract.event;
        let saw = || format!("{{\"hook_event_name\":\"{event}\"}}").into_bytes();
        let asked = Asked {
            hook: name,
            mode: self.mode,
            contract: CLAUDE_CODE.contract(event).unwrap_or(contract),
            has_context: has_context(contract),
            saw: &saw,
        };
        let finished = self.finished(event);
        let read = verdict::read(asked, &finished);
        self.is_strict(asked, &finished, &read);
        match (self.mode, read) {
            (Mode::Gate, Ok(said)) => said,
            (Mode::Gate, Err(fault)) => Said {
                decision: Some(Decision::deny(failure::hook_at_fault(
                    event, "plugin", name, &fault,
                ))),
                ..Said::default()
            },
            (Mode::Observe, Ok(said)) => verdict::observed(said, &finished, contract),
            (Mode::Observe | Mode::Silent | Mode::Direct, _) => Said::default(),
        }
    }

    /// No refusal that somebody else would read is lost, and none is without a reason.
    fn is_strict(&self, asked: Asked, finished: &Finished, read: &Result<Said, Fault>) {
        match read {
            Ok(said) => {
                assert!(matches!(self.end, End::Exited(0 | 2)));
                if let Some(decision) = &said.decision
                    && decision.choice >= Choice::Block
                {
                    assert!(!decision.reason.trim().is_empty(), "a refusal has a reason");
                }
            }
            Err(fault) => {
                assert!(!fault.what.trim().is_empty(), "a fault says what happened");
                assert_ne!(fault.own_reason.as_deref(), Some(""));
            }
        }
        if self.end == End::Exited(2) {
            assert!(refuses(read), "exit 2 refuses");
        }
        if self.end == End::Exited(0) && !self.overflowed {
            let event = asked.contract.event;
            if refuses_to_others(&finished.stdout, event) {
                assert!(
                    refuses(read),
                    "{event}: {read:?} of {}",
                    finished.stdout.escape_ascii()
                );
            }
            if json::is_document(without_mark(&finished.stdout)).is_err() {
                for line in finished.stdout.split(|byte| *byte == b'\n').take(8) {
                    assert!(
                        refuses(read) || !refuses_to_others(line, event),
                        "{event}: a refusal in a line of {}",
                        finished.stdout.escape_ascii()
                    );
                }
            }
        }
    }
}

/// How a hook ended, by its letter.
fn end(letter: u8) -> End {
    match letter {
        b'0' | b'o' => End::Exited(0),
        b'1' => End::Exited(1),
        b'2' => End::Exited(2),
        b's' => End::Signal(9),
        b't' => End::TimedOut(Duration::from_millis(1500)),
        b'd' => End::Deadline,
        b'h' => End::HostSignal,
        b'n' => End::NotStarted(CannotStart::NotExecutable("hook".into())),
        other => End::Exited(i32::from(other)),
    }
}

fn mode(letter: u8) -> Mode {
    match letter {
        b'o' => Mode::Observe,
        b's' => Mode::Silent,
        b'd' => Mode::Direct,
        _ => Mode::Gate,
    }
}

/// Can a hook speak to the model here, on the host or by the contract that it is written against?
fn has_context(contract: &Contract) -> bool {
    let claudes = CLAUDE_CODE.contract(contract.event);
    contract.has_context() || claudes.is_some_and(Contract::has_context)
}

fn strength(outcome: &Outcome) -> (Option<Choice>, bool) {
    let choice = outcome.decision.as_ref().map(|decision| decision.choice);
    (choice, outcome.stop.is_some())
}

fn value(raw: &[u8]) -> Option<Value> {
    serde_json::from_slice(raw).ok()
}

fn without_mark(output: &[u8]) -> &[u8] {
    output.strip_prefix("\u{feff}".as_bytes()).unwrap_or(output)
}

/// A gate that said this, or failed like this, refuses.
fn refuses(read: &Result<Said, Fault>) -> bool {
    read.as_ref().is_err()
        || read.as_ref().is_ok_and(|said| {
            said.stop.is_some()
                || said
                    .decision
                    .as_ref()
                    .is_some_and(|decision| decision.choice >= Choice::Block)
        })
}

/// Would a lenient reader, such as a host's own, see a refusal in this output?
fn refuses_to_others(output: &[u8], event: &str) -> bool {
    let Some(said) = value(without_mark(output.trim_ascii())) else {
        return false;
    };
    let nested = &said["hookSpecificOutput"];
    let permission = match event {
        "PreToolUse" | "PreModelSwitch" | "PreSkillShellCommand" => {
            nested["hookEventName"] == event && nested["permissionDecision"] == "deny"
        }
        "PermissionRequest" => nested["decision"]["behavior"] == "deny",
        _ => false,
    };
    permission || said["decision"] == "block" || said["continue"] == false
}

//! What a trial says about a hook.

use super::LONGEST;
use super::reading;
use crate::doctor::code::Code;
use crate::doctor::codes::outside as code;
use crate::doctor::finding::Finding;
use crate::survey::without_credentials;
use hookkit_dispatch::contract::{Contract, Effect};
use hookkit_dispatch::run::{End, Finished};
use hookkit_dispatch::text::cut;
use std::time::Duration;

/// One run that has ended.
pub(super) struct Tried<'t> {
    pub(super) host: &'static str,
    /// By the key under which the hook stands.
    pub(super) event: &'t str,
    pub(super) contract: &'static Contract,
    pub(super) finished: &'t Finished,
    /// The host's limit for it.
    pub(super) limit: Duration,
}

/// What is said of a hook whose program, shell or folder is not there.
pub(super) fn missing(what: &str, event: &str, contract: &Contract) -> Finding {
    let follows = follows(contract.failure.not_started, event);
    let what = format!("the hook on {event} cannot start: {what} is missing{follows}");
    Finding::new(&code::NOT_STARTED, what)
}

impl Tried<'_> {
    /// The worst that is to be said of it; nothing where the host takes it as it is meant.
    pub(super) fn judge(&self) -> Option<Finding> {
        let failure = self.contract.failure;
        match &self.finished.end {
            End::HostSignal => None,
            End::NotStarted(why) => Some(self.say(
                &code::NOT_STARTED,
                &format!("cannot start: {why}"),
                failure.not_started,
            )),
            End::TimedOut(_) | End::Deadline if self.limit > LONGEST => {
                let what = format!(
                    "did not end within {} s and was ended; its host gives it {} s",
                    LONGEST.as_secs(),
                    self.limit.as_secs()
                );
                Some(self.say(&code::UNTRIED, &what, Effect::NoGate))
            }
            End::TimedOut(_) | End::Deadline => {
                let what = format!("did not end within its {} s", self.limit.as_secs_f64());
                Some(self.say(&code::TOO_SLOW, &what, failure.timeout))
            }
            End::Signal(signal) => {
                let what = format!("was ended by signal {signal}");
                Some(self.say(&code::PROBE_FAILED, &what, failure.crash))
            }
            End::Exited(0) => self.answered(),
            End::Exited(2) => self.refused(),
            End::Exited(code) => self.failed(*code),
        }
    }

    fn failed(&self, exit: i32) -> Option<Finding> {
        let words = match exit {
            126 => ", which says that something is not executable",
            127 | 9009 => ", which says that something is not found",
            49 if cfg!(windows) => ", as the Microsoft Store's alias of a program does",
            _ => "",
        };
        let what = format!("ended with exit code {exit}{words}{}", self.complaint());
        let effect = self.contract.failure.exit_1;
        if !words.is_empty() {
            return Some(self.say(&code::NOT_STARTED, &what, effect));
        }
        // Seen on Claude Code 2.1.332: beside such a code a sound document counts all the same.
        let reading = self.reading();
        let is_read = reading.dropped.is_none() && !reading.is_silent;
        let is_said = self.host == "claude-code" && is_read && self.finished.stdout.contains(&b'{');
        (!is_said).then(|| self.say(&code::PROBE_FAILED, &what, effect))
    }

    /// Exit 2 is how hooks refuse, and how Python says that there is no such script.
    fn refused(&self) -> Option<Finding> {
        if let Some(line) = self.broken() {
            let what = format!("ended with exit code 2, but its program says `{line}`");
            return Some(self.say(&code::PROBE_FAILED, &what, self.contract.failure.exit_2));
        }
        let is_silent = self.finished.stderr.trim_ascii().is_empty();
        let is_lost = self.contract.can_block()
            && (self.contract.failure.exit_2 == Effect::Open
                || (self.host == "codex" && is_silent));
        is_lost.then(|| {
            let why = if self.contract.failure.exit_2 == Effect::Open {
                "which refuses nothing there"
            } else {
                "and without a word on stderr that refuses nothing there"
            };
            let what = format!("ended with exit code 2, {why}");
            self.say(&code::GATE_OPEN, &what, Effect::NoGate)
        })
    }

    fn answered(&self) -> Option<Finding> {
        let reading = self.reading();
        let can_block = self.contract.can_block();
        if reading.loses_refusal && can_block {
            let why = reading
                .dropped
                .unwrap_or_else(|| "says it where its host does not look".to_owned());
            let what = format!("refuses, but what it prints {why}");
            let effect = match self.contract.failure.malformed {
                // The row's word for output that cannot be read is no word on what can be.
                Effect::Unknown | Effect::NoGate => Effect::Open,
                known => known,
            };
            return Some(self.say(&code::GATE_OPEN, &what, effect));
        }
        if let Some(line) = self.broken().filter(|_| can_block && !reading.refuses) {
            let what = format!("ended with exit code 0, but its program says `{line}`");
            return Some(self.say(&code::GATE_OPEN, &what, Effect::Open));
        }
        let why = reading.dropped?;
        let effect = match self.contract.failure.malformed {
            Effect::Closed => Effect::Closed,
            _ => Effect::NoGate,
        };
        Some(self.say(
            &code::OUTPUT_DROPPED,
            &format!("printed what {why}"),
            effect,
        ))
    }

    fn reading(&self) -> reading::Reading {
        reading::read(self.host, self.event, self.contract, &self.finished.stdout)
    }

    fn say(&self, code: &'static Code, what: &str, effect: Effect) -> Finding {
        let event = self.event;
        let what = format!("the hook on {event} {what}{}", follows(effect, event));
        Finding::new(code, without_credentials(&what))
    }

    /// Behind a colon, the last line that it complained with.
    fn complaint(&self) -> String {
        let stderr = String::from_utf8_lossy(&self.finished.stderr);
        match stderr.lines().rev().find(|line| !line.trim().is_empty()) {
            Some(line) => format!(": {}", cut(line.trim(), 200)),
            None => String::new(),
        }
    }

    /// The line in which a shell or an interpreter says that it did not run the hook to its end.
    fn broken(&self) -> Option<String> {
        let stderr = String::from_utf8_lossy(&self.finished.stderr);
        let line = stderr.lines().find(|line| {
            SIGNS.iter().any(|sign| line.contains(sign)) || line.trim_end().ends_with(": not found")
        })?;
        Some(cut(line.trim(), 200))
    }
}

/// Words of shells and interpreters that hooks themselves hardly use.
const SIGNS: [&str; 9] = [
    "Traceback (most recent call last)",
    "can't open file",
    "Cannot find module",
    "MODULE_NOT_FOUND",
    "command not found",
    "cannot execute",
    "Syntax error:",
    "syntax error near",
    "is not recognized as",
];

/// What the host does then, behind a semicolon.
fn follows(effect: Effect, event: &str) -> String {
    match effect {
        Effect::Open => format!("; {event} goes on as if there were no hook"),
        Effect::Closed => "; its host refuses for that".to_owned(),
        Effect::Continues => "; the agent goes on for that instead of stopping".to_owned(),
        Effect::Told => "; the model is told so".to_owned(),
        Effect::NoGate | Effect::Unknown => String::new(),
    }
}

//! What is wrong with a manifest, where, and whom it concerns.

use std::fmt;

/// Does a fault stop hooks, or is it only for the author to hear?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The hooks of the events it concerns are not run, and gates deny.
    Stops,
    /// Said by `hookkit check`, ignored while hooks run.
    Check,
}

/// The events that a fault concerns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Concerns {
    Everything,
    Events(Vec<String>),
}

/// One fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// From 1.
    pub line: usize,
    /// The hook's id, where it has one.
    pub hook: Option<String>,
    pub severity: Severity,
    pub concerns: Concerns,
    /// What is wrong and what to do, as one sentence without its first capital.
    pub what: String,
}

impl Fault {
    /// Does it stop this event?
    pub fn stops(&self, event: &str) -> bool {
        self.severity == Severity::Stops
            && match &self.concerns {
                Concerns::Everything => true,
                Concerns::Events(events) => events.iter().any(|concerned| concerned == event),
            }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &self.hook {
            Some(hook) => write!(f, "hook `{hook}`: {}", self.what),
            None => write!(f, "{}", self.what),
        }
    }
}

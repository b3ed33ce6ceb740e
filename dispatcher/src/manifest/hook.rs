//! One hook of a manifest.

use crate::event::Mode;
use std::borrow::Cow;
use std::time::Duration;

/// One program of the author, and when it runs.
#[derive(Clone, Debug)]
pub struct Hook<'m> {
    pub id: Cow<'m, str>,
    pub events: Vec<Cow<'m, str>>,
    pub matcher: Option<Cow<'m, str>>,
    /// Program and arguments for this operating system.
    pub run: Vec<Cow<'m, str>>,
    /// Program and arguments for all, before an operating system's own; for `check` and `build`.
    pub run_everywhere: Vec<(&'static str, Vec<Cow<'m, str>>)>,
    /// As written; [`Hook::mode_on`] gives the default where nothing is.
    pub mode: Option<Mode>,
    pub required: bool,
    pub timeout: Duration,
    /// Hosts that it is for; `None` means all.
    pub hosts: Option<Vec<Cow<'m, str>>>,
    pub env: Vec<(Cow<'m, str>, Cow<'m, str>)>,
    /// Does `none` stand although the call could not be inspected?
    pub allows_uninspectable: bool,
    /// Where it stands in the manifest, from 1.
    pub line: usize,
}

impl Hook<'_> {
    /// How long a hook may run that says nothing about it.
    pub const TIMEOUT: Duration = Duration::from_secs(10);

    /// Its mode on one of its events.
    pub fn mode_on(&self, event: &str) -> Mode {
        self.mode.unwrap_or_else(|| Mode::default_for(event))
    }

    /// Is it registered for an event?
    pub fn is_on(&self, event: &str) -> bool {
        self.events.iter().any(|registered| registered == event)
    }

    /// Is it meant for a host?
    pub fn is_for(&self, host: &str) -> bool {
        self.hosts
            .as_ref()
            .is_none_or(|hosts| hosts.iter().any(|named| named == host))
    }
}

/// A program that hooks need, and its version as written (`>=3.9`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Needs<'m> {
    pub program: Cow<'m, str>,
    pub version: Cow<'m, str>,
}

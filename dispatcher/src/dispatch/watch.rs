//! What the log and `hookkit test` see of an event.

use crate::event::Mode;
use crate::receipt::Receipt;
use crate::reply::Reply;
use crate::run::Finished;
use crate::verdict::{Fault, Said};
use std::borrow::Cow;

/// Sees what happens on the way; `hookkit test` and the log listen.
pub trait Watch {
    /// A hook has ended.
    fn ran(&mut self, _ran: &Ran) {}

    /// Something worth knowing that changes no reply.
    fn noted(&mut self, _note: &str) {}

    /// An installed plugin is asked. The event is one of the host's, or `other`.
    fn asked(&mut self, _host: &'static str, _event: &'static str, _receipt: &Receipt) {}

    /// What counts of the hook that ended last, in its mode.
    fn counted(&mut self, _said: &Said) {}

    /// The reply was made without asking a hook.
    fn unasked(&mut self, _why: Unasked, _reply: &Reply) {}
}

/// Why no hook is asked about an event that may concern one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unasked {
    PluginMissing,
    ManifestBroken,
    PayloadUnreadable,
    PatchUnreadable,
    TooDeep,
    SettingsKept,
}

impl Unasked {
    pub fn word(self) -> &'static str {
        match self {
            Self::PluginMissing => "plugin-missing",
            Self::ManifestBroken => "manifest",
            Self::PayloadUnreadable => "payload",
            Self::PatchUnreadable => "patch",
            Self::TooDeep => "recursion",
            Self::SettingsKept => "settings",
        }
    }
}

/// One hook that has ended, and what was made of it.
pub struct Ran<'a> {
    pub hook: &'a str,
    pub mode: Mode,
    /// The file of a patch that it was about.
    pub file: Option<&'a str>,
    /// What it read on stdin, in pieces.
    pub saw: &'a [Cow<'a, [u8]>],
    pub finished: &'a Finished,
    pub said: &'a Result<Said, Fault>,
}

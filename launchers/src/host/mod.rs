//! The files by which each host is told. A host is one file here, as it is in the dispatcher.

mod claude_code;
mod codex;
pub(crate) mod copilot_cli;
mod plugin;
mod readers;
mod vscode;

pub(crate) use claude_code::ClaudeCode;
pub(crate) use codex::Codex;
pub(crate) use copilot_cli::CopilotCli;
pub(crate) use vscode::VsCode;

use crate::{Entry, File, Registration};
use hookkit_dispatch::contract::{Contract, Effect};
use hookkit_dispatch::host::Host;
use hookkit_dispatch::manifest::{Hook, Manifest};
use readers::READERS;

/// Every host that can be told, in the order of the documentation.
pub const ALL: &[&dyn Launch] = &[&ClaudeCode, &CopilotCli, &Codex];

/// Every host that hooks run on: those that are told, and those that read what others are told.
pub fn every() -> impl Iterator<Item = &'static dyn Launch> {
    ALL.iter().chain(READERS).copied()
}

/// A host, and how it wants to be told.
pub trait Launch: Sync {
    /// The host as the dispatcher knows it.
    fn host(&self) -> &'static dyn Host;

    /// What a launch line calls it: `auto` where several hosts read the file that the line is in.
    fn named(&self) -> &'static str {
        self.host().name()
    }

    /// The file in which it reads its registration, in the plugin's tree or in a repository.
    fn registration_file(&self, plugin: &str) -> String;

    /// Who is told in that file, where nothing is written for this host alone.
    fn told_as(&self) -> Option<&'static dyn Launch> {
        None
    }

    /// The longest timeout that it takes on an event, in seconds.
    fn longest_timeout(&self, _contract: &Contract) -> Option<u32> {
        None
    }

    /// The matcher that it is given for these hooks, where it matches as hookkit does.
    fn matcher(&self, contract: &Contract, hooks: &[&Hook]) -> Option<String>;

    /// Its files in the portable tree: what it reads to load the plugin and its hooks.
    fn tree(&self, manifest: &Manifest, registration: &Registration) -> Vec<File>;

    /// The version of the client that all this was seen on; `None` where nobody has seen it.
    fn seen_on(&self) -> Option<&'static str>;

    /// What else does not hold there, each as a sentence.
    fn caveats(&self) -> &'static [&'static str] {
        &[]
    }

    /// What becomes of an event when the dispatcher itself cannot start: the file is gone, has no
    /// executable bit, is for another machine.
    fn without_dispatcher(&self, entry: &Entry) -> Consequence {
        Consequence::of(entry.contract.failure.not_started)
    }

    /// What the repository that is worked on can do to a plugin of this host, each as a sentence.
    fn switches(&self) -> &'static [&'static str];

    /// Places in which it looks for a plugin before or instead of the files of [`Launch::tree`];
    /// an author's file there would hide ours.
    fn shadows(&self) -> &'static [&'static str] {
        &[]
    }
}

/// What becomes of an event that no hook looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consequence {
    /// It happens as if there were no plugin.
    Passes,
    /// It is refused, every time.
    Refused,
    /// It is refused by clients from this version on; older ones let it pass.
    RefusedSince(&'static str),
    /// Nothing waited for the hooks anyway.
    Nothing,
    /// Neither seen nor documented.
    Unknown,
}

impl Consequence {
    fn of(effect: Effect) -> Self {
        match effect {
            Effect::Open => Self::Passes,
            Effect::Closed => Self::Refused,
            Effect::NoGate | Effect::Told => Self::Nothing,
            Effect::Continues | Effect::Unknown => Self::Unknown,
        }
    }

    /// As words that follow the name of an event.
    pub fn words(self) -> String {
        match self {
            Self::Passes => "passes, unguarded".to_owned(),
            Self::Refused => "is refused, every time".to_owned(),
            Self::RefusedSince(version) => {
                format!("is refused, every time, from {version} on; passes before")
            }
            Self::Nothing => "goes on; no hook could have refused it".to_owned(),
            Self::Unknown => "is not known".to_owned(),
        }
    }
}

/// The way of telling a host, by its name.
pub fn by_name(name: &str) -> Option<&'static dyn Launch> {
    ALL.iter().copied().find(|host| host.host().name() == name)
}

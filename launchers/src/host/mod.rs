//! The files by which each host is told. A host is one file here, as it is in the dispatcher.

mod claude_code;
mod copilot_cli;
mod plugin;

use crate::{File, Registration};
use hookkit_dispatch::contract::Contract;
use hookkit_dispatch::host::Host;
use hookkit_dispatch::manifest::{Hook, Manifest};

/// Every host that can be told, in the order of the documentation.
pub const ALL: &[&dyn Launch] = &[&claude_code::ClaudeCode, &copilot_cli::CopilotCli];

/// A host, and how it wants to be told.
pub trait Launch: Sync {
    /// The host as the dispatcher knows it.
    fn host(&self) -> &'static dyn Host;

    /// The longest timeout that it takes on an event, in seconds.
    fn longest_timeout(&self, _contract: &Contract) -> Option<u32> {
        None
    }

    /// The matcher that it is given for these hooks, where it matches as hookkit does.
    fn matcher(&self, contract: &Contract, hooks: &[&Hook]) -> Option<String>;

    /// Its files in the portable tree: what it reads to load the plugin and its hooks.
    fn tree(&self, manifest: &Manifest, registration: &Registration) -> Vec<File>;

    /// Places in which it looks for a plugin before or instead of the files of [`Launch::tree`];
    /// an author's file there would hide ours.
    fn shadows(&self) -> &'static [&'static str] {
        &[]
    }
}

/// The way of telling a host, by its name.
pub fn by_name(name: &str) -> Option<&'static dyn Launch> {
    ALL.iter().copied().find(|host| host.host().name() == name)
}

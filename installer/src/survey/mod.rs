//! What every host on this machine really reads: each file, why it counts or not, and each hook in it.
//!
//! ```text
//! Places::of -> Survey::take -> sources, in the order of each host -> hooks
//! ```
//!
//! Nothing is started and nothing is written; a file is read once, however many hosts read it. A host
//! is one file in [`host`], which knows where that host looks, in which order, and what it drops.

mod ask;
mod beyond;
mod cause;
mod fault;
mod files;
mod firing;
mod groups;
mod handler;
mod host;
mod live;
mod pattern;
mod places;
mod plugin;
mod policy;
mod source;
mod twins;

pub(crate) use ask::{About, all as ask_hosts};
pub(crate) use beyond::not_looked_at;
pub(crate) use cause::{Cause, Switch};
pub(crate) use fault::{Fault, Wrong};
pub(crate) use files::Unread;
pub(crate) use firing::{Fires, Moment, looks_at_matchers};
pub(crate) use handler::{Handler, without_credentials};
pub(crate) use live::{Loss, Session, sessions};
pub(crate) use places::Places;
pub(crate) use plugin::{Gap, Origin, Plugin, Standing};
pub(crate) use source::{Hook, HookState, Kind, Scope, Source, State};
pub(crate) use twins::Twins;

use files::Files;
use std::collections::HashSet;
use std::path::Path;
use std::rc::Rc;

/// The names of all hosts whose files are known, in the order of the documentation.
pub(crate) fn hosts() -> impl Iterator<Item = &'static str> {
    host::ALL.iter().map(|reader| reader.host)
}

/// All that hosts read.
pub(crate) struct Survey {
    /// By host, and in the order in which that host reads them.
    pub(crate) sources: Vec<Source>,
    /// Every plugin that a host was told of, whether it loads it or not.
    pub(crate) plugins: Vec<Rc<Plugin>>,
    /// What is there and could not be read.
    pub(crate) unread: Vec<Unread>,
}

impl Survey {
    /// Reads what these hosts read; all of them where none is named.
    pub(crate) fn take(places: &Places, hosts: &[&str]) -> Self {
        let mut look = Look {
            places,
            files: Files::default(),
            sources: Vec::new(),
            plugins: Vec::new(),
        };
        for reader in host::ALL {
            if hosts.is_empty() || hosts.contains(&reader.host) {
                (reader.read)(&mut look);
            }
        }
        let sources = look.sources;
        let told: HashSet<&Path> = sources.iter().map(|source| &*source.file).collect();
        Self {
            unread: look.files.unread(|file| told.contains(file)),
            plugins: look.plugins,
            sources,
        }
    }

    /// The sources of one host.
    pub(crate) fn of<'s>(&'s self, host: &'s str) -> impl Iterator<Item = &'s Source> {
        self.sources
            .iter()
            .filter(move |source| source.host == host)
    }
}

/// A survey on its way.
struct Look<'p> {
    places: &'p Places,
    files: Files,
    sources: Vec<Source>,
    plugins: Vec<Rc<Plugin>>,
}

impl Look<'_> {
    fn push(&mut self, source: Source) {
        self.sources.push(source);
    }

    fn plugin(&mut self, plugin: Plugin) -> Rc<Plugin> {
        let plugin = Rc::new(plugin);
        self.plugins.push(Rc::clone(&plugin));
        plugin
    }
}

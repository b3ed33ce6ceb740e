//! One file that a host reads, and the hooks in it.

use super::cause::Cause;
use super::fault::{Fault, Wrong};
use super::files::{Found, Text};
use super::handler::Handler;
use super::plugin::Plugin;
use crate::edit::outline::Node;
use hookkit_dispatch::contract::Contract;
use serde::Serialize;
use std::path::PathBuf;
use std::rc::Rc;

/// A file that a host reads. The same file is a source of each host that reads it.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) host: &'static str,
    pub(crate) kind: Kind,
    pub(crate) scope: Scope,
    pub(crate) file: PathBuf,
    /// The plugin that it is a part of.
    pub(crate) plugin: Option<Rc<Plugin>>,
    /// Where it could be read.
    pub(crate) text: Option<Rc<Text>>,
    pub(crate) state: State,
    /// In the order of the file.
    pub(crate) hooks: Vec<Hook>,
}

/// What form a file has, and by whose rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Kind {
    ClaudeSettings,
    ClaudeManaged,
    /// `hooks/hooks.json` of a plugin, or what its manifest names, in Claude's form.
    ClaudePlugin,
    /// The front matter of a skill or a command.
    ClaudeSkill,
    /// The front matter of an agent.
    ClaudeAgent,
    CopilotPolicy,
    /// A file in a folder of hooks files.
    CopilotHooks,
    /// Settings with `hooks` in them.
    CopilotSettings,
    CopilotPlugin,
    CodexHooks,
    CodexConfig,
    CodexRequirements,
    CodexPlugin,
    /// A hooks file as VS Code's Local harness reads it, whatever names its events have.
    VscodeHooks,
    VscodePlugin,
}

/// Whom a source counts for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Scope {
    /// An administrator wrote it.
    Managed,
    User,
    /// A repository brings it along.
    Project,
    /// One person's own in a repository.
    Local,
}

/// What becomes of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Read,
    Dropped(Fault),
    Off(Cause),
}

/// One hook as it is written down.
#[derive(Clone, Debug)]
pub(crate) struct Hook {
    /// As it is written.
    pub(crate) event: Rc<str>,
    /// The line of the event's key.
    pub(crate) event_line: usize,
    /// The host's row for it; none where the host has no such event.
    pub(crate) contract: Option<&'static Contract>,
    /// The group's, and one of the entry's own, as far as they are there: all must match.
    pub(crate) matchers: Vec<Node>,
    /// Which group of the event, and which entry in it, from 0.
    #[expect(
        dead_code,
        reason = "for the doctor, which compares with Codex's own names"
    )]
    pub(crate) group: usize,
    #[expect(dead_code, reason = "as the group")]
    pub(crate) index: usize,
    /// Where the entry begins, from 1.
    pub(crate) line: usize,
    /// The entry as it is written.
    pub(crate) entry: Node,
    pub(crate) handler: Handler,
    pub(crate) state: HookState,
}

/// What becomes of one hook, if its source is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum HookState {
    /// It fires when its event happens and its matcher matches.
    Armed,
    /// The same, but only while this is active: a skill or an agent, by its name.
    Within(Rc<str>),
    Dropped(Fault),
    Off(Cause),
}

impl HookState {
    /// Does it fire at times?
    pub(crate) fn counts(&self) -> bool {
        matches!(self, Self::Armed | Self::Within(_))
    }
}

impl Source {
    pub(super) fn new(
        host: &'static str,
        kind: Kind,
        scope: Scope,
        file: impl Into<PathBuf>,
    ) -> Self {
        Self {
            host,
            kind,
            scope,
            file: file.into(),
            plugin: None,
            text: None,
            state: State::Read,
            hooks: Vec::new(),
        }
    }

    pub(super) fn of_plugin(mut self, plugin: &Rc<Plugin>) -> Self {
        self.plugin = Some(Rc::clone(plugin));
        self
    }

    /// Takes what was found over; none where there was nothing.
    pub(super) fn holding(mut self, found: Found) -> Option<Self> {
        match found {
            Found::Nothing => return None,
            Found::Unreadable(why) => {
                self.drop_for(Fault::new(0, Wrong::Unreadable(why.to_string())));
            }
            Found::Text(text) => {
                if let Err(unparsed) = &text.outline.tree {
                    let wrong = Wrong::Unparsed(unparsed.what.clone());
                    self.drop_for(Fault::new(unparsed.line, wrong));
                }
                self.text = Some(text);
            }
        }
        Some(self)
    }

    /// What it says, if it says anything.
    pub(crate) fn root(&self) -> Option<&Node> {
        self.text.as_ref()?.outline.root()
    }

    /// The host drops all of it; the first reason stays.
    pub(super) fn drop_for(&mut self, fault: Fault) {
        if !matches!(self.state, State::Dropped(_)) {
            self.state = State::Dropped(fault);
        }
    }

    /// Somebody switched it off; what is dropped is dropped already.
    pub(super) fn switch_off(&mut self, cause: Cause) {
        if self.state == State::Read {
            self.state = State::Off(cause);
        }
    }

    /// Drops it for what a host that reads JSON as the standard has it does not take.
    pub(super) fn wants_strict_json(&mut self) {
        if self.text.as_ref().is_some_and(|text| text.outline.has_mark) {
            self.drop_for(Fault::new(1, Wrong::Mark));
        }
        self.wants_bare_json();
    }

    /// The same for a host that takes a byte order mark.
    pub(super) fn wants_bare_json(&mut self) {
        let Some(text) = &self.text else { return };
        let outline = &text.outline;
        let faults = [
            outline.comment.map(|line| (line, Wrong::Comment)),
            outline.comma.map(|line| (line, Wrong::Comma)),
        ];
        if let Some((line, wrong)) = faults.into_iter().flatten().next() {
            self.drop_for(Fault::new(line, wrong));
        }
    }

    /// Does the host take it into account?
    pub(crate) fn is_read(&self) -> bool {
        self.state == State::Read
    }
}

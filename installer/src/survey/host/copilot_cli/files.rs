//! What stands in a hooks file: which of it the client takes, and what makes it drop the rest.

use crate::edit::outline::Node;
use crate::survey::cause::{Cause, Switch};
use crate::survey::fault::{Fault, Wrong};
use crate::survey::firing::looks_at_matchers;
use crate::survey::groups::{self, Form, Item, no_text, no_texts, no_time};
use crate::survey::handler::Handler;
use crate::survey::pattern;
use crate::survey::source::{HookState, Source};
use hookkit_dispatch::contract::Contract;
use hookkit_dispatch::host;
use std::path::Path;
use std::rc::Rc;

/// What goes when one entry is bad.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Strictness {
    Entries,
    All,
}

/// A hooks file as a whole.
pub(super) fn document(source: &mut Source, root: &Node, strictness: Strictness) {
    if !root.is_table() {
        source.drop_for(Fault::new(root.line, Wrong::NoTable("the file".to_owned())));
        return;
    }
    if let Some(version) = root.get("version")
        && version.number() != Some(1.0)
    {
        source.drop_for(Fault::new(version.line, Wrong::Version));
    }
    match root.get("hooks") {
        Some(hooks) if hooks.is_table() => events(source, hooks, strictness),
        Some(hooks) => {
            source.drop_for(Fault::new(hooks.line, Wrong::NoTable("hooks".to_owned())));
        }
        None => source.drop_for(Fault::new(root.line, Wrong::NoHooks)),
    }
    if let Some(off) = AllHooks::said_by(root, &source.file).off() {
        source.switch_off(off);
    }
}

/// What a file says about all hooks. The later file counts.
#[derive(Clone)]
pub(super) enum AllHooks {
    Unsaid,
    On,
    Off(Cause),
}

impl AllHooks {
    pub(super) fn said_by(root: &Node, file: &Path) -> Self {
        let said = root.get("disableAllHooks");
        match said.and_then(|said| Some((said.line, said.boolean()?))) {
            None => Self::Unsaid,
            Some((_, false)) => Self::On,
            Some((line, true)) => Self::Off(Cause::at(Switch::AllHooksDisabled, file, line)),
        }
    }

    pub(super) fn or(self, earlier: Self) -> Self {
        match self {
            Self::Unsaid => earlier,
            said => said,
        }
    }

    pub(super) fn off(&self) -> Option<Cause> {
        match self {
            Self::Off(cause) => Some(cause.clone()),
            Self::Unsaid | Self::On => None,
        }
    }
}

pub(super) fn events(source: &mut Source, hooks: &Node, strictness: Strictness) {
    let mut event: Option<(Rc<str>, Option<&'static Contract>)> = None;
    for item in groups::items(hooks, Form::Either) {
        let name = match &event {
            Some((name, contract)) if **name == *item.event.key => (Rc::clone(name), *contract),
            _ => {
                let name: Rc<str> = item.event.key.as_ref().into();
                (name, row(source.host, &item.event.key))
            }
        };
        event = Some(name.clone());
        let (name, contract) = name;
        let fault = bad(&item, contract);
        let drops_all = match (&fault, contract) {
            // A value that is no list makes any file go, an event that nobody has too.
            (Some(fault), _) if matches!(fault.wrong, Wrong::NoList(_)) => true,
            (Some(_), Some(_)) => strictness == Strictness::All,
            _ => false,
        };
        if let Some(fault) = fault.clone().filter(|_| drops_all) {
            source.drop_for(fault.whole());
        }
        let fault = fault
            .or_else(|| unknown(&item, contract))
            .or_else(|| bad_pattern(&item, contract));
        let handler = Handler::of(item.entry, Some("exec"), LINES);
        let state = fault.map_or(HookState::Armed, HookState::Dropped);
        source.hooks.push(item.hook(name, contract, handler, state));
    }
}

/// The keys of a line for a shell of this system, the first that is there counts.
const LINES: &[&str] = if cfg!(windows) {
    &["windows", "powershell", "command", "bash"]
} else if cfg!(target_vendor = "apple") {
    &["osx", "bash", "command", "powershell"]
} else {
    &["linux", "bash", "command", "powershell"]
};

/// All of them, on every system.
const SHELL_KEYS: &[&str] = &["bash", "powershell", "command", "windows", "linux", "osx"];

/// The row of an event by the key that it is registered under.
fn row(host: &str, key: &str) -> Option<&'static Contract> {
    host::by_name(host)?
        .contracts()
        .iter()
        .find(|row| row.native == Some(key) || (row.event == key && key != "UserPromptTransformed"))
}

fn unknown(item: &Item, contract: Option<&Contract>) -> Option<Fault> {
    let event = item.event.key.to_string();
    contract
        .is_none()
        .then(|| Fault::new(item.event.line, Wrong::Event(event)))
}

/// What its own check says of an entry, in the words of its own messages.
fn bad(item: &Item, contract: Option<&Contract>) -> Option<Fault> {
    if item.fault.is_some() {
        return item.fault.clone();
    }
    let entry = item.entry;
    let kind = entry.get("type");
    let event = contract.map(|row| row.event);
    match kind.map(|kind| (kind, kind.text())) {
        None | Some((_, Some("command"))) => command(entry),
        Some((_, Some("http"))) => http(entry, event),
        Some((_, Some("prompt"))) if event == Some("SessionStart") => no_text(entry, "prompt"),
        Some((kind, name)) => {
            let name = name.unwrap_or_default().to_owned();
            Some(Fault::new(kind.line, Wrong::Type(name)))
        }
    }
    .or_else(|| bad_matcher(item, contract))
    .or_else(|| no_time(entry, "timeout"))
    .or_else(|| no_time(entry, "timeoutSec"))
    .or_else(|| no_text(entry, "cwd"))
    .or_else(|| {
        groups::wrong(entry, "env", "has a value that is no text", |env| {
            env.members().iter().all(|one| one.node.text().is_some())
        })
    })
}

fn command(entry: &Node) -> Option<Fault> {
    let shell = SHELL_KEYS.iter().find(|key| entry.get(key).is_some());
    match (entry.get("exec"), shell) {
        (Some(exec), Some(key)) => Some(Fault::new(
            exec.line,
            Wrong::ExecAndShell((*key).to_owned()),
        )),
        (None, None) => Some(Fault::new(entry.line, Wrong::Nothing("bash"))),
        (Some(_), None) => no_text(entry, "exec").or_else(|| no_texts(entry, "args")),
        (None, Some(_)) => SHELL_KEYS
            .iter()
            .find_map(|key| no_text(entry, key))
            .or_else(|| no_texts(entry, "args")),
    }
}

/// What may refuse is asked by https alone. Two variables change that for one machine; nobody relies
/// on it.
fn http(entry: &Node, event: Option<&str>) -> Option<Fault> {
    let Some(url) = entry.get("url") else {
        return Some(Fault::new(entry.line, Wrong::Nothing("url")));
    };
    let decides = matches!(
        event,
        Some("PreToolUse" | "PreMcpToolCall" | "PermissionRequest")
    );
    let why = "is no https address, which this event wants";
    no_text(entry, "url").or_else(|| {
        let is_safe = url.text().is_some_and(|url| url.starts_with("https://"));
        let key = "url".to_owned();
        (decides && !is_safe).then(|| Fault::new(url.line, Wrong::Value { key, why }))
    })
}

fn is_matched(contract: Option<&Contract>) -> bool {
    contract.is_some_and(|row| looks_at_matchers(super::HOST, row))
}

/// A group's matcher that is no text is as good as none, an entry's is not.
fn bad_matcher(item: &Item, contract: Option<&Contract>) -> Option<Fault> {
    if !is_matched(contract) {
        return None;
    }
    let is_empty = |matcher: &&&Node| matcher.text() == Some("");
    let empty = item.matchers.iter().find(is_empty);
    empty
        .map(|matcher| Fault::new(matcher.line, Wrong::EmptyMatcher))
        .or_else(|| no_text(item.entry, "matcher"))
}

/// A matcher that is no pattern: its entry is skipped, wherever it stands.
fn bad_pattern(item: &Item, contract: Option<&Contract>) -> Option<Fault> {
    let row = contract.filter(|_| is_matched(contract))?;
    let is_native = row.native == Some(&*item.event.key);
    item.matchers.iter().find_map(|matcher| {
        let text = matcher.text()?;
        let means_all = !is_native && matches!(text, "*" | "**");
        (!means_all && !pattern::is_sound(text))
            .then(|| Fault::new(matcher.line, Wrong::Pattern(text.to_owned())))
    })
}

//! Hosts: the programs that fire events. Each is one file behind one trait.

mod claude_code;
mod codex;
mod copilot_cli;
mod copilot_cloud;
mod detect;
#[cfg(feature = "gemini-cli")]
mod gemini_cli;
mod results;
mod tools;
mod translate;
mod vscode_copilot;
mod vscode_local;

pub use detect::{ALIKE, Alike, Chosen, choose};

use crate::contract::{Contract, Subject};
use crate::json::{self, Kind};
use crate::payload::Fields;
use std::borrow::Cow;

/// Claude Code.
pub const CLAUDE_CODE: &dyn Host = &claude_code::ClaudeCode;

/// GitHub Copilot CLI.
pub const COPILOT_CLI: &dyn Host = &copilot_cli::COPILOT_CLI;

/// GitHub's cloud agent.
pub const COPILOT_CLOUD: &dyn Host = &copilot_cloud::COPILOT_CLOUD;

/// The Copilot harness of VS Code.
pub const VSCODE_COPILOT: &dyn Host = &vscode_copilot::VSCODE_COPILOT;

/// The Local harness of VS Code.
pub const VSCODE_LOCAL: &dyn Host = &vscode_local::VscodeLocal;

/// Codex CLI.
pub const CODEX: &dyn Host = &codex::Codex;

/// Every host that hookkit can be told to serve, by name.
pub const HOSTS: &[&dyn Host] = &[
    CLAUDE_CODE,
    COPILOT_CLI,
    COPILOT_CLOUD,
    VSCODE_COPILOT,
    VSCODE_LOCAL,
    CODEX,
    #[cfg(feature = "gemini-cli")]
    &gemini_cli::GeminiCli,
];

/// Names that a manifest may use for a host, whether this build serves it or not.
pub const HOST_NAMES: &[&str] = &[
    "claude-code",
    "copilot-cli",
    "copilot-cloud",
    "vscode-copilot",
    "vscode-local",
    "codex",
    #[cfg(feature = "gemini-cli")]
    "gemini-cli",
];

/// The host of a name.
pub fn by_name(name: &str) -> Option<&'static dyn Host> {
    HOSTS.iter().copied().find(|host| host.name() == name)
}

/// The two families of replies: the decision inside `hookSpecificOutput`, or at the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wire {
    Nested,
    Root,
}

/// A host: its events, how it says them, and how it wants to be answered.
pub trait Host: Sync {
    /// The name in `hookkit.json` and on command lines.
    fn name(&self) -> &'static str;

    /// Its events.
    fn contracts(&self) -> &'static [Contract];

    /// The variables in which it names the plugin's folder to hooks, best first.
    fn root_variables(&self) -> &'static [&'static str];

    /// Families of variables that it sets for hooks itself and no repository can set for it.
    fn own_variables(&self) -> &'static [&'static str] {
        &[]
    }

    /// The longest text that it passes on whole, in characters.
    fn longest_text(&self) -> usize;

    /// Where it looks for a decision.
    fn wire(&self) -> Wire;

    /// Does it still read its own form where that of the other family stands beside it?
    fn bears_other_forms(&self) -> bool {
        true
    }

    /// The event of a payload that does not name it, where its members leave no doubt.
    fn event_of_shape(&self, _fields: &Fields) -> Option<&'static str> {
        None
    }

    /// Its payload as hooks see it: Claude Code's.
    fn decode<'p>(
        &self,
        document: &'p [u8],
        fields: &Fields<'p>,
        contract: &Contract,
    ) -> Decoded<'p>;

    /// Its own names of a tool that Claude Code knows by this name; none where it is the same name.
    fn native_tools(&self, _claude: &str) -> &'static [&'static str] {
        &[]
    }

    /// A rewritten input (a raw object in Claude's argument names) in the names that this call of
    /// the host uses.
    fn own_input<'v>(&self, fields: &Fields, input: &'v [u8]) -> Cow<'v, [u8]>;

    /// A rewritten result in the host's shape; `None` when it has no such form.
    fn own_result<'v>(&self, result: &'v [u8]) -> Option<Cow<'v, [u8]>>;

    /// The row of an event, by either of its names.
    fn contract(&self, event: &str) -> Option<&'static Contract> {
        self.contracts()
            .iter()
            .find(|contract| contract.event == event || contract.native == Some(event))
    }
}

impl PartialEq for &dyn Host {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

/// One event as hooks see it.
#[derive(Debug)]
pub struct Decoded<'p> {
    /// The session's folder, as the payload names it.
    pub cwd: Option<Cow<'p, str>>,
    /// Is this the answer to an earlier block of the same event?
    pub stop_hook_active: bool,
    /// A tool that changes things, without the path or command that says which; or a list of things
    /// that cannot be looked at one by one.
    pub uninspectable: bool,
    /// What there is to see: one document, or one for each file of a patch.
    pub views: Vec<View<'p>>,
    /// Why hooks cannot be shown the call, where they cannot: a gate on Write or Edit denies.
    pub unreadable: Option<String>,
}

/// One document for hooks.
#[derive(Clone, Debug)]
pub struct View<'p> {
    /// What matchers look at; `None` where the event has no matcher or the payload no such value.
    pub subject: Option<Cow<'p, str>>,
    /// Names that the subject might as well have: a gate whose matcher matches one of them runs.
    pub might_be: &'static [&'static str],
    /// Names of an MCP tool beside the subject, in the host's words or Claude's: any hook whose
    /// matcher matches one of them runs.
    pub other_names: Vec<String>,
    /// The bytes for stdin, in pieces of the host's own payload where possible.
    pub document: Vec<Cow<'p, [u8]>>,
    /// The tool's input in Claude's argument names.
    pub input: Option<Cow<'p, [u8]>>,
    /// Which piece of the document is the tool's input.
    pub input_piece: Option<usize>,
    /// What this view is about where a call has several: a file of a patch, a page of a list.
    pub file: Option<String>,
}

impl View<'_> {
    /// The document as one run of bytes.
    pub fn bytes(&self) -> Vec<u8> {
        self.document.concat()
    }

    /// The same view after a hook has rewritten the input.
    #[must_use]
    pub fn with_input(mut self, input: &[u8]) -> Self {
        if let Some(piece) = self.input_piece {
            self.document[piece] = Cow::Owned(input.to_vec());
        }
        self.input = Some(Cow::Owned(input.to_vec()));
        self
    }
}

/// What a matcher looks at, for events whose subject is a member of the payload.
pub(crate) fn subject<'p>(
    fields: &Fields<'p>,
    contract: &Contract,
    tool: Option<Cow<'p, str>>,
) -> Option<Cow<'p, str>> {
    match contract.subject {
        Subject::Nothing => None,
        Subject::Tool => tool,
        Subject::Field(name) => fields.text(name),
        Subject::FileName(name) => fields.text(name).map(|path| {
            let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
            Cow::Owned(name.to_owned())
        }),
    }
}

/// The argument without which a call of this tool cannot be judged.
fn needed_argument(tool: &str) -> Option<&'static str> {
    match tool {
        "Bash" | "PowerShell" => Some("command"),
        "Write" | "Edit" | "MultiEdit" => Some("file_path"),
        "NotebookEdit" => Some("notebook_path"),
        _ => None,
    }
}

/// Is this a tool that changes things whose path or command is absent (requirement R85)?
///
/// `input` is the raw input in Claude's argument names.
pub(crate) fn is_uninspectable(tool: &str, input: Option<&[u8]>) -> bool {
    let Some(argument) = needed_argument(tool) else {
        return false;
    };
    let value = input
        .filter(|input| json::kind(input) == Some(Kind::Object))
        .and_then(json::members)
        .and_then(|members| json::find(&members, argument));
    // The raw text tells: a command may be as large as a payload.
    value.is_none_or(|value| json::kind(value) != Some(Kind::Text) || value == b"\"\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_event_of_a_host_has_one_row() {
        for host in HOSTS {
            let mut names: Vec<_> = host.contracts().iter().map(|row| row.event).collect();
            let count = names.len();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), count, "{}", host.name());
            assert!(HOST_NAMES.contains(&host.name()));
        }
        let counts: Vec<_> = HOSTS.iter().map(|host| host.contracts().len()).collect();
        assert_eq!(counts[..6], [34, 15, 13, 15, 8, 14]);
    }

    #[test]
    fn a_mutating_tool_needs_its_argument() {
        for (tool, input, expected) in [
            ("Bash", Some(&br#"{"command":"ls"}"#[..]), false),
            ("Bash", Some(br#"{"command":""}"#), true),
            ("Bash", Some(br#"{"command":["ls"]}"#), true),
            ("Bash", Some(br#""ls""#), true),
            ("Bash", None, true),
            ("Write", Some(br#"{"path":"a"}"#), true),
            ("Write", Some(br#"{"file_path":"a"}"#), false),
            ("Read", None, false),
            ("mcp__x__y", None, false),
        ] {
            assert_eq!(is_uninspectable(tool, input), expected, "{tool} {input:?}");
        }
    }
}

//! The real clients, offline and without an account.
//!
//! A [`Session`] is one run of a client in print mode: a throw-away home, a project that is a git
//! repository, a fake model on 127.0.0.1, every proxy variable on a dead port. [`claude`],
//! [`copilot`] and [`codex`] give the client, or nothing where it cannot be had (see [`install`]).

mod claude_code;
mod codex_cli;
mod copilot_cli;
mod install;
mod places;
mod session;

use std::sync::OnceLock;

pub use codex_cli::patch;
pub use places::Places;
pub use session::{Attended, Permission, Person, Seen, Session};

use self::claude_code::ClaudeCode;
use self::codex_cli::CodexCli;
use self::copilot_cli::CopilotCli;
use self::install::Clients;
use crate::Tree;
use crate::environment;
use crate::model::{Model, Script, Turn};
use crate::process::Program;
use serde_json::Value;

/// One client program.
pub trait Client: Sync {
    /// What hookkit calls it.
    fn host(&self) -> &'static str;

    /// The version that is installed.
    fn version(&self) -> &str;

    /// The file of its program.
    fn file(&self) -> &std::path::Path;

    /// The program with a throw-away environment and no arguments.
    fn program(&self, places: &Places) -> Program;

    /// Its model.
    fn model(&self, script: Script) -> Model;

    /// Writes what the session's settings say into its places, and gives the program that runs it.
    fn prepare(&self, session: &Session<'_>, model: &Model) -> Program;

    /// Runs one turn with somebody in front of it; what that person was asked.
    fn attend(&self, _: &Session<'_>, _: &Model, _: Person) -> Vec<String> {
        panic!("{} is run in print mode only", self.host())
    }

    /// What the client itself finds wrong with this tree; nothing when it loads all of it.
    fn faults_in(&self, tree: &Tree) -> Vec<String>;

    /// What the client itself says of the hooks that a session in the project has, in its own words.
    fn hooks(&self, _: &Places) -> Value {
        panic!("{} does not say which hooks it has", self.host())
    }

    /// A call that runs a shell command.
    fn shell(&self, command: &str) -> Turn;

    /// A call that writes a file.
    fn write(&self, file: &std::path::Path, content: &str) -> Turn;

    /// A call that reads a file.
    fn read(&self, file: &std::path::Path) -> Turn;

    /// A call that replaces a text in a file.
    fn edit(&self, file: &std::path::Path, old: &str, new: &str) -> Turn;

    /// A call that sends a subagent on an [`model::ERRAND`](crate::model::ERRAND), and waits for it
    /// where the client has such a call.
    fn errand(&self) -> Turn;
}

impl dyn Client + '_ {
    /// A session of this client, without a plugin, that may do everything.
    pub fn session(&self) -> Session<'_> {
        Session::new(self)
    }
}

/// Claude Code. Where it cannot be had, this says so and the test is to end.
pub fn claude() -> Option<&'static dyn Client> {
    static CLIENT: OnceLock<Result<ClaudeCode, String>> = OnceLock::new();
    installed(&CLIENT, ClaudeCode::installed)
}

/// Copilot CLI, likewise.
pub fn copilot() -> Option<&'static dyn Client> {
    static CLIENT: OnceLock<Result<CopilotCli, String>> = OnceLock::new();
    installed(&CLIENT, CopilotCli::installed)
}

/// Codex CLI, likewise.
pub fn codex() -> Option<&'static dyn Client> {
    static CLIENT: OnceLock<Result<CodexCli, String>> = OnceLock::new();
    installed(&CLIENT, CodexCli::installed)
}

fn installed<C: Client>(
    client: &'static OnceLock<Result<C, String>>,
    of: fn(&Clients) -> C,
) -> Option<&'static dyn Client> {
    match client.get_or_init(|| install::ensure_clients().map(of)) {
        Ok(client) => Some(client),
        Err(reason) => {
            environment::skip(reason);
            None
        }
    }
}

/// The client, or the end of this test: what is missing has been said loudly by then.
#[macro_export]
macro_rules! client_or_skip {
    ($client:ident) => {
        match $crate::client::$client() {
            Some(client) => client,
            None => return,
        }
    };
}

//! The hosts themselves, asked what they read: `hookkit doctor --ask-hosts`.
//!
//! Each client is started with its own command for that, offline; it may write into its own folders, as
//! it does whenever it starts. What it says is compared with what hookkit reads.

mod claude_code;
mod codex;
mod copilot_cli;

use super::{Places, Survey};
use crate::install::Found;
use std::path::PathBuf;
use std::time::Duration;

/// How long one answer may take: a client may unpack itself first.
const PATIENCE: Duration = Duration::from_mins(1);

/// Something that a client said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) host: &'static str,
    pub(crate) about: About,
    /// As a sentence without its first capital and its full stop.
    pub(crate) what: String,
    pub(crate) file: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum About {
    /// It reads it otherwise than hookkit.
    Difference,
    /// It reports an error of its own.
    Error,
    /// It could not be asked.
    Silence,
}

impl Said {
    fn new(host: &'static str, about: About, what: impl Into<String>) -> Self {
        Self {
            host,
            about,
            what: super::without_credentials(&what.into()),
            file: None,
        }
    }

    fn at(mut self, file: impl Into<PathBuf>) -> Self {
        self.file = Some(file.into());
        self
    }
}

/// Asks those of these clients that are on this machine and can be asked.
pub(crate) fn all(survey: &Survey, places: &Places, found: &[Found]) -> Vec<Said> {
    let mut said = Vec::new();
    for host in found {
        let Some(program) = &host.program else {
            continue;
        };
        let asked = match host.name() {
            "claude-code" => claude_code::ask(program, survey, places),
            "copilot-cli" => copilot_cli::ask(program, survey, places),
            "codex" => codex::ask(program, survey, places),
            _ => continue,
        };
        match asked {
            Ok(answers) => said.extend(answers),
            Err(why) => said.push(Said::new(
                host.name(),
                About::Silence,
                format!("it could not be asked: {why:#}"),
            )),
        }
    }
    said
}

//! `hookkit contracts`: what each agent promises, as hookkit knows it.

use super::Context;
use crate::cli::EXIT_CODES;
use crate::contracts::{self, Wanted};
use crate::outcome::{Outcome, Stop};
use crate::screen;
use clap::Args;
use hookkit_dispatch::host::{HOSTS, Host};
use std::path::PathBuf;

/// Print what each agent sends, takes and does, event by event
///
/// It is the table that the dispatcher is compiled with: which events there are, what a matcher
/// looks at, the members of the payload, the form in which each outcome is said, how long a hook
/// may take, what the agent does when a hook fails by itself, and where each of these is known from.
///
/// A row is `observed` where hookkit's tests or probes saw it on the real client, `official` where
/// it is the vendor's word, and `silent` where nobody says and hookkit reads it with care.
///
/// An outcome without a form is not lost where it refuses: hookkit says it in the nearest form
/// that refuses. `hookkit check` names what that means for a plugin.
///
/// With --receipts it prints what the real clients did with a plugin: one call that ran, one that
/// was refused, and what the model was told.
#[derive(Args)]
#[command(after_long_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub(crate) struct Contracts {
    /// Only this agent
    #[arg(long, value_name = "HOST")]
    host: Option<String>,
    /// Only this event, by Claude Code's name or the agent's own
    #[arg(long, value_name = "EVENT")]
    event: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    /// Print what the real clients did with plugins
    #[arg(long, conflicts_with = "event")]
    receipts: bool,
    /// Write the pages of docs/hosts to a folder
    #[arg(
        long,
        hide = true,
        value_name = "DIR",
        conflicts_with_all = ["host", "event", "json", "receipts"]
    )]
    markdown: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  hookkit contracts --event PreToolUse         one event on every agent
  hookkit contracts --host copilot-cli         every event of one agent
  hookkit contracts --json                     for other programs
  hookkit contracts --receipts                 calls that were refused by plugins on real clients";

impl Contracts {
    pub(crate) fn run(self, _context: &Context) -> Result<Outcome, Stop> {
        let wanted = Wanted::of(self.host()?, self.event.as_deref());
        if self.receipts {
            if self.json {
                screen::json(&contracts::receipts_json(&wanted)?)?;
            } else {
                screen::print(&contracts::print_receipts(&wanted, screen::width())?)?;
            }
            return Ok(Outcome::Done);
        }
        if wanted.is_empty() {
            let event = self.event.unwrap_or_default();
            return Err(Stop::unusable(format!(
                "there is no event `{event}`; `hookkit contracts --json` has the names"
            )));
        }
        if let Some(folder) = self.markdown {
            for host in wanted.hosts() {
                let file = folder.join(host.name()).with_extension("md");
                fs_err::write(file, contracts::page(*host))?;
            }
        } else if self.json {
            screen::json(&contracts::json(&wanted))?;
        } else {
            screen::print(&contracts::print(&wanted, screen::width()))?;
        }
        Ok(Outcome::Done)
    }

    fn host(&self) -> Result<Option<&'static dyn Host>, Stop> {
        let Some(name) = &self.host else {
            return Ok(None);
        };
        hookkit_dispatch::host::by_name(name)
            .map(Some)
            .ok_or_else(|| {
                let names: Vec<&str> = HOSTS.iter().map(|host| host.name()).collect();
                Stop::unusable(format!(
                    "there is no host `{name}`; there are {}",
                    names.join(", ")
                ))
            })
    }
}

//! `hookkit list`: every hook that agents read on this machine.

use super::Context;
use crate::cli::EXIT_CODES;
use crate::install::{self, Data, Receipt};
use crate::list::{Report, Wanted, print};
use crate::outcome::{Outcome, Stop};
use crate::screen;
use crate::survey::{self, Moment, Places, Survey};
use clap::Args;
use hookkit_dispatch::receipt::now;
use std::path::PathBuf;

/// List every hook that agents read on this machine, whoever wrote it
///
/// It reads what the agents read: the settings of the administrator, the user and the repository, hooks
/// folders, plugins and the registries of plugins, each in the agent's own order. A file that an agent
/// drops is listed with the reason, and so is a hook that something switches off.
///
/// With --event or --tool it says which hooks fire then, and why the others do not.
///
/// Nothing is started and nothing is written. Credentials in addresses and lines, the values of
/// variables and headers are not shown.
#[derive(Args)]
#[command(visible_alias = "why", after_long_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub(crate) struct List {
    /// Only this agent; more than once for several
    #[arg(long, value_name = "HOST")]
    host: Vec<String>,
    /// What fires on this event, by Claude Code's name or the agent's own
    #[arg(long, value_name = "EVENT")]
    event: Option<String>,
    /// What fires for this tool, by Claude Code's name or the agent's own
    #[arg(long, value_name = "TOOL")]
    tool: Option<String>,
    /// The folder that a session would start in
    #[arg(long, value_name = "DIR", default_value = ".")]
    repo: PathBuf,
    /// Only what does not count, and why; exit code 1 if there is anything
    #[arg(long)]
    problems: bool,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  hookkit list                                  everything that agents read
  hookkit why --event PreToolUse --tool Bash    what runs before a shell command, and what does not
  hookkit list --problems --repo ../service     what does not count in another folder";

impl List {
    pub(crate) fn run(self, context: &Context) -> Result<Outcome, Stop> {
        let hosts = self.hosts()?;
        let places = Places::of(&context.env, &self.repo)?;
        let survey = Survey::take(&places, &hosts);
        let data = Data::of(&context.env)?;
        let wanted = Wanted {
            moment: Moment {
                event: self.event,
                tool: self.tool,
            },
            only_problems: self.problems,
        };
        let report = Report::of(
            &survey,
            &install::hosts(&context.env)?,
            &Receipt::all(&data),
            &hosts,
            &wanted,
            &places.start,
            now(),
        );
        if self.json {
            let document = serde_json::to_value(&report).map_err(anyhow::Error::from)?;
            screen::json(&document)?;
        } else {
            screen::print(&print(&report, &places.home, screen::width()))?;
        }
        Ok(if self.problems && report.has_problems() {
            Outcome::Problems
        } else {
            Outcome::Done
        })
    }

    fn hosts(&self) -> Result<Vec<&'static str>, Stop> {
        let known: Vec<&'static str> = survey::hosts().collect();
        let named = |name: &String| {
            let found = known.iter().find(|host| *host == name);
            found.copied().ok_or_else(|| {
                Stop::unusable(format!(
                    "there is no agent `{name}`; known are {}",
                    known.join(", ")
                ))
            })
        };
        self.host.iter().map(named).collect()
    }
}

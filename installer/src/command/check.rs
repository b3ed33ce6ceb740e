//! `hookkit check`: everything that is wrong with a plugin, at once.

use super::Context;
use crate::check::{self, Level, Report};
use crate::cli::{Detail, EXIT_CODES};
use crate::outcome::{Outcome, Stop};
use crate::plugin::Plugin;
use crate::screen;
use clap::Args;
use std::path::PathBuf;

/// Name everything that is wrong with a plugin, and what each agent makes of it
///
/// Errors are what does not work: faults in hookkit.json with file and line, programs of hooks
/// that are missing, leave the plugin or do not start, files that cannot travel. Warnings are what
/// works, but hardly as meant: matchers that match nothing or too much, gates that are silent, a
/// program that this machine does not have.
///
/// For each agent it says when the dispatcher is started, what is lost there, what happens where
/// the dispatcher itself cannot start, and what the repository that is worked on can switch off.
///
/// Nothing is run and nothing is written.
#[derive(Args)]
#[command(after_long_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub(crate) struct Check {
    /// The plugin's folder
    #[arg(value_name = "DIR", default_value = ".")]
    plugin: PathBuf,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    /// Print the JSON schema of hookkit.json, for editors
    #[arg(long, conflicts_with = "json")]
    schema: bool,
}

const EXAMPLES: &str = "\
Examples:
  hookkit check                      the plugin in this folder
  hookkit check guard -v             notes too, such as what directories of plugins ask for
  hookkit check guard --json         for other programs
  hookkit check --schema > hookkit.schema.json";

impl Check {
    pub(crate) fn run(self, context: &Context) -> Result<Outcome, Stop> {
        if self.schema {
            screen::print(check::SCHEMA)?;
            return Ok(Outcome::Done);
        }
        let plugin = Plugin::open(&self.plugin, &context.env)?;
        let report = Report::of(&plugin, &context.env);
        if self.json {
            screen::json(&serde_json::to_value(&report).map_err(anyhow::Error::from)?)?;
        } else if context.detail > Detail::Quiet {
            let with_notes = context.detail == Detail::Verbose;
            screen::print(&check::print(&report, with_notes, screen::width()))?;
        } else {
            for finding in &report.findings {
                if finding.level == Level::Error {
                    let line = finding
                        .line
                        .map_or_else(String::new, |line| format!(":{line}"));
                    anstream::eprintln!("{}{line}: {finding}", finding.file);
                }
            }
        }
        Ok(if report.count(Level::Error) == 0 {
            Outcome::Done
        } else {
            Outcome::Problems
        })
    }
}

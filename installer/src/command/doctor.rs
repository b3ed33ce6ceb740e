//! `hookkit doctor`: what hosts will really run, and why not.

use super::Context;
use crate::check::Level;
use crate::cli::{Detail, EXIT_CODES};
use crate::doctor::{self, Beyond, Examined, codes};
use crate::install::{self, Data, Turn};
use crate::outcome::{Outcome, Stop};
use crate::screen;
use crate::survey::Places;
use clap::Args;
use hookkit_dispatch::host::HOST_NAMES;
use std::path::PathBuf;

/// Say which hooks will not run, or not as it seems, and what to do
///
/// It reads what each agent on this machine will read, whoever wrote it: settings, registries,
/// folders of plugins, the hooks of the repository. It starts no hook and writes nothing. A finding
/// has a code, a place and a way out; an error is something that a real client was seen to do.
///
/// With --fix it mends what is hookkit's own, and says each thing. The files of others are not
/// touched: what to change there stands beside each finding.
#[derive(Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an option of its own"
)]
#[command(after_long_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub(crate) struct Doctor {
    /// Look at this agent alone; may be given more than once
    #[arg(long = "host", value_name = "HOST")]
    hosts: Vec<String>,
    /// The repository to look at [default: the one around the working directory]
    #[arg(
        long,
        value_name = "DIR",
        default_value = ".",
        hide_default_value = true
    )]
    repo: PathBuf,
    /// Start the agents and ask them what they read; they may write into their own folders
    #[arg(long)]
    ask_hosts: bool,
    /// Run the hooks of this plugin, whoever made it, as its agents would, on made-up payloads in a
    /// scratch project with an empty home; may be given more than once
    #[arg(long, value_name = "PLUGIN")]
    probe: Vec<String>,
    /// Count warnings as errors
    #[arg(long)]
    strict: bool,
    /// Mend what is hookkit's own
    #[arg(long)]
    fix: bool,
    /// Say what a code means; `all` lists them
    #[arg(long, value_name = "CODE")]
    explain: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    /// Leave names, paths and texts of others out of the document
    #[arg(long, requires = "json")]
    share: bool,
    /// Write docs/doctor.md
    #[arg(long, hide = true, value_name = "FILE", exclusive = true)]
    markdown: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  hookkit doctor                         this machine, and the repository here
  hookkit doctor --host copilot-cli --strict
  hookkit doctor --json --share          for a bug report
  hookkit doctor --probe guard@tools     tries the hooks of this plugin
  hookkit doctor --explain HK404         what a finding means, and how it is known";

impl Doctor {
    pub(crate) fn run(self, context: &Context) -> Result<Outcome, Stop> {
        if let Some(file) = self.markdown {
            fs_err::write(file, doctor::page())?;
            return Ok(Outcome::Done);
        }
        if let Some(code) = &self.explain {
            return explain(code, self.json);
        }
        let mut examined = self.examine(context)?;
        if self.fix {
            let mended = self.mend(examined.repairs, context)?;
            examined = self.examine(context)?;
            if !self.json && mended == 0 && context.detail > Detail::Quiet {
                screen::print("nothing of hookkit's own is to be mended\n\n")?;
            }
        }
        let report = &examined.report;
        if self.json {
            let document = if self.share {
                report.shared()
            } else {
                report.json()
            };
            screen::json(&document)?;
        } else if context.detail > Detail::Quiet {
            let with_notes = context.detail == Detail::Verbose;
            screen::print(&report.print(with_notes, screen::width()))?;
        }
        let least = if self.strict {
            Level::Warning
        } else {
            Level::Error
        };
        Ok(if report.has(least) {
            Outcome::Problems
        } else {
            Outcome::Done
        })
    }

    fn examine(&self, context: &Context) -> Result<Examined, Stop> {
        let hosts: Vec<&str> = self.hosts.iter().map(String::as_str).collect();
        if let Some(unknown) = hosts.iter().find(|host| !HOST_NAMES.contains(host)) {
            return Err(Stop::unusable(format!(
                "there is no host `{unknown}`; there are {}",
                HOST_NAMES.join(", ")
            )));
        }
        let places = Places::of(&context.env, &self.repo)?;
        let found = install::hosts(&context.env)?;
        let data = Data::of(&context.env).ok();
        let beyond = Beyond {
            ask_hosts: self.ask_hosts,
            probe: self.probe.clone(),
        };
        doctor::examine(
            &places,
            &hosts,
            data.as_ref(),
            &found,
            self.fix,
            &context.env,
            &beyond,
        )
    }

    /// Carries repairs out, plugin by plugin; how many there were.
    fn mend(&self, repairs: Vec<install::Plan>, context: &Context) -> Result<usize, Stop> {
        let count = repairs.len();
        if repairs.is_empty() {
            return Ok(0);
        }
        let data = context.data_folder()?;
        let turn = Turn::take(&data)?;
        for plan in repairs {
            if !self.json && context.detail > Detail::Quiet {
                screen::print(&format!("Mending:\n{}\n", plan.print()))?;
            }
            turn.carry_out(plan, || Ok(()), &context.env)?;
        }
        Ok(count)
    }
}

fn explain(code: &str, as_json: bool) -> Result<Outcome, Stop> {
    let only = if code == "all" {
        None
    } else {
        Some(codes::find(code).ok_or_else(|| {
            Stop::unusable(format!(
                "there is no code `{code}`; `hookkit doctor --explain all` lists them"
            ))
        })?)
    };
    match only {
        _ if as_json => screen::json(&doctor::document(only))?,
        Some(code) => screen::print(&doctor::explain(code, screen::width()))?,
        None => screen::print(&doctor::list())?,
    }
    Ok(Outcome::Done)
}

//! `hookkit log`: what the dispatcher wrote down, and whether it writes.

use super::apply::{Consent, Job};
use super::{Context, installed};
use crate::cli::EXIT_CODES;
use crate::install::{self, Data, Plan, Receipt, State};
use crate::log::{self, Entry, Filter, Read, Summary, Tail};
use crate::outcome::{Outcome, Stop};
use crate::screen::{self, BOLD, CAREFUL, GOOD};
use crate::text::count;
use clap::{Args, Subcommand};
use hookkit_dispatch::receipt::now;
use serde_json::{Value, json};
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::time::Duration;

/// How often a file is looked at for new lines.
const PAUSE: Duration = Duration::from_millis(200);

/// Show what hooks did, where the log is on
///
/// The log is off unless it is switched on for a plugin, by `hookkit install --log` or `hookkit log
/// on`. The dispatcher then writes one line for each hook that ran, after it has answered: the time,
/// the agent, the event, the hook, what came of it, its exit code, how long it ran, and what kind of
/// fault it had. Nothing of what the agent sent is in it, nor anything that a hook printed.
///
/// The log stays on this machine, in the data folder, and takes 8 MiB at most. A hook that is
/// `silent` and refuses all the same is in it, and an observer that failed.
#[derive(Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_long_help = format!("{EXAMPLES}\n\n{EXIT_CODES}")
)]
pub(crate) struct Log {
    #[command(subcommand)]
    switch: Option<Switch>,
    /// Wait for new lines and print them as they come
    #[arg(long, short, conflicts_with = "summary")]
    follow: bool,
    /// Sum up each hook on each agent: calls, outcomes, and how long they took
    #[arg(long)]
    summary: bool,
    /// Only this plugin
    #[arg(long, value_name = "NAME")]
    plugin: Option<String>,
    /// Only this agent
    #[arg(long, value_name = "HOST")]
    host: Option<String>,
    /// Only so many of the last lines
    #[arg(long, short = 'n', value_name = "N")]
    lines: Option<usize>,
    /// Print one JSON document; with --follow, one on each line
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  hookkit log on guard                 from the next call on, in every session
  hookkit log --summary                which hooks refuse, fail, and how long they take
  hookkit log --follow --plugin guard
  hookkit log off";

#[derive(Subcommand)]
enum Switch {
    On(On),
    Off(Off),
}

/// Write down what hooks do, from the next call on
#[derive(Args)]
struct On {
    /// The plugin's name [default: all of them]
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// Write to this file, which somebody collects [default: log.jsonl in the data folder]
    #[arg(long, value_name = "FILE")]
    to: Option<PathBuf>,
    #[command(flatten)]
    consent: Consent,
}

/// Write nothing down any more; what is written stays
#[derive(Args)]
struct Off {
    /// The plugin's name [default: all of them]
    #[arg(value_name = "NAME")]
    name: Option<String>,
    #[command(flatten)]
    consent: Consent,
}

impl Log {
    pub(crate) fn run(self, context: &Context) -> Result<Outcome, Stop> {
        match &self.switch {
            Some(Switch::On(on)) => {
                let log = install::Log::to(on.to.as_deref())?;
                switch(on.name.as_deref(), Some(&log), &on.consent, context)
            }
            Some(Switch::Off(off)) => switch(off.name.as_deref(), None, &off.consent, context),
            None => self.show(context),
        }
    }

    fn show(&self, context: &Context) -> Result<Outcome, Stop> {
        let data = Data::of(&context.env)?;
        let filter = Filter {
            plugin: self.plugin.as_deref(),
            host: self.host.as_deref(),
        };
        // What comes while the rest is read is not lost.
        let tail = self.follow.then(|| Tail::new(&data));
        let mut read = log::read(&data, &filter);
        let first = self
            .lines
            .map_or(0, |lines| read.entries.len().saturating_sub(lines));
        read.entries.drain(..first);
        self.say_what_is_missing(&read, &data);
        if let Some(mut tail) = tail {
            for entry in &read.entries {
                self.print(entry)?;
            }
            loop {
                std::thread::sleep(PAUSE);
                for entry in tail.next(&filter) {
                    if !self.print(&entry)? {
                        return Ok(Outcome::Done);
                    }
                }
            }
        }
        if self.json {
            screen::json(&self.document(&read, &data))?;
        } else if self.summary {
            screen::print(&Summary::of(&read.entries).print())?;
        } else {
            let text: String = read.entries.iter().map(Entry::line).collect();
            screen::print(&text)?;
        }
        Ok(if read.faults.is_empty() {
            Outcome::Done
        } else {
            Outcome::Problems
        })
    }

    /// One line as it came; says whether somebody still reads.
    fn print(&self, entry: &Entry) -> Result<bool, Stop> {
        let line = if self.json {
            let mut line = serde_json::to_string(entry).map_err(anyhow::Error::from)?;
            line.push('\n');
            line
        } else {
            entry.line()
        };
        let mut stdout = anstream::stdout().lock();
        let written = stdout
            .write_all(line.as_bytes())
            .and_then(|()| stdout.flush());
        match written {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
            written => Ok(written.map(|()| true)?),
        }
    }

    fn document(&self, read: &Read, data: &Data) -> Value {
        let on: Vec<Value> = logging(data)
            .iter()
            .map(|(plugin, file)| json!({"plugin": plugin, "file": file}))
            .collect();
        let mut document = json!({
            "schema": 1, "on": on, "unread": read.unread, "faults": read.faults,
        });
        if self.summary {
            document["summary"] = Summary::of(&read.entries).json();
        } else {
            document["entries"] = json!(read.entries);
        }
        document
    }

    fn say_what_is_missing(&self, read: &Read, data: &Data) {
        for fault in &read.faults {
            anstream::eprintln!("{CAREFUL}careful{CAREFUL:#}: {fault}");
        }
        if read.unread > 0 {
            let lines = count(read.unread, "line");
            anstream::eprintln!("{CAREFUL}careful{CAREFUL:#}: {lines} cannot be read");
        }
        if !self.json && logging(data).is_empty() {
            anstream::eprintln!("the log is off for every plugin; `hookkit log on` switches it on");
        }
    }
}

/// The plugins that write, and where to.
fn logging(data: &Data) -> Vec<(String, PathBuf)> {
    let on = |receipt: Receipt| Some((receipt.name, receipt.log?.file(data)?));
    let is_installed = |receipt: &Receipt| receipt.state == State::Installed;
    let receipts = Receipt::all(data).into_iter();
    receipts.filter(is_installed).filter_map(on).collect()
}

/// Changes where plugins write to.
fn switch(
    name: Option<&str>,
    to: Option<&install::Log>,
    consent: &Consent,
    context: &Context,
) -> Result<Outcome, Stop> {
    let data = context.data_folder()?;
    consent.carry(&data, context, |_| {
        let meant = match name {
            Some(name) => vec![installed(name, &data)?],
            None => Receipt::all(&data)
                .into_iter()
                .filter(|receipt| receipt.state == State::Installed)
                .collect(),
        };
        if meant.is_empty() {
            return Err(Stop::refused("no plugin is installed"));
        }
        let names: Vec<&str> = meant.iter().map(|receipt| &*receipt.name).collect();
        let names = names.join(", ");
        let (heading, report) = match to.and_then(|log| log.file(&data)) {
            Some(file) => (
                format!("Log what the hooks of {BOLD}{names}{BOLD:#} do\n\n"),
                format!("\n{GOOD}On{GOOD:#}: {}\n", file.display()),
            ),
            None => (
                format!("Log nothing more of {BOLD}{names}{BOLD:#}\n\n"),
                format!("\n{GOOD}Off{GOOD:#}; `hookkit log` still shows what there is\n"),
            ),
        };
        let mut plan = Plan::default();
        for old in &meant {
            let mut new = old.clone();
            new.log = to.cloned();
            install::record(&mut plan, &data, Some(old), &mut new, now());
        }
        Ok(Job {
            heading,
            plan,
            check: Box::new(|| Ok(())),
            question: None,
            report,
            told: json!({
                "plugins": meant.iter().map(|receipt| &receipt.name).collect::<Vec<_>>(),
                "log": to.and_then(|log| log.file(&data)),
            }),
        })
    })
}

//! `hookkit test`: the hooks, tried out as each agent would run them.

use super::Context;
use crate::cli::{Detail, EXIT_CODES};
use crate::needs;
use crate::outcome::{Outcome, Stop};
use crate::plugin::{self, Plugin};
use crate::screen::{self, CAREFUL};
use crate::trial::{self, Asked, Interrupted, Layout, Place, Printer, Trial, Untried};
use anyhow::{Context as _, anyhow};
use clap::Args;
use fs_err as fs;
use hookkit_dispatch::contract::Contract;
use hookkit_dispatch::host::{CLAUDE_CODE, Host, choose};
use hookkit_dispatch::manifest::Manifest;
use hookkit_dispatch::payload::Fields;
use hookkit_launchers::host::{self, Launch};
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// Run the hooks as each agent would, and show what came of it
///
/// For every event that the plugin has hooks on, a payload is made up as the agent would send it,
/// chosen so that each hook's matcher matches: for tools an everyday call, and one that guards are
/// written for. An agent that has no such event, tool or value is named. The dispatcher then runs the hooks in this process. Shown is what each hook saw,
/// what it said and how long it took, and what the agent would be told: the bytes and the exit
/// code.
///
/// Three agents have no registration of their own: the cloud agent reads what
/// `hookkit install --scope project` writes, for all of Copilot's agents and so with `--host auto`; VS
/// Code's two read those of Copilot CLI and of Claude Code. They are played by what these files say.
///
/// Hooks really run. Their working directory is an empty folder that is removed afterwards; HOME
/// and the other variables are yours. No command of a payload is run: only hooks look at it.
///
/// A hook whose program or file is missing, that fails, hangs or prints what no agent reads is a
/// problem, and so is a program older than `needs` in hookkit.json says. What a `silent` hook said is shown as discarded, because no agent would hear it.
#[derive(Args)]
#[command(after_long_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub(crate) struct Test {
    /// The plugin's folder
    #[arg(value_name = "DIR", default_value = ".")]
    plugin: PathBuf,
    /// As this agent [default: claude-code, or the one that the payload comes from]
    #[arg(long, value_name = "HOST", value_parser = host_named)]
    host: Option<&'static dyn Launch>,
    /// As every agent, one after the other
    #[arg(long, conflicts_with_all = ["host", "payload"])]
    all_hosts: bool,
    /// Only this event, by Claude Code's or the agent's own name
    #[arg(long, value_name = "EVENT", value_parser = event_named)]
    event: Option<&'static str>,
    /// Only calls of this tool
    #[arg(long, value_name = "TOOL", conflicts_with = "payload")]
    tool: Option<String>,
    /// A payload of your own: what the agent would write to stdin; `-` reads it from stdin
    #[arg(long, value_name = "FILE")]
    payload: Option<PathBuf>,
    /// Run everything this often, show how the times are spread, and say what most of a hook's time
    /// goes into
    #[arg(long, value_name = "N", default_value_t = 1, hide_default_value = true,
          value_parser = clap::value_parser!(u32).range(1..=10_000))]
    repeat: u32,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  hookkit test --all-hosts                     everything, as every agent
  hookkit test guard --event Stop              one event
  hookkit test guard --tool Read --host copilot-cli
  hookkit test guard --payload recorded.json   what an agent really sent
  hookkit test guard --tool Bash --repeat 50   how long it takes";

fn host_named(name: &str) -> Result<&'static dyn Launch, String> {
    find(name).ok_or_else(|| {
        let names: Vec<&str> = host::every().map(|host| host.host().name()).collect();
        format!("it must be one of {}", names.join(", "))
    })
}

fn find(name: &str) -> Option<&'static dyn Launch> {
    host::every().find(|host| host.host().name() == name)
}

/// Claude Code's name of an event that any host has, by any of its names.
fn event_named(name: &str) -> Result<&'static str, String> {
    host::every()
        .find_map(|host| host.host().contract(name))
        .map(|contract| contract.event)
        .ok_or_else(|| "no agent that hookkit knows has this event".to_owned())
}

impl Test {
    pub(crate) fn run(self, context: &Context) -> Result<Outcome, Stop> {
        let plugin = Plugin::open(&self.plugin, &context.env)?;
        let manifest = match plugin.manifest() {
            Ok(manifest) => manifest,
            Err(faults) => {
                plugin.print(&faults);
                anstream::eprintln!("nothing was run; `hookkit check` says more");
                return Ok(Outcome::Problems);
            }
        };
        let place = Place::new(&context.env).context("no temporary folder can be made")?;
        let layout = Layout {
            width: screen::width(),
            detail: context.detail,
        };
        let width = layout.width;
        let mut printer = Printer::new(&manifest, layout);
        let is_shown = !self.json && context.detail > Detail::Quiet;
        let mut show = |trial: &Trial| {
            if is_shown {
                screen::print(&printer.trial(trial))?;
            }
            Ok(())
        };
        let (trials, untried) = match &self.payload {
            Some(file) => {
                let trial = self.given(file, &plugin, &manifest, &place, context)?;
                show(&trial)?;
                (vec![trial], Vec::new())
            }
            None => self.made_up(&plugin, &manifest, &place, &mut show)?,
        };
        let mut problems = needs::unmet(&manifest, &plugin.folder, &context.env);
        problems.extend(trial::problems(&trials));
        let repeat = self.repeat as usize;
        let advice = if repeat > 1 {
            trial::advise(&manifest, &plugin.folder, &trials, &place, repeat)
        } else {
            Vec::new()
        };
        if self.json {
            let mut document = trial::document(&manifest, &trials, &untried, &problems);
            document["advice"] = trial::told(&advice);
            screen::json(&document)?;
        } else if is_shown {
            screen::print(&printer.untried(&untried))?;
            screen::print(&trial::summary(&trials, &manifest, &problems, width))?;
            for one in &advice {
                screen::print(&format!("{CAREFUL}slow{CAREFUL:#}: {}\n", one.sentence()))?;
            }
            if !self.all_hosts && self.host.is_none() && self.payload.is_none() {
                screen::print("as every agent: --all-hosts\n")?;
            }
        } else {
            for problem in &problems {
                anstream::eprintln!("{problem}");
            }
        }
        Ok(if problems.is_empty() {
            Outcome::Done
        } else {
            Outcome::Problems
        })
    }

    /// What would happen in a session, made up.
    fn made_up(
        &self,
        plugin: &Plugin,
        manifest: &Manifest,
        place: &Place,
        show: &mut dyn FnMut(&Trial) -> Result<(), Stop>,
    ) -> Result<(Vec<Trial>, Vec<Untried>), Stop> {
        let hosts: Vec<&'static dyn Launch> = match self.host {
            _ if self.all_hosts => host::every().collect(),
            Some(host) => vec![host],
            None => find(CLAUDE_CODE.name()).into_iter().collect(),
        };
        let asked = Asked {
            event: self.event,
            tool: self.tool.as_deref(),
        };
        let chosen = trial::choose(manifest, &hosts, &asked);
        if chosen.moments.is_empty() && chosen.untried.is_empty() {
            return Err(Stop::unusable(format!(
                "{} has no hook for this: its hooks are on {}",
                plugin.manifest_file().display(),
                events(manifest)
            )));
        }
        let mut trials = Vec::new();
        for moment in &chosen.moments {
            for host in &hosts {
                let trial = trial::run_moment(
                    &plugin.folder,
                    manifest,
                    *host,
                    moment,
                    place,
                    self.repeat as usize,
                );
                let trial = trial.map_err(interrupted)?;
                show(&trial)?;
                trials.push(trial);
            }
        }
        Ok((trials, chosen.untried))
    }

    /// A payload that somebody wrote or recorded.
    fn given(
        &self,
        file: &Path,
        plugin: &Plugin,
        manifest: &Manifest,
        place: &Place,
        context: &Context,
    ) -> Result<Trial, Stop> {
        let bytes = if file == Path::new("-") {
            let mut bytes = Vec::new();
            std::io::stdin().read_to_end(&mut bytes)?;
            bytes
        } else {
            fs::read(plugin::absolute(file, &context.env)?)?
        };
        let fields = Fields::read(&bytes);
        let host = self.host.or_else(|| {
            let chosen = choose(None, fields.as_ref(), &context.env)?;
            find(chosen.host.name())
        });
        let host = host.ok_or_else(|| {
            anyhow!(
                "{} comes from an agent that cannot be played",
                file.display()
            )
        })?;
        let contract = contract(host.host(), fields.as_ref(), self.event).ok_or_else(|| {
            anyhow!(
                "{} does not say which event of {} it is about; name it with --event",
                file.display(),
                host.host().name()
            )
        })?;
        trial::run_document(
            &plugin.folder,
            manifest,
            host,
            contract.event,
            &bytes,
            place,
            self.repeat as usize,
        )
        .map_err(interrupted)
    }
}

/// The event of a payload: the one that was asked for, its own name, or its shape.
fn contract(
    host: &dyn Host,
    fields: Option<&Fields>,
    asked: Option<&str>,
) -> Option<&'static Contract> {
    // The other spelling is VS Code's, before 2026-09.
    let own = fields.and_then(|fields| {
        let own = fields.text("hook_event_name");
        own.or_else(|| fields.text("hookEventName"))
    });
    asked
        .or(own.as_deref())
        .or_else(|| host.event_of_shape(fields?))
        .and_then(|name| host.contract(name))
}

fn events(manifest: &Manifest) -> String {
    let mut events: Vec<&str> = Vec::new();
    for event in manifest.hooks.iter().flat_map(|hook| &hook.events) {
        if !events.contains(&&**event) {
            events.push(event);
        }
    }
    if events.is_empty() {
        "nothing".to_owned()
    } else {
        events.join(", ")
    }
}

fn interrupted(interrupted: Interrupted) -> Stop {
    Stop::Failed(interrupted.into())
}

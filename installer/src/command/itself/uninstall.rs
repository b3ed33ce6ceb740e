//! `hookkit self uninstall`.

use super::managed;
use crate::cli::{Detail, EXIT_CODES};
use crate::command::{Context, apply};
use crate::install::{self, Data, Plan, Receipt as Plugin, State, Turn};
use crate::itself::{self, Place, Receipt};
use crate::outcome::{Outcome, Stop};
use crate::screen::{self, BOLD, DIM, GOOD};
use clap::Args;
use hookkit_dispatch::receipt::now;
use std::fmt::Write as _;

/// Take hookkit away, as install.sh or install.ps1 brought it
///
/// The folder that it lies in goes, and the line that names it in the files of your shells; on
/// Windows the folder in your PATH. Files that nobody changed since get the bytes that they had.
///
/// Plugins are uninstalled first: refused while there is one, unless --keep-plugins says that they
/// shall go on without hookkit. What a package manager installed is left to it.
#[derive(Args)]
#[command(after_long_help = EXIT_CODES)]
pub(crate) struct Uninstall {
    /// Show what would be done, and do nothing
    #[arg(long)]
    dry_run: bool,
    /// Do it without asking
    #[arg(long, short, conflicts_with = "dry_run")]
    yes: bool,
    /// Leave installed plugins as they are
    #[arg(long)]
    keep_plugins: bool,
}

impl Uninstall {
    pub(crate) fn run(self, context: &Context) -> Result<Outcome, Stop> {
        context.refuse_other_users()?;
        let (place, receipt) = managed(context, |owner| owner.uninstall)?;
        let data = Data::of(&context.env)?;
        if !self.keep_plugins {
            refuse_plugins(&data)?;
        }
        if let Some(program) = itself::in_use(&place, &context.env) {
            return Err(Stop::refused(format!(
                "{} is running, and Windows removes no program that runs: end it, then say this \
                 again. Nothing was changed",
                program.display()
            )));
        }
        if context.detail > Detail::Quiet || self.dry_run {
            screen::print(&plan(&place, &receipt))?;
        }
        if self.dry_run {
            return Ok(Outcome::Done);
        }
        apply::agree(self.yes)?;
        tidy(&data, context)?;
        itself::remove(&place, &receipt, &context.env).map_err(Stop::Failed)?;
        // Of a data folder that held nothing else.
        let _ = std::fs::remove_dir(data.folder());
        if context.detail > Detail::Quiet {
            screen::print(&report(&data, context)?)?;
        }
        Ok(Outcome::Done)
    }
}

fn refuse_plugins(data: &Data) -> Result<(), Stop> {
    let installed: Vec<String> = Plugin::all(data)
        .into_iter()
        .filter(|plugin| plugin.state == State::Installed)
        .map(|plugin| plugin.name)
        .collect();
    let Some(first) = installed.first() else {
        return Ok(());
    };
    Err(Stop::refused(format!(
        "these plugins would go on without hookkit: {}. Uninstall them first (`hookkit uninstall \
         {first}`), or say --keep-plugins",
        installed.join(", ")
    )))
}

fn plan(place: &Place, receipt: &Receipt) -> String {
    let mut text = format!(
        "Uninstall {BOLD}hookkit{BOLD:#}\n\n  {DIM}remove{DIM:#}  {}\n",
        place.folder().display()
    );
    // Writing to a text does not fail.
    for undo in &receipt.told {
        let file = undo.file.display();
        let _ = writeln!(text, "  {DIM}give back{DIM:#}  {file}");
    }
    text
}

fn report(data: &Data, context: &Context) -> Result<String, Stop> {
    let mut text = format!("\n{GOOD}Uninstalled{GOOD:#} {BOLD}hookkit{BOLD:#}\n");
    let plugins = Plugin::all(data);
    if plugins
        .iter()
        .any(|plugin| plugin.state == State::Installed)
    {
        return Ok(text);
    }
    let hosts = install::hosts(&context.env)?;
    let mut live: Vec<_> = plugins
        .iter()
        .flat_map(|plugin| install::live(plugin, &hosts, now()))
        .collect();
    live.dedup();
    if !live.is_empty() {
        // Writing to a text does not fail.
        let _ = writeln!(
            text,
            "  {} stays, with a dispatcher that says nothing, until {} ends; remove it then",
            data.folder().display(),
            install::listed(&live)
        );
    }
    Ok(text)
}

/// What earlier uninstallations left for sessions that have ended since: nobody else will.
fn tidy(data: &Data, context: &Context) -> Result<(), Stop> {
    if Plugin::all(data).is_empty() {
        return Ok(());
    }
    let turn = Turn::take(data)?;
    let mut plan = Plan::default();
    install::tidy(&mut plan, data, &install::hosts(&context.env)?, now(), "");
    turn.carry_out(plan, || Ok(()), &context.env)
}

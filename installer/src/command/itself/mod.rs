//! `hookkit self ...`: hookkit itself, not plugins.

mod setup;
mod uninstall;
mod update;

use super::Context;
use crate::itself::{self, Owner, Place, Receipt};
use crate::outcome::{Outcome, Stop};
use clap::{Args, Subcommand};

/// Hookkit itself: where it lies on this machine
#[derive(Args)]
pub(crate) struct Itself {
    #[command(subcommand)]
    step: Step,
}

#[derive(Subcommand)]
enum Step {
    Setup(setup::Setup),
    Update(update::Update),
    Uninstall(uninstall::Uninstall),
}

impl Itself {
    pub(crate) fn run(self, context: &Context) -> Result<Outcome, Stop> {
        match self.step {
            Step::Setup(setup) => setup.run(context),
            Step::Update(update) => update.run(context),
            Step::Uninstall(uninstall) => uninstall.run(context),
        }
    }
}

/// Where this hookkit lies, if its own installer put it there. What a package manager put there is
/// left to it: `command` is what that is told instead.
fn managed(
    context: &Context,
    command: impl FnOnce(Owner) -> &'static str,
) -> Result<(Place, Receipt), Stop> {
    if let Some((place, _)) = Place::of_running(&context.env)
        && let Some(receipt) = Receipt::read(&place)?
    {
        return Ok((place, receipt));
    }
    let program = context.env.exe().unwrap_or_default();
    let program = program.canonicalize().unwrap_or(program);
    let shown = program.display();
    Err(Stop::refused(match itself::owner(&program) {
        Some(owner) => format!(
            "{shown} was installed by {}: {}",
            owner.name,
            command(owner)
        ),
        None => format!(
            "{shown} was not put there by install.sh or install.ps1, so it is left as it is; \
             replace or remove it by hand"
        ),
    }))
}

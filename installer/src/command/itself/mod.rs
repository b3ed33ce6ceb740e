//! `hookkit self ...`: hookkit itself, not plugins.

mod setup;
mod uninstall;

use super::Context;
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
    Uninstall(uninstall::Uninstall),
}

impl Itself {
    pub(crate) fn run(self, context: &Context) -> Result<Outcome, Stop> {
        match self.step {
            Step::Setup(setup) => setup.run(context),
            Step::Uninstall(uninstall) => uninstall.run(context),
        }
    }
}

//! One file for each command.

mod build;
mod check;
mod contracts;
mod init;
mod test;

use crate::cli::Detail;
use crate::outcome::{Outcome, Stop};
use clap::Subcommand;
use hookkit_dispatch::env::Env;

#[derive(Subcommand)]
pub(crate) enum Command {
    Init(init::Init),
    Check(check::Check),
    Test(test::Test),
    Build(build::Build),
    Contracts(contracts::Contracts),
}

/// What every command is given beside its own arguments.
pub(crate) struct Context {
    pub(crate) env: Env,
    pub(crate) detail: Detail,
}

impl Command {
    pub(crate) fn run(self, context: &Context) -> Result<Outcome, Stop> {
        match self {
            Self::Init(init) => init.run(context),
            Self::Check(check) => check.run(context),
            Self::Test(test) => test.run(context),
            Self::Build(build) => build.run(context),
            Self::Contracts(contracts) => contracts.run(context),
        }
    }
}

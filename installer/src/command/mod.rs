//! One file for each command.

mod build;
mod check;
mod contracts;
mod init;
mod keygen;
mod package;
mod source;
mod test;
mod verify;

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
    Package(package::Package),
    Verify(verify::Verify),
    Keygen(keygen::Keygen),
}

/// What every command is given beside its own arguments.
pub(crate) struct Context {
    pub(crate) env: Env,
    pub(crate) detail: Detail,
}

impl Context {
    /// Files that root makes in somebody's folder are not theirs to change.
    pub(crate) fn refuse_sudo(&self) -> Result<(), Stop> {
        if is_root() && self.env.get("SUDO_USER").is_some() {
            return Err(Stop::refused(
                "this makes files, and by sudo they would belong to root; run it as yourself",
            ));
        }
        Ok(())
    }
}

#[cfg(unix)]
fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

#[cfg(not(unix))]
fn is_root() -> bool {
    false
}

impl Command {
    pub(crate) fn run(self, context: &Context) -> Result<Outcome, Stop> {
        match self {
            Self::Init(init) => init.run(context),
            Self::Check(check) => check.run(context),
            Self::Test(test) => test.run(context),
            Self::Build(build) => build.run(context),
            Self::Contracts(contracts) => contracts.run(context),
            Self::Package(package) => package.run(context),
            Self::Verify(verify) => verify.run(context),
            Self::Keygen(keygen) => keygen.run(context),
        }
    }
}

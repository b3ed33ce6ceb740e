//! One file for each command.

mod apply;
mod build;
mod check;
mod contracts;
mod doctor;
mod init;
mod install;
mod itself;
mod keygen;
mod list;
mod log;
mod package;
mod project;
mod report;
mod scope;
mod source;
mod switch;
mod test;
mod trust;
mod uninstall;
mod update;
mod verify;
mod vouch;

use crate::cli::Detail;
use crate::install::{Data, Receipt, State};
use crate::net::Client;
use crate::outcome::{Outcome, Stop};
use clap::Subcommand;
use hookkit_dispatch::env::Env;
use hookkit_dispatch::receipt::is_folder_name;

#[derive(Subcommand)]
pub(crate) enum Command {
    Init(init::Init),
    Check(check::Check),
    Test(test::Test),
    Build(build::Build),
    Install(install::Install),
    Uninstall(uninstall::Uninstall),
    Update(update::Update),
    Disable(switch::Disable),
    Enable(switch::Enable),
    Log(log::Log),
    List(list::List),
    Doctor(doctor::Doctor),
    Contracts(contracts::Contracts),
    Package(package::Package),
    Verify(verify::Verify),
    Keygen(keygen::Keygen),
    #[command(name = "self")]
    Itself(itself::Itself),
}

/// What every command is given beside its own arguments.
pub(crate) struct Context {
    pub(crate) env: Env,
    pub(crate) detail: Detail,
    /// Is no server to be reached?
    pub(crate) is_offline: bool,
}

impl Context {
    /// The data folder, for a command that writes into it: for this user alone.
    pub(crate) fn data_folder(&self) -> Result<crate::install::Data, Stop> {
        self.refuse_other_users()?;
        crate::install::Data::of(&self.env)
    }

    /// What fetches, if that is wanted; `what` is to be fetched.
    pub(crate) fn client(&self, what: &impl std::fmt::Display) -> Result<Client, Stop> {
        if self.is_offline {
            return Err(Stop::refused(format!(
                "{what} lies on a server, and --offline says to reach none. Nothing was done"
            )));
        }
        Client::new(&self.env, self.detail == Detail::Quiet)
    }

    /// Files that one user makes in another's folder are not theirs to change.
    pub(crate) fn refuse_other_users(&self) -> Result<(), Stop> {
        if system::is_root() && self.env.get("SUDO_USER").is_some() {
            return Err(Stop::refused(
                "this makes files, and by sudo they would belong to root; run it as yourself",
            ));
        }
        match self.env.home().filter(|home| system::is_anothers(home)) {
            Some(home) => Err(Stop::refused(format!(
                "this makes files, and HOME is {}, which belongs to somebody else; run it as its \
                 owner, or set HOME to your own",
                home.display()
            ))),
            None => Ok(()),
        }
    }
}

/// The receipt of a plugin that is installed.
fn installed(name: &str, data: &Data) -> Result<Receipt, Stop> {
    let found = if is_folder_name(name) {
        Receipt::read(data, name)?
    } else {
        None
    };
    found
        .filter(|receipt| receipt.state == State::Installed)
        .ok_or_else(|| {
            let known: Vec<String> = Receipt::all(data)
                .into_iter()
                .filter(|receipt| receipt.state == State::Installed)
                .map(|receipt| receipt.name)
                .collect();
            let known = if known.is_empty() {
                "no plugin is".to_owned()
            } else {
                format!("installed: {}", known.join(", "))
            };
            Stop::refused(format!("`{name}` is not installed; {known}"))
        })
}

#[cfg(unix)]
mod system {
    use std::os::unix::fs::MetadataExt as _;
    use std::path::Path;

    pub(super) fn is_root() -> bool {
        rustix::process::geteuid().is_root()
    }

    pub(super) fn is_anothers(folder: &Path) -> bool {
        let own = rustix::process::geteuid().as_raw();
        fs_err::metadata(folder).is_ok_and(|found| found.uid() != own)
    }
}

#[cfg(not(unix))]
mod system {
    use std::path::Path;

    pub(super) fn is_root() -> bool {
        false
    }

    pub(super) fn is_anothers(_: &Path) -> bool {
        false
    }
}

impl Command {
    pub(crate) fn run(self, context: &Context) -> Result<Outcome, Stop> {
        match self {
            Self::Init(init) => init.run(context),
            Self::Check(check) => check.run(context),
            Self::Test(test) => test.run(context),
            Self::Build(build) => build.run(context),
            Self::Install(install) => install.run(context),
            Self::Uninstall(uninstall) => uninstall.run(context),
            Self::Update(update) => update.run(context),
            Self::Disable(disable) => disable.run(context),
            Self::Enable(enable) => enable.run(context),
            Self::Log(log) => log.run(context),
            Self::List(list) => list.run(context),
            Self::Doctor(doctor) => doctor.run(context),
            Self::Contracts(contracts) => contracts.run(context),
            Self::Package(package) => package.run(context),
            Self::Verify(verify) => verify.run(context),
            Self::Keygen(keygen) => keygen.run(context),
            Self::Itself(itself) => itself.run(context),
        }
    }
}

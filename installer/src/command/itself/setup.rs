//! `hookkit self setup`: the last step of `install.sh` and `install.ps1`.

use crate::cli::{Detail, EXIT_CODES};
use crate::command::Context;
use crate::itself::{self, Place, Receipt, Told};
use crate::outcome::{Outcome, Stop};
use crate::screen::{self, BOLD, CAREFUL, DIM};
use clap::Args;
use hookkit::edit::{Lock, Refused};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Where releases come from.
const BASE: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/releases");

/// Put the hookkit that was unpacked to use; started by install.sh and install.ps1
///
/// It stands in SELF/versions/VERSION, which those two made. SELF/bin then leads to it, and a line
/// in the files that your shells read when they start names SELF/bin; on Windows your PATH does. A
/// receipt keeps what was changed, and `hookkit self uninstall` gives it back.
#[derive(Args)]
#[command(after_long_help = EXIT_CODES)]
pub(crate) struct Setup {
    /// Leave the PATH and the files of shells alone
    #[arg(long)]
    no_modify_path: bool,
    /// Where releases come from
    #[arg(long, value_name = "URL", default_value = BASE)]
    base_url: String,
    /// The outermost folder that was made to hold SELF
    #[arg(long, value_name = "DIR")]
    made: Option<PathBuf>,
}

impl Setup {
    pub(crate) fn run(self, context: &Context) -> Result<Outcome, Stop> {
        context.refuse_other_users()?;
        let version = hookkit_dispatch::version();
        let place = match Place::of_running(&context.env) {
            Some((place, found)) if found == version => place,
            _ => {
                return Err(Stop::refused(format!(
                    "this hookkit does not stand in a folder versions/{version}; install.sh and \
                     install.ps1 put it there and start this"
                )));
            }
        };
        let turn = Lock::take(place.folder()).map_err(failed)?;
        let mut receipt = Receipt::read(&place)?.unwrap_or_else(|| Receipt::new(&self.base_url));
        receipt.base.clone_from(&self.base_url);
        if let Some(made) = &self.made {
            receipt.made = between(made, place.folder());
        }
        receipt.write(&place, &turn).map_err(failed)?;
        place
            .switch_to(version)
            .map_err(|error| Stop::Failed(error.into()))?;
        let told = if self.no_modify_path {
            Told::default()
        } else {
            itself::tell(&place, &context.env, &mut receipt, &turn).map_err(failed)?
        };
        if context.detail > Detail::Quiet {
            screen::print(&report(&place, &told, is_on_path(&place, context)))?;
        }
        Ok(Outcome::Done)
    }
}

fn failed(why: Refused) -> Stop {
    Stop::Failed(why.into())
}

/// A folder and those in it, down to the one that holds another.
fn between(outermost: &Path, inner: &Path) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = inner
        .ancestors()
        .skip(1)
        .take_while(|folder| folder.starts_with(outermost))
        .map(Path::to_path_buf)
        .collect();
    folders.reverse();
    folders
}

fn is_on_path(place: &Place, context: &Context) -> bool {
    let path = context.env.get("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder == place.bin())
}

fn report(place: &Place, told: &Told, is_on_path: bool) -> String {
    let bin = place.bin();
    let mut text = format!(
        "{BOLD}hookkit {}{BOLD:#} is installed in {}\n",
        hookkit_dispatch::version(),
        bin.display()
    );
    // Writing to a text does not fail.
    for file in &told.places {
        let _ = writeln!(text, "  {DIM}named in{DIM:#} {}", file.display());
    }
    for refused in &told.refused {
        let _ = writeln!(text, "  {CAREFUL}{refused}{CAREFUL:#}");
    }
    if !is_on_path {
        let now = if cfg!(windows) {
            format!("$env:Path = \"{};$env:Path\"", bin.display())
        } else {
            format!("export PATH='{}':\"$PATH\"", bin.display())
        };
        let _ = writeln!(text, "To use it in this shell too:\n  {now}");
    }
    text
}

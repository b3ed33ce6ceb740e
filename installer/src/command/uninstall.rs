//! `hookkit uninstall`: a plugin goes, and nothing of it stays.

use super::apply::{Consent, Job};
use super::scope::{ScopeArgs, Where};
use super::{Context, project};
use crate::cli::EXIT_CODES;
use crate::install::{self, Data, Found, Receipt, Removal, State};
use crate::outcome::{Outcome, Stop};
use crate::screen::{BOLD, GOOD};
use clap::Args;
use hookkit_dispatch::receipt::{is_folder_name, now};
use serde_json::json;
use std::fmt::Write as _;

/// Take a plugin away, without a trace
///
/// Every settings file becomes what it was before the plugin came, byte for byte, if nothing else was
/// changed in it since; else what is the plugin's goes and everything else stays. That also works when
/// the data folder is gone, or half of an installation is there: what is ours is known by itself.
///
/// Without --scope it goes from everywhere, from repositories in which it was installed too; with
/// --scope local from one repository, while others keep it; with --scope project from a repository
/// that it is a part of, by what `.github/hookkit/NAME.json` there says.
///
/// A session that runs goes on without the plugin. While there is one, the dispatcher stays where it
/// was registered and says nothing; a later run of hookkit takes it away.
#[derive(Args)]
#[command(after_long_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub(crate) struct Uninstall {
    /// The plugin's name
    #[arg(value_name = "NAME")]
    name: String,
    #[command(flatten)]
    scope: ScopeArgs,
    #[command(flatten)]
    consent: Consent,
}

const EXAMPLES: &str = "\
Examples:
  hookkit uninstall guard --dry-run
  hookkit uninstall guard --yes
  hookkit uninstall guard --scope local  only from the repository that you stand in";

impl Uninstall {
    pub(crate) fn run(self, context: &Context) -> Result<Outcome, Stop> {
        context.refuse_other_users()?;
        if !is_folder_name(&self.name) {
            return Err(Stop::unusable(format!(
                "`{}` is no plugin's name",
                self.name
            )));
        }
        if let Some(repository) = self.scope.project(false, context)? {
            return project::uninstall(&self.name, &repository, &self.consent, context);
        }
        let data = Data::of(&context.env)?;
        let place = self.scope.named(context)?;
        self.consent.carry(&data, context, |_| {
            job(&self.name, place.as_ref(), &data, context)
        })
    }
}

fn job<'j>(
    name: &str,
    place: Option<&Where>,
    data: &Data,
    context: &Context,
) -> Result<Job<'j>, Stop> {
    let hosts = install::hosts(&context.env)?;
    let receipt = Receipt::read(data, name)?;
    let Removal {
        mut plan,
        live,
        was_there,
    } = removal(name, place, data, receipt.as_ref(), &hosts, context)?;
    install::tidy(&mut plan, data, &hosts, now(), name);
    let from = match place {
        Some(Where::In(repository)) => format!(" from {}", repository.display()),
        _ => String::new(),
    };
    let heading = if was_there {
        format!("Uninstall {BOLD}{name}{BOLD:#}{from}\n\n")
    } else {
        String::new()
    };
    let mut report = if was_there {
        format!("\n{GOOD}Uninstalled{GOOD:#} {BOLD}{name}{BOLD:#}{from}\n")
    } else {
        format!("Nothing of {BOLD}{name}{BOLD:#} is installed\n")
    };
    if !live.is_empty() {
        // Writing to a text does not fail.
        let _ = writeln!(
            report,
            "  The dispatcher stays and says nothing until {} ends; the next run of hookkit after \
             that takes it away",
            install::listed(&live)
        );
    }
    if place.is_none() {
        report.extend(project::stays_in_repository(name, context));
    }
    let sessions: Vec<_> = live
        .iter()
        .map(|session| json!({"host": session.host, "process": session.process}))
        .collect();
    Ok(Job {
        heading,
        plan,
        check: Box::new(|| Ok(())),
        question: None,
        report,
        told: json!({"plugin": name, "was_installed": was_there, "kept_for": sessions}),
    })
}

/// From where it shall go, what goes.
fn removal(
    name: &str,
    place: Option<&Where>,
    data: &Data,
    receipt: Option<&Receipt>,
    hosts: &[Found],
    context: &Context,
) -> Result<Removal, Stop> {
    let live = receipt.filter(|receipt| receipt.state == State::Installed);
    if let (Some(place), Some(receipt)) = (place, live) {
        place.check(receipt)?;
        if let Where::In(repository) = place
            && receipt.repositories.len() > 1
        {
            return Removal::from_repository(repository, data, receipt, hosts, now());
        }
    }
    let here = match place {
        Some(Where::In(repository)) => Some(repository.clone()),
        _ => context
            .env
            .cwd()
            .and_then(|cwd| install::repository(&cwd).ok()),
    };
    Removal::of(name, data, receipt, hosts, here.as_deref(), now())
}

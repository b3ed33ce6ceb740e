//! `hookkit update`: a plugin again, from where it came from.

use super::apply::Consent;
use super::install::Request;
use super::scope::ScopeArgs;
use super::vouch::Opened;
use super::{Context, project, source};
use crate::cli::EXIT_CODES;
use crate::install::{Data, Receipt, State};
use crate::outcome::{Outcome, Stop};
use crate::screen;
use crate::source::{Asked, Source};
use clap::Args;
use serde_json::{Value, json};

/// Bring plugins up to date, from where they were installed from
///
/// The new version goes beside the old one and is then put to use at once: sessions that run have it
/// from their next call on, and are named, for other events, matchers and timeouts come to them with
/// the next session only. The version before stays, and older ones for two weeks. An older version is
/// refused, and if any step fails, the version before is as it was.
///
/// A plugin has one version: where it is installed in several repositories, all of them get the new
/// one. --scope says which plugins are meant.
#[derive(Args)]
#[command(after_long_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub(crate) struct Update {
    /// The plugin's name [default: all of them]
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// Take an older version than the one that is installed
    #[arg(long)]
    allow_downgrade: bool,
    /// Have Codex start the new version's hooks, which it does for nobody who has not said so
    #[arg(long)]
    trust: bool,
    #[command(flatten)]
    scope: ScopeArgs,
    #[command(flatten)]
    consent: Consent,
}

const EXAMPLES: &str = "\
Examples:
  hookkit update guard --dry-run
  hookkit update --yes                 every plugin that is installed";

impl Update {
    pub(crate) fn run(self, context: &Context) -> Result<Outcome, Stop> {
        if let Some(repository) = self.scope.project(false, context)? {
            let Some(name) = &self.name else {
                return Err(Stop::unusable("name the plugin of the repository"));
            };
            let downgrade = self.allow_downgrade;
            return project::update(name, &repository, downgrade, &self.consent, context);
        }
        let data = context.data_folder()?;
        let place = self.scope.named(context)?;
        let receipts = match &self.name {
            Some(name) => {
                let receipt = super::installed(name, &data)?;
                place.iter().try_for_each(|place| place.check(&receipt))?;
                vec![receipt]
            }
            None => Receipt::all(&data)
                .into_iter()
                .filter(|receipt| receipt.state == State::Installed)
                .filter(|receipt| place.as_ref().is_none_or(|place| place.has(receipt)))
                .collect(),
        };
        if receipts.is_empty() {
            return Err(Stop::refused(match &place {
                Some(place) => format!("no plugin is installed {place}"),
                None => "no plugin is installed".to_owned(),
            }));
        }
        if self.consent.is_json() && self.name.is_none() {
            return self.as_document(&receipts, &data, context);
        }
        // One that is refused, as when its server is away, does not keep the others from it.
        let mut end = Ok(Outcome::Done);
        for receipt in &receipts {
            let updated = self.update(receipt, &data, context, |request| {
                self.consent
                    .carry(&data, context, |trust| request.job(trust, context))
            });
            match updated {
                Ok(Outcome::Done) => {}
                Ok(Outcome::Problems) => end = end.and(Ok(Outcome::Problems)),
                Err(stop) => {
                    if let Err(earlier) = &end {
                        screen::error(earlier);
                    }
                    end = Err(stop);
                }
            }
        }
        end
    }

    /// One document of all plugins, also where one of them is refused: the others before it may have
    /// been updated.
    fn as_document(
        &self,
        receipts: &[Receipt],
        data: &Data,
        context: &Context,
    ) -> Result<Outcome, Stop> {
        let mut plugins = Vec::new();
        let mut end = Ok(Outcome::Done);
        for receipt in receipts {
            let updated = self.update(receipt, data, context, |request| {
                let (document, refused) =
                    self.consent
                        .carry_as_document(data, context, |trust| request.job(trust, context))?;
                plugins.push(document);
                refused.map(|()| Outcome::Done)
            });
            match updated {
                Ok(Outcome::Done) => {}
                Ok(Outcome::Problems) => end = end.and(Ok(Outcome::Problems)),
                Err(stop) => {
                    let why = stop.to_string();
                    let is_told = plugins
                        .last()
                        .is_some_and(|told: &Value| told["plugin"] == receipt.name);
                    if !is_told {
                        plugins
                            .push(json!({"plugin": receipt.name, "done": false, "refused": why}));
                    }
                    end = Err(stop);
                }
            }
        }
        screen::json(&json!({"schema": 1, "plugins": plugins}))?;
        end
    }

    /// `carry` does what is requested.
    fn update(
        &self,
        receipt: &Receipt,
        data: &Data,
        context: &Context,
        carry: impl FnOnce(&Request) -> Result<Outcome, Stop>,
    ) -> Result<Outcome, Stop> {
        let is_gone = match &receipt.source {
            Source::Folder(folder) => !folder.is_dir(),
            Source::File(file) => !file.is_file(),
            Source::Address(_) | Source::Release(_) => false,
        };
        if is_gone {
            return Err(Stop::refused(format!(
                "{} was installed from {}, which is gone; run `hookkit install` with the place \
                 where it is now",
                receipt.name, receipt.source
            )));
        }
        let source = receipt.source.clone();
        let asked = Asked::default();
        let name = Some(&*receipt.name);
        let opened = Opened::open(source, name, &asked, data, &self.consent, context)?;
        let manifest = match source::faultless(&opened.plugin) {
            Ok(manifest) => manifest,
            Err(outcome) => return Ok(outcome),
        };
        if manifest.name != receipt.name {
            return Err(Stop::refused(format!(
                "{} holds the plugin {} now, and not {}; install that one, and uninstall this one",
                receipt.source, manifest.name, receipt.name
            )));
        }
        let request = Request {
            opened: &opened,
            manifest: &manifest,
            data,
            hosts: &[],
            place: None,
            allow_downgrade: self.allow_downgrade,
            replace: false,
            log: None,
            trust: self.trust,
        };
        carry(&request)
    }
}

//! `hookkit self update`.

use super::managed;
use crate::cli::{Detail, EXIT_CODES};
use crate::command::Context;
use crate::install;
use crate::itself::Place;
use crate::net::Client;
use crate::outcome::{Outcome, Stop};
use crate::release::{self, Offer};
use crate::screen::{self, BOLD, GOOD};
use clap::Args;
use fs_err as fs;
use hookkit::edit::Lock;
use hookkit_dispatch::version;
use serde_json::json;
use std::cmp::Ordering;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// How long a version stays that is no longer in use, but for the one before.
const KEPT: Duration = Duration::from_hours(14 * 24);

/// How folders begin that releases are unpacked in; those of the install scripts too.
const DRAFT: &str = ".new-";

/// Names where releases are, in place of what the receipt says.
const VARIABLE: &str = "HOOKKIT_BASE_URL";

/// Bring hookkit itself up to date
///
/// Asks where hookkit was installed from for its newest release. The list of its files must be signed
/// with one of the two keys that this hookkit was built with, and the archive must be the one that
/// the list names for this machine; nothing is written before that. Both programs then go into a
/// folder of their own, are started once, and are put to use in one step. The version before stays
/// beside it; if anything fails, it is as it was.
///
/// An older version is refused but with --allow-downgrade, also one that the server calls its newest.
/// What a package manager installed is left to it.
#[derive(Args)]
#[command(disable_version_flag = true, after_long_help = EXIT_CODES)]
pub(crate) struct Update {
    /// Only look whether there is a newer one: the exit code is 1 then
    #[arg(long)]
    check: bool,
    /// Take this version, in place of the newest one
    #[arg(long, value_name = "VERSION", value_parser = read)]
    version: Option<String>,
    /// Take an older version than this one
    #[arg(long)]
    allow_downgrade: bool,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// A version becomes a part of addresses and the name of a folder.
fn read(text: &str) -> Result<String, String> {
    let text = text.strip_prefix('v').unwrap_or(text);
    semver::Version::parse(text)
        .map(|version| version.to_string())
        .map_err(|why| why.to_string())
}

impl Update {
    pub(crate) fn run(self, context: &Context) -> Result<Outcome, Stop> {
        context.refuse_other_users()?;
        let (place, receipt) = managed(context, |owner| owner.update)?;
        let base = context.env.get(VARIABLE);
        let base = base.map_or(receipt.base, |base| base.to_string_lossy().into_owned());
        let client = context.client(&format!("the next hookkit, at {base},"))?;
        let base = release::base(&base)?;
        let offer = Offer::fetch(base, self.version.as_deref(), &client)?;
        let order = install::compare(&offer.list.version, version());
        self.refuse_older(&offer, order)?;
        let is_other = order != Some(Ordering::Equal);
        if is_other && !self.check {
            bring(&offer, &place, &client)?;
        }
        self.report(&offer, is_other, context)?;
        Ok(if is_other && self.check {
            Outcome::Problems
        } else {
            Outcome::Done
        })
    }

    /// Whoever has an older list with its signature can show it as the newest one for ever.
    fn refuse_older(&self, offer: &Offer, order: Option<Ordering>) -> Result<(), Stop> {
        let is_newer = matches!(order, Some(Ordering::Equal | Ordering::Greater));
        if is_newer || self.allow_downgrade {
            return Ok(());
        }
        Err(Stop::refused(format!(
            "this is hookkit {}, and what is offered is {}, which is older; say --allow-downgrade if \
             that is meant. Nothing was changed",
            version(),
            offer.list.version
        )))
    }

    fn report(&self, offer: &Offer, is_other: bool, context: &Context) -> Result<(), Stop> {
        let (installed, offered) = (version(), &offer.list.version);
        if self.json {
            return screen::json(&json!({
                "schema": 1, "installed": installed, "offered": offered,
                "commit": offer.list.commit, "done": is_other && !self.check,
            }));
        }
        if context.detail == Detail::Quiet {
            return Ok(());
        }
        screen::print(&match (is_other, self.check) {
            (false, _) if self.version.is_some() => {
                format!("{GOOD}hookkit {installed}{GOOD:#} is in use already\n")
            }
            (false, _) => format!("{GOOD}hookkit {installed}{GOOD:#} is the newest\n"),
            (true, true) => format!(
                "{BOLD}hookkit {offered}{BOLD:#} is there, and this is {installed}; `hookkit self \
                 update` brings it\n"
            ),
            (true, false) => format!(
                "{GOOD}hookkit {offered}{GOOD:#} is in use from the next start on, in place of \
                 {installed}\n"
            ),
        })
    }
}

/// Gets what is offered, and puts it to use.
fn bring(offer: &Offer, place: &Place, client: &Client) -> Result<(), Stop> {
    let archive = offer.archive(client)?;
    let (before, version) = (version(), &offer.list.version);
    let _turn = Lock::take(place.folder()).map_err(|why| Stop::Failed(why.into()))?;
    let unchanged = |why: anyhow::Error| {
        Stop::Failed(why.context(format!("hookkit {before} is in use as before")))
    };
    let draft = tempfile::Builder::new()
        .prefix(DRAFT)
        .tempdir_in(place.folder())?;
    let unpacked = draft.path().join("unpacked");
    fs::create_dir(&unpacked)?;
    archive.unpack(&unpacked, version).map_err(unchanged)?;
    let home = place.version(version);
    let replaced = draft.path().join("replaced");
    let was_there = home.exists();
    if was_there {
        fs::rename(&home, &replaced)?;
    }
    let switched = fs::rename(&unpacked, &home).and_then(|()| place.switch_to(version));
    if let Err(error) = switched {
        // As it was, as far as that goes: the version before was not touched.
        let _ = fs::remove_dir_all(&home);
        if was_there {
            let _ = fs::rename(&replaced, &home);
        }
        let _ = place.switch_to(before);
        return Err(unchanged(error.into()));
    }
    begin_age(&place.version(before));
    tidy(place, [before, version]);
    Ok(())
}

/// A version was in use until now, so its age begins now. A folder's time is that of the last change
/// in it.
fn begin_age(folder: &Path) {
    // Where that fails, its age is counted from when it was brought.
    let _ = tempfile::NamedTempFile::new_in(folder);
}

/// Removes versions that nobody starts any more, and what updates left that were ended in the middle.
fn tidy(place: &Place, used: [&str; 2]) {
    let within = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten();
    let versions = within(&place.folder().join("versions"))
        .filter(|entry| used.iter().all(|used| entry.file_name() != *used));
    let drafts = within(place.folder())
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(DRAFT));
    for folder in versions.chain(drafts).map(|entry| entry.path()) {
        if is_old(&folder) {
            // What stays is tried again at the next update.
            let _ = fs::remove_dir_all(folder);
        }
    }
}

fn is_old(folder: &Path) -> bool {
    let changed = fs::metadata(folder).and_then(|found| found.modified());
    let age = changed.map(|changed| {
        SystemTime::now()
            .duration_since(changed)
            .unwrap_or_default()
    });
    age.is_ok_and(|age| age > KEPT)
}

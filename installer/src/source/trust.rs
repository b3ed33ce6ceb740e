//! Who vouches for a package. Nothing in it is looked at before somebody does.

use super::package::Package;
use super::release;
use crate::archive::Archive;
use crate::install;
use crate::outcome::Stop;
use crate::signature::{self, EXTENSION, Key, NotVouched};
use hookkit::digest::sha256;
use hookkit_dispatch::manifest::Manifest;
use std::cmp::Ordering;

/// What a person demands of a package.
#[derive(Default)]
pub(crate) struct Asked {
    pub(crate) key: Option<Key>,
    /// In small letters.
    pub(crate) sha256: Option<String>,
}

/// What the receipt of an installed plugin says.
pub(crate) struct Known {
    pub(crate) plugin: String,
    pub(crate) key: Option<String>,
    pub(crate) sha256: Option<String>,
}

/// What vouched for a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum By {
    /// The person, who named or confirmed the key or the sum.
    Person,
    /// The receipt of this plugin.
    Receipt(String),
}

/// A package that may be opened.
#[derive(Debug)]
pub(crate) struct Vouched {
    pub(crate) archive: Archive,
    pub(crate) key: Option<String>,
    pub(crate) sha256: String,
    by: By,
    name: String,
    promised: Option<String>,
}

impl Package {
    /// Finds somebody who vouches for it, and opens it. `confirm` shows a new key to the person and
    /// asks; it says `None` where nobody can be asked.
    pub(crate) fn vouched(
        self,
        asked: &Asked,
        known: &[Known],
        confirm: impl FnOnce(&str) -> Result<Option<bool>, Stop>,
    ) -> Result<Vouched, Stop> {
        let sum = sha256(&self.bytes);
        self.fits_its_sum(&sum)?;
        if let Some(wanted) = asked.sha256.as_ref().filter(|wanted| **wanted != sum) {
            return Err(self.refused(&format!("has the sha256 {sum}, not {wanted}")));
        }
        let installed = self.installed(known);
        let (key, by) = match &self.signature {
            None => (None, self.unsigned(asked, installed, &sum)?),
            Some(signature) => self.signed(signature, asked, installed, confirm)?,
        };
        let archive = Archive::read(self.bytes).map_err(|faults| {
            let lines: Vec<String> = faults.iter().map(ToString::to_string).collect();
            Stop::refused(format!(
                "{} cannot be opened without harm, so nothing was done:\n  {}",
                self.shown,
                lines.join("\n  ")
            ))
        })?;
        Ok(Vouched {
            archive,
            key,
            sha256: sum,
            by,
            name: self.name,
            promised: self.promised,
        })
    }

    /// The sum beside it keeps a damaged file out; it says nothing of who made it.
    fn fits_its_sum(&self, sum: &str) -> Result<(), Stop> {
        let Some(text) = &self.sum else { return Ok(()) };
        let said = text.split_whitespace().next().unwrap_or_default();
        if said.eq_ignore_ascii_case(sum) {
            return Ok(());
        }
        Err(self.refused(&format!(
            "has the sha256 {sum}, and {}.sha256 beside it says {}: it was cut or changed on its \
             way. Get it again; if it stays so, tell who publishes it",
            self.name,
            said.escape_debug()
        )))
    }

    /// The installed plugin that the package's name belongs to. A signature covers the name.
    fn installed<'k>(&self, known: &'k [Known]) -> Option<&'k Known> {
        known
            .iter()
            .filter(|known| {
                let rest = self.name.strip_prefix(&*known.plugin);
                rest.is_some_and(|rest| rest.starts_with('-'))
            })
            .max_by_key(|known| known.plugin.len())
    }

    fn unsigned(&self, asked: &Asked, installed: Option<&Known>, sum: &str) -> Result<By, Stop> {
        let beside = format!("there is no {}.{EXTENSION} beside it", self.name);
        if asked.key.is_some() {
            return Err(self.refused(&format!("is not signed: {beside}")));
        }
        if let Some(known) = installed {
            known.stays_signed(None).map_err(|why| self.refused(&why))?;
            if known.sha256.as_deref() == Some(sum) {
                return Ok(By::Receipt(known.plugin.clone()));
            }
        }
        if asked.sha256.is_some() {
            return Ok(By::Person);
        }
        Err(self.refused(&format!(
            "is not signed ({beside}), so nobody vouches for it. Its sha256 is {sum}: if its author \
             publishes the same one, run `hookkit install` with --sha256 and that"
        )))
    }

    fn signed(
        &self,
        signature: &str,
        asked: &Asked,
        installed: Option<&Known>,
        confirm: impl FnOnce(&str) -> Result<Option<bool>, Stop>,
    ) -> Result<(Option<String>, By), Stop> {
        let vouches = |key: &Key| signature::vouch(&self.bytes, &self.name, signature, key);
        let refused =
            |why: &NotVouched| self.refused(&format!("is not vouched for: its signature {why}"));
        if let Some(key) = &asked.key {
            vouches(key).map_err(|why| refused(&why))?;
            if let Some(known) = installed {
                known
                    .stays_signed(Some(key.text()))
                    .map_err(|why| self.refused(&why))?;
            }
            return Ok((Some(key.text().to_owned()), By::Person));
        }
        let kept = installed.and_then(|known| Some((known, known.key.as_deref()?)));
        if let Some((known, kept)) = kept {
            let key = Key::read(kept).ok_or_else(|| {
                Stop::unusable(format!(
                    "the receipt of {} holds no valid key",
                    known.plugin
                ))
            })?;
            return match vouches(&key) {
                Ok(()) => Ok((Some(kept.to_owned()), By::Receipt(known.plugin.clone()))),
                Err(NotVouched::OtherKey) => Err(self.refused(&other_key(&known.plugin, kept))),
                Err(why) => Err(refused(&why)),
            };
        }
        if asked.sha256.is_some() {
            return Ok((None, By::Person));
        }
        let Some(key) = self.public_key.as_deref().and_then(Key::read) else {
            return Err(self.refused(
                "is signed, with a key that nobody here knows. Get the public key from where its \
                 author publishes it, and name it with --key",
            ));
        };
        vouches(&key).map_err(|why| refused(&why))?;
        match confirm(key.text())? {
            Some(true) => Ok((Some(key.text().to_owned()), By::Person)),
            Some(false) => Err(Stop::refused("nothing was done")),
            None => Err(self.refused(&format!(
                "is signed with a key that nobody here has trusted before:\n  {key}\nCompare it with \
                 the one that its author publishes. If they are the same, say --key {key}"
            ))),
        }
    }

    fn refused(&self, why: &str) -> Stop {
        Stop::refused(format!("{} {why}. Nothing was done", self.shown))
    }
}

impl Known {
    /// Is a package by this key, or by none, what may follow?
    fn stays_signed(&self, key: Option<&str>) -> Result<(), String> {
        match (self.key.as_deref(), key) {
            (Some(kept), None) => Err(format!(
                "is not signed, and the {} that is installed was, with the key {kept}. {UNINSTALL}",
                self.plugin
            )),
            (Some(kept), Some(key)) if kept != key => Err(other_key(&self.plugin, kept)),
            _ => Ok(()),
        }
    }
}

const UNINSTALL: &str = "If its author says why, run `hookkit uninstall` and install it anew";

fn other_key(plugin: &str, kept: &str) -> String {
    format!(
        "is signed with another key than the {plugin} that is installed, whose key is {kept}. \
         {UNINSTALL}"
    )
}

impl Vouched {
    /// Holds the manifest against what was vouched for. `known` is what the receipt of this very
    /// plugin says.
    pub(crate) fn holds(&self, manifest: &Manifest, known: Option<&Known>) -> Result<(), Stop> {
        let refused = |why: String| {
            Err(Stop::refused(format!(
                "{} {why}. Nothing was done",
                self.name
            )))
        };
        let (name, version) = (&*manifest.name, &*manifest.version);
        if self.key.is_some() && self.name != format!("{name}-{version}.zip") {
            return refused(format!(
                "holds {name} {version}, which its name does not say"
            ));
        }
        if let Some(tag) = &self.promised {
            let promised = release::version(tag, name);
            if install::compare(promised, version).is_some_and(|order| order != Ordering::Equal) {
                return refused(format!(
                    "holds {name} {version}, and the release is called {tag}: it is an older or \
                     another one under a new name"
                ));
            }
        }
        if let By::Receipt(plugin) = &self.by
            && plugin != name
        {
            return refused(format!(
                "holds the plugin {name}, and what vouches for it was trusted for {plugin}. Name its \
                 key with --key, or its sum with --sha256"
            ));
        }
        match known.map(|known| known.stays_signed(self.key.as_deref())) {
            Some(Err(why)) => refused(why),
            _ => Ok(()),
        }
    }
}

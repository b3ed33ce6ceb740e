//! `--key` and `--sha256`, and how a source becomes a plugin that may be installed.

use super::Context;
use super::apply::Consent;
use crate::install::{Data, Receipt, State};
use crate::outcome::Stop;
use crate::plugin::Plugin;
use crate::signature::Key;
use crate::source::{Asked, Known, Origin, Package, Source, Vouched};
use clap::Args;
use fs_err as fs;
use hookkit_dispatch::manifest::Manifest;
use tempfile::TempDir;

/// What a person demands of a package.
#[derive(Args)]
pub(super) struct VouchArgs {
    /// The author's public key, in the format of minisign: its file, or the key itself
    #[arg(long, value_name = "FILE|KEY")]
    key: Option<String>,
    /// The sum that the package must have, as 64 hexadecimal digits
    #[arg(long, value_name = "HEX")]
    sha256: Option<String>,
}

impl VouchArgs {
    pub(super) fn asked(&self) -> Result<Asked, Stop> {
        Ok(Asked {
            key: self.key.as_deref().map(key).transpose()?,
            sha256: self.sha256.as_deref().map(sum).transpose()?,
        })
    }
}

/// A public key, by its file or as it is.
pub(super) fn key(text: &str) -> Result<Key, Stop> {
    if let Some(key) = Key::read(text) {
        return Ok(key);
    }
    Key::read(&fs::read_to_string(text)?)
        .ok_or_else(|| Stop::unusable(format!("{text} is no public key in the format of minisign")))
}

/// A sum in small letters.
pub(super) fn sum(text: &str) -> Result<String, Stop> {
    let is_sum = text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_sum {
        Ok(text.to_ascii_lowercase())
    } else {
        Err(Stop::unusable(format!(
            "--sha256: `{text}` is no sum; it has 64 hexadecimal digits"
        )))
    }
}

/// A plugin on this machine, and what is known of where it came from.
pub(super) struct Opened {
    pub(super) plugin: Plugin,
    source: Source,
    vouched: Option<Vouched>,
    /// Holds what was in a package.
    _folder: Option<TempDir>,
}

impl Opened {
    /// Gets what a source names. A package is written to a temporary folder, and only once somebody
    /// vouches for it.
    pub(super) fn open(
        source: Source,
        plugin: Option<&str>,
        asked: &Asked,
        data: &Data,
        consent: &Consent,
        context: &Context,
    ) -> Result<Self, Stop> {
        let package = Package::of(&source, plugin, &context.env, || context.client(&source))?;
        let Some(package) = package else {
            let Source::Folder(folder) = &source else {
                return Err(Stop::unusable(format!("{source} holds no package")));
            };
            if asked.key.is_some() || asked.sha256.is_some() {
                return Err(Stop::unusable(format!(
                    "{source} is a folder; --key and --sha256 are for packages"
                )));
            }
            let plugin = Plugin::open(folder, &context.env)?;
            return Ok(Self {
                source: Source::Folder(plugin.folder.clone()),
                plugin,
                vouched: None,
                _folder: None,
            });
        };
        let receipts: Vec<Known> = Receipt::all(data).iter().filter_map(known).collect();
        let vouched = package.vouched(asked, &receipts, |key| {
            consent.confirm(&format!(
                "{source} is signed with a key that is new here:\n  {key}\nCompare it with the one \
                 that its author publishes; later versions must be signed with the same. Trust it?"
            ))
        })?;
        let folder = tempfile::Builder::new()
            .prefix("hookkit-package-")
            .tempdir_in(context.env.temp())?;
        vouched.archive.extract(folder.path())?;
        Ok(Self {
            plugin: Plugin::open(folder.path(), &context.env)?,
            source,
            vouched: Some(vouched),
            _folder: Some(folder),
        })
    }

    /// What the receipt keeps, if the plugin is what was vouched for. `old` is the receipt so far.
    pub(super) fn origin(
        &self,
        manifest: &Manifest,
        old: Option<&Receipt>,
    ) -> Result<Origin, Stop> {
        if let Some(vouched) = &self.vouched {
            vouched.holds(manifest, old.and_then(known).as_ref())?;
        }
        Ok(Origin {
            source: self.source.clone(),
            key: self
                .vouched
                .as_ref()
                .and_then(|vouched| vouched.key.clone()),
            sha256: self.vouched.as_ref().map(|vouched| vouched.sha256.clone()),
        })
    }
}

fn known(receipt: &Receipt) -> Option<Known> {
    (receipt.state == State::Installed).then(|| Known {
        plugin: receipt.name.clone(),
        key: receipt.key.clone(),
        sha256: receipt.sha256.clone(),
    })
}

//! A plugin as a host was told of it.

use super::cause::Cause;
use super::source::Scope;
use serde::Serialize;
use std::path::PathBuf;

/// A plugin that a host was told of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Plugin {
    pub(crate) host: &'static str,
    /// As the host names it: `plugin@marketplace`, or its name alone.
    pub(crate) id: String,
    pub(crate) scope: Scope,
    pub(crate) version: Option<String>,
    /// The folder that the host runs it from, whether it is there or not.
    pub(crate) root: Option<PathBuf>,
    pub(crate) origin: Origin,
    /// The file and line in which the host was told.
    pub(crate) named: (PathBuf, usize),
    pub(crate) standing: Standing,
}

/// How a host comes by a plugin's files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Origin {
    /// A folder marketplace, read in place.
    Folder,
    /// The host's own copy.
    Cache,
    /// The host's own copy of a folder that was named without a marketplace.
    Direct,
    /// A folder that a setting names.
    Location,
    /// Nobody knows: there is no marketplace of that name.
    Unknown,
}

/// What becomes of a plugin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    Loaded,
    Off(Cause),
    /// The host loads nothing of it, and mostly says nothing.
    Gone(Gap),
}

/// What is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Gap {
    /// No marketplace of that name is known.
    Marketplace(String),
    /// The marketplace's folder is gone.
    MarketplaceFolder(PathBuf),
    /// It is of no folder, and the client has no copy of it.
    NotInstalled,
    /// The marketplace does not list it.
    NotListed(PathBuf),
    /// The marketplace's list has no `owner`, without which hosts take nothing of it.
    Owner(PathBuf),
    /// Its folder is gone.
    Root(PathBuf),
    /// Its folder has no manifest that this host reads.
    Manifest(PathBuf),
    /// Its place is written with `${...}`, which nothing replaces there.
    Literal(String),
    /// Its place is a bare name, and the marketplace's list does not say below which folder.
    Bare(String),
    /// Its place leads out of the marketplace.
    Outside(String),
    /// Its place is one of another system or another person's home.
    OtherMachine(PathBuf),
    /// An entry of the registry is wrong, and for that the host ignores all of them.
    Registry(&'static str),
    /// Its folder is loaded already, as this plugin.
    Loaded(String),
}

impl Gap {
    /// As the rest of a sentence that begins with the plugin.
    pub(crate) fn sentence(&self) -> String {
        match self {
            Self::Marketplace(name) => format!("no marketplace `{name}` is known"),
            Self::MarketplaceFolder(folder) => {
                format!("its marketplace's folder {} is gone", folder.display())
            }
            Self::NotInstalled => "the client has no copy of it; install it there again".to_owned(),
            Self::NotListed(file) => format!("{} does not list it", file.display()),
            Self::Owner(file) => format!(
                "{} has no `owner`, and for that the host takes nothing of it",
                file.display()
            ),
            Self::Root(folder) => format!("its folder {} is gone", folder.display()),
            Self::Manifest(folder) => {
                format!("{} has no manifest that this host reads", folder.display())
            }
            Self::Literal(place) => {
                format!("its place is `{place}`, and nothing replaces what is in `${{}}` there")
            }
            Self::Bare(name) => format!(
                "its place is the bare name `{name}`, and no `metadata.pluginRoot` says below which \
                 folder"
            ),
            Self::Outside(place) => format!("its place `{place}` leads out of the marketplace"),
            Self::OtherMachine(place) => {
                format!("its place {} is one of another machine", place.display())
            }
            Self::Registry(member) => format!(
                "an entry of the registry has no `{member}`, and for that the host ignores all of \
                 them"
            ),
            Self::Loaded(other) => {
                format!("its folder is loaded as {other} already, once for both")
            }
        }
    }
}

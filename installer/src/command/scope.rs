//! `--scope` and `--repo`: for which folders a command counts.

use super::Context;
use crate::install::{self, Receipt};
use crate::outcome::Stop;
use crate::plugin::absolute;
use clap::{Args, ValueEnum};
use std::fmt;
use std::path::{Path, PathBuf};

/// The two options.
#[derive(Args)]
pub(super) struct ScopeArgs {
    /// Whether it counts in every folder or in one repository
    #[arg(long, value_name = "SCOPE")]
    scope: Option<Scope>,
    /// The repository, with --scope local [default: the one that you stand in]
    #[arg(long, value_name = "DIR", requires = "scope")]
    repo: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Scope {
    /// For you, in every folder
    User,
    /// For you, in one repository
    Local,
}

/// Where a plugin counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Where {
    Everywhere,
    /// In this repository.
    In(PathBuf),
}

impl ScopeArgs {
    /// What was said, if anything was.
    pub(super) fn named(&self, context: &Context) -> Result<Option<Where>, Stop> {
        match (self.scope, &self.repo) {
            (None, _) => Ok(None),
            (Some(Scope::User), None) => Ok(Some(Where::Everywhere)),
            (Some(Scope::User), Some(_)) => {
                Err(Stop::unusable("--repo is for --scope local, not for user"))
            }
            (Some(Scope::Local), folder) => {
                let folder = folder.as_deref().unwrap_or(Path::new("."));
                let folder = absolute(folder, &context.env)?;
                Ok(Some(Where::In(install::repository(&folder)?)))
            }
        }
    }
}

impl Where {
    /// Is a plugin installed there?
    pub(super) fn has(&self, receipt: &Receipt) -> bool {
        match self {
            Self::Everywhere => receipt.repositories.is_empty(),
            Self::In(repository) => receipt.repositories.contains(repository),
        }
    }

    /// Refuses a plugin that is installed elsewhere.
    pub(super) fn check(&self, receipt: &Receipt) -> Result<(), Stop> {
        if self.has(receipt) {
            return Ok(());
        }
        Err(Stop::refused(format!(
            "{} is not installed {self}, but {}",
            receipt.name,
            installed(receipt)
        )))
    }

    /// Refuses what would count in further repositories too.
    pub(super) fn check_alone(&self, receipt: &Receipt) -> Result<(), Stop> {
        self.check(receipt)?;
        if receipt.repositories.len() > 1 {
            return Err(Stop::refused(format!(
                "{} is on or off as a whole, and it is installed {}; without --scope it is switched \
                 in all of them",
                receipt.name,
                installed(receipt)
            )));
        }
        Ok(())
    }
}

impl fmt::Display for Where {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Everywhere => f.write_str("for every folder"),
            Self::In(repository) => write!(f, "in {}", repository.display()),
        }
    }
}

/// Where a plugin is installed, as a part of a sentence.
pub(super) fn installed(receipt: &Receipt) -> String {
    match &*receipt.repositories {
        [] => Where::Everywhere.to_string(),
        some => format!("in {}", install::listed_repositories(some)),
    }
}

//! `--scope` and `--repo`: for which folders a command counts.

use super::Context;
use crate::install::project::Repository;
use crate::install::{self, Receipt};
use crate::outcome::Stop;
use crate::plugin::absolute;
use clap::{Args, ValueEnum};
use std::fmt;
use std::path::{Path, PathBuf};

/// The two options.
#[derive(Args)]
pub(super) struct ScopeArgs {
    /// For whom and where it counts
    #[arg(long, value_name = "SCOPE")]
    scope: Option<Scope>,
    /// The repository, with --scope local or project [default: the one that you stand in]
    #[arg(long, value_name = "DIR")]
    repo: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Scope {
    /// For you, in every folder
    User,
    /// For you, in one repository
    Local,
    /// For everybody who works on one repository
    Project,
}

/// Where a plugin counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Where {
    Everywhere,
    /// In this repository.
    In(PathBuf),
}

impl ScopeArgs {
    /// The repository of which a plugin is to be a part; `is_meant` where that is so without --scope.
    pub(super) fn project(
        &self,
        is_meant: bool,
        context: &Context,
    ) -> Result<Option<Repository>, Stop> {
        let is_project = match self.scope {
            Some(scope) => scope == Scope::Project,
            None => is_meant,
        };
        if !is_project {
            return Ok(None);
        }
        self.repository(context).map(Repository::at).map(Some)
    }

    fn repository(&self, context: &Context) -> Result<PathBuf, Stop> {
        let folder = self.repo.as_deref().unwrap_or(Path::new("."));
        install::repository(&absolute(folder, &context.env)?)
    }

    /// What was said of this user's own installations, if anything was.
    pub(super) fn named(&self, context: &Context) -> Result<Option<Where>, Stop> {
        match (self.scope, &self.repo) {
            (None, None) => Ok(None),
            (None, Some(_)) => Err(Stop::unusable("--repo wants --scope local or project")),
            (Some(Scope::User), None) => Ok(Some(Where::Everywhere)),
            (Some(Scope::User), Some(_)) => Err(Stop::unusable(
                "--repo is for --scope local and project, not for user",
            )),
            (Some(Scope::Local), _) => Ok(Some(Where::In(self.repository(context)?))),
            (Some(Scope::Project), _) => Err(Stop::refused(
                "a plugin of a repository is on for everybody who works on it, as its files say; take \
                 it out with `hookkit uninstall NAME --scope project`, and commit that",
            )),
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

//! `hookkit install`: a plugin goes where the agents of this machine load it.

use super::apply::{Consent, Job};
use super::scope::{self, ScopeArgs, Where};
use super::vouch::{Opened, VouchArgs};
use super::{Context, project, report, source, trust};
use crate::cli::EXIT_CODES;
use crate::install::{self, Data, Found, OnHost, Prepared, Receipt, State, Wanted};
use crate::needs;
use crate::outcome::{Outcome, Stop};
use crate::screen::{BOLD, CAREFUL};
use crate::source::Source;
use crate::tree::{self, Travel};
use clap::Args;
use hookkit_dispatch::manifest::Manifest;
use hookkit_dispatch::receipt::now;
use hookkit_launchers::File;
use serde_json::json;
use std::cmp::Ordering;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Install a plugin for the agents on this machine
///
/// The plugin's files go to the data folder, and two members of the agent's own settings, or a file
/// of ours beside them, say that it is there. Whatever else stands in those settings stays as it is,
/// byte for byte, and `hookkit uninstall` gives back what was there before. What is found and what
/// will be done is shown first. At the end the dispatcher is started as each agent will start it; if
/// that or any step fails, all of it is taken back.
///
/// The data folder is $HOOKKIT_HOME, else $XDG_DATA_HOME/hookkit or ~/.local/share/hookkit, on
/// Windows %LOCALAPPDATA%\hookkit.
///
/// With --scope local the plugin counts in one repository alone, for you alone: what enables it is
/// written into the file of your own settings there, which git should ignore.
///
/// With --scope project it becomes a part of the repository, so that every fresh clone is guarded: its
/// files go to .github/hookkit/NAME/, .github/hooks/NAME.json tells Copilot CLI, Copilot's cloud agent
/// and VS Code, and entries in .claude/settings.json tell Claude Code. Nothing there names this
/// machine. --host copilot-cloud means the same.
///
/// A package is opened once somebody vouches for it: the key that --key names, the key that signed
/// the version that is installed, you, when you are shown a key that is new, or the sum that --sha256
/// names. The key goes into the receipt, and what is signed by another one, or by none, is refused
/// from then on. A package's sum (.sha256), its signature (.minisig) and its author's public key
/// (minisign.pub) are looked for beside it.
///
/// Codex starts no hook that you have not trusted as it is. What it would start is shown, and trusted
/// with --trust or when you say so at the terminal; each update asks again.
///
/// Installing again is an update; an older version is refused but with --allow-downgrade. Sessions
/// that run use the plugin's new files from their next call on.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a switch of its own on the command line"
)]
#[derive(Args)]
#[command(after_long_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub(crate) struct Install {
    /// A plugin's folder, or one that `hookkit build` made; a package (.zip), also by its http or
    /// https address; or owner/repo[@tag], for the package of a release on GitHub
    #[arg(value_name = "SOURCE")]
    source: String,
    /// The agent: claude-code, copilot-cli, codex, vscode-local or vscode-copilot, which are told
    /// together; in a repository claude-code, copilot-cli or copilot-cloud [default: those that are on
    /// this machine, in a repository all]
    #[arg(long, value_name = "HOST")]
    host: Vec<String>,
    /// Take an older version than the one that is installed
    #[arg(long)]
    allow_downgrade: bool,
    /// Switch off other registrations of the plugin, with which its hooks would fire twice, also
    /// those of the other scope
    #[arg(long)]
    replace: bool,
    /// Write down what its hooks do, in the data folder; see `hookkit log`
    #[arg(long)]
    log: bool,
    /// Write it to this file, which somebody collects
    #[arg(long, value_name = "FILE", conflicts_with = "log")]
    log_to: Option<PathBuf>,
    /// Have Codex start the hooks as they are now, which it does for nobody who has not said so
    #[arg(long)]
    trust: bool,
    #[command(flatten)]
    vouch: VouchArgs,
    #[command(flatten)]
    scope: ScopeArgs,
    #[command(flatten)]
    consent: Consent,
    #[command(flatten)]
    project: project::ProjectArgs,
}

const EXAMPLES: &str = "\
Examples:
  hookkit install guard --dry-run      what would be done
  hookkit install guard                asks before it does it
  hookkit install guard --yes --host claude-code
  hookkit install guard --yes --trust  Codex starts the hooks, too
  hookkit install guard --scope local  only in the repository that you stand in
  hookkit install guard --scope project --targets all --dispatcher release/
  hookkit install https://example.org/guard-1.0.0.zip --key minisign.pub
  hookkit install example/guard@v1.0.0
  hookkit install guard --yes --json   for other programs";

impl Install {
    pub(crate) fn run(self, context: &Context) -> Result<Outcome, Stop> {
        let is_for_repositories = self
            .host
            .iter()
            .any(|host| project::reads_repositories_alone(host));
        let repository = self.scope.project(is_for_repositories, context)?;
        let data = Data::of(&context.env)?;
        if repository.is_none() {
            self.project.check_unused()?;
            context.refuse_other_users()?;
            data.check()?;
        }
        let source = Source::named(&self.source, &context.env)?;
        let asked = self.vouch.asked()?;
        let opened = Opened::open(source, None, &asked, &data, &self.consent, context)?;
        let manifest = match source::faultless(&opened.plugin) {
            Ok(manifest) => manifest,
            Err(outcome) => return Ok(outcome),
        };
        if let Some(repository) = &repository {
            if self.replace || self.log || self.log_to.is_some() || self.trust {
                return Err(Stop::unusable(
                    "--replace, --log and --trust are not for --scope project",
                ));
            }
            let request = project::Request {
                plugin: &opened.plugin,
                manifest: &manifest,
                repository,
                hosts: &self.host,
                args: &self.project,
                allow_downgrade: self.allow_downgrade,
            };
            return request.run(&self.consent, context);
        }
        let place = self.scope.named(context)?.unwrap_or(Where::Everywhere);
        let is_logged = self.log || self.log_to.is_some();
        let log = is_logged
            .then(|| install::Log::to(self.log_to.as_deref()))
            .transpose()?;
        let request = Request {
            opened: &opened,
            manifest: &manifest,
            data: &data,
            hosts: &self.host,
            place: Some(&place),
            allow_downgrade: self.allow_downgrade,
            replace: self.replace,
            log,
            trust: self.trust,
        };
        self.consent
            .carry(&data, context, |trust| request.job(trust, context))
    }
}

/// What somebody wants to be installed.
pub(super) struct Request<'r> {
    pub(super) opened: &'r Opened,
    pub(super) manifest: &'r Manifest<'r>,
    pub(super) data: &'r Data,
    /// By name; none means those that are there.
    pub(super) hosts: &'r [String],
    /// None means where it is.
    pub(super) place: Option<&'r Where>,
    pub(super) allow_downgrade: bool,
    pub(super) replace: bool,
    /// None means as it is.
    pub(super) log: Option<install::Log>,
    pub(super) trust: bool,
}

impl<'r> Request<'r> {
    /// `trust` is what the person answered when asked whether agents shall trust the hooks.
    pub(super) fn job(&self, trust: bool, context: &Context) -> Result<Job<'r>, Stop> {
        let name = &*self.manifest.name;
        let old = Receipt::read(self.data, name)?;
        let old = old.filter(|old| old.state == State::Installed);
        let origin = self.opened.origin(self.manifest, old.as_ref())?;
        if let Some(old) = &old {
            self.keeps_up(old)?;
        }
        let repositories = self.repositories(old.as_ref())?;
        let hosts = self.hosts(old.as_ref(), context)?;
        let wanted = Wanted {
            data: self.data,
            manifest: self.manifest,
            files: self.files()?,
            origin,
            hosts,
            repositories,
            replace: self.replace,
            log: self.log.clone(),
            trust: self.trust || trust,
            now: now(),
        };
        let prepared = wanted.prepare(old.as_ref(), &context.env)?;
        if prepared.hosts.is_empty() {
            return Err(Stop::refused(format!(
                "no hook of `{name}` is on an event of the agents here, so there is nothing to \
                 install"
            )));
        }
        let live = old.as_ref().map_or_else(Vec::new, |old| {
            let found: Vec<Found> = prepared
                .hosts
                .iter()
                .map(|host| host.found.clone())
                .collect();
            install::live(old, &found, now())
        });
        let report = report::text(&prepared, self.manifest, &live);
        let mut told = report::json(&prepared, self.manifest);
        let mut warnings = needs::unmet(self.manifest, &self.opened.plugin.folder, &context.env);
        warnings.extend(prepared.warnings.iter().cloned());
        let log = prepared.receipt.log.as_ref();
        told["log"] = json!(log.and_then(|log| log.file(self.data)));
        told["warnings"] = json!(warnings);
        let mut heading = self.heading(&prepared, old.as_ref());
        for warning in &warnings {
            // Writing to a text does not fail.
            let _ = writeln!(heading, "  {CAREFUL}careful{CAREFUL:#}: {warning}");
        }
        heading.push_str(&trust::listed(&prepared.hosts));
        heading.push('\n');
        let question = trust::question(&prepared.hosts);
        let Prepared {
            mut plan, hosts, ..
        } = prepared;
        if !plan.is_empty() {
            let all = install::hosts(&context.env)?;
            install::tidy(&mut plan, self.data, &all, now(), name);
        }
        Ok(Job {
            heading,
            plan,
            check: Box::new(move || hosts.iter().try_for_each(install::prove)),
            question,
            report,
            told,
        })
    }

    fn keeps_up(&self, old: &Receipt) -> Result<(), Stop> {
        let is_older =
            install::compare(&self.manifest.version, &old.release) == Some(Ordering::Less);
        if is_older && !self.allow_downgrade {
            return Err(Stop::refused(format!(
                "{} {} is installed, and {} is older; say --allow-downgrade if that is meant",
                old.name, old.release, self.manifest.version
            )));
        }
        Ok(())
    }

    /// The repositories in which the plugin counts afterwards; none for every folder.
    fn repositories(&self, old: Option<&Receipt>) -> Result<Vec<PathBuf>, Stop> {
        let known = old.map_or(&[][..], |old| &old.repositories);
        // Nothing is made again in a repository that somebody removed.
        let mut there: Vec<PathBuf> = known.iter().filter(|root| root.is_dir()).cloned().collect();
        let Some(place) = self.place else {
            if there.is_empty() && !known.is_empty() {
                return Err(Stop::refused(format!(
                    "{} is installed in {}, which is gone; run `hookkit uninstall {}`",
                    self.manifest.name,
                    install::listed_repositories(known),
                    self.manifest.name
                )));
            }
            return Ok(there);
        };
        let moved = old.filter(|_| (*place == Where::Everywhere) != known.is_empty());
        if let Some(old) = moved.filter(|_| !self.replace) {
            return Err(Stop::refused(format!(
                "{} is installed {} already, and told twice it would fire twice; say --replace to \
                 have it {place} instead",
                old.name,
                scope::installed(old)
            )));
        }
        match place {
            Where::Everywhere => Ok(Vec::new()),
            Where::In(repository) => {
                if !there.contains(repository) {
                    there.push(repository.clone());
                }
                Ok(there)
            }
        }
    }

    /// The hosts that are meant, and those of an earlier installation.
    fn hosts(&self, old: Option<&Receipt>, context: &Context) -> Result<Vec<Found>, Stop> {
        let all = install::hosts(&context.env)?;
        if let Some(unknown) = self
            .hosts
            .iter()
            .find(|name| all.iter().all(|found| !found.is_named(name)))
        {
            let names: Vec<&str> = all.iter().flat_map(Found::names).collect();
            return Err(Stop::unusable(format!(
                "hookkit does not install into `{unknown}`, only into {}",
                names.join(", ")
            )));
        }
        let is_meant = |found: &Found| {
            let is_named = self.hosts.iter().any(|name| found.is_named(name));
            let is_old = old.is_some_and(|old| old.hosts.iter().any(|name| name == found.name()));
            is_named || is_old || (self.hosts.is_empty() && old.is_none() && found.is_there())
        };
        let meant: Vec<Found> = all.into_iter().filter(is_meant).collect();
        if meant.is_empty() {
            return Err(Stop::refused(
                "none of `claude`, `copilot` and `codex` is on the PATH, nor are there settings of \
                 them; install one first, or name it with --host",
            ));
        }
        Ok(meant)
    }

    fn files(&self) -> Result<Vec<File>, Stop> {
        let (plugin, manifest) = (&self.opened.plugin, self.manifest);
        let folder = &plugin.folder;
        let travel = if tree::is_ours(folder) {
            Travel::of_tree(folder, manifest)?
        } else {
            Travel::of(folder, manifest, self.data.folder())?
        };
        source::check(manifest, &travel)?;
        Ok(tree::stored(plugin, manifest, &travel)?)
    }

    fn heading(&self, prepared: &Prepared, old: Option<&Receipt>) -> String {
        let manifest = self.manifest;
        let what = match old {
            _ if prepared.plan.is_empty() => "Nothing to do for",
            Some(old) if old.release != manifest.version => "Update",
            Some(_) => "Install again:",
            None => "Install",
        };
        let mut text = format!(
            "{what} {BOLD}{} {}{BOLD:#} {}, from {}\n",
            manifest.name,
            manifest.version,
            scope::installed(&prepared.receipt),
            prepared.receipt.source
        );
        for OnHost { found, .. } in &prepared.hosts {
            // Writing to a text does not fail.
            let _ = writeln!(text, "  {:12} {}", found.name(), found.sentence());
        }
        text
    }
}

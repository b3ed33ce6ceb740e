//! `hookkit build`: the portable tree.

use super::Context;
use super::source::{self, Source};
use crate::cli::{Detail, EXIT_CODES};
use crate::outcome::{Outcome, Stop};
use crate::plugin;
use crate::screen::{self, BAD, BOLD, DIM};
use crate::tree::{self, Drift, Layout, Tree};
use clap::Args;
use hookkit_dispatch::manifest::Manifest;
use hookkit_launchers::{Registration, Role};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Make the one folder that every agent loads
///
/// The folder holds the plugin's files, a registration for each agent, and the dispatcher that
/// the agents start. Claude Code and GitHub Copilot CLI load it as a plugin and as a marketplace,
/// on every system that a dispatcher is in it for.
///
/// Which files of the plugin travel is said by `files` in hookkit.json, as globs. Without it these
/// do: hookkit.json, README*, LICENSE*, CHANGELOG* and everything in hooks/ but tests,
/// node_modules and names that begin with a dot. Files of keys or passwords and links that leave
/// the plugin are refused. hookkit.json is written with the dispatcher's version in it.
///
/// An earlier build is replaced as a whole; any other folder is refused.
#[derive(Args)]
#[command(after_long_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub(crate) struct Build {
    #[command(flatten)]
    source: Source,
    /// Where the tree goes [default: DIR/dist/NAME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write nothing; name the files that a build would change, and exit with 1 if there are any
    #[arg(long)]
    check: bool,
}

const EXAMPLES: &str = "\
Examples:
  hookkit build                        the plugin in this folder, for this machine
  hookkit build --out ../market/guard  somewhere else
  hookkit build --check                in CI: is the committed tree the one a build makes?
  hookkit build --targets all --dispatcher release/";

impl Build {
    pub(crate) fn run(self, context: &Context) -> Result<Outcome, Stop> {
        let plugin = self.source.open(context)?;
        let manifest = match source::faultless(&plugin) {
            Ok(manifest) => manifest,
            Err(outcome) => return Ok(outcome),
        };
        if tree::is_ours(&plugin.folder) {
            return Err(Stop::refused(format!(
                "{} was itself made by `hookkit build`; build the plugin that it was made from",
                plugin::display(&plugin.shown)
            )));
        }
        let shown = match &self.out {
            Some(out) => out.clone(),
            None => plugin.shown.join("dist").join(&*manifest.name),
        };
        let out = plugin::absolute(&shown, &context.env)?;
        source::keeps_out(&plugin, &out, &shown)?;
        let tree =
            self.source
                .machines
                .compose(&plugin, &manifest, Layout::Portable, &out, context)?;
        if self.check {
            return compare(&tree, &out, &shown, context);
        }
        context.refuse_other_users()?;
        tree::write(&tree, &out).map_err(|why| match why {
            tree::NotWritten::NotOurs(_) => Stop::Refused(why.into()),
            tree::NotWritten::Failed(_) => Stop::Failed(why.into()),
        })?;
        if context.detail > Detail::Quiet {
            screen::print(&report(&tree, &manifest, &shown))?;
        }
        Ok(Outcome::Done)
    }
}

fn compare(tree: &Tree, out: &Path, shown: &Path, context: &Context) -> Result<Outcome, Stop> {
    if !out.is_dir() {
        return Err(Stop::unusable(format!(
            "there is no tree in {}; `hookkit build` makes it",
            shown.display()
        )));
    }
    if print_drift(tree, out, shown)? {
        anstream::eprintln!("run `hookkit build` and commit the tree");
        return Ok(Outcome::Problems);
    }
    if context.detail > Detail::Quiet {
        screen::print(&format!("{} is what a build makes\n", shown.display()))?;
    }
    Ok(Outcome::Done)
}

/// Prints everything in which a folder differs from a tree, if there is anything.
fn print_drift(tree: &Tree, out: &Path, shown: &Path) -> Result<bool, Stop> {
    let drift = tree::drift(tree, out)?;
    for (path, drift) in &drift {
        let what = match drift {
            Drift::Missing => "is missing",
            Drift::Changed => "differs from what a build makes",
            Drift::Extra => "is not made by a build",
            Drift::Mode(Role::Program) => "has no executable bit",
            Drift::Mode(Role::Data) => "has an executable bit",
            Drift::GitMode(Role::Program) => {
                "has no executable bit in git; run git update-index --chmod=+x on it"
            }
            Drift::GitMode(Role::Data) => {
                "has an executable bit in git; run git update-index --chmod=-x on it"
            }
            Drift::Attribute => "gets other line ends from git; look for its attribute `text`",
        };
        let path = shown.join(path);
        screen::print(&format!("{BAD}{}{BAD:#} {what}\n", path.display()))?;
    }
    Ok(!drift.is_empty())
}

fn report(tree: &Tree, manifest: &Manifest, shown: &Path) -> String {
    let mut text = String::new();
    // Writing to a text does not fail.
    let _ = writeln!(
        text,
        "Built {BOLD}{} {}{BOLD:#} in {}",
        manifest.name,
        manifest.version,
        shown.display()
    );
    for registration in Registration::all(manifest) {
        let host = registration.host.host().name();
        let _ = writeln!(text, "  {host:12} {}", events(&registration));
    }
    files(&mut text, tree);
    let _ = writeln!(text, "\nTry it in a session:");
    for host in ["claude", "copilot"] {
        let _ = writeln!(text, "  {host} --plugin-dir {}", shown.display());
    }
    text
}

/// The events of a registration, as a list for people.
fn events(registration: &Registration) -> String {
    let mut events: Vec<&str> = Vec::new();
    for entry in &registration.entries {
        if !events.contains(&entry.contract.event) {
            events.push(entry.contract.event);
        }
    }
    events.join(", ")
}

fn files(text: &mut String, tree: &Tree) {
    let made: Vec<&str> = tree
        .files
        .keys()
        .map(|path| &**path)
        .filter(|path| !tree.taken.iter().any(|taken| taken == path))
        .collect();
    list(text, "took", tree.taken.iter().map(String::as_str));
    list(text, "wrote", made.into_iter());
    list(text, "left", tree.left.iter().map(String::as_str));
}

fn list<'p>(text: &mut String, word: &str, paths: impl Iterator<Item = &'p str>) {
    for (index, path) in paths.enumerate() {
        let label = if index == 0 { word } else { "" };
        let gap = if index == 0 { "\n" } else { "" };
        let _ = writeln!(text, "{gap}  {DIM}{label:6}{DIM:#}{path}");
    }
}

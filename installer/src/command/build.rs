//! `hookkit build`: the portable tree.

use super::Context;
use crate::cli::{Detail, EXIT_CODES};
use crate::outcome::{Outcome, Stop};
use crate::plugin::{self, Plugin};
use crate::screen::{self, BAD, BOLD, DIM};
use crate::tree::{self, Dispatchers, Drift, Travel, Tree};
use anyhow::Context as _;
use clap::Args;
use hookkit_dispatch::manifest::{Fault, Manifest};
use hookkit_launchers::{Registration, Role, Target};
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
    /// The plugin's folder
    #[arg(value_name = "DIR", default_value = ".")]
    plugin: PathBuf,
    /// Where the tree goes [default: DIR/dist/NAME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// The machines it is for: `all`, or a list of linux-x86_64, linux-aarch64, macos, windows
    /// [default: this machine]
    #[arg(long, value_name = "all|LIST")]
    targets: Option<String>,
    /// Write nothing; name the files that a build would change, and exit with 1 if there are any
    #[arg(long)]
    check: bool,
    /// The dispatcher, or a folder that holds the dispatchers as a tree's dispatch/ does
    /// [default: beside hookkit]
    #[arg(long, value_name = "FILE|DIR")]
    dispatcher: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  hookkit build                        the plugin in this folder, for this machine
  hookkit build --out ../market/guard  somewhere else
  hookkit build --check                in CI: is the committed tree the one a build makes?
  hookkit build --targets all --dispatcher release/";

impl Build {
    pub(crate) fn run(self, context: &Context) -> Result<Outcome, Stop> {
        let plugin = Plugin::open(&self.plugin, &context.env)?;
        let manifest = match Manifest::read(&plugin.text) {
            Ok(manifest) if manifest.faults.is_empty() => manifest,
            Ok(manifest) => return Ok(faulty(&plugin, &manifest.faults)),
            Err(fault) => return Ok(faulty(&plugin, &[fault])),
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
        if plugin
            .folder
            .starts_with(hookkit_dispatch::folder::real(&out))
        {
            return Err(Stop::refused(format!(
                "{} holds the plugin itself; name another folder with --out",
                shown.display()
            )));
        }
        let tree = self.compose(&plugin, &manifest, &out, context)?;
        if self.check {
            return compare(&tree, &out, &shown, context);
        }
        context.refuse_sudo()?;
        tree::write(&tree, &out).map_err(|why| match why {
            tree::NotWritten::NotOurs(_) => Stop::Refused(why.into()),
            tree::NotWritten::Failed(_) => Stop::Failed(why.into()),
        })?;
        if context.detail > Detail::Quiet {
            screen::print(&report(&tree, &manifest, &shown))?;
        }
        Ok(Outcome::Done)
    }

    fn compose(
        &self,
        plugin: &Plugin,
        manifest: &Manifest,
        out: &Path,
        context: &Context,
    ) -> Result<Tree, Stop> {
        let targets = targets(self.targets.as_deref())?;
        let own_folder = context
            .env
            .exe()
            .and_then(|exe| exe.canonicalize().ok())
            .and_then(|exe| exe.parent().map(Path::to_path_buf))
            .context("this program's own folder cannot be found; name --dispatcher")?;
        let named = match &self.dispatcher {
            Some(named) => Some(plugin::absolute(named, &context.env)?),
            None => None,
        };
        let dispatchers = Dispatchers::find(&targets, named.as_deref(), &own_folder)
            .map_err(|why| Stop::Unusable(why.into()))?;
        let travel = Travel::of(&plugin.folder, manifest, out)?;
        if !travel.obstacles.is_empty() {
            return Err(obstacles(&travel));
        }
        missing_programs(manifest, &travel)?;
        Tree::compose(plugin, manifest, travel, dispatchers).map_err(|why| match why {
            tree::CannotCompose::Obstacles(_) => Stop::Refused(why.into()),
            tree::CannotCompose::Unreadable(_) => Stop::Unusable(why.into()),
        })
    }
}

fn targets(asked: Option<&str>) -> Result<Vec<Target>, Stop> {
    match asked {
        Some("all") => Ok(Target::ALL.to_vec()),
        Some(list) => {
            let mut targets = list
                .split(',')
                .map(|name| {
                    let name = name.trim();
                    name.parse().map_err(|why| {
                        Stop::unusable(format!("--targets: `{name}` {why}, and not `all`"))
                    })
                })
                .collect::<Result<Vec<Target>, _>>()?;
            targets.sort_unstable();
            targets.dedup();
            Ok(targets)
        }
        None => Target::of_this_machine()
            .map(|target| vec![target])
            .ok_or_else(|| {
                Stop::unusable(
                    "there are no dispatchers for this machine; name --targets and --dispatcher",
                )
            }),
    }
}

fn faulty(plugin: &Plugin, faults: &[Fault]) -> Outcome {
    plugin.print(faults);
    anstream::eprintln!("nothing was built; `hookkit check` says more");
    Outcome::Problems
}

fn obstacles(travel: &Travel) -> Stop {
    let mut lines = String::from("these files cannot go into the tree, so nothing was built:");
    for obstacle in &travel.obstacles {
        // Writing to a text does not fail.
        let _ = write!(lines, "\n  {} {}", obstacle.path, obstacle.what);
    }
    Stop::refused(lines)
}

/// A hook whose file stays behind would be denied or dropped on every event.
fn missing_programs(manifest: &Manifest, travel: &Travel) -> Result<(), Stop> {
    for hook in &manifest.hooks {
        for (key, run) in &hook.run_everywhere {
            for word in run {
                let Some(path) = word.strip_prefix("./") else {
                    continue;
                };
                if !travel.taken.contains_key(&tree::normal(path)) {
                    return Err(Stop::refused(format!(
                        "hook `{}` needs `{word}` (its `{key}`), which does not go into the tree: \
                         it is missing, or `files` in hookkit.json leaves it out",
                        hook.id
                    )));
                }
            }
        }
    }
    Ok(())
}

fn compare(tree: &Tree, out: &Path, shown: &Path, context: &Context) -> Result<Outcome, Stop> {
    if !out.is_dir() {
        return Err(Stop::unusable(format!(
            "there is no tree in {}; `hookkit build` makes it",
            shown.display()
        )));
    }
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
    if !drift.is_empty() {
        anstream::eprintln!("run `hookkit build` and commit the tree");
        return Ok(Outcome::Problems);
    }
    if context.detail > Detail::Quiet {
        screen::print(&format!("{} is what a build makes\n", shown.display()))?;
    }
    Ok(Outcome::Done)
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
        let mut events: Vec<&str> = Vec::new();
        for entry in &registration.entries {
            if !events.contains(&entry.contract.event) {
                events.push(entry.contract.event);
            }
        }
        let host = registration.host.host().name();
        let _ = writeln!(text, "  {host:12} {}", events.join(", "));
    }
    let made: Vec<&str> = tree
        .files
        .keys()
        .map(|path| &**path)
        .filter(|path| !tree.taken.iter().any(|taken| taken == path))
        .collect();
    list(&mut text, "took", tree.taken.iter().map(String::as_str));
    list(&mut text, "wrote", made.into_iter());
    list(&mut text, "left", tree.left.iter().map(String::as_str));
    let _ = writeln!(text, "\nTry it in a session:");
    for host in ["claude", "copilot"] {
        let _ = writeln!(text, "  {host} --plugin-dir {}", shown.display());
    }
    text
}

fn list<'p>(text: &mut String, word: &str, paths: impl Iterator<Item = &'p str>) {
    for (index, path) in paths.enumerate() {
        let label = if index == 0 { word } else { "" };
        let gap = if index == 0 { "\n" } else { "" };
        let _ = writeln!(text, "{gap}  {DIM}{label:6}{DIM:#}{path}");
    }
}

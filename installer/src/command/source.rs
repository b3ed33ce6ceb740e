//! What `build` and `package` make a tree of.

use super::Context;
use crate::itself::release_folder;
use crate::outcome::{Outcome, Stop};
use crate::plugin::{self, Plugin};
use crate::tree::{self, Dispatchers, Layout, Travel, Tree};
use anyhow::Context as _;
use clap::Args;
use hookkit_dispatch::manifest::{Fault, Manifest};
use hookkit_launchers::Target;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// A plugin, and the machines that the tree is for.
#[derive(Args)]
pub(super) struct Source {
    /// The plugin's folder
    #[arg(value_name = "DIR", default_value = ".")]
    plugin: PathBuf,
    #[command(flatten)]
    pub(super) machines: Machines,
}

/// The machines that a tree is for.
#[derive(Args)]
pub(super) struct Machines {
    /// The machines it is for: `all`, or a list of linux-x86_64, linux-aarch64, macos, windows
    /// [default: this machine; in a repository linux-x86_64, as the cloud agent's sandbox is; what
    /// is managed all of its system]
    #[arg(long, value_name = "all|LIST")]
    pub(super) targets: Option<String>,
    /// The dispatcher, or a folder that holds the dispatchers as a tree's dispatch/ does: a tree, or
    /// a release, whose SHA256SUMS they must fit [default: beside hookkit]
    #[arg(long, value_name = "FILE|DIR")]
    pub(super) dispatcher: Option<PathBuf>,
}

impl Source {
    pub(super) fn open(&self, context: &Context) -> Result<Plugin, Stop> {
        Ok(Plugin::open(&self.plugin, &context.env)?)
    }
}

impl Machines {
    /// The tree of a layout; `out` is where it will stand, which is no part of the plugin.
    pub(super) fn compose(
        &self,
        plugin: &Plugin,
        manifest: &Manifest,
        layout: Layout,
        out: &Path,
        context: &Context,
    ) -> Result<Tree, Stop> {
        let targets = self.targets(layout)?;
        let own_folder = release_folder(&context.env)
            .context("this program's own folder cannot be found; name --dispatcher")?;
        let named = match &self.dispatcher {
            Some(named) => Some(plugin::absolute(named, &context.env)?),
            None => None,
        };
        let dispatchers = Dispatchers::find(&targets, named.as_deref(), &own_folder)
            .map_err(|why| Stop::Unusable(why.into()))?;
        let travel = if tree::is_ours(&plugin.folder) {
            Travel::of_tree(&plugin.folder, manifest)?
        } else {
            Travel::of(&plugin.folder, manifest, out)?
        };
        check(manifest, &travel)?;
        Tree::compose(plugin, manifest, layout, travel, dispatchers).map_err(|why| match why {
            tree::CannotCompose::Obstacles(_) => Stop::Refused(why.into()),
            tree::CannotCompose::Unreadable(_) => Stop::Unusable(why.into()),
        })
    }

    pub(super) fn targets(&self, layout: Layout) -> Result<Vec<Target>, Stop> {
        match (self.targets.as_deref(), layout) {
            (Some("all"), _) => Ok(Target::ALL.to_vec()),
            (Some(list), _) => {
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
            (None, Layout::Repository) => Ok(vec![Target::LinuxX86_64]),
            (None, Layout::Managed(system)) => Ok(system.targets().to_vec()),
            (None, Layout::Portable) => Target::of_this_machine()
                .map(|target| vec![target])
                .ok_or_else(|| {
                    Stop::unusable(
                        "there are no dispatchers for this machine; name --targets and \
                         --dispatcher",
                    )
                }),
        }
    }
}

/// The manifest, if nothing at all is wrong with it; else what was found is printed.
pub(super) fn faultless(plugin: &Plugin) -> Result<Manifest<'_>, Outcome> {
    match Manifest::read(&plugin.text) {
        Ok(manifest) if manifest.faults.is_empty() => Ok(manifest),
        Ok(manifest) => Err(faulty(plugin, &manifest.faults)),
        Err(fault) => Err(faulty(plugin, &[fault])),
    }
}

fn faulty(plugin: &Plugin, faults: &[Fault]) -> Outcome {
    plugin.print(faults);
    anstream::eprintln!("nothing was done; `hookkit check` says more");
    Outcome::Problems
}

/// Everything that was chosen can travel, and nothing that hooks need stays behind.
pub(super) fn check(manifest: &Manifest, travel: &Travel) -> Result<(), Stop> {
    if !travel.obstacles.is_empty() {
        return Err(obstacles(travel));
    }
    missing_programs(manifest, travel)
}

/// A folder that the plugin itself lies in would be replaced, or travel with it.
pub(super) fn keeps_out(plugin: &Plugin, out: &Path, shown: &Path) -> Result<(), Stop> {
    let real = hookkit_dispatch::folder::real(out);
    if plugin.folder.starts_with(real) {
        return Err(Stop::refused(format!(
            "{} holds the plugin itself; name another folder with --out",
            shown.display()
        )));
    }
    Ok(())
}

fn obstacles(travel: &Travel) -> Stop {
    let mut lines = String::from("these files cannot go into the tree, so nothing was done:");
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

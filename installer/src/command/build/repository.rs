//! `hookkit build --repo`: a plugin in the repository that it guards.

use super::{Build, Context, events, files, print_drift};
use crate::cli::Detail;
use crate::outcome::{Outcome, Stop};
use crate::plugin::{self, Plugin};
use crate::screen::{self, BAD, BOLD};
use crate::tree::{self, Layout, Tree};
use fs_err as fs;
use hookkit_dispatch::folder;
use hookkit_dispatch::manifest::Manifest;
use hookkit_launchers::{Registration, repository};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// What goes where.
struct Place {
    /// The repository, as it was named.
    shown: PathBuf,
    /// The plugin's folder in it.
    folder: PathBuf,
    /// The file by which Copilot is told.
    file: PathBuf,
}

impl Build {
    pub(super) fn in_repository(
        &self,
        repo: &Path,
        plugin: &Plugin,
        manifest: &Manifest,
        context: &Context,
    ) -> Result<Outcome, Stop> {
        let root = plugin::absolute(repo, &context.env)?;
        let place = Place::in_repository(repo, &root, &manifest.name)?;
        let registration = registration(manifest)?;
        if plugin.folder.starts_with(folder::real(&place.folder)) {
            return Err(Stop::refused(format!(
                "{} is where the plugin would be built to; move the plugin to another folder",
                plugin.shown.display()
            )));
        }
        let tree =
            self.source
                .compose(plugin, manifest, Layout::Repository, &place.folder, context)?;
        let registered = repository::registered(&registration, self.bash_only);
        if self.check {
            return place.compare(&tree, &registered, manifest, context);
        }
        context.refuse_other_users()?;
        place.keep_others_files(&manifest.name)?;
        place.write(&tree, &registered)?;
        if context.detail > Detail::Quiet {
            screen::print(&place.report(&tree, manifest, &registration))?;
        }
        Ok(Outcome::Done)
    }
}

/// What Copilot is told, if that is anything, and all of it can be.
fn registration(manifest: &Manifest) -> Result<Registration, Stop> {
    let for_the_cloud_alone = manifest
        .hooks
        .iter()
        .find(|hook| hook.is_for("copilot-cloud") && !hook.is_for("copilot-cli"));
    if let Some(hook) = for_the_cloud_alone {
        return Err(Stop::refused(format!(
            "hook `{}` is for copilot-cloud and not for copilot-cli, but both read the same file of \
             a repository and fire the same events; name copilot-cli in its `hosts` as well",
            hook.id
        )));
    }
    let registration = repository::registration(manifest);
    if registration.entries.is_empty() {
        return Err(Stop::refused(
            "no hook of this plugin is on an event of copilot-cli, so there is nothing to write",
        ));
    }
    Ok(registration)
}

impl Place {
    fn in_repository(shown: &Path, root: &Path, plugin: &str) -> Result<Self, Stop> {
        // A file in a work tree of its own, a folder elsewhere.
        if !root.join(".git").exists() {
            return Err(Stop::refused(format!(
                "{} is not the root of a git repository, and Copilot reads no other .github/hooks",
                plugin::display(shown)
            )));
        }
        let place = Self {
            shown: shown.to_owned(),
            folder: root.join(repository::folder(plugin)),
            file: root.join(repository::registration_file(plugin)),
        };
        let real_root = folder::real(root);
        for path in [&place.folder, &place.file] {
            let leads_out = path
                .ancestors()
                .take_while(|above| *above != root)
                .find(|above| above.exists() && !folder::real(above).starts_with(&real_root));
            if let Some(link) = leads_out {
                return Err(Stop::refused(format!(
                    "{} leads out of the repository; remove that link",
                    link.display()
                )));
            }
        }
        Ok(place)
    }

    /// Refuses where something would be lost that no build made.
    fn keep_others_files(&self, plugin: &str) -> Result<(), Stop> {
        if !tree::may_replace(&self.folder)? {
            return Err(Stop::refused(format!(
                "{} exists and was not made by `hookkit build`; move it away, or remove it",
                self.folder.display()
            )));
        }
        let is_built =
            self.folder.join(tree::SUMS).exists() || self.folder.join(tree::MARK).exists();
        let strays = if is_built {
            tree::strays(&self.folder)?
        } else {
            Vec::new()
        };
        if !strays.is_empty() {
            return Err(Stop::refused(format!(
                "these files in {} were changed since they were built:\n  {}\nmove what is to be \
                 kept into the plugin, and remove the folder to build it anew",
                self.folder.display(),
                strays.join("\n  ")
            )));
        }
        if self.file.exists() && !is_ours(&self.file, plugin) {
            return Err(Stop::refused(format!(
                "{} exists and was not made by `hookkit build`; rename the plugin, or move the file \
                 away",
                self.file.display()
            )));
        }
        Ok(())
    }

    fn write(&self, tree: &Tree, registered: &[u8]) -> Result<(), Stop> {
        let is_there = self.folder.is_dir() && tree::drift(tree, &self.folder)?.is_empty();
        if !is_there {
            tree::write(tree, &self.folder).map_err(|why| Stop::Failed(why.into()))?;
        }
        if fs::read(&self.file).is_ok_and(|found| found == registered) {
            return Ok(());
        }
        write_whole(&self.file, registered).map_err(|why| Stop::Failed(why.into()))
    }

    fn compare(
        &self,
        tree: &Tree,
        registered: &[u8],
        manifest: &Manifest,
        context: &Context,
    ) -> Result<Outcome, Stop> {
        let shown = self.shown.join(repository::folder(&manifest.name));
        let shown_file = self
            .shown
            .join(repository::registration_file(&manifest.name));
        let mut differs = if self.folder.is_dir() {
            print_drift(tree, &self.folder, &shown)?
        } else {
            screen::print(&format!("{BAD}{}{BAD:#} is missing\n", shown.display()))?;
            true
        };
        let what = match fs::read(&self.file) {
            Ok(found) if found == registered => None,
            Ok(_) => Some("differs from what a build makes"),
            Err(_) => Some("is missing"),
        };
        if let Some(what) = what {
            screen::print(&format!("{BAD}{}{BAD:#} {what}\n", shown_file.display()))?;
            differs = true;
        }
        if differs {
            anstream::eprintln!("run `hookkit build --repo` and commit what it writes");
            return Ok(Outcome::Problems);
        }
        if context.detail > Detail::Quiet {
            screen::print(&format!("{} is what a build makes\n", shown.display()))?;
        }
        Ok(Outcome::Done)
    }

    fn report(&self, tree: &Tree, manifest: &Manifest, registration: &Registration) -> String {
        let mut text = String::new();
        // Writing to a text does not fail.
        let _ = writeln!(
            text,
            "Built {BOLD}{} {}{BOLD:#} in {}, which {} registers\n  {:12} {}",
            manifest.name,
            manifest.version,
            self.shown
                .join(repository::folder(&manifest.name))
                .display(),
            self.shown
                .join(repository::registration_file(&manifest.name))
                .display(),
            "copilot",
            events(registration)
        );
        files(&mut text, tree);
        text.push_str(
            "\nCommit both. The cloud agent reads them on the default branch, Copilot CLI in a \
             folder that\nis trusted. An agent can change its own checkout: review what it does \
             below .github.\n",
        );
        text
    }
}

/// Is every command line in this file one that a build of this plugin writes?
fn is_ours(file: &Path, plugin: &str) -> bool {
    let Ok(document) = fs::read(file)
        .map_err(drop)
        .and_then(|bytes| serde_json::from_slice::<serde_json::Value>(&bytes).map_err(drop))
    else {
        return false;
    };
    let Some(events) = document["hooks"].as_object() else {
        return false;
    };
    let line = repository::bash_line(plugin);
    let is_ours = |entry: &serde_json::Value| {
        entry["bash"]
            .as_str()
            .is_some_and(|bash| bash.starts_with(&line))
    };
    let mut entries = events.values().filter_map(|entries| entries.as_array());
    !events.is_empty() && entries.all(|entries| entries.iter().all(is_ours))
}

/// Writes a file that is then there whole, or as it was before.
fn write_whole(file: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let around = file.parent().unwrap_or(file);
    fs::create_dir_all(around)?;
    let mut draft = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        draft.permissions(std::fs::Permissions::from_mode(0o644));
    }
    let mut draft = draft.prefix(".hookkit-build-").tempfile_in(around)?;
    draft.write_all(bytes)?;
    draft.persist(file)?;
    Ok(())
}

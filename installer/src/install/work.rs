//! Carries a plan out. A step that fails takes all the steps before it back.

use super::data::DRAFT;
use super::plan::{Access, Plan, Step};
use crate::edit::{Lock, Undo};
use crate::tree;
use anyhow::{Context as _, Result};
use fs_err as fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// What has been done, and how it is taken back.
enum Done {
    /// Was not there before.
    Made(PathBuf),
    /// Stood there before, and lies among the drafts now.
    Moved {
        path: PathBuf,
        old: PathBuf,
    },
    Edited(Undo),
    /// Was an empty folder.
    Cleared(PathBuf),
}

/// Steps under way. What is not kept is taken back.
struct Work<'l> {
    lock: &'l Lock,
    drafts: TempDir,
    count: usize,
    done: Vec<Done>,
}

/// Does what a plan says, all of it or nothing; nothing too where `check` finds that it does not work.
/// `drafts` is a folder on the same file system as what is written.
pub(crate) fn carry_out(
    plan: Plan,
    check: impl FnOnce() -> Result<()>,
    drafts: &Path,
    lock: &Lock,
) -> Result<()> {
    let mut work = Work {
        lock,
        drafts: tempfile::Builder::new()
            .prefix(DRAFT)
            .tempdir_in(drafts)
            .context("nothing was changed")?,
        count: 0,
        done: Vec::new(),
    };
    for step in plan.steps {
        let path = step.path().to_owned();
        if let Err(why) = work.step(step) {
            return Err(work.after(why.context(format!("{} failed", path.display()))));
        }
    }
    check().map_err(|why| work.after(why))
}

/// Removes what runs that were killed have left behind among drafts. Their place must be locked.
pub(crate) fn sweep(drafts: &Path) {
    for entry in fs::read_dir(drafts).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(DRAFT) {
            // What stays is tried again next time.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

impl Work<'_> {
    fn step(&mut self, step: Step) -> Result<()> {
        match step {
            Step::Folder { path, access } => self.make_folders(&path, access)?,
            Step::File { path, bytes, mode } => {
                let draft = self.draft();
                write(&draft, &bytes, mode)?;
                self.put(&draft, path)?;
            }
            Step::Link { path, to } => {
                let draft = self.draft();
                link(&to, &draft)?;
                self.put(&draft, path)?;
            }
            Step::Tree {
                path,
                files,
                links,
                access,
            } => {
                let draft = self.draft();
                make_folder(&draft, access)?;
                for file in &files {
                    tree::place(file, &draft)?;
                }
                for (name, to) in &links {
                    let name = draft.join(name);
                    fs::create_dir_all(name.parent().unwrap_or(&draft))?;
                    link(to, &name)?;
                }
                self.put(&draft, path)?;
            }
            Step::Edit(change) => {
                let undo = change.undo();
                change.write(self.lock)?;
                self.done.push(Done::Edited(undo));
            }
            Step::Remove(path) => {
                let old = self.draft();
                match fs::rename(&path, &old) {
                    Ok(()) => self.done.push(Done::Moved { path, old }),
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                    // A client's own folder may lie on another file system than ours.
                    Err(error) if error.kind() == io::ErrorKind::CrossesDevices => remove(&path)?,
                    Err(error) => return Err(error.into()),
                }
            }
            Step::Clear(path) => {
                // One that holds something stays.
                if fs::remove_dir(&path).is_ok() {
                    self.done.push(Done::Cleared(path));
                }
            }
        }
        Ok(())
    }

    /// Puts a draft in its place, at once: whoever looks finds the old one or the new one.
    fn put(&mut self, draft: &Path, path: PathBuf) -> io::Result<()> {
        if path.symlink_metadata().is_err() {
            fs::rename(draft, &path)?;
            self.done.push(Done::Made(path));
        } else if tree::exchange(draft, &path).is_ok() {
            let old = draft.to_owned();
            self.done.push(Done::Moved { path, old });
        } else {
            let old = self.draft();
            fs::rename(&path, &old)?;
            self.done.push(Done::Moved {
                path: path.clone(),
                old,
            });
            fs::rename(draft, &path)?;
        }
        Ok(())
    }

    fn make_folders(&mut self, path: &Path, access: Access) -> io::Result<()> {
        let missing: Vec<&Path> = path
            .ancestors()
            .take_while(|above| !above.exists())
            .collect();
        for folder in missing.into_iter().rev() {
            make_folder(folder, access)?;
            self.done.push(Done::Made(folder.to_owned()));
        }
        Ok(())
    }

    fn draft(&mut self) -> PathBuf {
        self.count += 1;
        self.drafts.path().join(self.count.to_string())
    }

    /// A failure, and what became of what had been done.
    fn after(&mut self, why: anyhow::Error) -> anyhow::Error {
        match self.take_back() {
            Ok(()) => why.context("what had been done was taken back"),
            Err(left) => why.context(format!(
                "taking back what had been done failed too ({left:#}); run the same command again, \
                 or `hookkit uninstall`"
            )),
        }
    }

    fn take_back(&mut self) -> Result<()> {
        let mut first = Ok(());
        while let Some(done) = self.done.pop() {
            let taken = match done {
                Done::Made(path) => remove(&path).map_err(Into::into),
                Done::Moved { path, old } => move_back(&old, &path).map_err(Into::into),
                Done::Edited(undo) => undo
                    .change(|_| Ok(()))
                    .and_then(|change| change.write(self.lock))
                    .map_err(Into::into),
                Done::Cleared(path) => fs::create_dir(path).map_err(Into::into),
            };
            first = first.and(taken);
        }
        first
    }
}

fn move_back(old: &Path, path: &Path) -> io::Result<()> {
    if path.symlink_metadata().is_ok() && tree::exchange(old, path).is_ok() {
        return Ok(());
    }
    if path.symlink_metadata().is_ok() {
        remove(path)?;
    }
    fs::rename(old, path)
}

fn remove(path: &Path) -> io::Result<()> {
    if fs::symlink_metadata(path)?.is_dir() {
        fs::remove_dir_all(path)
    } else {
        fs::remove_file(path)
    }
}

fn write(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    let mut file = fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(path)?;
    set_mode(path, mode)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Another name for the dispatcher, or a copy where the file system knows no second names.
fn link(to: &Path, path: &Path) -> io::Result<()> {
    fs::hard_link(to, path).or_else(|_| fs::copy(to, path).map(drop))
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, std::fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "as where there are modes")]
fn set_mode(_: &Path, _: u32) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn make_folder(path: &Path, access: Access) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    let mode = match access {
        Access::Private => 0o700,
        Access::Shared => 0o777,
    };
    std::fs::DirBuilder::new().mode(mode).create(path)
}

/// A folder of the user's is private on Windows.
#[cfg(not(unix))]
fn make_folder(path: &Path, _: Access) -> io::Result<()> {
    fs::create_dir(path)
}

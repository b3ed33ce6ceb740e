//! One run that changes a data folder or a repository: it waits for its turn, and leaves nothing
//! behind that it did not mean to.

use super::data::Data;
use super::plan::Plan;
use super::{dispatcher, work};
use crate::edit::Lock;
use crate::outcome::Stop;
use fs_err as fs;
use hookkit_dispatch::env::Env;
use hookkit_dispatch::log::earlier;
use std::path::{Path, PathBuf};

/// Where a data folder remembers the folders that were made for it.
const MADE: &str = "made.json";

/// Where runs that change the same things take turns.
pub(crate) trait Ground {
    /// Where the lock lies.
    fn folder(&self) -> &Path;

    /// Where drafts lie: on the file system of what they are drafts of.
    fn drafts(&self) -> &Path {
        self.folder()
    }

    /// The lock was taken, for which these folders were made, the innermost first.
    fn begin(&self, made: &[PathBuf]) -> Result<(), Stop>;

    /// The plan was carried out.
    fn settle(&self, lock: &Lock, env: &Env) -> Result<(), Stop>;

    /// The turn ends: what nobody needs any more goes.
    fn leave(&self, lock: &Lock);
}

/// The turn of this run, until it is dropped.
pub(crate) struct Turn<'g> {
    ground: &'g dyn Ground,
    lock: Lock,
}

impl<'g> Turn<'g> {
    /// Waits for the turn; makes the folder if need be.
    pub(crate) fn take(ground: &'g dyn Ground) -> Result<Self, Stop> {
        let missing: Vec<PathBuf> = ground
            .folder()
            .ancestors()
            .skip(1)
            .take_while(|above| !above.exists())
            .map(PathBuf::from)
            .collect();
        let lock = Lock::take(ground.folder())?;
        ground.begin(&missing)?;
        work::sweep(ground.drafts());
        Ok(Self { ground, lock })
    }

    /// Does what a plan says, all of it or nothing; nothing too where it does not work then.
    pub(crate) fn carry_out(
        &self,
        plan: Plan,
        check: impl FnOnce() -> anyhow::Result<()>,
        env: &Env,
    ) -> Result<(), Stop> {
        work::carry_out(plan, check, self.ground.drafts(), &self.lock).map_err(Stop::Failed)?;
        // The command has done its work, whatever comes of this: the next one tries again.
        let _ = self.ground.settle(&self.lock, env);
        Ok(())
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.ground.leave(&self.lock);
    }
}

impl Ground for Data {
    fn folder(&self) -> &Path {
        self.folder()
    }

    fn begin(&self, made: &[PathBuf]) -> Result<(), Stop> {
        let file = self.folder().join(MADE);
        if !made.is_empty() && !file.exists() {
            let text = serde_json::to_vec(made).map_err(anyhow::Error::from)?;
            fs::write(file, text)?;
        }
        Ok(())
    }

    /// The dispatcher that is there is renewed.
    fn settle(&self, lock: &Lock, env: &Env) -> Result<(), Stop> {
        if self.plugins().is_empty() || !self.dispatcher().is_file() {
            return Ok(());
        }
        let mut plan = Plan::default();
        dispatcher::renew(&mut plan, self, env)?;
        if plan.is_empty() {
            return Ok(());
        }
        work::carry_out(plan, || Ok(()), self.folder(), lock).map_err(Stop::Failed)
    }

    /// A data folder in which nothing is installed goes, with the folders that were made for it.
    fn leave(&self, lock: &Lock) {
        if !self.plugins().is_empty() {
            return;
        }
        let folder = self.folder();
        let made: Vec<PathBuf> = fs::read(folder.join(MADE))
            .ok()
            .and_then(|bytes| serde_json::from_slice(&bytes).ok())
            .unwrap_or_default();
        // What cannot be removed, or is not ours, stays.
        for room in self.rooms() {
            let _ = fs::remove_dir_all(room);
        }
        let log = self.log();
        for file in [earlier(&log), log, folder.join(MADE)] {
            let _ = fs::remove_file(file);
        }
        lock.remove();
        let _ = fs::remove_dir(folder);
        for above in made {
            let _ = fs::remove_dir(above);
        }
    }
}

//! One run that changes a data folder: it waits for its turn, and leaves nothing behind that it did
//! not mean to.

use super::data::Data;
use super::plan::Plan;
use super::{dispatcher, work};
use crate::edit::Lock;
use crate::outcome::Stop;
use fs_err as fs;
use hookkit_dispatch::env::Env;
use hookkit_dispatch::log::earlier;
use std::path::PathBuf;

/// Where a data folder remembers the folders that were made for it.
const MADE: &str = "made.json";

/// The turn of this run, until it is dropped.
pub(crate) struct Turn<'d> {
    data: &'d Data,
    lock: Lock,
}

impl<'d> Turn<'d> {
    /// Waits for the turn; makes the data folder if need be.
    pub(crate) fn take(data: &'d Data) -> Result<Self, Stop> {
        let missing: Vec<PathBuf> = data
            .folder()
            .ancestors()
            .skip(1)
            .take_while(|above| !above.exists())
            .map(PathBuf::from)
            .collect();
        let lock = Lock::take(data.folder())?;
        let made = data.folder().join(MADE);
        if !missing.is_empty() && !made.exists() {
            let text = serde_json::to_vec(&missing).map_err(anyhow::Error::from)?;
            fs::write(made, text)?;
        }
        work::sweep(data);
        Ok(Self { data, lock })
    }

    /// Does what a plan says, all of it or nothing; nothing too where it does not work then. After
    /// that the dispatcher that is there is renewed.
    pub(crate) fn carry_out(
        &self,
        plan: Plan,
        check: impl FnOnce() -> anyhow::Result<()>,
        env: &Env,
    ) -> Result<(), Stop> {
        work::carry_out(plan, check, self.data, &self.lock).map_err(Stop::Failed)?;
        // The command has done its work, whatever comes of this: the next one tries again.
        let _ = self.renew_dispatcher(env);
        Ok(())
    }

    fn renew_dispatcher(&self, env: &Env) -> Result<(), Stop> {
        if self.data.plugins().is_empty() || !self.data.dispatcher().is_file() {
            return Ok(());
        }
        let mut plan = Plan::default();
        dispatcher::renew(&mut plan, self.data, env)?;
        if plan.is_empty() {
            return Ok(());
        }
        work::carry_out(plan, || Ok(()), self.data, &self.lock).map_err(Stop::Failed)
    }
}

impl Drop for Turn<'_> {
    /// A data folder in which nothing is installed goes, with the folders that were made for it.
    fn drop(&mut self) {
        if !self.data.plugins().is_empty() {
            return;
        }
        let folder = self.data.folder();
        let made: Vec<PathBuf> = fs::read(folder.join(MADE))
            .ok()
            .and_then(|bytes| serde_json::from_slice(&bytes).ok())
            .unwrap_or_default();
        // What cannot be removed, or is not ours, stays.
        for room in self.data.rooms() {
            let _ = fs::remove_dir_all(room);
        }
        let log = self.data.log();
        for file in [earlier(&log), log, folder.join(MADE)] {
            let _ = fs::remove_file(file);
        }
        self.lock.remove();
        let _ = fs::remove_dir(folder);
        for above in made {
            let _ = fs::remove_dir(above);
        }
    }
}

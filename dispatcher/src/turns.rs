//! How often a turn has been kept from ending, where the host does not count.
//!
//! Copilot CLI 1.0.102 lets a SubagentStop hook block without end (616 times in 90 s were seen). The
//! count is the length of a file of this user's own, one byte for each block, so that no two
//! processes can disagree about it.

use crate::env::Env;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::PathBuf;

/// After so many blocks in a row the turn may end, as Claude Code and Copilot's own turns do.
pub const MOST_BLOCKS: u64 = 8;

/// One turn of one agent in one session, for one plugin.
pub struct Turn {
    file: PathBuf,
    folder: PathBuf,
}

impl Turn {
    /// The turn that these names tell from every other.
    pub fn of(names: &[&str], env: &Env) -> Self {
        let mut hasher = DefaultHasher::new();
        names.hash(&mut hasher);
        let folder = private_folder(env);
        Self {
            file: folder.join(format!("turn-{:016x}", hasher.finish())),
            folder,
        }
    }

    /// Counts one more block and says how many there were in a row, this one included.
    ///
    /// `is_first` is the host's word that the turn was not blocked before. The error means that
    /// nothing could be counted.
    pub fn block(&self, is_first: bool) -> io::Result<u64> {
        if is_first {
            self.forget();
        }
        // The folder goes with its last turn, which may be another one that ends just now.
        self.count().or_else(|_| self.count())
    }

    fn count(&self) -> io::Result<u64> {
        use std::io::Write;
        make_private(&self.folder)?;
        let mut file = std::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(&self.file)?;
        file.write_all(b".")?;
        Ok(file.metadata()?.len())
    }

    /// The turn ends: nothing is left of it.
    pub fn end(&self) {
        self.forget();
        // Fails while other turns are counted in it.
        let _ = std::fs::remove_dir(&self.folder);
    }

    fn forget(&self) {
        // There is nothing to remove where nothing was counted.
        let _ = std::fs::remove_file(&self.file);
    }
}

/// A folder that a repository's settings cannot move: not below TMPDIR, which they can set.
#[cfg(unix)]
fn private_folder(_env: &Env) -> PathBuf {
    PathBuf::from(format!(
        "/tmp/hookkit-{}",
        rustix::process::getuid().as_raw()
    ))
}

#[cfg(not(unix))]
fn private_folder(env: &Env) -> PathBuf {
    env.home()
        .map_or_else(|| env.temp(), |home| home.join("AppData").join("Local"))
        .join("hookkit-turns")
}

/// Makes the folder, or makes sure that nobody else made it first.
#[cfg(unix)]
fn make_private(folder: &std::path::Path) -> io::Result<()> {
    use std::os::unix::fs::{DirBuilderExt, MetadataExt};
    match std::fs::DirBuilder::new().mode(0o700).create(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    let found = folder.symlink_metadata()?;
    let is_own = found.is_dir()
        && found.uid() == rustix::process::getuid().as_raw()
        && found.mode() & 0o777 == 0o700;
    if is_own {
        Ok(())
    } else {
        Err(io::Error::other("somebody else's folder"))
    }
}

#[cfg(not(unix))]
fn make_private(folder: &std::path::Path) -> io::Result<()> {
    std::fs::create_dir_all(folder)
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_counted_in_a_row_and_forgotten_at_the_end() {
        let env = Env::of_process();
        let unique = format!("{}-{:?}", std::process::id(), std::time::Instant::now());
        let turn = Turn::of(&["plugin", &unique], &env);
        for expected in 1..=3 {
            assert_eq!(turn.block(expected == 1).ok(), Some(expected));
        }
        let other = Turn::of(&["plugin", &unique, "agent"], &env);
        assert_eq!(other.block(false).ok(), Some(1));
        assert_eq!(turn.block(true).ok(), Some(1));
        turn.end();
        other.end();
        assert!(!turn.file.exists());
    }
}

//! Two installs at once take turns.

use super::refused::Refused;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

/// Held while files are read, edited and written; it ends when this is dropped, or its process ends.
///
/// Take it before [`Document::open`](super::Document::open): what another process writes between
/// reading and writing is found and refuses the change, but then nothing was done.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    _file: File,
}

/// How long somebody who edits files may take.
const PATIENCE: Duration = Duration::from_secs(30);

const NAME: &str = "edit.lock";

impl Lock {
    /// Waits for its turn, at most half a minute. The file lies in hookkit's data folder, which is
    /// made if need be: beside a file of others it would be litter.
    pub fn take(data_folder: &Path) -> Result<Self, Refused> {
        let path = data_folder.join(NAME);
        let failed = |error: io::Error| {
            Refused::new(
                &path,
                format!("cannot be locked: {error}"),
                "make it writable, or name another data folder with HOOKKIT_HOME",
            )
        };
        make_private(data_folder).map_err(failed)?;
        let mut options = File::options();
        options.create(true).truncate(false).write(true);
        private(&mut options);
        let mut file = options.open(&path).map_err(failed)?;
        let until = Instant::now() + PATIENCE;
        loop {
            match file.try_lock() {
                Ok(()) if is_still(&file, &path) => return Ok(Self { path, _file: file }),
                // Whoever had it before took it away with the data folder.
                Ok(()) => {
                    make_private(data_folder).map_err(failed)?;
                    file = options.open(&path).map_err(failed)?;
                }
                Err(TryLockError::Error(error)) => return Err(failed(error)),
                Err(TryLockError::WouldBlock) if Instant::now() < until => {
                    thread::sleep(Duration::from_millis(10));
                }
                Err(TryLockError::WouldBlock) => {
                    return Err(Refused::new(
                        &path,
                        "has been held by another hookkit for half a minute",
                        "wait until that one is done, or end it",
                    ));
                }
            }
        }
    }
}

impl Lock {
    /// Takes the file of the lock away. Somebody who waits for it makes another.
    pub fn remove(&self) {
        // One that stays does no harm.
        let _ = fs::remove_file(&self.path);
    }
}

/// Is an open file the one of this name?
#[cfg(unix)]
fn is_still(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let same = |(open, named): (fs::Metadata, fs::Metadata)| {
        open.ino() == named.ino() && open.dev() == named.dev()
    };
    file.metadata()
        .and_then(|open| Ok((open, fs::metadata(path)?)))
        .is_ok_and(same)
}

/// An open file cannot be taken away there.
#[cfg(not(unix))]
fn is_still(_: &File, _: &Path) -> bool {
    true
}

/// A folder, and those above it, which only the user may enter.
pub(super) fn make_private(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder)
}

#[cfg(unix)]
fn private(options: &mut fs::OpenOptions) {
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
}

#[cfg(not(unix))]
fn private(_: &mut fs::OpenOptions) {}

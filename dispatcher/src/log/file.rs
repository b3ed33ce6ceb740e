//! The file of a log: private, limited in size, and never anything but a plain file.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

/// A file that is larger than this becomes the earlier one, in place of that. Where that cannot be
/// done, it grows to twice as much and no further.
const FULL: u64 = 4 << 20;

/// Appends lines by one write, which no other dispatcher's comes into.
///
/// Nothing is waited for, and no link is followed: what is a pipe, a device or a link, or has
/// another name elsewhere, is left alone.
pub(super) fn append(path: &Path, lines: &[u8]) -> io::Result<()> {
    let (mut file, mut length) = open(path)?;
    if length >= FULL {
        make_room(&file, path);
        (file, length) = open(path)?;
    }
    if length < 2 * FULL {
        system::stay_alive_when_full();
        // A line that is cut off for want of room stays so: readers know it by its beginning.
        let _ = file.write(lines)?;
    }
    Ok(())
}

/// The file and its length.
fn open(path: &Path) -> io::Result<(File, u64)> {
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    system::refine(&mut options);
    let file = options.open(path)?;
    let found = file.metadata()?;
    if found.is_file() && system::has_one_name(&found) {
        Ok((file, found.len()))
    } else {
        Err(io::ErrorKind::InvalidInput.into())
    }
}

/// Several may find the file full: who holds its lock and still finds it at its place moves it.
fn make_room(file: &File, path: &Path) {
    let is_full = || fs::symlink_metadata(path).is_ok_and(|found| found.len() >= FULL);
    if file.try_lock().is_ok() && is_full() {
        // Where it fails the file grows on.
        let _ = fs::rename(path, super::earlier(path));
    }
}

#[cfg(unix)]
mod system {
    use std::fs::{Metadata, OpenOptions};
    use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};

    pub(super) fn refine(options: &mut OpenOptions) {
        options
            .mode(0o600)
            // A pipe that nobody reads would be waited for.
            .custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_NOCTTY);
    }

    pub(super) fn has_one_name(found: &Metadata) -> bool {
        found.nlink() == 1
    }

    /// A file that would grow over the limit of this process ends it, and the host would take that
    /// for the reply's end.
    #[expect(unsafe_code, reason = "std has no signals")]
    pub(super) fn stay_alive_when_full() {
        // SAFETY: no handler is replaced that somebody else set, and hooks have all been started.
        unsafe {
            libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
        }
    }
}

#[cfg(windows)]
mod system {
    use std::fs::{Metadata, OpenOptions};
    use std::os::windows::fs::OpenOptionsExt as _;

    /// Opens a link itself, which is then no file.
    const FILE_FLAG_OPEN_REPARSE_POINT: u32 = 0x0020_0000;

    pub(super) fn refine(options: &mut OpenOptions) {
        options.custom_flags(FILE_FLAG_OPEN_REPARSE_POINT);
    }

    pub(super) fn has_one_name(_: &Metadata) -> bool {
        true
    }

    pub(super) fn stay_alive_when_full() {}
}

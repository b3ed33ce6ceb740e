//! A disk of one's own, to be full or read-only.

use std::path::{Path, PathBuf};

use fs_err as fs;

use crate::process::Program;
use crate::program;

/// A disk of its own, in memory, until the value is gone.
pub struct Disk {
    folder: PathBuf,
}

impl Disk {
    /// None, loudly, where nothing can be mounted.
    pub fn at(folder: &Path, options: &str) -> Option<Self> {
        let mounted = Program::new("mount")
            .args(["-t", "tmpfs", "-o", options, "tmpfs"])
            .arg(folder)
            .run();
        program::can(mounted.exited(0), "a disk can only be mounted by root").then(|| Self {
            folder: folder.to_owned(),
        })
    }

    /// Nothing can be written to it any more.
    pub fn is_read_only(&self) {
        let again = Program::new("mount")
            .args(["-o", "remount,ro"])
            .arg(&self.folder)
            .run();
        assert!(again.exited(0));
    }

    /// Fills it up but for so many pages.
    pub fn leaves(&self, pages: usize) {
        let ballast = self.folder.join("ballast");
        let room = vec![0; pages * 4096];
        let reserve = self.folder.join("reserve");
        fs::write(&reserve, room).unwrap();
        // It ends with the disk, as it is meant to.
        let _ = Program::new("dd")
            .args(["if=/dev/zero", "bs=4096"])
            .arg(format!("of={}", ballast.display()))
            .run();
        fs::remove_file(reserve).unwrap();
    }

    /// What [`Disk::leaves`] put there goes.
    pub fn is_empty_again(&self) {
        fs::remove_file(self.folder.join("ballast")).unwrap();
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Program::new("umount").arg("-l").arg(&self.folder).run();
    }
}

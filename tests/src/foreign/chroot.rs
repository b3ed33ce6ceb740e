//! A root folder with nothing in it but what a test puts there: no loader, no library, no shell.

use std::path::Path;

use fs_err as fs;

use crate::folder::Folder;
use crate::plugin::copy_program;
use crate::process::Program;
use crate::program::{can, found, needs, unshare};

/// Gone with the value.
#[derive(Debug)]
pub struct EmptyRoot {
    folder: Folder,
    is_emulated: bool,
}

/// Where the emulator stands in there.
const EMULATOR: &str = "emulator";

impl EmptyRoot {
    /// For programs of this machine's architecture, or of another one that this program runs;
    /// `None` after saying why the test is skipped.
    pub fn find(emulator: Option<&str>) -> Option<Self> {
        if !needs(&["unshare"]) || !needs(emulator.as_slice()) {
            return None;
        }
        let tried = in_root(Path::new("/")).arg("true").run();
        if !can(tried.exited(0), "this user may not change the root") {
            return None;
        }
        let root = Self {
            folder: Folder::new("root"),
            is_emulated: emulator.is_some(),
        };
        if let Some(emulator) = emulator.and_then(found) {
            root.put(&emulator, EMULATOR);
        }
        Some(root)
    }

    /// Copies a program to this path.
    pub fn put(&self, program: &Path, path: &str) {
        let file = self.folder.join(path);
        fs::create_dir_all(file.parent().expect("a file lies in a folder")).unwrap();
        copy_program(program, &file);
    }

    /// The folder, as the machine around it sees it.
    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// A program in there.
    pub fn program(&self, path: &str) -> Program {
        let program = in_root(self.path());
        if self.is_emulated {
            program.arg(format!("/{EMULATOR}")).arg(path)
        } else {
            program.arg(path)
        }
    }
}

fn in_root(folder: &Path) -> Program {
    unshare().arg("--root").arg(folder)
}

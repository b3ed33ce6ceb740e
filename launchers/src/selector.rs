//! The script that picks the dispatcher for the machine it runs on.
//!
//! It stands in `dispatch/` under the name that is registered everywhere. Linux and macOS run it;
//! Windows runs the `.exe` beside it instead.

use crate::File;

/// Where it stands in the tree.
///
/// No dot in its name: with one, Bun and Node take this very file on Windows and not the `.exe`.
pub const PATH: &str = "dispatch/hookkit-dispatch";

/// Its text. How it answers for itself when no dispatcher fits is said in it.
pub const SCRIPT: &str = include_str!("selector.sh");

/// The exit code of a copy that was cut off or changed on its way.
pub const DAMAGED: i32 = 70;

/// The selector as a file of the tree.
pub fn file() -> File {
    File::program(PATH, SCRIPT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_script_that_every_shell_reads() {
        assert!(SCRIPT.starts_with("#!/bin/sh\ntrap ") && SCRIPT.ends_with("\n}\n"));
        assert!(SCRIPT.is_ascii() && !SCRIPT.contains('\r'));
        assert!(!PATH.rsplit('/').next().expect("a name").contains('.'));
    }
}

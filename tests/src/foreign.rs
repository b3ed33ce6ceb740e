//! Programs that `cargo xtask dist --with-tests` made for other machines, and what runs them here.
//!
//! A test that finds a program or an emulator missing is skipped, loudly; where `CI=true`, that is a
//! failure.

mod chroot;
mod node;
mod wine;

use std::path::PathBuf;

pub use chroot::EmptyRoot;
pub use node::node_for_windows;
pub use wine::Wine;

use crate::program::{can, target_folder};

/// The folder with the dispatchers for all machines.
pub fn dispatchers() -> Option<PathBuf> {
    for place in PLACES {
        dispatcher(place)?;
    }
    Some(target_folder().join("dist"))
}

const PLACES: [&str; 4] = [
    "linux-x86_64/hookkit-dispatch",
    "linux-aarch64/hookkit-dispatch",
    "macos/hookkit-dispatch",
    "hookkit-dispatch.exe",
];

/// The dispatcher that is shipped, by its place below `dispatch/`.
pub fn dispatcher(place: &str) -> Option<PathBuf> {
    made(target_folder().join("dist/dispatch").join(place))
}

/// `hookkit` as it is shipped, by its place below `hookkit/`.
pub fn hookkit(place: &str) -> Option<PathBuf> {
    made(target_folder().join("dist/hookkit").join(place))
}

/// The program `nasty` for one of cargo's targets.
pub fn nasty(target: &str) -> Option<PathBuf> {
    let ending = if target.contains("windows") {
        ".exe"
    } else {
        ""
    };
    let folder = target_folder().join("foreign").join(target);
    made(folder.join("release").join(["nasty", ending].concat()))
}

fn made(program: PathBuf) -> Option<PathBuf> {
    let otherwise = format!(
        "{} is missing; cargo xtask dist --with-tests makes it",
        program.display()
    );
    can(program.is_file(), &otherwise).then_some(program)
}

//! `--scope project`: a plugin as a part of a repository, for everybody who works on it.
#![cfg(target_os = "linux")]
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a fixture that cannot be made fails the test"
)]

mod clones;
mod disk;
mod faults;
mod given_back;
mod repository;
mod said;
mod scopes;
mod updates;

use repository::{FILE, FOLDER, RECORD, Repository, SETTINGS, gate};

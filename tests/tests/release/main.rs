//! Releases of hookkit: the keys that vouch for one, and what is published.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]
#![expect(clippy::unwrap_used, reason = "a test reports by panicking")]

mod home;
mod kept;
mod keys;
mod published;
mod reach;
mod removal;
mod scene;
mod scripts;
mod served;
mod sign;
mod update;
mod verify;
mod whole;

use std::path::PathBuf;

use hookkit_tests::program;

/// The secret half of a test key.
fn secret_key(name: &str) -> PathBuf {
    program::repository()
        .join("tests/data/keys")
        .join(name)
        .with_extension("key")
}

//! `hookkit doctor`: every finding has a scene that has the fault and one that has not, nothing is
//! written, and nothing secret is said.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test reports by panicking")]

mod cases;
mod codes;
mod corpus;
mod files;
mod launch;
mod manners;
#[cfg(target_os = "linux")]
mod mounts;
mod own;
mod probe;
mod programs;
mod repository;
mod scene;
mod sessions;
mod sources;

use scene::{Case, Scene};

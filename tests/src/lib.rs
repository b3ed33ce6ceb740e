//! The bench that the end-to-end tests stand on.
//!
//! - [`program`]: where the built `hookkit` and `hookkit-dispatch` are
//! - [`process`]: runs a program to its end, in a process group of its own, and says all it did
//! - [`folder`]: a throw-away folder
//! - [`Hostile`]: a repository that wants its own code to run
//! - [`plugin`], [`payload`]: a small plugin in a throw-away folder, and what the hosts send to it
//! - [`fixture`]: what every host sends on every event
//! - `told`: what a host makes of a reply, as methods of [`Ran`]
//! - `survivors` (Linux): processes that outlive the dispatcher
//! - [`tree`]: the portable tree that `hookkit build` makes of a plugin
//! - [`published`]: releases of hookkit itself (Linux)
//! - [`model`]: fake model servers on 127.0.0.1, whose turns the test writes down beforehand
//! - [`receipt`]: what the real clients did with a plugin, kept in the repository
//! - [`client`]: the real Claude Code, Copilot CLI and Codex CLI, offline and without an account
//! - [`foreign`]: programs made for other machines, and wine and qemu, which run them here (Linux)
//! - [`web`]: a web server with faults, and a proxy
//! - `nasty` (a program): hooks that misbehave on purpose
//!
//! Nothing here reads or writes the real home, and nothing is reached but 127.0.0.1; only
//! installing the clients asks the npm registry, once.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test bench reports by panicking"
)]
#![expect(
    clippy::needless_pass_by_value,
    reason = "so that a test can hand over a json!(..)"
)]

pub mod client;
#[cfg(target_os = "linux")]
pub mod disk;
mod environment;
pub mod fixture;
pub mod folder;
#[cfg(target_os = "linux")]
pub mod foreign;
mod hostile;
pub mod model;
pub mod payload;
pub mod plugin;
pub mod process;
pub mod program;
#[cfg(target_os = "linux")]
pub mod published;
pub mod receipt;
pub mod steps;
#[cfg(target_os = "linux")]
pub mod survivors;
mod told;
pub mod tree;
pub mod web;

pub use environment::{corpus_folder, is_long_run, say, settings_folder, writes_receipts};
pub use hostile::Hostile;
pub use model::Turn;
pub use plugin::Plugin;
pub use process::Ran;
pub use tree::Tree;

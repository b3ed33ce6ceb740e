//! `hookkit.json`: the plugin's name and its hooks.
//!
//! Reading never stops at the first fault: each is kept with its line and the events it concerns,
//! so that `hookkit check` can name all of them and an event refuses only what concerns it.

mod entry;
mod fault;
mod hook;
mod reader;
mod values;

pub use fault::{Concerns, Fault, Severity};
pub use hook::{Hook, Needs};
pub use reader::Manifest;

/// The newest `schema` that this build reads.
pub const SCHEMA: u64 = 1;

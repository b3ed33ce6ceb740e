//! One event of a coding agent, from the bytes on stdin to the reply.
//!
//! The rooms follow the data: [`payload`] (bytes to fields) -> [`host`] (which host, what it says)
//! -> [`root`] (which plugin) -> [`manifest`] -> [`select`] (which hooks) -> [`run`] (processes) ->
//! [`verdict`] (what one hook said) -> [`merge`] (what they said together) -> [`reply`] (what the
//! host is told). [`dispatch`] walks through them; [`failure`] says what happens when one of them
//! cannot do its work.

pub mod active;
pub mod allocator;
pub mod args;
pub mod contract;
pub mod dispatch;
pub mod emergency;
pub mod env;
pub mod event;
pub mod failure;
pub mod folder;
pub mod host;
pub mod interpreter;
pub mod json;
pub mod log;
pub mod manifest;
pub mod matcher;
pub mod merge;
pub mod patch;
pub mod payload;
pub mod receipt;
pub mod reply;
pub mod root;
pub mod run;
pub mod select;
pub mod settings;
pub mod text;
pub mod turns;
pub mod verdict;

/// The version that both programs are of.
///
/// It stands in a program once, as text, and is read from there whenever somebody asks for it. Else
/// a comparison becomes a part of the code, and a test could not make another version of a program
/// that is shipped.
#[must_use]
pub fn version() -> &'static str {
    std::hint::black_box(env!("CARGO_PKG_VERSION"))
}

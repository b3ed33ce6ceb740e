//! The part of `hookkit` that its tests and fuzzers use without the command.

pub mod digest;
pub mod edit;

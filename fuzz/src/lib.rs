//! What has to hold for any input: a function for each target, which panics on a counterexample.
//!
//! The fuzzers in `fuzz_targets` call them with what coverage leads to, `tests/tests/properties.rs`
//! with documents made by generators and with every file of `corpus/`. A counterexample that was
//! found and fixed stays in the corpus.

pub mod config;
pub mod manifest;
pub mod patch;
pub mod payload;
pub mod settings;
mod told;
pub mod verdict;

/// Panics on an input for which what it states does not hold.
pub type Property = fn(&[u8]);

/// Every target by its name, which is also the folder of its corpus.
pub const TARGETS: [(&str, Property); 6] = [
    ("payload", payload::hold),
    ("verdict", verdict::hold),
    ("patch", patch::hold),
    ("manifest", manifest::hold),
    ("settings", settings::hold),
    ("config", config::hold),
];

//! The real Claude Code, Copilot CLI and Codex CLI, with plugins made by `hookkit build`.
//!
//! Each test runs once per client and is named `...::claude_code::...`, `...::copilot_cli::...` or
//! `...::codex_cli::...`.
//! They need npm the first time and are skipped, loudly, where it is missing. Every refusal has its
//! control: the same session without the plugin runs the call.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test reports by panicking")]

mod bench;
#[cfg(target_os = "linux")]
mod clones;
mod codex;
mod codex_events;
mod context;
mod decisions;
mod events;
mod faults;
mod guard_rails;
#[cfg(target_os = "linux")]
mod hostile;
#[cfg(target_os = "linux")]
mod traps;

/// Makes a test for each client of functions that take one; those after `but Codex CLI:` are for
/// the others.
macro_rules! each_client {
    ($($test:ident),* $(,)? $(; but Codex CLI: $($other:ident),* $(,)?)?) => {
        mod claude_code {
            $(#[test] fn $test() { super::$test(hookkit_tests::client_or_skip!(claude)); })*
            $($(#[test] fn $other() { super::$other(hookkit_tests::client_or_skip!(claude)); })*)?
        }
        mod copilot_cli {
            $(#[test] fn $test() { super::$test(hookkit_tests::client_or_skip!(copilot)); })*
            $($(#[test] fn $other() { super::$other(hookkit_tests::client_or_skip!(copilot)); })*)?
        }
        mod codex_cli {
            $(#[test] fn $test() { super::$test(hookkit_tests::client_or_skip!(codex)); })*
        }
    };
}
use each_client;

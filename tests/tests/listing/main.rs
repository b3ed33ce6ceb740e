//! `hookkit list`: it says what the real clients do, and touches nothing.

#![cfg(unix)]
#![expect(
    clippy::unwrap_used,
    reason = "a fixture that cannot be made fails the test"
)]
#![expect(
    clippy::needless_pass_by_value,
    reason = "so that a test can hand over a json!(..)"
)]

#[cfg(target_os = "linux")]
mod asked;
mod claude_code;
mod codex;
mod copilot_cli;
mod faults;
mod front_matter;
mod left_out;
mod machine;
#[cfg(target_os = "linux")]
mod managed;
mod probed;
mod quiet;
#[cfg(target_os = "linux")]
mod sessions;
mod speed;
mod vscode;

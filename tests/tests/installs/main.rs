//! `hookkit install` and `uninstall`, as people use them: throw-away homes, and the real clients.

#![cfg(target_os = "linux")]
#![expect(
    clippy::unwrap_used,
    reason = "a fixture that cannot be made fails the test"
)]

mod cases;
mod codex;
mod disk;
mod faults;
mod home;
mod hostile;
mod local;
mod local_sessions;
mod places;
mod sessions;
mod switches;
mod three_clients;
mod vscode;

use home::Home;

/// Makes a test for each client that hookkit installs into.
macro_rules! each_client {
    ($($test:ident),* $(,)?) => {
        mod claude_code {
            $(#[test] fn $test() { super::$test(hookkit_tests::client_or_skip!(claude)); })*
        }
        mod copilot_cli {
            $(#[test] fn $test() { super::$test(hookkit_tests::client_or_skip!(copilot)); })*
        }
    };
}
use each_client;

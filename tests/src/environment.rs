//! The few things a test run takes from its own environment.
//!
//! | variable | meaning |
//! |---|---|
//! | `PATH` | handed on to every program a test starts; nothing else is, but `SystemRoot` on Windows |
//! | `HOOKKIT_TEST_DISPATCH` | run the suite with this dispatcher, such as the static musl one |
//! | `HOOKKIT_TEST_CLIENTS` | a folder that holds `node_modules` with the clients, instead of installing them |
//! | `HOOKKIT_TEST_SETTINGS` | a folder whose JSON files the ignored test of `properties` installs into and uninstalls from, in memory |
//! | `HOOKKIT_LONG` | `1`: properties are tried on 10,000 documents each instead of 500 |
//! | `HOOKKIT_WRITE_RECEIPTS` | `1`: the tests with real clients rewrite `docs/evidence/receipts.json` |
//! | `CI` | `true`: what is missing is a failure, not a reason to skip |

#![expect(
    clippy::disallowed_methods,
    reason = "tests have no Env of their own: this is the one place that reads the real one"
)]

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::thread;

/// The search path of whoever runs the tests.
pub(crate) fn path() -> OsString {
    std::env::var_os("PATH").unwrap_or_else(|| "/usr/local/bin:/usr/bin:/bin".into())
}

/// The folder of Windows, without which its shells do not start.
pub(crate) fn system_root() -> Option<OsString> {
    std::env::var_os("SystemRoot").filter(|_| cfg!(windows))
}

/// The file of the test program that is running.
pub(crate) fn test_program() -> PathBuf {
    std::env::current_exe().expect("the running test has a file")
}

/// Another dispatcher to run the suite with.
pub(crate) fn other_dispatcher() -> Option<PathBuf> {
    folder_or_file("HOOKKIT_TEST_DISPATCH")
}

/// Clients that somebody installed beforehand.
pub(crate) fn installed_clients() -> Option<PathBuf> {
    folder_or_file("HOOKKIT_TEST_CLIENTS")
}

/// A folder of settings files that somebody has.
pub fn settings_folder() -> Option<PathBuf> {
    folder_or_file("HOOKKIT_TEST_SETTINGS")
}

/// A folder of hooks files of other projects, with an index.
pub fn corpus_folder() -> Option<PathBuf> {
    folder_or_file("HOOKKIT_TEST_CORPUS")
}

/// Is there time to try properties on many documents?
pub fn is_long_run() -> bool {
    std::env::var_os("HOOKKIT_LONG").is_some_and(|value| value == "1")
}

/// Are receipts written instead of compared?
pub fn writes_receipts() -> bool {
    std::env::var_os("HOOKKIT_WRITE_RECEIPTS").is_some_and(|value| value == "1")
}

/// Says that the running test is skipped, past the test runner, which hides what a passing test
/// prints. A failure where nothing may be skipped.
pub(crate) fn skip(reason: &str) {
    let test = thread::current();
    let name = test.name().unwrap_or("a test");
    let nothing_may_be_skipped = std::env::var_os("CI").is_some_and(|value| value == "true");
    assert!(!nothing_may_be_skipped, "{name} cannot run: {reason}");
    say(&format!("SKIPPED {name}: {reason}"));
}

/// Prints a line past the test runner.
pub fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

fn folder_or_file(variable: &str) -> Option<PathBuf> {
    let path = PathBuf::from(std::env::var_os(variable).filter(|value| !value.is_empty())?);
    assert!(
        path.is_absolute() && path.exists(),
        "{variable}={} must be an absolute path that exists",
        path.display()
    );
    Some(path)
}

//! Children: this program again, with other words. Each writes its pid to a file, and is waited for
//! until then.

use std::process::{Command, Stdio};
use std::time::Duration;

/// How long a child lives that nobody ends, in seconds.
const LONG: &str = "600";

/// A child with nothing on its channels, which first does these words.
pub(crate) fn start(words: &[&str], file: &str) {
    let mut child = again(words);
    child.args(["pid", file, "sleep", LONG]);
    drop(without_channels(child).spawn().unwrap());
    wait_for(file);
}

/// A child whose own parent has ended when this returns.
pub(crate) fn start_orphan(file: &str) {
    without_channels(again(&["child", file])).status().unwrap();
}

/// A child that has our stdout and stderr, for so many seconds.
pub(crate) fn start_with_channels(file: &str, seconds: &str) {
    let mut child = again(&["pid", file, "sleep", seconds]);
    drop(child.stdin(Stdio::null()).spawn().unwrap());
    wait_for(file);
}

/// A child with nothing on its channels that makes a file after so many seconds.
pub(crate) fn start_later(seconds: &str, file: &str) {
    let child = again(&["sleep", seconds, "touch", file]);
    drop(without_channels(child).spawn().unwrap());
}

/// Another program with our channels, as a host starts one. Its exit code, or 127 where it does not
/// start.
pub(crate) fn start_and_wait(file: &str, arguments: impl Iterator<Item = String>) -> i32 {
    match Command::new(file).args(arguments).status() {
        Ok(status) => status.code().unwrap_or(128),
        Err(error) => {
            eprintln!("{file} does not start: {error}");
            127
        }
    }
}

fn without_channels(mut command: Command) -> Command {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

fn wait_for(file: &str) {
    while std::fs::read(file).unwrap_or_default().is_empty() {
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "its own file is all it takes from its surroundings"
)]
fn again(words: &[&str]) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(words);
    command
}

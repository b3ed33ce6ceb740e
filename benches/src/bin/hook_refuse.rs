//! A hook that denies. A hook that says nothing cannot show that it was started; in its place this does.

use std::process::ExitCode;

fn main() -> ExitCode {
    eprintln!("refused by the benchmark's own check");
    ExitCode::from(2)
}

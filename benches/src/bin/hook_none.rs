//! The cheapest honest hook: reads its payload to the end and says nothing.
//!
//! With the argument `refuse` it denies, which shows that the benchmark's hook really runs.

use std::io;
use std::process::ExitCode;

fn main() -> ExitCode {
    if io::copy(&mut io::stdin().lock(), &mut io::sink()).is_err() {
        return ExitCode::FAILURE;
    }
    if std::env::args_os()
        .nth(1)
        .is_some_and(|argument| argument == "refuse")
    {
        eprintln!("refused by the benchmark's own check");
        return ExitCode::from(2);
    }
    ExitCode::SUCCESS
}

//! The cheapest honest hook: reads its payload to the end and says nothing.
//!
//! With the argument `refuse` it denies, which shows that the benchmark's hook really runs.

use std::process::ExitCode;

fn main() -> ExitCode {
    if !drain_stdin() {
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

/// The standard library's stdin allocates a buffer, which costs this program a quarter more.
#[cfg(unix)]
#[expect(
    unsafe_code,
    reason = "a read from stdin without the standard library's buffer"
)]
fn drain_stdin() -> bool {
    let mut bytes = [0_u8; 4096];
    loop {
        // SAFETY: the pointer and the length are those of `bytes`.
        match unsafe { libc::read(0, bytes.as_mut_ptr().cast(), bytes.len()) } {
            0 => return true,
            count if count < 0 => return false,
            _ => {}
        }
    }
}

#[cfg(not(unix))]
fn drain_stdin() -> bool {
    std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink()).is_ok()
}

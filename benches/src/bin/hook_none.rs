//! The cheapest honest hook: reads its payload to the end and says nothing.

use std::process::ExitCode;

fn main() -> ExitCode {
    if drain_stdin() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// The standard library's stdin allocates a buffer, which costs this program a quarter more.
#[cfg(unix)]
#[expect(
    unsafe_code,
    reason = "a read from stdin without the standard library's buffer"
)]
fn drain_stdin() -> bool {
    // As much as a pipe holds. In a static, since every page of a stack frame is touched, and of
    // this only what is read into.
    static mut BYTES: [u8; 64 * 1024] = [0; 64 * 1024];
    let bytes = &raw mut BYTES;
    loop {
        // SAFETY: the pointer and the length are those of the static, which nothing else uses.
        match unsafe { libc::read(0, bytes.cast(), 64 * 1024) } {
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

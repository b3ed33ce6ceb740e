//! What of it there is on Windows.

/// Windows sends no SIGTERM.
pub(crate) fn ignore_sigterm() {}

/// Windows has no sessions of this kind.
pub(crate) fn setsid() {}

/// Not possible without the raw interface; no test on Windows asks for it.
pub(crate) fn close_stdin() {
    panic!("nasty cannot close its stdin on Windows");
}

/// As for stdin.
pub(crate) fn close_stdout() {
    panic!("nasty cannot close its stdout on Windows");
}

/// The nearest to a signal.
pub(crate) fn crash(_: &str) -> ! {
    std::process::abort();
}

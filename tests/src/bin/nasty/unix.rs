//! What is nasty about Unix.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rustix::process::{Signal, getpid, kill_process};
use signal_hook::consts::{SIGINT, SIGTERM};

/// The signals set a flag that nobody reads.
pub(crate) fn ignore_sigterm() {
    for signal in [SIGTERM, SIGINT] {
        signal_hook::flag::register(signal, Arc::new(AtomicBool::new(false))).unwrap();
    }
}

/// Fails for the leader of a group, who has left already.
pub(crate) fn setsid() {
    let _ = rustix::process::setsid();
}

/// The pipe is closed; the number is kept taken by the null device.
pub(crate) fn close_stdin() {
    let null = std::fs::File::open("/dev/null").unwrap();
    rustix::stdio::dup2_stdin(&null).unwrap();
}

/// As for stdin.
pub(crate) fn close_stdout() {
    let null = std::fs::File::create("/dev/null").unwrap();
    rustix::stdio::dup2_stdout(&null).unwrap();
}

/// Dies by this signal.
pub(crate) fn crash(name: &str) -> ! {
    let signal = match name {
        "SEGV" => Signal::SEGV,
        "ABRT" => Signal::ABORT,
        "KILL" => Signal::KILL,
        "TERM" => Signal::TERM,
        other => panic!("nasty does not die by {other}"),
    };
    loop {
        // The runtime's own handler for SEGV gives up only after the first.
        kill_process(getpid(), signal).unwrap();
    }
}

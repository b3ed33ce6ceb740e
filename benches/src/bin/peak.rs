//! Starts the program given as arguments and prints its peak memory in KiB.
//!
//! A process takes over the peak of the one that started it (execve folds the old memory's high
//! mark into the new one's figure), so it is started from this small static program and not from
//! the harness. Stdin goes through, the program's own stdout is dropped.

use std::process::ExitCode;

#[cfg(unix)]
fn main() -> ExitCode {
    use std::process::{Command, Stdio};

    let mut arguments = std::env::args_os().skip(1);
    let Some(program) = arguments.next() else {
        eprintln!("peak: a program is missing");
        return ExitCode::FAILURE;
    };
    let status = Command::new(program)
        .args(arguments)
        .stdout(Stdio::null())
        .status();
    match status {
        Ok(status) if status.success() => {
            println!("{}", peak_of_children());
            ExitCode::SUCCESS
        }
        Ok(status) => {
            eprintln!("peak: the program ended with {status}");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("peak: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The largest resident set of a child that was waited for, in KiB (macOS counts bytes).
#[cfg(unix)]
#[expect(unsafe_code, reason = "the standard library does not know getrusage")]
fn peak_of_children() -> libc::c_long {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the pointer is valid for one rusage, which is plain numbers: zeroes are a valid one.
    let usage = unsafe {
        libc::getrusage(libc::RUSAGE_CHILDREN, usage.as_mut_ptr());
        usage.assume_init()
    };
    let unit = if cfg!(target_os = "macos") { 1024 } else { 1 };
    usage.ru_maxrss / unit
}

#[cfg(not(unix))]
fn main() -> ExitCode {
    eprintln!("peak: not known on this system");
    ExitCode::FAILURE
}

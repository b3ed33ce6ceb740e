//! A program of bad manners: the hook, and the hook's children, that nobody should write.
//!
//! Its arguments are done one after the other; when all are done it ends with 0.
//!
//! | word | does |
//! |---|---|
//! | `ignore-sigterm` | lives on through SIGTERM and SIGINT |
//! | `setsid` | leaves its session and process group |
//! | `child FILE` | starts a child in the same group that lives 600 s, and waits until its pid is in FILE |
//! | `setsid-child FILE` | the same in a session of its own |
//! | `double-fork FILE` | the same, and its parent ends at once: nobody's child |
//! | `later SECONDS FILE` | starts a child that makes FILE after SECONDS |
//! | `hold-stdout FILE SECONDS` | starts a child that keeps stdout and stderr open for SECONDS |
//! | `close-early` | closes stdin, unread, and stdout |
//! | `close-stdin`, `close-stdout` | one of them |
//! | `never-read` | leaves stdin open and unread: does nothing |
//! | `read` | reads stdin to its end |
//! | `cat` | copies stdin to stdout |
//! | `print TEXT`, `complain TEXT` | writes TEXT to stdout, to stderr |
//! | `print-two-documents` | writes two JSON objects that both allow |
//! | `write-1gib` | writes 1 GiB to stdout |
//! | `stderr-flood` | writes 64 MiB to stderr |
//! | `pid FILE` | writes its pid to FILE |
//! | `touch FILE` | makes FILE |
//! | `sleep SECONDS` | sleeps; fractions are fine |
//! | `crash NAME` | dies by the signal SEGV, ABRT, KILL or TERM |
//! | `start FILE ...` | starts FILE with all other words as arguments, on its own channels, and ends as it does |
//! | `exit CODE` | ends with CODE |

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a program for tests reports by panicking"
)]

mod children;
mod streams;
#[cfg_attr(unix, path = "unix.rs")]
#[cfg_attr(windows, path = "windows.rs")]
mod system;

use std::time::Duration;

fn main() {
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut next = || {
            words
                .next()
                .unwrap_or_else(|| panic!("{word} wants one more argument"))
        };
        match word.as_str() {
            "ignore-sigterm" => system::ignore_sigterm(),
            "setsid" => system::setsid(),
            "child" => children::start(&[], &next()),
            "setsid-child" => children::start(&["setsid"], &next()),
            "later" => children::start_later(&next(), &next()),
            "double-fork" => children::start_orphan(&next()),
            "hold-stdout" => children::start_with_channels(&next(), &next()),
            "close-early" => {
                system::close_stdin();
                system::close_stdout();
            }
            "close-stdin" => system::close_stdin(),
            "close-stdout" => system::close_stdout(),
            "never-read" => {}
            "read" => drop(streams::read()),
            "cat" => streams::cat(),
            "print" => streams::print(&next()),
            "complain" => streams::complain(&next()),
            "print-two-documents" => {
                streams::print("{\"decision\":\"approve\"}\n{\"decision\":\"approve\"}\n");
            }
            "write-1gib" => streams::flood(std::io::stdout(), 1 << 30),
            "stderr-flood" => streams::flood(std::io::stderr(), 64 << 20),
            "pid" => std::fs::write(next(), std::process::id().to_string()).unwrap(),
            "touch" => std::fs::write(next(), "").unwrap(),
            "sleep" => {
                std::thread::sleep(Duration::from_secs_f64(next().parse().expect("seconds")));
            }
            "crash" => system::crash(&next()),
            "start" => std::process::exit(children::start_and_wait(&next(), words)),
            "exit" => std::process::exit(next().parse().expect("a code")),
            other => panic!("nasty does not know {other}"),
        }
    }
}

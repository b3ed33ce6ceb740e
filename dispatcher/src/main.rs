//! `hookkit-dispatch`: what a host starts on each hook event.
#![cfg_attr(all(target_os = "linux", not(test)), no_main)]

#[cfg(all(target_os = "linux", not(test)))]
mod entry;

use hookkit_dispatch::allocator::Allocator;
use hookkit_dispatch::args::{self, Asked};
use hookkit_dispatch::dispatch::dispatch;
use hookkit_dispatch::emergency;
use hookkit_dispatch::env::Env;
use hookkit_dispatch::failure;
use hookkit_dispatch::log::Log;
use hookkit_dispatch::manifest::SCHEMA;
use hookkit_dispatch::reply::Reply;
use hookkit_dispatch::run::Stdin;
use std::ffi::OsString;
use std::time::Instant;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator::new();

const HELP: &str = "\
Runs the hooks of one plugin on one event of a coding agent. The agent starts it; people use `hookkit`.

hookkit-dispatch [--host HOST|auto] [--event EVENT] [--plugin NAME] [--plugin-version VERSION]
                 [--hook ID] [--plugin-root DIR] [--if-missing allow|deny] [--deadline SECONDS]
                 [end ...]

The event comes on stdin as the agent's JSON; the reply goes to stdout in the agent's own form.
";

#[cfg(any(not(target_os = "linux"), test))]
fn main() {
    answer(std::env::args_os().skip(1))
}

/// Answers the event and ends the process; `arguments` are those after the program's name.
fn answer(arguments: impl Iterator<Item = OsString>) -> ! {
    let started = Instant::now();
    emergency::answer_panics();
    let mut log = Log::default();
    let reply = match args::read(arguments) {
        Ok(Asked::Version) => about(&version()),
        Ok(Asked::Help) => about(HELP),
        Ok(Asked::Event(args)) => {
            dispatch(&args, &mut stdin(), &Env::of_process(), started, &mut log)
        }
        Err(misread) => {
            failure::unknown_registration(misread.understood.event.as_deref(), &misread.why)
        }
    };
    emergency::write_all_to(1, &reply.stdout);
    emergency::write_all_to(2, &reply.stderr);
    log.write(&reply);
    emergency::exit(reply.code)
}

#[cfg(unix)]
fn stdin() -> Stdin {
    Stdin
}

#[cfg(windows)]
fn stdin() -> Stdin {
    Stdin::default()
}

fn version() -> String {
    format!(
        "hookkit-dispatch {} {}-{} schema 1-{SCHEMA} commit {}\n",
        hookkit_dispatch::version(),
        std::env::consts::ARCH,
        std::env::consts::OS,
        option_env!("HOOKKIT_COMMIT").unwrap_or("unknown"),
    )
}

fn about(text: &str) -> Reply {
    Reply {
        stdout: text.as_bytes().to_vec(),
        ..Reply::default()
    }
}

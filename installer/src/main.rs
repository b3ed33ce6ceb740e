//! `hookkit`: what people type.
//!
//! `main` wires: [`cli`] says what can be typed, [`command`] holds one file for each command,
//! [`outcome`] says what a command's end means as an exit code.

mod archive;
mod check;
mod cli;
mod command;
mod contracts;
mod doctor;
mod install;
mod itself;
mod list;
mod log;
mod needs;
mod net;
mod outcome;
mod plugin;
#[cfg(windows)]
mod registry;
mod release;
mod rpc;
mod screen;
mod signature;
mod source;
mod survey;
mod text;
mod times;
mod tree;
mod trial;

use clap::Parser as _;
use cli::Cli;
use command::Context;
use hookkit::{digest, edit};
use hookkit_dispatch::env::Env;
use std::process::ExitCode;

fn main() -> ExitCode {
    let env = Env::of_process();
    // Before anything ends it, as `--version` does.
    #[cfg(windows)]
    itself::finish_switch(&env);
    let cli = Cli::parse();
    screen::choose_colours(cli.common.color);
    let context = Context {
        env,
        detail: cli.common.detail(),
        is_offline: cli.common.offline,
    };
    match cli.command.run(&context) {
        Ok(outcome) => outcome.code(),
        Err(stop) => {
            screen::error(&stop);
            stop.code()
        }
    }
}

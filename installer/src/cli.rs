//! What can be typed.

use crate::command::Command;
use clap::{Args, Parser, ValueEnum};

/// Write hooks for coding agents once, ship them everywhere.
///
/// A plugin is a folder with `hookkit.json` and the programs that it names. `hookkit` makes one,
/// checks it, tests it as each agent would run it, and builds the one folder that Claude Code and
/// GitHub Copilot CLI both load.
#[derive(Parser)]
#[command(
    name = "hookkit",
    version = hookkit_dispatch::version(),
    propagate_version = true,
    arg_required_else_help = true,
    after_long_help = EXIT_CODES
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What the exit codes mean, for every command.
pub(crate) const EXIT_CODES: &str = "\
Exit codes:
  0  done
  1  found problems, or failed and undid what was done
  2  wrong use, or something that cannot be read
  3  refused; nothing was touched";

/// Options of every command.
#[derive(Args)]
pub(crate) struct Common {
    /// Print nothing but errors
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    quiet: bool,
    /// Print more
    #[arg(short, long, global = true)]
    verbose: bool,
    /// When to use colours; `auto` also looks at NO_COLOR
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        hide_possible_values = true
    )]
    pub(crate) color: Colour,
    /// Reach no server; what needs one is refused
    #[arg(long, global = true)]
    pub(crate) offline: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colour {
    Auto,
    Always,
    Never,
}

/// How much is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Detail {
    Quiet,
    Normal,
    Verbose,
}

impl Common {
    pub(crate) fn detail(&self) -> Detail {
        match (self.quiet, self.verbose) {
            (true, _) => Detail::Quiet,
            (false, false) => Detail::Normal,
            (false, true) => Detail::Verbose,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}

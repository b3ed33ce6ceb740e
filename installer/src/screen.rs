//! What people see: colours where they help, on a terminal only.

use crate::cli::Colour;
use crate::outcome::Stop;
use anstyle::{AnsiColor, Style};
use std::io::{self, Write as _};

pub(crate) const BOLD: Style = Style::new().bold();
pub(crate) const DIM: Style = Style::new().dimmed();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
pub(crate) const CAREFUL: Style = AnsiColor::Yellow.on_default();
pub(crate) const BAD: Style = AnsiColor::Red.on_default();

/// `auto` means a terminal without NO_COLOR; the printing macros of anstream look at both.
pub(crate) fn choose_colours(colour: Colour) {
    let choice = match colour {
        Colour::Auto => anstream::ColorChoice::Auto,
        Colour::Always => anstream::ColorChoice::Always,
        Colour::Never => anstream::ColorChoice::Never,
    };
    choice.write_global();
}

/// Why a command stopped, once, on stderr.
pub(crate) fn error(stop: &Stop) {
    let word = BAD.bold();
    anstream::eprintln!("{word}error{word:#}: {stop}");
}

/// How many characters fit in a line: the terminal's, within reason, else a hundred.
pub(crate) fn width() -> usize {
    let terminal = terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    terminal.map_or(100, |width| width.clamp(60, 120))
}

/// A text for people, on stdout. Who stops reading, as `head` does, is no fault of ours.
pub(crate) fn print(text: &str) -> Result<(), Stop> {
    let mut stdout = anstream::stdout().lock();
    match stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush())
    {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Stop::Failed(
            anyhow::anyhow!("stdout cannot be written: {error}"),
        )),
        _ => Ok(()),
    }
}

/// One document for programs, on stdout.
pub(crate) fn json(document: &serde_json::Value) -> Result<(), Stop> {
    print(&format!("{document:#}\n"))
}

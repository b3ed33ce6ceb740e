//! The trials as people read them.

use super::account::{Account, seen};
use super::moments::Untried;
use super::run::{Heard, Told, Trial};
use crate::cli::Detail;
use crate::screen::{BOLD, DIM};
use crate::text::{brief, wrap};
use crate::times::{median, milliseconds, spread};
use hookkit_dispatch::manifest::Manifest;
use std::fmt::Write as _;

/// How it is laid out.
pub(crate) struct Layout {
    pub(crate) width: usize,
    pub(crate) detail: Detail,
}

/// Widest column of a hook's word; longer words push the rest of their line.
const WORD: usize = 12;

/// Prints trials as they come. Writing to a text does not fail, so its results are dropped here.
pub(crate) struct Printer {
    layout: Layout,
    /// The width of the column of hooks.
    ids: usize,
    /// The moment whose title stands above.
    title: Option<String>,
}

impl Printer {
    pub(crate) fn new(manifest: &Manifest, layout: Layout) -> Self {
        let ids = manifest.hooks.iter().map(|hook| hook.id.len()).max();
        Self {
            layout,
            ids: ids.unwrap_or_default().clamp(4, 24),
            title: None,
        }
    }

    /// One trial, under the title of its moment.
    pub(crate) fn trial(&mut self, trial: &Trial) -> String {
        let mut out = String::new();
        let colon = if trial.title.is_empty() { "" } else { ": " };
        let title = format!("{}{colon}{}", trial.event, trial.title);
        if self.title.as_ref() != Some(&title) {
            let _ = writeln!(out, "{BOLD}{}{BOLD:#}", brief(&title, self.layout.width));
            self.title = Some(title);
        }
        block(&mut out, trial, self.ids, &self.layout);
        let _ = writeln!(out);
        out
    }

    /// The hooks that could not be tried.
    pub(crate) fn untried(&self, untried: &[Untried]) -> String {
        let mut out = String::new();
        for one in untried {
            let line = format!("not tried: {} on {}: {}", one.hook, one.event, one.why);
            for line in wrap(&line, self.layout.width) {
                let _ = writeln!(out, "{line}");
            }
            let _ = writeln!(out);
        }
        out
    }
}

fn block(out: &mut String, trial: &Trial, ids: usize, layout: &Layout) {
    let host = trial.host_name();
    let document = match &trial.document {
        Ok(document) => document,
        Err(why) => {
            let _ = writeln!(out, "  {host}  {DIM}does not happen: {why}{DIM:#}");
            return;
        }
    };
    let first = trial.told.iter().flat_map(|told| &told.hooks).next();
    match first {
        Some(heard) => {
            let saw = brief(
                &trial.seen(heard),
                layout.width.saturating_sub(host.len() + 8),
            );
            let _ = writeln!(out, "  {host}  {DIM}saw{DIM:#} {saw}");
        }
        None if trial.told.is_empty() => {
            let _ = writeln!(out, "  {host}  {DIM}starts nothing{DIM:#}");
        }
        None => {
            let _ = writeln!(out, "  {host}  {DIM}no hook matches{DIM:#}");
        }
    }
    if layout.detail == Detail::Verbose {
        let _ = writeln!(out, "    {DIM}sent{DIM:#} {document}");
    }
    for told in &trial.told {
        for heard in &told.hooks {
            row(out, heard, first, trial, ids, layout);
        }
        reply(out, told, layout);
    }
}

impl Trial {
    /// What a hook saw, with the paths of the session's folder cut short.
    fn seen(&self, heard: &Heard) -> String {
        let folder = format!("{}{}", self.cwd.display(), std::path::MAIN_SEPARATOR);
        seen(&heard.saw).replace(&folder, "")
    }
}

/// One hook: its name, what it said in a word, how long it took, and its own words.
fn row(
    out: &mut String,
    heard: &Heard,
    first: Option<&Heard>,
    trial: &Trial,
    ids: usize,
    layout: &Layout,
) {
    let account = Account::of(heard, trial.event);
    let style = account.tone.style();
    let time = if heard.times.is_empty() || account.word == "cannot start" {
        String::new()
    } else {
        milliseconds(median(&heard.times))
    };
    let indent = 4 + ids + 2 + WORD + 1 + 8 + 2;
    let _ = write!(
        out,
        "    {:ids$}  {style}{:WORD$}{style:#} {time:>8}",
        heard.hook, account.word
    );
    let mut details: Vec<String> = Vec::new();
    if let Some(file) = &heard.file {
        details.push(format!("file {file}"));
    } else if first.is_some_and(|first| first.saw != heard.saw) {
        details.push(format!("saw {}", trial.seen(heard)));
    }
    details.extend(account.details);
    let width = layout.width.saturating_sub(indent);
    let mut lines = details.iter().flat_map(|detail| {
        let detail = if layout.detail == Detail::Verbose {
            detail.clone()
        } else {
            brief(detail, width * 4)
        };
        wrap(&detail, width)
    });
    match lines.next() {
        Some(line) => {
            let _ = writeln!(out, "  {line}");
        }
        None => {
            let _ = writeln!(out);
        }
    }
    for line in lines {
        let _ = writeln!(out, "{:indent$}{line}", "");
    }
    if layout.detail == Detail::Verbose {
        channel(out, "stdout", &heard.finished.stdout);
        channel(out, "stderr", &heard.finished.stderr);
    }
}

fn channel(out: &mut String, name: &str, bytes: &[u8]) {
    for line in String::from_utf8_lossy(bytes).lines() {
        let _ = writeln!(out, "      {DIM}{name}{DIM:#} {line}");
    }
}

/// What the host would be told: these bytes and this exit code.
fn reply(out: &mut String, told: &Told, layout: &Layout) {
    let reply = &told.reply;
    let whose = match &told.direct {
        Some(hook) => format!("told by {hook}"),
        None => "told".to_owned(),
    };
    let size = match (reply.stdout.len(), reply.stderr.len()) {
        (0, 0) => "nothing".to_owned(),
        (out, 0) => format!("{out} bytes"),
        (0, err) => format!("{err} bytes on stderr"),
        (out, err) => format!("{out} bytes, {err} on stderr"),
    };
    let _ = writeln!(
        out,
        "    {BOLD}{whose}{BOLD:#} {size}, exit {}, {}",
        reply.code,
        spread(&told.times)
    );
    for bytes in [&reply.stdout, &reply.stderr] {
        let text = String::from_utf8_lossy(bytes);
        let lines = if layout.detail == Detail::Verbose {
            text.lines().map(str::to_owned).collect()
        } else {
            wrap(text.trim_end(), layout.width.saturating_sub(6))
        };
        for line in lines {
            let _ = writeln!(out, "      {line}");
        }
    }
    for note in &told.notes {
        let _ = writeln!(out, "    {DIM}note: {note}{DIM:#}");
    }
}

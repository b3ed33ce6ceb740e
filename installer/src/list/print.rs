//! The list as people read it.

use super::report::{Listed, Live, OnHost, OneHook, Report};
use crate::screen::{BAD, BOLD, CAREFUL, DIM, GOOD};
use crate::survey::Scope;
use crate::text::{brief, count, wrap};
use std::fmt::Write as _;
use std::path::Path;

/// The whole list. Writing to a text does not fail, so its results are dropped here.
pub(crate) fn print(report: &Report, home: &Path, width: usize) -> String {
    let mut out = String::new();
    let place = |path: &Path| shown(path, home, &report.folder);
    for host in &report.hosts {
        head(&mut out, host);
        for live in &host.sessions {
            of_session(&mut out, live, &place, width);
        }
        for source in &host.sources {
            of_source(&mut out, source, &place, width);
        }
        for missing in &host.missing {
            let style = if missing.state == "gone" { BAD } else { DIM };
            let line = format!(
                "{}: {} ({}{})",
                missing.plugin,
                missing.why,
                place(&missing.file),
                numbered(missing.line),
            );
            let lines = wrap(&line, width.saturating_sub(4));
            let _ = writeln!(out, "  {style}{}{style:#}", lines.join("\n    "));
        }
        for place in host.not_looked_at {
            let _ = writeln!(out, "  {DIM}not looked at: {place}{DIM:#}");
        }
        if host.sources.is_empty() && host.missing.is_empty() {
            let _ = writeln!(out, "  {DIM}no hooks{DIM:#}");
        }
        let _ = writeln!(out);
    }
    for unread in &report.unread {
        let _ = writeln!(
            out,
            "{CAREFUL}not read{CAREFUL:#}: {} ({})",
            place(&unread.path),
            unread.why
        );
    }
    if report.hosts.is_empty() && report.unread.is_empty() {
        let _ = writeln!(out, "Nothing of that kind on this machine.");
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

fn head(out: &mut String, host: &OnHost) {
    let version = host.version.as_deref().unwrap_or_default();
    let hooks: usize = host.sources.iter().map(|source| source.hooks.len()).sum();
    let _ = writeln!(
        out,
        "{BOLD}{}{BOLD:#} {DIM}{version}{}{}{DIM:#}",
        host.host,
        if version.is_empty() { "" } else { ", " },
        count(hooks, "hook"),
    );
}

fn of_session(out: &mut String, live: &Live, place: &impl Fn(&Path) -> String, width: usize) {
    let process = live.process;
    if live.holds.is_empty() {
        let _ = writeln!(out, "  {DIM}a session runs: process {process}{DIM:#}");
    }
    for held in &live.holds {
        let path = place(&held.path);
        let (style, sentence) = if held.state == "gone" {
            let what = "has gone away since it started";
            (
                BAD,
                format!(
                    "process {process} holds {path}, which {what}; end that session and start it anew"
                ),
            )
        } else {
            let what = "was replaced since it started";
            (
                CAREFUL,
                format!(
                    "process {process} holds {path}, which {what}; a new session reads the new one"
                ),
            )
        };
        let lines = wrap(&sentence, width.saturating_sub(4));
        let _ = writeln!(out, "  {style}{}{style:#}", lines.join("\n    "));
    }
}

fn of_source(out: &mut String, source: &Listed, place: &impl Fn(&Path) -> String, width: usize) {
    let scope = match source.scope {
        Scope::Managed => "managed",
        Scope::User => "user",
        Scope::Project => "project",
        Scope::Local => "local",
    };
    let plugin = source.plugin.as_ref().map_or_else(String::new, |plugin| {
        let version = plugin.version.as_deref().unwrap_or_default();
        format!(", plugin {} {version}", plugin.id)
            .trim_end()
            .to_owned()
    });
    let ours = source.hookkit.as_ref().map_or_else(String::new, |ours| {
        let version = &ours.version;
        let from = if plugin.is_empty() {
            format!(", {} {version}", ours.name).trim_end().to_owned()
        } else {
            String::new()
        };
        format!("{from}, by hookkit ({})", ours.scope)
    });
    let _ = writeln!(
        out,
        "  {} {DIM}{scope}{plugin}{ours}{DIM:#}",
        place(&source.file)
    );
    let disabled = source.hookkit.iter().flat_map(|ours| &ours.disabled);
    for line in disabled {
        let _ = writeln!(out, "    {CAREFUL}{line}{CAREFUL:#}");
    }
    if let Some(why) = &source.why {
        let style = if source.state == "dropped" {
            BAD
        } else {
            CAREFUL
        };
        for line in wrap(why, width.saturating_sub(4)) {
            let _ = writeln!(out, "    {style}{line}{style:#}");
        }
    }
    let events = widest(source.hooks.iter().map(|hook| hook.event.len()), 20);
    let matchers = widest(source.hooks.iter().map(|hook| matcher(hook).len()), 24);
    for hook in &source.hooks {
        of_hook(out, source, hook, events, matchers, width);
    }
}

fn widest(lengths: impl Iterator<Item = usize>, most: usize) -> usize {
    lengths.max().unwrap_or(0).min(most)
}

fn matcher(hook: &OneHook) -> String {
    match &*hook.matchers {
        [] => "-".to_owned(),
        some => some.join(" & "),
    }
}

fn of_hook(
    out: &mut String,
    source: &Listed,
    hook: &OneHook,
    events: usize,
    matchers: usize,
    width: usize,
) {
    let fires = match hook.fires {
        Some("yes") => format!("{GOOD}fires  {GOOD:#}  "),
        Some("perhaps") => format!("{CAREFUL}perhaps{CAREFUL:#}  "),
        Some(_) => format!("{DIM}no     {DIM:#}  "),
        None => String::new(),
    };
    let used = if hook.fires.is_some() { 9 } else { 0 };
    let line = numbered(hook.line);
    let before = 4 + used + 6 + 1 + events + 2 + matchers + 2;
    let starts = brief(&hook.starts, width.saturating_sub(before).max(20));
    let _ = writeln!(
        out,
        "    {fires}{DIM}{line:>6}{DIM:#} {:events$}  {:matchers$}  {starts}",
        brief(&hook.event, 20),
        brief(&matcher(hook), 24),
    );
    // What is wrong with all of the file stands above.
    let is_said = hook.why == source.why;
    let why = hook.why.iter().filter(|_| !is_said).cloned();
    let again = hook
        .again
        .iter()
        .map(|place| format!("the same is started by {place} too"));
    for text in why.chain(again) {
        for line in wrap(&text, width.saturating_sub(13)) {
            let _ = writeln!(out, "           {DIM}{line}{DIM:#}");
        }
    }
}

fn numbered(line: usize) -> String {
    match line {
        0 => String::new(),
        line => format!(":{line}"),
    }
}

/// A path as people write it: from the folder they ask about, or from home.
fn shown(path: &Path, home: &Path, folder: &Path) -> String {
    if let Ok(below) = path.strip_prefix(folder) {
        return below.display().to_string();
    }
    match path.strip_prefix(home) {
        Ok(below) => format!("~{}{}", std::path::MAIN_SEPARATOR, below.display()),
        Err(_) => path.display().to_string(),
    }
}

//! The table as people read it in a terminal.

use super::{Wanted, words};
use crate::screen::{BOLD, DIM};
use crate::text::wrap;
use hookkit_dispatch::contract::{Contract, Form};
use hookkit_dispatch::host::Host;
use std::fmt::Write as _;

/// Where the second column begins.
const INDENT: usize = 14;

/// Writing to a text does not fail, so its results are dropped here.
pub(crate) fn print(wanted: &Wanted, width: usize) -> String {
    let mut out = String::new();
    for host in wanted.hosts() {
        let rows = wanted.rows(*host);
        head(&mut out, *host, rows.len());
        for row in rows {
            event(&mut out, row, width);
        }
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

fn head(out: &mut String, host: &dyn Host, rows: usize) {
    let seen = words::seen_on(host).map_or_else(
        || "not seen live".to_owned(),
        |version| format!("as seen on {version}"),
    );
    let of = host.contracts().len();
    let events = crate::text::count(of, "event");
    let number = if rows == of {
        events
    } else {
        format!("{rows} of {events}")
    };
    let _ = writeln!(
        out,
        "{BOLD}{}{BOLD:#} {DIM}{seen}, {number}{DIM:#}\n",
        host.name()
    );
}

fn event(out: &mut String, contract: &Contract, width: usize) {
    let native = contract
        .native
        .map_or_else(String::new, |native| format!(" ({native})"));
    let _ = writeln!(out, "  {BOLD}{}{BOLD:#}{native}", contract.event);
    let mut say = |name: &str, text: &str| line(out, name, text, width);
    say("matcher", &words::subject(contract.subject));
    if !contract.fields.is_empty() {
        say("payload", &contract.fields.join(", "));
    }
    for (outcome, form) in spoken(contract) {
        say(outcome, &form);
    }
    let absent: Vec<&str> = words::forms(contract)
        .into_iter()
        .filter(|(_, form)| *form == Form::Absent)
        .map(|(outcome, _)| outcome)
        .collect();
    if !absent.is_empty() {
        say("no form", &absent.join(", "));
    }
    say("limit", &words::seconds(contract.default_timeout));
    if let Some(cap) = words::cap(contract) {
        say("cap", &cap);
    }
    say("if it fails", &words::failures(contract));
    if let Some(since) = contract.since {
        say("since", since);
    }
    let grade = words::grade(contract.grade);
    say("known", &format!("{grade}: {}", contract.source));
    let _ = writeln!(out);
}

/// The outcomes that have a form. `block` is what hooks of older days say for deny, and stands for
/// itself only where it is said differently.
pub(super) fn spoken(contract: &Contract) -> Vec<(&'static str, String)> {
    let is_deny_again = |outcome| outcome == "block" && contract.block == contract.deny;
    words::forms(contract)
        .into_iter()
        .filter(|(outcome, _)| !is_deny_again(*outcome))
        .filter_map(|(outcome, form)| Some((outcome, words::form(form)?)))
        .collect()
}

fn line(out: &mut String, name: &str, text: &str, width: usize) {
    let room = width.saturating_sub(4 + INDENT);
    for (index, line) in wrap(text, room).iter().enumerate() {
        let name = if index == 0 { name } else { "" };
        let _ = writeln!(out, "    {DIM}{name:INDENT$}{DIM:#}{line}");
    }
}

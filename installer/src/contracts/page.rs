//! One host as a page of docs/hosts.

use super::about::about;
use super::{listing, words};
use hookkit_dispatch::args::IfMissing;
use hookkit_dispatch::contract::Contract;
use hookkit_dispatch::host::Host;
use hookkit_launchers::Entry;
use hookkit_launchers::host::{self, Launch};
use std::fmt::Write as _;

/// Writing to a text does not fail, so its results are dropped here.
pub(crate) fn page(host: &dyn Host) -> String {
    let rows = host.contracts();
    let launch = host::by_name(host.name());
    let about = about(host.name());
    let mut out = String::new();
    let title = about.as_ref().map_or(host.name(), |about| about.title);
    let _ = writeln!(out, "# {title}\n");
    let _ = writeln!(
        out,
        "`{}` in hookkit.json and on command lines. {} This page is made by `cargo xtask hosts` from \
         the table that the dispatcher is compiled with; change the table instead.\n",
        host.name(),
        words::seen_on(host).map_or_else(
            || "**Not seen live**: what follows is read in the vendor's pages and sources."
                .to_owned(),
            |version| format!("Seen on the real client, version {version}."),
        ),
    );
    if let Some(about) = about {
        let _ = writeln!(out, "## What is served\n\n{}\n", about.served);
    }
    events(&mut out, rows);
    outcomes(&mut out, rows);
    failures(&mut out, rows);
    missing(&mut out, rows, launch);
    switches(&mut out, launch);
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

fn events(out: &mut String, rows: &'static [Contract]) {
    let _ = writeln!(
        out,
        "## Events\n\nThe limit is what a hook gets that names none. *Observed* was seen on the real \
         client, *official* is the vendor's word, *silent* is said by nobody and read with care.\n"
    );
    table(
        out,
        &[
            "event",
            "its own name",
            "a matcher looks at",
            "limit",
            "since",
            "known",
        ],
        rows.iter().map(|row| {
            vec![
                row.event.to_owned(),
                row.native.unwrap_or_default().to_owned(),
                words::subject(row.subject),
                words::seconds(row.default_timeout),
                row.since.unwrap_or_default().to_owned(),
                format!("{}: {}", words::grade(row.grade), row.source),
            ]
        }),
    );
}

fn outcomes(out: &mut String, rows: &'static [Contract]) {
    let _ = writeln!(
        out,
        "## What a hook can say\n\nThe form in which hookkit tells the host, by outcome. *Nested* is \
         inside `hookSpecificOutput`. What is not named for an event has no form there.\n"
    );
    let spoken = rows.iter().map(|row| {
        let said = listing::spoken(row).into_iter().map(|(outcome, form)| {
            let form = form.replace("hookSpecificOutput.", "nested ");
            format!("**{outcome}** {form}")
        });
        vec![row.event.to_owned(), said.collect::<Vec<_>>().join("<br>")]
    });
    table(out, &["event", "outcomes"], spoken);
    for (row, cap) in rows.iter().filter_map(|row| Some((row, words::cap(row)?))) {
        let _ = writeln!(out, "{}: {cap}.\n", row.event);
    }
}

fn failures(out: &mut String, rows: &'static [Contract]) {
    let _ = writeln!(
        out,
        "## When a hook fails by itself\n\nWhat the host does with a program that fails. The \
         dispatcher stands between: a gate that fails is a refusal in the host's own form, whatever \
         this table says.\n"
    );
    let by_words = grouped(rows, |row| Some(words::failures(row)));
    table(
        out,
        &["what follows", "events"],
        by_words
            .into_iter()
            .map(|(then, events)| vec![then, events.join(", ")]),
    );
}

fn missing(out: &mut String, rows: &'static [Contract], launch: Option<&dyn Launch>) {
    let _ = writeln!(
        out,
        "## When the dispatcher itself cannot start\n\nIts file is gone, has no executable bit or is \
         for another machine. For events with a gate:\n"
    );
    let then = |row: &'static Contract| {
        row.can_block().then(|| match launch {
            Some(launch) => launch.without_dispatcher(&gate(row)).words(),
            None => words::effect(row.failure.not_started).to_owned(),
        })
    };
    for (then, events) in grouped(rows, then) {
        let _ = writeln!(out, "- {}: {then}", events.join(", "));
    }
    let _ = writeln!(out);
}

fn switches(out: &mut String, launch: Option<&dyn Launch>) {
    let _ = writeln!(out, "## What a repository can switch off\n");
    match launch {
        Some(launch) => {
            for switch in launch.switches() {
                let _ = writeln!(out, "- {switch}");
            }
        }
        None => {
            let _ = writeln!(
                out,
                "Not known: nobody has looked at it on the real client."
            );
        }
    }
}

/// The entry of a gate on this event.
fn gate(contract: &'static Contract) -> Entry {
    Entry {
        contract,
        matcher: None,
        timeout: 0,
        wanted_timeout: 0,
        if_missing: IfMissing::Deny,
        hook: None,
    }
}

/// Events for which the same words hold, in the order of the table.
fn grouped(
    rows: &'static [Contract],
    say: impl Fn(&'static Contract) -> Option<String>,
) -> Vec<(String, Vec<&'static str>)> {
    let mut groups: Vec<(String, Vec<&'static str>)> = Vec::new();
    for row in rows {
        let Some(words) = say(row) else {
            continue;
        };
        match groups.iter_mut().find(|(known, _)| *known == words) {
            Some((_, events)) => events.push(row.event),
            None => groups.push((words, vec![row.event])),
        }
    }
    groups
}

/// A table without the columns in which nothing is written.
fn table(out: &mut String, head: &[&str], rows: impl Iterator<Item = Vec<String>>) {
    let rows: Vec<Vec<String>> = rows.collect();
    let is_used = |column: &usize| rows.iter().any(|row| !row[*column].is_empty());
    let columns: Vec<usize> = (0..head.len()).filter(is_used).collect();
    let mut line = |cells: Vec<&str>| {
        let _ = writeln!(out, "| {} |", cells.join(" | "));
    };
    line(columns.iter().map(|column| head[*column]).collect());
    line(columns.iter().map(|_| "---").collect());
    for row in &rows {
        line(columns.iter().map(|column| &*row[*column]).collect());
    }
    out.push('\n');
}

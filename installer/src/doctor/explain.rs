//! `--explain` and docs/doctor.md: what the codes mean.

use super::code::Code;
use super::codes::{self, GROUPS};
use crate::screen::{BOLD, DIM};
use crate::text::wrap;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// One code, for people. Writing to a text does not fail, so its results are dropped here.
pub(crate) fn explain(code: &Code, width: usize) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{BOLD}{} {}{BOLD:#} {DIM}{}{DIM:#}\n",
        code.id,
        code.title,
        code.level.word()
    );
    for (name, text) in rows(code) {
        for (index, line) in wrap(text, width.saturating_sub(INDENT)).iter().enumerate() {
            let name = if index == 0 { name } else { "" };
            let _ = writeln!(out, "  {name:<10}{line}");
        }
    }
    out
}

/// Where the second column begins.
const INDENT: usize = 12;

fn rows(code: &Code) -> [(&'static str, &'static str); 4] {
    [
        ("means", code.means),
        ("like", code.example),
        ("known from", code.evidence),
        ("to do", code.fix),
    ]
}

/// All codes, one line each.
pub(crate) fn list() -> String {
    let mut out = String::new();
    for group in GROUPS {
        let _ = writeln!(out, "{BOLD}{}{BOLD:#}", group.title);
        for code in group.codes {
            let _ = writeln!(out, "  {} {:<8}{}", code.id, code.level.word(), code.title);
        }
        let _ = writeln!(out);
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

/// One code, or all, for programs.
pub(crate) fn document(only: Option<&'static Code>) -> Value {
    let chosen: Vec<&Code> = match only {
        Some(code) => vec![code],
        None => codes::all().collect(),
    };
    json!({"schema": 1, "codes": chosen})
}

/// docs/doctor.md.
pub(crate) fn page() -> String {
    let mut out = HEAD.to_owned();
    for group in GROUPS {
        let _ = writeln!(out, "\n## {}", group.title);
        for code in group.codes {
            let _ = writeln!(
                out,
                "\n### {}: {}\n\n{} ({}).\n\n- Like: {}\n- Known from: {}\n- To do: {}",
                code.id,
                code.title,
                code.means.trim_end_matches('.'),
                code.level.word(),
                code.example,
                code.evidence,
                code.fix
            );
        }
    }
    out
}

const HEAD: &str = include_str!("page.md");

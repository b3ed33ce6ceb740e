//! What people run today in hookkit's place.

use std::env::consts::EXE_EXTENSION;
use std::path::PathBuf;

use anyhow::Result;
use fs_err as fs;

use super::{CAT_ONE_KIB, CAT_TEN_MIB, Parts, SH};
use crate::round;
use crate::row::{Group, Row, Start};

const GUARD_PY: &str = include_str!("../../hooks/guard.py");
const GUARD_MJS: &str = include_str!("../../hooks/guard.mjs");

/// What Python is called where no shell stands in between.
const PYTHON: &str = if cfg!(windows) { "python" } else { "python3" };

pub(super) fn rows(parts: &Parts) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    if cfg!(unix) {
        rows.push(Row::new(SH, Start::new("/bin/sh", &["-c", ":"])));
    }
    if let Some(bash) = found("bash") {
        let start = Start::new(bash, &["-c", ":"]);
        rows.push(Row::new("bash -c :", start).among(Group::Others));
    }
    if let Some(cat) = found("cat") {
        let one_kib = Row::new(CAT_ONE_KIB, Start::new(&cat, &[])).among(Group::Others);
        let ten_mib = Row::new(CAT_TEN_MIB, Start::new(cat, &[])).among(Group::TenMib);
        rows.extend([one_kib.that_speaks(), ten_mib.that_speaks()]);
    }
    if let (Some(guard), Some(python)) = (python_guard(parts)?, found(PYTHON)) {
        let start = Start::new(python, &[]).and(guard);
        rows.push(Row::new("python3 guard.py", start).among(Group::Interpreted));
    }
    if let Some(node) = found("node") {
        let guard = written(parts, "guard.mjs", GUARD_MJS)?;
        let start = Start::new(node, &[]).and(guard);
        rows.push(Row::new("node guard.mjs", start).among(Group::Interpreted));
    }
    Ok(rows)
}

/// The reference guard for Python, where there is one.
pub(super) fn python_guard(parts: &Parts) -> Result<Option<PathBuf>> {
    match found(PYTHON) {
        Some(_) => written(parts, "guard.py", GUARD_PY).map(Some),
        None => Ok(None),
    }
}

fn written(parts: &Parts, name: &str, text: &str) -> Result<PathBuf> {
    let file = parts.out.join(name);
    fs::write(&file, text)?;
    Ok(file)
}

/// A program on the PATH that every row gets; said where it is missing.
fn found(name: &str) -> Option<PathBuf> {
    let found = std::env::split_paths(&round::path())
        .map(|folder| folder.join(name).with_extension(EXE_EXTENSION))
        .find(|program| program.is_file());
    if found.is_none() {
        eprintln!("{name} is missing: its rows are not measured");
    }
    found
}

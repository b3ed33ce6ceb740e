//! Edits a settings file as the commands of `hookkit` do, for tests that stop it half-way.
//!
//! `editor DATA FILE set VALUE KEY...`, `... remove KEY...`, `... many COUNT PREFIX`: the last adds
//! that many members, one after the other, each in a turn of its own. Refused is exit code 3.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a program for tests reports by panicking"
)]

use std::path::Path;
use std::process::ExitCode;

use hookkit::edit::{Document, Lock, Refused};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let [data, file, verb, rest @ ..] = &*words else {
        panic!("editor DATA FILE VERB ...");
    };
    let (data, file) = (Path::new(data), Path::new(file));
    let done = match (*verb, rest) {
        ("set", [value, keys @ ..]) => {
            let value: serde_json::Value = serde_json::from_str(value).expect("a value");
            edit(data, file, |document| document.set(keys, value))
        }
        ("remove", keys) => edit(data, file, |document| document.remove(keys, keys.len())),
        ("many", [count, prefix]) => (0..count.parse().unwrap()).try_for_each(|number: usize| {
            let key = format!("{prefix}-{number}");
            edit(data, file, |document| {
                document.set(&["hooks", &key], true.into())
            })
        }),
        _ => panic!("no verb {verb}"),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(refused) => {
            eprintln!("{refused}");
            ExitCode::from(3)
        }
    }
}

fn edit(
    data: &Path,
    file: &Path,
    make: impl FnOnce(&mut Document) -> Result<(), Refused>,
) -> Result<(), Refused> {
    let turn = Lock::take(data)?;
    let mut document = Document::open(file)?;
    make(&mut document)?;
    document.change().write(&turn)
}

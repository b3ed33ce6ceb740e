//! The files of the log: all of them at once, and what comes to them.

use super::entry::{Entry, Filter};
use crate::install::{Data, Receipt};
use fs_err as fs;
use hookkit_dispatch::log::earlier;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

/// What is in the files.
#[derive(Default)]
pub(crate) struct Read {
    /// By time.
    pub(crate) entries: Vec<Entry>,
    /// Lines that cannot be read, or that a newer hookkit wrote.
    pub(crate) unread: usize,
    /// Files that cannot be read, and why.
    pub(crate) faults: Vec<String>,
}

/// The files that are written to, or were: that of the data folder, and those of receipts.
fn files(data: &Data) -> Vec<PathBuf> {
    let mut files = vec![data.log()];
    for receipt in Receipt::all(data) {
        let file = receipt.log.and_then(|log| log.file(data));
        files.extend(file.filter(|file| !files.contains(file)));
    }
    files
}

/// Everything that is there.
pub(crate) fn read(data: &Data, filter: &Filter) -> Read {
    let mut read = Read::default();
    for file in files(data) {
        for file in [earlier(&file), file] {
            match text(&file, 0) {
                Ok(text) => read.take(&text, filter),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => read.faults.push(error.to_string()),
            }
        }
    }
    read.entries.sort_by(|one, other| one.time.cmp(&other.time));
    read
}

impl Read {
    fn take(&mut self, text: &str, filter: &Filter) {
        for line in text.lines() {
            match Entry::read(line) {
                Some(entry) if filter.takes(&entry) => self.entries.push(entry),
                Some(_) => {}
                None => self.unread += 1,
            }
        }
    }
}

/// What comes to the files from now on.
pub(crate) struct Tail {
    files: Vec<(PathBuf, u64)>,
}

impl Tail {
    pub(crate) fn new(data: &Data) -> Self {
        let at_end = |file: PathBuf| {
            let length = length(&file);
            (file, length)
        };
        Self {
            files: files(data).into_iter().map(at_end).collect(),
        }
    }

    /// What has come since the last call.
    pub(crate) fn next(&mut self, filter: &Filter) -> Vec<Entry> {
        let mut read = Read::default();
        for (file, seen) in &mut self.files {
            let now = length(file);
            if now < *seen {
                // It was full and has become the earlier one.
                if let Ok(text) = text(&earlier(file), *seen) {
                    read.take(&text, filter);
                }
                *seen = 0;
            }
            if let Ok(text) = text(file, *seen) {
                // The rest of a line may still come.
                let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
                *seen += whole.len() as u64;
                read.take(whole, filter);
            }
        }
        read.entries
    }
}

fn length(file: &Path) -> u64 {
    fs::symlink_metadata(file).map_or(0, |found| found.len())
}

/// The text of a plain file from an offset on. A pipe would be waited for, and a link leads out.
fn text(file: &Path, from: u64) -> io::Result<String> {
    if !fs::symlink_metadata(file)?.is_file() {
        let what = format!("{} is no plain file", file.display());
        return Err(io::Error::other(what));
    }
    let mut open = fs::File::open(file)?;
    open.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    open.read_to_end(&mut bytes)?;
    // The dispatcher writes ASCII; whatever else is there keeps its length.
    Ok(bytes
        .into_iter()
        .map(|byte| {
            if byte.is_ascii() {
                char::from(byte)
            } else {
                '?'
            }
        })
        .collect())
}

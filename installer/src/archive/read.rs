//! An archive that was read and found acceptable.

use super::directory::{self, Record};
use super::rules::{self, Fault, MOST_BYTES, MOST_ENTRIES, Names, Unwanted};
use fs_err as fs;
use hookkit_launchers::Role;
use std::io::{self, Cursor, Read as _};
use std::path::Path;
use zip::ZipArchive;

/// An archive in which nothing was found wrong, with its content checked.
#[derive(Debug)]
pub(crate) struct Archive {
    bytes: Vec<u8>,
    entries: Vec<Entry>,
}

/// One file or folder of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Below the folder that the archive is extracted to, with `/` between its parts.
    pub(crate) name: String,
    pub(crate) size: u64,
    /// `None` for a folder.
    pub(crate) role: Option<Role>,
}

const STORED: u16 = 0;
const DEFLATED: u16 = 8;

impl Archive {
    /// Reads an archive from memory, so that nobody changes it between the check and the use. The
    /// error is everything that is wrong with it.
    pub(crate) fn read(bytes: Vec<u8>) -> Result<Self, Vec<Fault>> {
        let entries = entries(&bytes)?;
        let archive = Self { bytes, entries };
        archive.check_content()?;
        Ok(archive)
    }

    /// Its entries, in its own order.
    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The content of one file.
    pub(crate) fn content(&self, name: &str) -> Option<Vec<u8>> {
        let index = self.entries.iter().position(|entry| entry.name == name)?;
        let mut zip = self.open().ok()?;
        content(&mut zip, index, &self.entries[index]).ok()
    }

    /// Writes all files into a folder, which must be empty: a name that a file system takes for
    /// another one is found by that. Modes go by role.
    pub(crate) fn extract(&self, folder: &Path) -> io::Result<()> {
        let mut zip = self.open()?;
        for (index, entry) in self.entries.iter().enumerate() {
            let path = folder.join(&entry.name);
            let Some(role) = entry.role else {
                fs::create_dir_all(path)?;
                continue;
            };
            if let Some(around) = path.parent() {
                fs::create_dir_all(around)?;
            }
            let bytes = content(&mut zip, index, entry).map_err(io::Error::other)?;
            create(&path, &bytes, role)?;
        }
        Ok(())
    }

    fn open(&self) -> io::Result<ZipArchive<Cursor<&[u8]>>> {
        Ok(ZipArchive::new(Cursor::new(&*self.bytes))?)
    }

    fn check_content(&self) -> Result<(), Vec<Fault>> {
        let mut zip = self.open().map_err(|_| {
            vec![Fault {
                entry: None,
                what: Unwanted::NoArchive("cannot be read"),
            }]
        })?;
        let faults: Vec<Fault> = self
            .entries
            .iter()
            .enumerate()
            .filter_map(|(index, entry)| {
                let what = content(&mut zip, index, entry).err()?;
                Some(fault(&entry.name, what))
            })
            .collect();
        if faults.is_empty() {
            Ok(())
        } else {
            Err(faults)
        }
    }
}

/// The entries that the directory names, if all of them are acceptable.
fn entries(bytes: &[u8]) -> Result<Vec<Entry>, Vec<Fault>> {
    let records = directory::read(bytes).map_err(|fault| vec![fault])?;
    let total: u64 = records.iter().map(|record| record.size).sum();
    let mut faults = Vec::new();
    for (is_too_much, what) in [
        (records.len() > MOST_ENTRIES, Unwanted::TooMany),
        (total > MOST_BYTES, Unwanted::TooMuch),
    ] {
        if is_too_much {
            faults.push(Fault { entry: None, what });
        }
    }
    let mut names = Names::default();
    let mut entries = Vec::with_capacity(records.len());
    for record in &records {
        match entry(record, &mut names) {
            Ok(entry) => entries.push(entry),
            Err(what) => faults.push(fault(&String::from_utf8_lossy(record.name), what)),
        }
    }
    if faults.is_empty() {
        Ok(entries)
    } else {
        Err(faults)
    }
}

fn entry(record: &Record, names: &mut Names) -> Result<Entry, Unwanted> {
    let name = std::str::from_utf8(record.name)
        .ok()
        .filter(|name| name.is_ascii() || record.is_marked_utf8)
        .ok_or(Unwanted::NotUtf8)?;
    let (name, is_folder) = match name.strip_suffix('/') {
        Some(folder) => (folder, true),
        None => (name, false),
    };
    rules::name(name)?;
    rules::mode(record.mode, is_folder)?;
    if record.is_encrypted {
        return Err(Unwanted::Encrypted);
    }
    if !matches!(record.method, STORED | DEFLATED) {
        return Err(Unwanted::Packed);
    }
    if !record.is_plain() {
        return Err(Unwanted::Ambiguous);
    }
    if is_folder && record.size > 0 {
        return Err(Unwanted::FolderWithContent);
    }
    rules::expansion(record.packed, record.size)?;
    names.add(name, is_folder)?;
    let role = if record.mode & 0o111 == 0 {
        Role::Data
    } else {
        Role::Program
    };
    Ok(Entry {
        name: name.to_owned(),
        size: record.size,
        role: (!is_folder).then_some(role),
    })
}

fn fault(name: &str, what: Unwanted) -> Fault {
    Fault {
        entry: Some(name.to_owned()),
        what,
    }
}

/// The content of an entry, which must have the size and the checksum that the directory says.
fn content(
    zip: &mut ZipArchive<Cursor<&[u8]>>,
    index: usize,
    entry: &Entry,
) -> Result<Vec<u8>, Unwanted> {
    let file = zip.by_index(index).map_err(|_| Unwanted::Damaged)?;
    let is_the_same = file
        .name()
        .is_ok_and(|name| name.trim_end_matches('/') == entry.name);
    let mut bytes = Vec::new();
    // One more than it should be shows that it is more.
    let read = file.take(entry.size + 1).read_to_end(&mut bytes);
    if is_the_same && read.is_ok() && bytes.len() as u64 == entry.size {
        Ok(bytes)
    } else {
        Err(Unwanted::Damaged)
    }
}

#[cfg(unix)]
fn create(path: &Path, bytes: &[u8], role: Role) -> io::Result<()> {
    use fs_err::os::unix::fs::OpenOptionsExt as _;
    let mut file = fs::OpenOptions::new();
    let mut file = file
        .write(true)
        .create_new(true)
        .mode(role.mode())
        .open(path)?;
    io::Write::write_all(&mut file, bytes)
}

#[cfg(not(unix))]
fn create(path: &Path, bytes: &[u8], _: Role) -> io::Result<()> {
    let mut file = fs::OpenOptions::new();
    let mut file = file.write(true).create_new(true).open(path)?;
    io::Write::write_all(&mut file, bytes)
}

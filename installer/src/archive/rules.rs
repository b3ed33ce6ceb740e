//! What an entry of an archive may be.

use std::collections::BTreeMap;
use std::fmt;

/// More than any plugin holds. What an archive expands to is limited before it is expanded.
pub(crate) const MOST_BYTES: u64 = 256 << 20;
pub(crate) const MOST_ENTRIES: usize = 10_000;

/// A text of one letter packs a thousandfold, programs threefold: above this, and above
/// [`FREELY`], nobody meant the content.
const MOST_EXPANSION: u64 = 100;
const FREELY: u64 = 1 << 20;

/// Windows opens no longer path without being asked for it in a special way, and most systems have
/// no longer name.
const LONGEST_PATH: usize = 255;

/// What is wrong, and with which entry; without one, with the archive as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) entry: Option<String>,
    pub(crate) what: Unwanted,
}

/// Why an archive is not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unwanted {
    #[error("{0}")]
    NoArchive(&'static str),
    #[error("holds more than {MOST_ENTRIES} entries")]
    TooMany,
    #[error("expands to more than {} MiB", MOST_BYTES >> 20)]
    TooMuch,
    #[error("expands to more than {MOST_EXPANSION} times its size")]
    Bomb,
    #[error("has a name that is not UTF-8, or not marked as that")]
    NotUtf8,
    #[error("has a name of more than {LONGEST_PATH} bytes")]
    TooLong,
    #[error("has an absolute path")]
    Absolute,
    #[error("leads out of the folder (`..`)")]
    LeadsOut,
    #[error("has an empty part or `.` in its path")]
    EmptyPart,
    #[error("has a backslash in its path")]
    Backslash,
    #[error("has a character in its name that some systems cannot have: {0}")]
    Character(String),
    #[error("has the name of a device of Windows: {0}")]
    Device(String),
    #[error("has a part that ends with a dot or a blank, which Windows drops")]
    TrailingDot,
    #[error("is there twice")]
    Twice,
    #[error("differs from `{0}` only in upper and lower case")]
    Case(String),
    #[error("is a file, and a folder of others as well")]
    FileAndFolder,
    #[error("is a link")]
    Link,
    #[error("is neither a file nor a folder (mode {0:o})")]
    Special(u32),
    #[error("has bits beside read, write and execute (mode {0:o})")]
    OddMode(u32),
    #[error("is encrypted")]
    Encrypted,
    #[error("is packed in a way that hookkit does not read")]
    Packed,
    #[error("has features that two programs may read differently")]
    Ambiguous,
    #[error("is a folder with content")]
    FolderWithContent,
    #[error("is damaged: its content is not what the archive says")]
    Damaged,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &self.entry {
            Some(entry) => write!(f, "`{}` {}", entry.escape_debug(), self.what),
            None => write!(f, "the archive {}", self.what),
        }
    }
}

/// Is a path of a tree the name of one and the same file on every system it goes to?
pub(crate) fn is_one_file_everywhere(path: &str) -> bool {
    name(path).is_ok()
}

/// Is this the name of one and the same file on every system, below the folder it is put in?
///
/// The `/` at the end of a folder's name is not part of it.
pub(super) fn name(name: &str) -> Result<(), Unwanted> {
    if name.len() > LONGEST_PATH {
        return Err(Unwanted::TooLong);
    }
    if name.contains('\\') {
        return Err(Unwanted::Backslash);
    }
    let drive = name.as_bytes().get(1) == Some(&b':') && name.as_bytes()[0].is_ascii_alphabetic();
    if name.starts_with('/') || drive {
        return Err(Unwanted::Absolute);
    }
    name.split('/').try_for_each(part)
}

fn part(part: &str) -> Result<(), Unwanted> {
    match part {
        ".." => return Err(Unwanted::LeadsOut),
        "" | "." => return Err(Unwanted::EmptyPart),
        _ => {}
    }
    let cannot = |c: char| c.is_control() || matches!(c, '<' | '>' | ':' | '"' | '|' | '?' | '*');
    if let Some(character) = part.chars().find(|c| cannot(*c)) {
        return Err(Unwanted::Character(character.escape_debug().to_string()));
    }
    if part.ends_with(['.', ' ']) {
        return Err(Unwanted::TrailingDot);
    }
    if is_device(part) {
        return Err(Unwanted::Device(part.to_owned()));
    }
    Ok(())
}

/// Windows opens a device for these, whatever follows after a dot.
fn is_device(part: &str) -> bool {
    let stem = part.split('.').next().unwrap_or_default().trim_end();
    let stem = stem.to_ascii_lowercase();
    let is_port = |kind: &str| {
        stem.strip_prefix(kind).is_some_and(|number| {
            let mut number = number.chars();
            let is_number =
                |c: char| c.is_ascii_digit() || matches!(c, '\u{b9}' | '\u{b2}' | '\u{b3}');
            number.next().is_some_and(is_number) && number.next().is_none()
        })
    };
    matches!(
        &*stem,
        "con" | "prn" | "aux" | "nul" | "conin$" | "conout$" | "clock$"
    ) || is_port("com")
        || is_port("lpt")
}

/// Does a unix mode say an ordinary file or folder with ordinary bits? Zero says nothing.
pub(super) fn mode(mode: u32, is_folder: bool) -> Result<(), Unwanted> {
    const KIND: u32 = 0o170_000;
    const LINK: u32 = 0o120_000;
    const FILE: u32 = 0o100_000;
    const FOLDER: u32 = 0o040_000;
    match (mode & KIND, is_folder) {
        (0, _) | (FILE, false) | (FOLDER, true) => {}
        (LINK, _) => return Err(Unwanted::Link),
        _ => return Err(Unwanted::Special(mode)),
    }
    if mode & !KIND & !0o777 == 0 {
        Ok(())
    } else {
        Err(Unwanted::OddMode(mode))
    }
}

/// Does so little expand to so much?
pub(super) fn expansion(packed: u64, size: u64) -> Result<(), Unwanted> {
    if size > FREELY && size / MOST_EXPANSION > packed {
        Err(Unwanted::Bomb)
    } else {
        Ok(())
    }
}

/// The names of an archive so far, and what stands in the way of another one.
#[derive(Default)]
pub(super) struct Names {
    /// By the name in lower case: the name as it was, and whether it is a folder.
    known: BTreeMap<String, (String, bool)>,
}

impl Names {
    pub(super) fn add(&mut self, name: &str, is_folder: bool) -> Result<(), Unwanted> {
        for (end, _) in name.match_indices('/') {
            self.put(&name[..end], true, true)?;
        }
        self.put(name, is_folder, false)
    }

    /// `is_above`: named only as part of another name, which may happen any number of times.
    fn put(&mut self, name: &str, is_folder: bool, is_above: bool) -> Result<(), Unwanted> {
        let folded = name.to_lowercase();
        match self.known.get(&folded) {
            Some((known, _)) if known != name => Err(Unwanted::Case(known.clone())),
            Some((_, was_folder)) if *was_folder != is_folder => Err(Unwanted::FileAndFolder),
            Some(_) if !is_folder && !is_above => Err(Unwanted::Twice),
            Some(_) => Ok(()),
            None => {
                self.known.insert(folded, (name.to_owned(), is_folder));
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_one_and_the_same_file_everywhere() {
        for good in [
            "a",
            "hooks/a b.py",
            "hooks/\u{e9}",
            ".gitattributes",
            "a/..b",
            "command",
            "comx",
            "com10",
            "hooks/a.py",
            "hooks/\u{e9} b.py",
        ] {
            assert_eq!(name(good), Ok(()), "{good}");
        }
        for (bad, expected) in [
            ("../a", Unwanted::LeadsOut),
            ("a/../../b", Unwanted::LeadsOut),
            ("/etc/passwd", Unwanted::Absolute),
            ("C:a", Unwanted::Absolute),
            ("c:/a", Unwanted::Absolute),
            ("a\\b", Unwanted::Backslash),
            ("..\\a", Unwanted::Backslash),
            ("a//b", Unwanted::EmptyPart),
            ("./a", Unwanted::EmptyPart),
            ("", Unwanted::EmptyPart),
            ("a/b:stream", Unwanted::Character(":".into())),
            ("a\nb", Unwanted::Character("\\n".into())),
            ("hooks/a.", Unwanted::TrailingDot),
            ("hooks /a", Unwanted::TrailingDot),
            ("hooks/NUL", Unwanted::Device("NUL".into())),
            ("con.py/a", Unwanted::Device("con.py".into())),
            ("Com1.txt", Unwanted::Device("Com1.txt".into())),
            ("com1", Unwanted::Device("com1".into())),
            ("hooks/aux.py", Unwanted::Device("aux.py".into())),
            ("hooks/a:b", Unwanted::Character(":".into())),
            ("LPT\u{b9}", Unwanted::Device("LPT\u{b9}".into())),
        ] {
            assert_eq!(name(bad), Err(expected), "{bad}");
        }
        assert_eq!(name(&"a".repeat(255)), Ok(()));
        assert_eq!(name(&"a".repeat(256)), Err(Unwanted::TooLong));
        assert_eq!(name(&"a/".repeat(130)), Err(Unwanted::TooLong));
    }

    #[test]
    fn modes_of_files_and_folders() {
        for (bits, is_folder, is_fine) in [
            (0, false, true),
            (0o100_644, false, true),
            (0o100_777, false, true),
            (0o040_755, true, true),
            (0o040_755, false, false),
            (0o120_777, false, false),
            (0o104_755, false, false),
            (0o102_755, false, false),
            (0o020_644, false, false),
            (0o010_644, false, false),
        ] {
            assert_eq!(mode(bits, is_folder).is_ok(), is_fine, "{bits:o}");
        }
    }

    #[test]
    fn names_in_one_anothers_way() {
        let mut names = Names::default();
        assert_eq!(names.add("hooks/a.py", false), Ok(()));
        assert_eq!(names.add("hooks", true), Ok(()));
        assert_eq!(names.add("hooks/b.py", false), Ok(()));
        assert_eq!(names.add("hooks/a.py", false), Err(Unwanted::Twice));
        assert_eq!(
            names.add("hooks/A.py", false),
            Err(Unwanted::Case("hooks/a.py".into()))
        );
        assert_eq!(
            names.add("Hooks/c.py", false),
            Err(Unwanted::Case("hooks".into()))
        );
        assert_eq!(
            names.add("hooks/a.py/x", false),
            Err(Unwanted::FileAndFolder)
        );
        assert_eq!(names.add("hooks", false), Err(Unwanted::FileAndFolder));
    }

    #[test]
    fn a_little_that_expands_to_much() {
        assert_eq!(expansion(100, 1 << 20), Ok(()));
        assert_eq!(expansion(100, 2 << 20), Err(Unwanted::Bomb));
        assert_eq!(expansion(1 << 20, 50 << 20), Ok(()));
    }
}

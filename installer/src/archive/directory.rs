//! The directory of a zip archive, read strictly.
//!
//! Readers of zip disagree about archives with bytes before, between or after the entries, with
//! local headers that differ from the directory, or with a second name in an extra field. Such an
//! archive is refused: whoever looks at it must see what is extracted. What passes here is what
//! `hookkit package` and the usual programs write: no comment, no zip64, no data descriptors, and
//! entries that lie one after the other up to the directory.

use super::rules::{Fault, Unwanted};

/// One entry, as the directory and its local header agree on it.
pub(super) struct Record<'a> {
    pub(super) name: &'a [u8],
    pub(super) is_marked_utf8: bool,
    pub(super) is_encrypted: bool,
    pub(super) method: u16,
    pub(super) packed: u64,
    pub(super) size: u64,
    /// Of a unix file; zero where nothing is said.
    pub(super) mode: u32,
    is_plain: bool,
}

const END: &[u8] = b"PK\x05\x06";
const END_LENGTH: usize = 22;
const CENTRAL: &[u8] = b"PK\x01\x02";
const CENTRAL_LENGTH: usize = 46;
const LOCAL: &[u8] = b"PK\x03\x04";
const LOCAL_LENGTH: usize = 30;

/// Bits of a record's flags.
const ENCRYPTED: u16 = 1 | 1 << 6 | 1 << 13;
const LEVEL: u16 = 1 << 1 | 1 << 2;
const UTF8: u16 = 1 << 11;

/// Extra fields that say times and owners, which are not used.
const HARMLESS: [u16; 4] = [0x5455, 0x7875, 0x5855, 0x000a];

/// Reads the directory, and holds it against the local headers.
pub(super) fn read(bytes: &[u8]) -> Result<Vec<Record<'_>>, Fault> {
    let directory = Directory::find(bytes)?;
    let mut records = Vec::with_capacity(directory.count);
    let mut rest = &bytes[directory.start..bytes.len() - END_LENGTH];
    let mut local = 0;
    for _ in 0..directory.count {
        let central = Central::read(rest).ok_or(whole("has a directory that is cut off"))?;
        rest = &rest[central.length..];
        local = central.local(bytes, local, directory.start)?;
        records.push(central.record());
    }
    if !rest.is_empty() || local != directory.start {
        return Err(whole("holds bytes that belong to no entry"));
    }
    Ok(records)
}

impl Record<'_> {
    /// Is there nothing about it that readers disagree on?
    pub(super) fn is_plain(&self) -> bool {
        self.is_plain
    }
}

fn whole(why: &'static str) -> Fault {
    Fault {
        entry: None,
        what: Unwanted::NoArchive(why),
    }
}

struct Directory {
    start: usize,
    count: usize,
}

impl Directory {
    fn find(bytes: &[u8]) -> Result<Self, Fault> {
        let end = bytes
            .len()
            .checked_sub(END_LENGTH)
            .map(|start| &bytes[start..])
            .filter(|end| end.starts_with(END))
            .ok_or(whole(
                "is no zip archive, or something follows after its end",
            ))?;
        let (count, size, start) = (half(end, 10), word(end, 12), word(end, 16));
        let is_one_file = half(end, 4) == 0 && half(end, 6) == 0 && half(end, 8) == count;
        let is_large = count == u16::MAX || size == u32::MAX || start == u32::MAX;
        let reaches = usize_of(start) + usize_of(size) + END_LENGTH == bytes.len();
        if !is_one_file || is_large || half(end, 20) != 0 || !reaches {
            return Err(whole(
                "has a directory that two programs may read differently",
            ));
        }
        Ok(Self {
            start: usize_of(start),
            count: usize::from(count),
        })
    }
}

struct Central<'a> {
    bytes: &'a [u8],
    name: &'a [u8],
    extra: &'a [u8],
    length: usize,
}

impl<'a> Central<'a> {
    fn read(bytes: &'a [u8]) -> Option<Self> {
        let fixed = bytes
            .get(..CENTRAL_LENGTH)
            .filter(|fixed| fixed.starts_with(CENTRAL))?;
        let name_end = CENTRAL_LENGTH + usize::from(half(fixed, 28));
        let extra_end = name_end + usize::from(half(fixed, 30));
        let length = extra_end + usize::from(half(fixed, 32));
        Some(Self {
            bytes: bytes.get(..length)?,
            name: &bytes[CENTRAL_LENGTH..name_end],
            extra: &bytes[name_end..extra_end],
            length,
        })
    }

    fn packed(&self) -> u32 {
        word(self.bytes, 20)
    }

    /// Checks the local header, which must stand at `start`; gives where the next one must stand.
    fn local(&self, bytes: &[u8], start: usize, directory: usize) -> Result<usize, Fault> {
        let differs = || Fault {
            entry: Some(String::from_utf8_lossy(self.name).into_owned()),
            what: Unwanted::Ambiguous,
        };
        let before = &bytes[..directory];
        let header = before
            .get(start..start + LOCAL_LENGTH)
            .filter(|header| header.starts_with(LOCAL) && usize_of(word(self.bytes, 42)) == start)
            .ok_or_else(differs)?;
        let name_end = start + LOCAL_LENGTH + usize::from(half(header, 26));
        let extra_end = name_end + usize::from(half(header, 28));
        let end = extra_end + usize_of(self.packed());
        // Flags, method, time, checksum and both sizes lie in the same order in both.
        let agrees = header[6..26] == self.bytes[8..28];
        let is_whole = end <= before.len();
        if !agrees
            || !is_whole
            || before[start + LOCAL_LENGTH..name_end] != *self.name
            || !is_harmless(&before[name_end..extra_end])
        {
            return Err(differs());
        }
        Ok(end)
    }

    fn record(&self) -> Record<'a> {
        let flags = half(self.bytes, 8);
        Record {
            name: self.name,
            is_marked_utf8: flags & UTF8 != 0,
            is_encrypted: flags & ENCRYPTED != 0,
            method: half(self.bytes, 10),
            packed: self.packed().into(),
            size: word(self.bytes, 24).into(),
            mode: word(self.bytes, 38) >> 16,
            is_plain: flags & !(ENCRYPTED | LEVEL | UTF8) == 0
                && is_harmless(self.extra)
                && half(self.bytes, 34) == 0,
        }
    }
}

/// Are these extra fields whole, and none that would change what is read?
fn is_harmless(mut fields: &[u8]) -> bool {
    while let Some(header) = fields.get(..4) {
        let end = 4 + usize::from(half(header, 2));
        if !HARMLESS.contains(&half(header, 0)) || end > fields.len() {
            return false;
        }
        fields = &fields[end..];
    }
    fields.is_empty()
}

fn half(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from(half(bytes, at)) | u32::from(half(bytes, at + 2)) << 16
}

/// Every machine that hookkit is built for has at least 32 bits.
fn usize_of(word: u32) -> usize {
    word as usize
}

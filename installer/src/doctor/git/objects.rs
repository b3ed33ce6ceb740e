//! What a commit holds, read from git's own store: loose objects and packs (gitformat-pack(5), index
//! version 2). Objects named by sha256 and those of a partial clone are not read.

use flate2::read::ZlibDecoder;
use fs_err as fs;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{BufReader, Read, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

/// No hooks file is larger, and no folder's list.
const LIMIT: u64 = 16 << 20;

/// Deltas upon deltas; git makes 50.
const DEEPEST: usize = 300;

type Id = [u8; 20];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Commit,
    Tree,
    Blob,
    Tag,
}

/// The store of a repository.
#[derive(Debug)]
pub(super) struct Objects {
    folders: Vec<PathBuf>,
}

impl Objects {
    /// `shared` is the folder that all work trees of a repository share.
    pub(super) fn of(shared: &Path) -> Self {
        let own = shared.join("objects");
        let others = fs::read_to_string(own.join("info/alternates")).unwrap_or_default();
        let others = others.lines().filter(|line| !line.starts_with('#'));
        let mut folders: Vec<PathBuf> = others.map(|line| own.join(line)).collect();
        folders.insert(0, own);
        Self { folders }
    }

    /// Every file of a commit that lies below one of some places, each a file or a folder: its path and
    /// its bytes. None where an object cannot be read.
    pub(super) fn files(&self, commit: &str, places: &[&str]) -> Option<BTreeMap<String, Vec<u8>>> {
        let (kind, body) = self.read(id(commit)?)?;
        let text = std::str::from_utf8(&body).ok()?;
        let tree = id(text.lines().next()?.strip_prefix("tree ")?)?;
        if kind != Kind::Commit {
            return None;
        }
        let mut found = BTreeMap::new();
        self.walk(tree, "", places, 0, &mut found)?;
        Some(found)
    }

    fn walk(
        &self,
        tree: Id,
        above: &str,
        places: &[&str],
        depth: usize,
        found: &mut BTreeMap<String, Vec<u8>>,
    ) -> Option<()> {
        let (kind, body) = self.read(tree)?;
        if kind != Kind::Tree || depth > DEEPEST {
            return None;
        }
        let mut rest = &body[..];
        while !rest.is_empty() {
            let end = rest.iter().position(|byte| *byte == 0)?;
            let head = std::str::from_utf8(&rest[..end]).ok();
            let id: Id = rest.get(end + 1..end + 21)?.try_into().ok()?;
            rest = &rest[end + 21..];
            let Some((mode, name)) = head.and_then(|head| head.split_once(' ')) else {
                continue;
            };
            let path = format!("{above}{name}");
            let is_wanted = places.iter().any(|place| is_below(&path, place));
            let leads_there = places.iter().any(|place| is_below(place, &path));
            match mode {
                "40000" if is_wanted || leads_there => {
                    self.walk(id, &format!("{path}/"), places, depth + 1, found)?;
                }
                // A link's target stands in place of its bytes, and a module of another repository has none.
                "100644" | "100755" if is_wanted => {
                    found.insert(path, self.read(id)?.1);
                }
                _ => {}
            }
        }
        Some(())
    }

    fn read(&self, id: Id) -> Option<(Kind, Vec<u8>)> {
        self.read_at(id, 0)
    }

    fn read_at(&self, id: Id, depth: usize) -> Option<(Kind, Vec<u8>)> {
        let folders = self.folders.iter();
        folders
            .clone()
            .find_map(|folder| loose(folder, &id))
            .or_else(|| {
                let packs = folders.flat_map(|folder| packs(folder));
                packs.into_iter().find_map(|index| {
                    let offset = offset_in(&index, &id)?;
                    self.packed(&index.with_extension("pack"), offset, depth)
                })
            })
    }

    fn packed(&self, pack: &Path, offset: u64, depth: usize) -> Option<(Kind, Vec<u8>)> {
        if depth > DEEPEST {
            return None;
        }
        let mut file = BufReader::new(fs::File::open(pack).ok()?);
        file.seek(SeekFrom::Start(offset)).ok()?;
        let first = byte(&mut file)?;
        let mut more = first & 0x80 != 0;
        while more {
            more = byte(&mut file)? & 0x80 != 0;
        }
        let kind = match (first >> 4) & 7 {
            1 => Kind::Commit,
            2 => Kind::Tree,
            3 => Kind::Blob,
            4 => Kind::Tag,
            6 => {
                let base = offset.checked_sub(distance(&mut file)?)?;
                let delta = inflated(file)?;
                let (kind, base) = self.packed(pack, base, depth + 1)?;
                return Some((kind, applied(&base, &delta)?));
            }
            7 => {
                let mut base = [0; 20];
                file.read_exact(&mut base).ok()?;
                let delta = inflated(file)?;
                let (kind, base) = self.read_at(base, depth + 1)?;
                return Some((kind, applied(&base, &delta)?));
            }
            _ => return None,
        };
        Some((kind, inflated(file)?))
    }
}

fn is_below(path: &str, place: &str) -> bool {
    let rest = path.strip_prefix(place);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Forty hexadecimal digits.
fn id(text: &str) -> Option<Id> {
    let text = text.trim();
    if text.len() != 40 || !text.is_ascii() {
        return None;
    }
    let mut id = [0; 20];
    for (index, byte) in id.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[index * 2..index * 2 + 2], 16).ok()?;
    }
    Some(id)
}

fn loose(folder: &Path, id: &Id) -> Option<(Kind, Vec<u8>)> {
    let mut name = String::with_capacity(40);
    for byte in id {
        // Writing to a text does not fail.
        let _ = write!(name, "{byte:02x}");
    }
    let file = folder.join(&name[..2]).join(&name[2..]);
    let bytes = inflated(fs::File::open(file).ok()?)?;
    let end = bytes.iter().position(|byte| *byte == 0)?;
    let kind = match bytes[..end].split(|byte| *byte == b' ').next()? {
        b"commit" => Kind::Commit,
        b"tree" => Kind::Tree,
        b"blob" => Kind::Blob,
        _ => Kind::Tag,
    };
    Some((kind, bytes[end + 1..].to_vec()))
}

fn packs(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder.join("pack")) else {
        return Vec::new();
    };
    let files = entries.flatten().map(|entry| entry.path());
    files
        .filter(|file| file.extension().is_some_and(|ending| ending == "idx"))
        .collect()
}

/// Where in its pack an index says that an object is.
fn offset_in(index: &Path, id: &Id) -> Option<u64> {
    const FANOUT: u64 = 8;
    const NAMES: u64 = FANOUT + 256 * 4;
    let mut file = BufReader::new(fs::File::open(index).ok()?);
    let mut number = |at: u64| {
        file.seek(SeekFrom::Start(at)).ok()?;
        let mut bytes = [0; 4];
        file.read_exact(&mut bytes).ok()?;
        Some(u32::from_be_bytes(bytes))
    };
    if number(0)? != 0xff74_4f63 || number(4)? != 2 {
        return None;
    }
    let first = u64::from(id[0]);
    let mut low = match first {
        0 => 0,
        _ => u64::from(number(FANOUT + (first - 1) * 4)?),
    };
    let mut high = u64::from(number(FANOUT + first * 4)?);
    let all = u64::from(number(FANOUT + 255 * 4)?);
    while low < high {
        let middle = low + (high - low) / 2;
        let mut name = [0; 20];
        for (part, bytes) in name.chunks_exact_mut(4).enumerate() {
            let at = NAMES + middle * 20 + part as u64 * 4;
            bytes.copy_from_slice(&number(at)?.to_be_bytes());
        }
        match name.cmp(id) {
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Greater => high = middle,
            std::cmp::Ordering::Equal => {
                let offsets = NAMES + all * 24;
                let offset = number(offsets + middle * 4)?;
                if offset & 0x8000_0000 == 0 {
                    return Some(offset.into());
                }
                let at = offsets + all * 4 + u64::from(offset & 0x7fff_ffff) * 8;
                return Some(u64::from(number(at)?) << 32 | u64::from(number(at + 4)?));
            }
        }
    }
    None
}

fn byte(file: &mut impl Read) -> Option<u8> {
    let mut one = [0];
    file.read_exact(&mut one).ok()?;
    Some(one[0])
}

/// How far before a delta its base begins.
fn distance(file: &mut impl Read) -> Option<u64> {
    let mut value = 0_u64;
    for index in 0..9 {
        let next = byte(file)?;
        let low = u64::from(next & 0x7f);
        value = if index == 0 {
            low
        } else {
            ((value + 1) << 7) | low
        };
        if next & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

fn inflated(packed: impl Read) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut reader = ZlibDecoder::new(packed).take(LIMIT + 1);
    reader.read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 <= LIMIT).then_some(bytes)
}

/// A delta's steps: copy from the base, or take what follows.
fn applied(base: &[u8], delta: &[u8]) -> Option<Vec<u8>> {
    let mut rest = delta.iter().copied();
    let size = |rest: &mut dyn Iterator<Item = u8>| {
        let mut value = 0_u64;
        for shift in (0..63).step_by(7) {
            let next = rest.next()?;
            value |= u64::from(next & 0x7f) << shift;
            if next & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    };
    if size(&mut rest)? != base.len() as u64 {
        return None;
    }
    let wanted = size(&mut rest)?;
    let mut out = Vec::new();
    while let Some(step) = rest.next() {
        if step & 0x80 == 0 {
            for _ in 0..step {
                out.push(rest.next()?);
            }
        } else {
            let mut part = |bits: std::ops::Range<u8>| {
                let mut value = 0_usize;
                for (place, bit) in bits.enumerate() {
                    if step & (1 << bit) != 0 {
                        value |= usize::from(rest.next()?) << (place * 8);
                    }
                }
                Some(value)
            };
            let from = part(0..4)?;
            let length = match part(4..7)? {
                0 => 0x1_0000,
                length => length,
            };
            out.extend_from_slice(base.get(from..from.checked_add(length)?)?);
        }
        if out.len() as u64 > LIMIT {
            return None;
        }
    }
    (out.len() as u64 == wanted).then_some(out)
}

//! Zip archives written byte by byte, for what no library would write.

/// One entry: what its headers say, right or wrong.
#[derive(Clone)]
pub(crate) struct Entry {
    pub(crate) name: Vec<u8>,
    /// The content as it is packed.
    pub(crate) packed: Vec<u8>,
    pub(crate) size: u32,
    pub(crate) sum: u32,
    pub(crate) method: u16,
    pub(crate) flags: u16,
    /// Of a unix file, with its kind.
    pub(crate) mode: u32,
    pub(crate) extra: Vec<u8>,
    /// Another name in the local header.
    pub(crate) local_name: Option<Vec<u8>>,
}

impl Entry {
    /// An ordinary file, not compressed.
    pub(crate) fn file(name: &str, content: &str) -> Self {
        Self {
            name: name.into(),
            packed: content.into(),
            size: u32::try_from(content.len()).unwrap(),
            sum: crc32(content.as_bytes()),
            method: 0,
            flags: if name.is_ascii() { 0 } else { 1 << 11 },
            mode: 0o100_644,
            extra: Vec::new(),
            local_name: None,
        }
    }

    /// A file of zeros that is packed by the simplest means there is: 258 bytes in 13 bits.
    pub(crate) fn zeros(name: &str, runs: u32) -> Self {
        let mut bits = Bits::default();
        bits.push(0b011, 3); // the last block, with the fixed code
        bits.push_code(0b0011_0000, 8); // a zero
        for _ in 0..runs {
            bits.push_code(0b1100_0101, 8); // 258 bytes
            bits.push(0, 5); // from one byte before
        }
        bits.push_code(0, 7); // the end
        let size = 1 + 258 * runs;
        Self {
            packed: bits.bytes,
            size,
            sum: crc32(&vec![0; size as usize]),
            method: 8,
            ..Self::file(name, "")
        }
    }

    fn header(&self, is_local: bool, offset: u32) -> Vec<u8> {
        let name = match &self.local_name {
            Some(name) if is_local => name,
            _ => &self.name,
        };
        let mut bytes = Vec::new();
        let mut half = |number: u16| bytes.extend(number.to_le_bytes());
        if !is_local {
            half(0x0314); // made on unix
        }
        half(20);
        half(self.flags);
        half(self.method);
        half(0);
        half(0x21); // 1980-01-01
        for number in [
            self.sum,
            u32::try_from(self.packed.len()).unwrap(),
            self.size,
        ] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(u16::try_from(name.len()).unwrap().to_le_bytes());
        bytes.extend(u16::try_from(self.extra.len()).unwrap().to_le_bytes());
        if !is_local {
            bytes.extend([0; 6]); // comment, disk, internal attributes
            bytes.extend((self.mode << 16).to_le_bytes());
            bytes.extend(offset.to_le_bytes());
        }
        bytes.extend(name);
        bytes.extend(&self.extra);
        bytes
    }
}

/// An archive of these entries.
pub(crate) fn archive(entries: &[Entry]) -> Vec<u8> {
    with_end(entries, |_| {})
}

/// An archive whose last record a test changes.
pub(crate) fn with_end(entries: &[Entry], change: impl Fn(&mut Vec<u8>)) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut directory = Vec::new();
    for entry in entries {
        let offset = u32::try_from(bytes.len()).unwrap();
        bytes.extend(b"PK\x03\x04");
        bytes.extend(entry.header(true, 0));
        bytes.extend(&entry.packed);
        directory.extend(b"PK\x01\x02");
        directory.extend(entry.header(false, offset));
    }
    let count = u16::try_from(entries.len()).unwrap().to_le_bytes();
    let mut end = b"PK\x05\x06\0\0\0\0".to_vec();
    end.extend(count);
    end.extend(count);
    end.extend(u32::try_from(directory.len()).unwrap().to_le_bytes());
    end.extend(u32::try_from(bytes.len()).unwrap().to_le_bytes());
    end.extend([0; 2]);
    change(&mut end);
    [bytes, directory, end].concat()
}

pub(crate) fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| {
            (sum >> 1) ^ (0xedb8_8320 & (sum & 1).wrapping_neg())
        })
    })
}

#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    count: usize,
}

impl Bits {
    fn push(&mut self, value: u32, width: usize) {
        for bit in 0..width {
            if self.count.is_multiple_of(8) {
                self.bytes.push(0);
            }
            let last = self.bytes.last_mut().unwrap();
            *last |= u8::try_from(value >> bit & 1).unwrap() << (self.count % 8);
            self.count += 1;
        }
    }

    /// Codes stand with their first bit first.
    fn push_code(&mut self, code: u32, width: usize) {
        for bit in (0..width).rev() {
            self.push(code >> bit & 1, 1);
        }
    }
}

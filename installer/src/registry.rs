//! Texts in the registry of Windows.

use std::io;
use winreg::RegValue;
use winreg::enums::{REG_EXPAND_SZ, REG_SZ};

/// A text as it is written there, with variables that are not replaced.
pub(crate) fn text(value: &RegValue) -> io::Result<String> {
    if value.vtype != REG_SZ && value.vtype != REG_EXPAND_SZ {
        return Err(io::Error::other("it is no text"));
    }
    let units: Vec<u16> = value
        .bytes
        .chunks_exact(2)
        .map(|pair| u16::from_le_bytes([pair[0], pair[1]]))
        .collect();
    let end = units.iter().position(|unit| *unit == 0);
    String::from_utf16(&units[..end.unwrap_or(units.len())])
        .map_err(|_| io::Error::other("it is no UTF-16"))
}

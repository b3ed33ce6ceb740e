//! Sums of bytes.

use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;

/// The sha256 of something, as 64 lower-case hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        // Writing to a text does not fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

//! Numbers in decimal. What the standard library writes them with is so large that its pages alone
//! would be a hundredth of an event.

/// Appends a number, with zeros in front of it up to this many digits.
pub(super) fn push(out: &mut Vec<u8>, number: u64, digits: usize) {
    // As many as the largest number has.
    let mut text = [b'0'; 20];
    let mut start = text.len();
    let mut rest = number;
    while rest > 0 {
        start -= 1;
        text[start] = b'0' + u8::try_from(rest % 10).unwrap_or(0);
        rest /= 10;
    }
    let start = start.min(text.len() - digits);
    out.extend_from_slice(&text[start..]);
}

#[cfg(test)]
mod tests {
    #[test]
    fn numbers_have_at_least_so_many_digits() {
        for (number, digits, expected) in [
            (0, 1, "0"),
            (7, 3, "007"),
            (1000, 3, "1000"),
            (u64::MAX, 1, "18446744073709551615"),
        ] {
            let mut out = Vec::new();
            super::push(&mut out, number, digits);
            assert_eq!(out, expected.as_bytes());
        }
    }
}

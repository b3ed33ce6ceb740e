//! Versions of plugins: which of two is newer.

use semver::Version;
use std::cmp::Ordering;

/// Compares two versions; `None` where one of them is of no form that has an order.
///
/// `1` and `1.2` count as `1.0.0` and `1.2.0`.
pub(crate) fn compare(left: &str, right: &str) -> Option<Ordering> {
    Some(read(left)?.cmp_precedence(&read(right)?))
}

fn read(version: &str) -> Option<Version> {
    let version = version.trim().trim_start_matches('v');
    let end = version.find(['-', '+']).unwrap_or(version.len());
    let (numbers, rest) = version.split_at(end);
    let missing = 3_usize.checked_sub(numbers.split('.').count())?;
    Version::parse(&format!("{numbers}{}{rest}", ".0".repeat(missing))).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newer_versions_are_told_from_older_ones() {
        use Ordering::{Equal, Greater, Less};
        for (left, right, expected) in [
            ("1.0.0", "1.0.0", Some(Equal)),
            ("1", "1.0.0", Some(Equal)),
            ("1.10.0", "1.9.0", Some(Greater)),
            ("1.0.0-rc.1", "1.0.0", Some(Less)),
            ("1.0.0+a", "1.0.0+b", Some(Equal)),
            ("v2", "1.9", Some(Greater)),
            ("nightly", "1.0.0", None),
            ("1.2.3.4", "1.2.3", None),
        ] {
            assert_eq!(compare(left, right), expected, "{left} {right}");
        }
    }
}

//! Times as collectors of logs read them.

use super::number;
use std::time::{SystemTime, UNIX_EPOCH};

/// Appends a time in UTC, by RFC 3339, to the millisecond.
pub(super) fn push(out: &mut Vec<u8>, time: SystemTime) {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let seconds = since.as_secs();
    let (year, month, day) = date(seconds / 86_400);
    let of_day = seconds % 86_400;
    let milliseconds = u64::from(since.subsec_millis());
    for (part, digits, end) in [
        (year, 4, b'-'),
        (month, 2, b'-'),
        (day, 2, b'T'),
        (of_day / 3600, 2, b':'),
        (of_day / 60 % 60, 2, b':'),
        (of_day % 60, 2, b'.'),
        (milliseconds, 3, b'Z'),
    ] {
        number::push(out, part, digits);
        out.push(end);
    }
}

/// Year, month and day of a day since 1970. Years are counted from March, so that the day that a
/// leap year has more is the last one; four hundred of them have the same number of days.
fn date(days: u64) -> (u64, u64, u64) {
    const FROM_MARCH_OF_YEAR_0: u64 = 719_468;
    const FOUR_CENTURIES: u64 = 146_097;
    let days = days + FROM_MARCH_OF_YEAR_0;
    let of_era = days % FOUR_CENTURIES;
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let year = year + days / FOUR_CENTURIES * 400;
    if month < 10 {
        (year, month + 3, day)
    } else {
        (year + 1, month - 9, day)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn times_are_spelled_in_utc() {
        for (seconds, expected) in [
            (0, "1970-01-01T00:00:00.007Z"),
            (951_782_399, "2000-02-28T23:59:59.007Z"),
            (951_782_400, "2000-02-29T00:00:00.007Z"),
            (1_709_251_200, "2024-03-01T00:00:00.007Z"),
            (1_798_761_599, "2026-12-31T23:59:59.007Z"),
            (4_107_542_400, "2100-03-01T00:00:00.007Z"),
        ] {
            let time = UNIX_EPOCH + Duration::from_secs(seconds) + Duration::from_millis(7);
            let mut out = Vec::new();
            push(&mut out, time);
            assert_eq!(out, expected.as_bytes());
        }
    }
}

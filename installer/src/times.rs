//! Times, and how they are spread.

use std::time::Duration;

/// One time, or how several are spread.
pub(crate) fn spread(times: &[Duration]) -> String {
    match times {
        [time] => milliseconds(*time),
        times => format!(
            "{} times: min {}, median {}, p90 {}",
            times.len(),
            milliseconds(part(times, 0.0)),
            milliseconds(median(times)),
            milliseconds(part(times, 0.9))
        ),
    }
}

pub(crate) fn median(times: &[Duration]) -> Duration {
    part(times, 0.5)
}

/// The time that this part of all times is below or at, by nearest rank.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "an index into a list of at most some thousands"
)]
pub(crate) fn part(times: &[Duration], part: f64) -> Duration {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    let rank = (part * sorted.len() as f64).ceil() as usize;
    sorted
        .get(rank.saturating_sub(1))
        .copied()
        .unwrap_or_default()
}

pub(crate) fn milliseconds(time: Duration) -> String {
    let milliseconds = time.as_secs_f64() * 1000.0;
    if milliseconds < 10.0 {
        format!("{milliseconds:.1} ms")
    } else {
        format!("{milliseconds:.0} ms")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_spread_by_nearest_rank() {
        let times: Vec<Duration> = (1..=10).map(Duration::from_millis).collect();
        assert_eq!(part(&times, 0.0), Duration::from_millis(1));
        assert_eq!(median(&times), Duration::from_millis(5));
        assert_eq!(part(&times, 0.9), Duration::from_millis(9));
        assert_eq!(median(&times[..1]), Duration::from_millis(1));
    }
}

//! Medians and how far they wander.

/// A run is cut into this many blocks of rounds; how much a figure differs between them is its noise.
pub(crate) const BLOCKS: usize = 5;

/// The value below which `percent` of the samples lie (nearest rank); 0 without samples.
pub(crate) fn percentile(samples: &[u64], percent: usize) -> u64 {
    let mut sorted = samples.to_vec();
    sorted.sort_unstable();
    let last = sorted.len().saturating_sub(1);
    sorted.get(last * percent / 100).copied().unwrap_or(0)
}

pub(crate) fn median(samples: &[u64]) -> u64 {
    percentile(samples, 50)
}

/// A ratio of two medians of the same rounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ratio {
    /// Over all rounds.
    pub(crate) value: f64,
    /// Largest less smallest ratio of the blocks.
    pub(crate) noise: f64,
}

impl Ratio {
    /// Both rows have one sample for each round, in the order of the rounds.
    pub(crate) fn of(row: &[u64], base: &[u64]) -> Self {
        let length = row.len().min(base.len()).div_ceil(BLOCKS).max(1);
        let blocks = row
            .chunks(length)
            .zip(base.chunks(length))
            .map(|(row, base)| divide(median(row), median(base)));
        let (low, high) = blocks.fold((f64::INFINITY, 0.0_f64), |(low, high), ratio| {
            (low.min(ratio), high.max(ratio))
        });
        Self {
            value: divide(median(row), median(base)),
            noise: (high - low).max(0.0),
        }
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "nanoseconds of one process are far below 2^52"
)]
fn divide(row: u64, base: u64) -> f64 {
    row as f64 / base.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::{Ratio, median, percentile};

    #[test]
    fn percentiles_take_a_sample_that_was_measured() {
        let samples = [5, 1, 4, 2, 3, 9, 8, 7, 6, 10];
        assert_eq!(median(&samples), 5);
        assert_eq!(percentile(&samples, 10), 1);
        assert_eq!(percentile(&samples, 90), 9);
        assert_eq!(median(&[]), 0);
    }

    #[test]
    fn steady_rows_have_no_noise() {
        let ratio = Ratio::of(&[30; 10], &[20; 10]);
        assert!((ratio.value - 1.5).abs() < 1e-9);
        assert!(ratio.noise.abs() < 1e-9);
    }

    #[test]
    fn a_block_that_was_slow_is_noise() {
        let mut row = [20; 10];
        row[8] = 60;
        row[9] = 60;
        let ratio = Ratio::of(&row, &[20; 10]);
        assert!((ratio.value - 1.0).abs() < 1e-9);
        assert!((ratio.noise - 2.0).abs() < 1e-9);
    }
}

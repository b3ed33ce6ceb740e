//! Medians and how far they wander.

use std::ops::{Add, Sub};

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

/// A row's median over all rounds, and over each block of them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Figure {
    whole: f64,
    blocks: [f64; BLOCKS],
}

impl Figure {
    /// Of samples in the order of their rounds.
    pub(crate) fn of(samples: &[u64]) -> Self {
        let length = samples.len().div_ceil(BLOCKS).max(1);
        let mut figure = Self {
            whole: float(median(samples)),
            ..Self::default()
        };
        for (block, samples) in figure.blocks.iter_mut().zip(samples.chunks(length)) {
            *block = float(median(samples));
        }
        figure
    }

    fn with(self, other: Self, join: impl Fn(f64, f64) -> f64) -> Self {
        let mut blocks = self.blocks;
        for (block, other) in blocks.iter_mut().zip(other.blocks) {
            *block = join(*block, other);
        }
        Self {
            whole: join(self.whole, other.whole),
            blocks,
        }
    }
}

impl Add for Figure {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        self.with(other, |left, right| left + right)
    }
}

impl Sub for Figure {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self.with(other, |left, right| left - right)
    }
}

/// A ratio of two figures of the same run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ratio {
    /// Over all rounds.
    pub(crate) value: f64,
    /// Largest less smallest ratio of the blocks.
    pub(crate) noise: f64,
}

impl Ratio {
    pub(crate) fn of(cost: Figure, base: Figure) -> Self {
        let ratios = cost.with(base, |cost, base| cost / base.max(1.0));
        let (low, high) = ratios
            .blocks
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), ratio| {
                (low.min(*ratio), high.max(*ratio))
            });
        Self {
            value: ratios.whole,
            noise: high - low,
        }
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "nanoseconds of one process are far below 2^52"
)]
fn float(nanoseconds: u64) -> f64 {
    nanoseconds as f64
}

#[cfg(test)]
mod tests {
    use super::{Figure, Ratio, median, percentile};

    fn ratio(cost: &[u64], base: &[u64]) -> Ratio {
        Ratio::of(Figure::of(cost), Figure::of(base))
    }

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
        let steady = ratio(&[30; 10], &[20; 10]);
        assert!((steady.value - 1.5).abs() < 1e-9);
        assert!(steady.noise.abs() < 1e-9);
    }

    #[test]
    fn a_block_that_was_slow_is_noise() {
        let mut row = [20; 10];
        row[8] = 60;
        row[9] = 60;
        let wandered = ratio(&row, &[20; 10]);
        assert!((wandered.value - 1.0).abs() < 1e-9);
        assert!((wandered.noise - 2.0).abs() < 1e-9);
    }

    #[test]
    fn figures_of_runs_of_any_length_are_added_and_subtracted() {
        let cost = Figure::of(&[90; 5]) - Figure::of(&[30; 100]);
        let base = Figure::of(&[10; 100]) + Figure::of(&[20; 5]);
        let joined = Ratio::of(cost, base);
        assert!((joined.value - 2.0).abs() < 1e-9 && joined.noise.abs() < 1e-9);
    }
}

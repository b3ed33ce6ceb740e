//! What the design allows.

use serde::Serialize;

use crate::rows::{
    CAT_ONE_KIB, CAT_TEN_MIB, CROWDS, FLOOR, HUNDRED_ENTRIES, INSTALLED, LAUNCHER, LAUNCHERS_GUARD,
    LOGGED, NOTHING_SELECTED, ONE_NATIVE_HOOK, PEER, READS_SIXTY_MIB, READS_TEN_MIB, SH,
    THOUSAND_ENTRIES, THROUGH_SELECTOR, TWO_FLOORS, of_crowd,
};
use crate::stats::Ratio;

/// What `cost` may be at most, as a multiple of `base`.
pub(crate) struct Budget {
    pub(crate) cost: Sum,
    pub(crate) base: Sum,
    pub(crate) limit: f64,
    /// Over this a run fails: the limit, or a little more where it is held in some runs only.
    pub(crate) fails_over: f64,
}

impl Budget {
    fn failing_over(self, fails_over: f64) -> Self {
        Self { fails_over, ..self }
    }
}

/// Rows that are added up, less one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sum {
    pub(crate) rows: Vec<String>,
    pub(crate) less: Option<String>,
}

impl Sum {
    fn of(rows: &[&str]) -> Self {
        Self {
            rows: rows.iter().map(|row| (*row).to_owned()).collect(),
            less: None,
        }
    }

    fn less(self, row: &str) -> Self {
        Self {
            less: Some(row.to_owned()),
            ..self
        }
    }

    pub(crate) fn name(&self) -> String {
        let first = self.rows.first().map_or("", String::as_str);
        let rows = match self.rows.len() {
            count @ 2.. if self.rows.iter().all(|row| row == first) => format!("{count} x {first}"),
            _ => self.rows.join(" + "),
        };
        match &self.less {
            Some(less) => format!("{rows}, less {less}"),
            None => rows,
        }
    }
}

/// Every budget of times, on a machine of so many cores.
pub(crate) fn budgets(cores: usize) -> Vec<Budget> {
    let budget = |cost: Sum, base: Sum, limit| Budget {
        cost,
        base,
        limit,
        fails_over: limit,
    };
    let mut budgets = vec![
        budget(Sum::of(&[NOTHING_SELECTED]), Sum::of(&[FLOOR]), 1.5),
        budget(Sum::of(&[NOTHING_SELECTED]), Sum::of(&[SH]), 0.5),
        budget(Sum::of(&[ONE_NATIVE_HOOK]), Sum::of(&[TWO_FLOORS]), 1.5),
        budget(Sum::of(&[ONE_NATIVE_HOOK]), Sum::of(&[PEER]), 0.5),
        budget(Sum::of(&[LOGGED]), Sum::of(&[INSTALLED]), 1.05),
        budget(Sum::of(&[LAUNCHERS_GUARD]), Sum::of(&[LAUNCHER]), 0.5),
        budget(
            Sum::of(&[THROUGH_SELECTOR]),
            Sum::of(&[NOTHING_SELECTED, SH]),
            1.0,
        )
        // It is just held: 0.99 to 1.01, as the caches are.
        .failing_over(1.05),
        // What ten mebibytes cost beside the rest.
        budget(
            Sum::of(&[READS_TEN_MIB]).less(ONE_NATIVE_HOOK),
            Sum::of(&[CAT_TEN_MIB]).less(CAT_ONE_KIB),
            2.0,
        ),
    ];
    budgets.extend([
        // Six times as much takes six times as long, and ten times as many ten times.
        budget(
            Sum::of(&[READS_SIXTY_MIB]),
            Sum::of(&[READS_TEN_MIB; 6]),
            1.3,
        ),
        budget(
            Sum::of(&[THOUSAND_ENTRIES]).less(NOTHING_SELECTED),
            Sum::of(&[HUNDRED_ENTRIES]).less(NOTHING_SELECTED),
            // What does not fit into the arena takes longer.
            15.0,
        ),
    ]);
    for hooks in CROWDS {
        let turns = ratio(hooks, cores).max(1.0);
        budgets.push(budget(
            Sum::of(&[&of_crowd(hooks)]),
            Sum::of(&[ONE_NATIVE_HOOK]),
            1.3 * turns,
        ));
    }
    budgets
}

#[expect(clippy::cast_precision_loss, reason = "hooks and cores are few")]
fn ratio(hooks: usize, cores: usize) -> f64 {
    hooks as f64 / cores.max(1) as f64
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Verdict {
    Holds,
    /// Over, by no more than what the run itself wandered: another run may say otherwise.
    WithinNoise,
    /// Over a limit that is not held in every run, and no worse than it was.
    NotYet,
    Over,
}

impl Verdict {
    pub(crate) fn of(ratio: Ratio, budget: &Budget) -> Self {
        if ratio.value <= budget.limit {
            Self::Holds
        } else if ratio.value <= budget.limit + ratio.noise {
            Self::WithinNoise
        } else if ratio.value <= budget.fails_over + ratio.noise {
            Self::NotYet
        } else {
            Self::Over
        }
    }

    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::WithinNoise => "over, within noise",
            Self::NotYet => "over, not held in every run",
            Self::Over => "OVER",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Budget, Sum, Verdict, budgets};
    use crate::stats::Ratio;

    #[test]
    fn only_more_than_the_noise_is_over() {
        let ratio = |value| Ratio { value, noise: 0.1 };
        let budget = |fails_over| Budget {
            cost: Sum::of(&[]),
            base: Sum::of(&[]),
            limit: 1.5,
            fails_over,
        };
        assert_eq!(Verdict::of(ratio(1.5), &budget(1.5)), Verdict::Holds);
        assert_eq!(Verdict::of(ratio(1.55), &budget(1.5)), Verdict::WithinNoise);
        assert_eq!(Verdict::of(ratio(1.65), &budget(1.5)), Verdict::Over);
        assert_eq!(Verdict::of(ratio(1.65), &budget(1.6)), Verdict::NotYet);
        assert_eq!(Verdict::of(ratio(1.75), &budget(1.6)), Verdict::Over);
    }

    #[test]
    fn equal_hooks_share_the_cores() {
        let limit_of = |cores, hooks: &str| {
            budgets(cores)
                .iter()
                .find(|budget| budget.cost.name().contains(hooks))
                .map(|budget| budget.limit)
        };
        assert_eq!(limit_of(2, " 32 "), Some(1.3 * 16.0));
        assert_eq!(limit_of(4, " 2 "), Some(1.3));
    }
}

//! What the design allows.

use serde::Serialize;

use crate::row::{FLOOR, NOTHING_SELECTED, ONE_NATIVE_HOOK, SH, TWO_FLOORS};
use crate::stats::Ratio;

/// `row` may cost at most `limit` times `base`.
pub(crate) struct Budget {
    pub(crate) row: &'static str,
    pub(crate) base: &'static str,
    pub(crate) limit: f64,
    /// Over this a run fails: the limit, or what was reached so far of one that is not held yet.
    pub(crate) fails_over: f64,
}

pub(crate) const BUDGETS: [Budget; 3] = [
    Budget {
        row: NOTHING_SELECTED,
        base: FLOOR,
        limit: 1.5,
        fails_over: 1.5,
    },
    Budget {
        row: NOTHING_SELECTED,
        base: SH,
        limit: 0.5,
        fails_over: 0.5,
    },
    Budget {
        row: ONE_NATIVE_HOOK,
        base: TWO_FLOORS,
        limit: 1.5,
        // 1.58 to 1.64 on a quiet machine.
        fails_over: 1.9,
    },
];

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Verdict {
    Holds,
    /// Over, by no more than what the run itself wandered: another run may say otherwise.
    WithinNoise,
    /// Over a limit that is not held yet, and no worse than it was.
    NotYet,
    Over,
}

impl Verdict {
    pub(crate) fn of(ratio: Ratio, budget: &Budget) -> Self {
        if ratio.value <= budget.limit {
            Self::Holds
        } else if ratio.value <= budget.limit + ratio.noise {
            Self::WithinNoise
        } else if ratio.value <= budget.fails_over {
            Self::NotYet
        } else {
            Self::Over
        }
    }

    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::WithinNoise => "over, within noise",
            Self::NotYet => "over, not held yet",
            Self::Over => "OVER",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Budget, Verdict};
    use crate::stats::Ratio;

    #[test]
    fn only_more_than_the_noise_is_over() {
        let ratio = |value| Ratio { value, noise: 0.1 };
        let budget = |fails_over| Budget {
            row: "",
            base: "",
            limit: 1.5,
            fails_over,
        };
        assert_eq!(Verdict::of(ratio(1.5), &budget(1.5)), Verdict::Holds);
        assert_eq!(Verdict::of(ratio(1.55), &budget(1.5)), Verdict::WithinNoise);
        assert_eq!(Verdict::of(ratio(1.65), &budget(1.5)), Verdict::Over);
        assert_eq!(Verdict::of(ratio(1.65), &budget(1.7)), Verdict::NotYet);
        assert_eq!(Verdict::of(ratio(1.75), &budget(1.7)), Verdict::Over);
    }
}

//! What the design allows.

use serde::Serialize;

use crate::row::{FLOOR, NOTHING_SELECTED, ONE_NATIVE_HOOK, SH, TWO_FLOORS};
use crate::stats::Ratio;

/// `row` may cost at most `limit` times `base`.
pub(crate) struct Budget {
    pub(crate) row: &'static str,
    pub(crate) base: &'static str,
    pub(crate) limit: f64,
}

pub(crate) const BUDGETS: [Budget; 3] = [
    Budget {
        row: NOTHING_SELECTED,
        base: FLOOR,
        limit: 1.5,
    },
    Budget {
        row: NOTHING_SELECTED,
        base: SH,
        limit: 0.5,
    },
    Budget {
        row: ONE_NATIVE_HOOK,
        base: TWO_FLOORS,
        limit: 1.5,
    },
];

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Verdict {
    Holds,
    /// Over, by no more than what the run itself wandered: another run may say otherwise.
    WithinNoise,
    Over,
}

impl Verdict {
    pub(crate) fn of(ratio: Ratio, budget: &Budget) -> Self {
        if ratio.value <= budget.limit {
            Self::Holds
        } else if ratio.value <= budget.limit + ratio.noise {
            Self::WithinNoise
        } else {
            Self::Over
        }
    }

    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::WithinNoise => "over, within noise",
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
        let budget = Budget {
            row: "",
            base: "",
            limit: 1.5,
        };
        assert_eq!(Verdict::of(ratio(1.5), &budget), Verdict::Holds);
        assert_eq!(Verdict::of(ratio(1.55), &budget), Verdict::WithinNoise);
        assert_eq!(Verdict::of(ratio(1.65), &budget), Verdict::Over);
    }
}

//! Which bytes of a text an edit has kept, and where they are now.

use similar::{ChangeTag, TextDiff};
use std::ops::Range;

/// The runs of bytes that a text before and a text after an edit have in common, in their order.
///
/// What lies between two runs is what an edit took away, and what it put there instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Kept(Vec<Run>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    before: usize,
    after: usize,
    length: usize,
}

/// Bytes that gave way to others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Gap {
    pub(super) before: Range<usize>,
    pub(super) after: Range<usize>,
}

impl Kept {
    /// Nothing was edited.
    pub(super) fn all(length: usize) -> Self {
        Self::from_runs([Run {
            before: 0,
            after: 0,
            length,
        }])
    }

    /// Nothing was kept.
    pub(super) fn none() -> Self {
        Self(Vec::new())
    }

    /// What two texts have in common, line by line. Of lines that differ, the beginning and the end:
    /// often they only got something in between, or a line end.
    pub(super) fn lines(before: &str, after: &str) -> Self {
        let diff = TextDiff::from_lines(before, after);
        let (mut at, mut runs) = ((0, 0), Vec::new());
        for change in diff.iter_all_changes() {
            let length = change.value().len();
            match change.tag() {
                ChangeTag::Delete => at.0 += length,
                ChangeTag::Insert => at.1 += length,
                ChangeTag::Equal => {
                    runs.push(Run {
                        before: at.0,
                        after: at.1,
                        length,
                    });
                    at = (at.0 + length, at.1 + length);
                }
            }
        }
        let kept = Self::from_runs(runs);
        let ends = kept
            .gaps(before.len(), after.len())
            .into_iter()
            .flat_map(|gap| gap.ends(before, after));
        let mut runs: Vec<Run> = kept.0.iter().copied().chain(ends).collect();
        runs.sort_by_key(|run| (run.before, run.after));
        Self::from_runs(runs)
    }

    /// Runs that touch are one.
    fn from_runs(runs: impl IntoIterator<Item = Run>) -> Self {
        let mut whole: Vec<Run> = Vec::new();
        for run in runs.into_iter().filter(|run| run.length > 0) {
            match whole.last_mut() {
                Some(last)
                    if last.before + last.length == run.before
                        && last.after + last.length == run.after =>
                {
                    last.length += run.length;
                }
                _ => whole.push(run),
            }
        }
        Self(whole)
    }

    /// A range of the text after gave way to as many other bytes.
    pub(super) fn splice(&mut self, range: &Range<usize>, length: usize) {
        let mut runs = Vec::with_capacity(self.0.len() + 1);
        for run in &self.0 {
            let end = run.after + run.length;
            if end <= range.start {
                runs.push(*run);
                continue;
            }
            runs.push(Run {
                length: range.start.saturating_sub(run.after),
                ..*run
            });
            let rest = range.end.clamp(run.after, end);
            if rest < end {
                runs.push(Run {
                    before: run.before + (rest - run.after),
                    after: rest - range.len() + length,
                    length: end - rest,
                });
            }
        }
        *self = Self::from_runs(runs);
    }

    /// Both texts begin with as many bytes more, which are the same.
    pub(super) fn behind(self, length: usize) -> Self {
        let moved = self.0.into_iter().map(|run| Run {
            before: run.before + length,
            after: run.after + length,
            ..run
        });
        let first = Run {
            before: 0,
            after: 0,
            length,
        };
        Self::from_runs(std::iter::once(first).chain(moved))
    }

    /// The way back.
    pub(super) fn reversed(&self) -> Self {
        Self::from_runs(self.0.iter().map(|run| Run {
            before: run.after,
            after: run.before,
            length: run.length,
        }))
    }

    /// What is still there of the text before, in its order.
    pub(super) fn runs_before(&self) -> impl Iterator<Item = Range<usize>> {
        self.0.iter().map(|run| run.before..run.before + run.length)
    }

    /// Is a range of the text before still there as a whole, and where?
    pub(super) fn of_before(&self, range: &Range<usize>) -> Option<Range<usize>> {
        let run = self
            .0
            .iter()
            .find(|run| run.before <= range.start && range.end <= run.before + run.length)?;
        let start = run.after + (range.start - run.before);
        Some(start..start + range.len())
    }

    /// What was taken away and put in its place.
    pub(super) fn gaps(&self, before: usize, after: usize) -> Vec<Gap> {
        let end = Run {
            before,
            after,
            length: 0,
        };
        let (mut before, mut after) = (0, 0);
        let mut gaps = Vec::new();
        for run in self.0.iter().chain([&end]) {
            if before < run.before || after < run.after {
                gaps.push(Gap {
                    before: before..run.before,
                    after: after..run.after,
                });
            }
            (before, after) = (run.before + run.length, run.after + run.length);
        }
        gaps
    }
}

impl Gap {
    /// With what both sides begin, and with what they end.
    fn ends(&self, before: &str, after: &str) -> [Run; 2] {
        let (old, new) = (&before[self.before.clone()], &after[self.after.clone()]);
        let same = |pairs: &mut dyn Iterator<Item = (char, char)>| -> usize {
            let same = pairs.take_while(|(old, new)| old == new);
            same.map(|(same, _)| same.len_utf8()).sum()
        };
        let first = same(&mut old.chars().zip(new.chars()));
        let (old, new) = (&old[first..], &new[first..]);
        let last = same(&mut old.chars().rev().zip(new.chars().rev()));
        [
            Run {
                before: self.before.start,
                after: self.after.start,
                length: first,
            },
            Run {
                before: self.before.end - last,
                after: self.after.end - last,
                length: last,
            },
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Splices a text, and gives back what the gaps say of the whole way.
    fn edited(before: &str, splices: &[(Range<usize>, &str)]) -> (String, Kept) {
        let mut after = before.to_owned();
        let mut kept = Kept::all(before.len());
        for (range, with) in splices {
            after.replace_range(range.clone(), with);
            kept.splice(range, with.len());
        }
        let mut again = String::new();
        let mut at = 0;
        for gap in kept.gaps(before.len(), after.len()) {
            again += &before[at..gap.before.start];
            again += &after[gap.after.clone()];
            at = gap.before.end;
        }
        again += &before[at..];
        assert_eq!(again, after, "{kept:?}");
        (after, kept)
    }

    #[test]
    fn gaps_lead_from_the_text_before_to_the_text_after() {
        edited("abcdef", &[]);
        edited("abcdef", &[(3..3, "xyz")]);
        edited("abcdef", &[(0..0, "x"), (7..7, "y")]);
        edited("abcdef", &[(1..3, ""), (2..4, "uvw"), (0..1, "")]);
        edited("abcdef", &[(3..3, "xyz"), (2..7, "-")]);
        edited("abcdef", &[(0..6, "")]);
        edited("", &[(0..0, "abc"), (1..2, "xyz")]);
    }

    #[test]
    fn texts_are_compared_line_by_line() {
        let (before, after) = ("a\nb\nc", "a\nx\nb\nc\nd");
        let kept = Kept::lines(before, after);
        let gaps = kept.gaps(before.len(), after.len());
        assert_eq!(gaps.len(), 2);
        assert_eq!(&after[gaps[0].after.clone()], "x\n");
        assert_eq!(&after[gaps[1].after.clone()], "\nd");
        assert!(gaps.iter().all(|gap| gap.before.is_empty()));
    }

    #[test]
    fn a_range_that_an_edit_touched_is_not_kept() {
        let (_, kept) = edited("abcdef", &[(2..4, "xyz")]);
        assert_eq!(kept.of_before(&(0..2)), Some(0..2));
        assert_eq!(kept.of_before(&(4..6)), Some(5..7));
        assert_eq!(kept.of_before(&(1..3)), None);
        assert_eq!(kept.reversed().of_before(&(5..7)), Some(4..6));
    }
}

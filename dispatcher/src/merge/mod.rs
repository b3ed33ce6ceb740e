//! What the hooks of one event said together.

mod rewrite;

use crate::verdict::Said;
use rewrite::{Results, Rewrite};
use std::borrow::Cow;

/// A decision, from the weakest to the strongest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Choice {
    Allow,
    Ask,
    /// Claude Code's: ends the session until somebody decides.
    Defer,
    /// Refuses as `deny` does, but was said as "go on working" or "this result is bad".
    Block,
    Deny,
}

/// A decision with what to say about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    pub choice: Choice,
    /// Empty only for [`Choice::Allow`] and [`Choice::Ask`].
    pub reason: String,
}

impl Decision {
    pub fn deny(reason: impl Into<String>) -> Self {
        Self {
            choice: Choice::Deny,
            reason: reason.into(),
        }
    }
}

/// What all hooks of one event said, in Claude's terms.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    pub decision: Option<Decision>,
    /// Contexts in registration order, with a blank line between them.
    pub context: Option<String>,
    /// The whole rewritten input: a raw JSON object in Claude's argument names.
    pub input: Option<Vec<u8>>,
    /// The rewritten result: a raw JSON value in Claude's shape.
    pub result: Option<Vec<u8>>,
    /// The reason to end the turn.
    pub stop: Option<String>,
    /// Notices for the user, joined as contexts are.
    pub notice: Option<String>,
}

impl Outcome {
    /// A refusal and nothing else.
    pub fn deny(reason: impl Into<String>) -> Self {
        Self {
            decision: Some(Decision::deny(reason)),
            ..Self::default()
        }
    }

    /// Is its decision to allow?
    pub fn allows(&self) -> bool {
        let decision = self.decision.as_ref();
        self.stop.is_none() && decision.is_some_and(|decision| decision.choice == Choice::Allow)
    }

    /// Does it refuse the call (so that a rewrite of it has no meaning)?
    pub fn refuses(&self) -> bool {
        self.stop.is_some()
            || self
                .decision
                .as_ref()
                .is_some_and(|decision| decision.choice >= Choice::Block)
    }
}

/// One hook's part, in registration order.
pub struct Part<'a> {
    /// The hook's id, for conflicts.
    pub hook: &'a str,
    pub said: Said,
    /// The input that this hook saw (another one for each file of a patch, and after each rewrite
    /// in a sequence).
    pub saw: Option<Cow<'a, [u8]>>,
    /// Does its view of the call have a form in which a rewrite can go back to the host?
    pub can_rewrite: bool,
}

/// Joins what the hooks said. The order of `parts` is the order of registration: the result does
/// not depend on which process ended first.
pub fn merge(parts: Vec<Part>) -> Outcome {
    let mut outcome = Outcome::default();
    let mut rewrite = Rewrite::default();
    let mut results = Results::default();
    let mut refusals: Vec<Decision> = Vec::new();
    for part in parts {
        let said = part.said;
        match said.decision {
            Some(decision) if decision.choice >= Choice::Block => refusals.push(decision),
            Some(decision) => strengthen(&mut outcome.decision, decision),
            None => {}
        }
        if let Some(input) = said.input {
            if part.can_rewrite {
                rewrite.apply(part.hook, part.saw.as_deref().unwrap_or(b"{}"), &input);
            } else {
                refusals.push(Decision::deny(format!(
                    "Hook `{}` wants to change one part of a call that has several, which this \
                     agent cannot be told. Make that change in a call of its own.",
                    part.hook
                )));
            }
        }
        if let Some(result) = said.result {
            results.apply(part.hook, result);
        }
        join(&mut outcome.context, said.context);
        join(&mut outcome.notice, said.notice);
        if outcome.stop.is_none() {
            outcome.stop = said.stop;
        }
    }
    match rewrite.finish() {
        Ok(input) => outcome.input = input,
        Err(conflict) => refusals.push(Decision::deny(conflict)),
    }
    refusals.extend(results.conflict.map(Decision::deny));
    outcome.result = results.first.map(|(_, result)| result);
    if let Some(refusal) = one_refusal(refusals) {
        outcome.decision = Some(refusal);
    }
    outcome
}

/// The strongest kind of all refusals, with their reasons in registration order, each once.
fn one_refusal(refusals: Vec<Decision>) -> Option<Decision> {
    let choice = refusals.iter().map(|refusal| refusal.choice).max()?;
    let mut reasons: Vec<String> = Vec::new();
    for refusal in refusals {
        if !reasons.contains(&refusal.reason) {
            reasons.push(refusal.reason);
        }
    }
    Some(Decision {
        choice,
        reason: reasons.join("\n\n"),
    })
}

fn strengthen(present: &mut Option<Decision>, new: Decision) {
    if present
        .as_ref()
        .is_none_or(|present| new.choice > present.choice)
    {
        *present = Some(new);
    }
}

fn join(present: &mut Option<String>, new: Option<String>) {
    match (present.as_mut(), new) {
        (Some(present), Some(new)) => {
            present.push_str("\n\n");
            present.push_str(&new);
        }
        (None, new) => *present = new,
        (Some(_), None) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(hook: &str, said: Said) -> Part<'_> {
        Part {
            hook,
            said,
            saw: Some(Cow::Borrowed(br#"{"command":"ls","timeout":5}"#)),
            can_rewrite: true,
        }
    }

    fn says(choice: Choice, reason: &str) -> Said {
        Said {
            decision: Some(Decision {
                choice,
                reason: reason.to_owned(),
            }),
            ..Said::default()
        }
    }

    fn rewrites(input: &str) -> Said {
        Said {
            input: Some(input.as_bytes().to_vec()),
            ..Said::default()
        }
    }

    #[test]
    fn the_strongest_decision_wins_in_either_order() {
        for (left, right, expected) in [
            (Choice::Allow, Choice::Ask, Choice::Ask),
            (Choice::Allow, Choice::Deny, Choice::Deny),
            (Choice::Ask, Choice::Deny, Choice::Deny),
            (Choice::Block, Choice::Deny, Choice::Deny),
        ] {
            for order in [[left, right], [right, left]] {
                let outcome = merge(vec![
                    part("a", says(order[0], "one")),
                    part("b", says(order[1], "two")),
                ]);
                assert_eq!(
                    outcome.decision.map(|decision| decision.choice),
                    Some(expected)
                );
            }
        }
        assert_eq!(merge(vec![part("a", Said::default())]), Outcome::default());
    }

    #[test]
    fn the_first_refusal_gives_the_reason_and_the_others_follow() {
        let outcome = merge(vec![
            part("a", says(Choice::Deny, "first")),
            part("b", says(Choice::Deny, "second")),
            part("c", says(Choice::Deny, "first")),
        ]);
        assert_eq!(outcome.decision, Some(Decision::deny("first\n\nsecond")));
    }

    #[test]
    fn changes_of_different_arguments_compose() {
        let outcome = merge(vec![
            part("a", rewrites(r#"{"command":"ls -l","timeout":5}"#)),
            part("b", rewrites(r#"{"timeout":9,"command":"ls","new":[1]}"#)),
        ]);
        assert_eq!(
            outcome.input.as_deref(),
            Some(&br#"{"command":"ls -l","timeout":9,"new":[1]}"#[..])
        );
        assert_eq!(outcome.decision, None);
    }

    #[test]
    fn unequal_changes_of_one_argument_deny_naming_both_hooks() {
        for (first, second) in [("a", "b"), ("b", "a")] {
            let outcome = merge(vec![
                part(first, rewrites(r#"{"command":"x","timeout":5}"#)),
                part(second, rewrites(r#"{"command":"y","timeout":5}"#)),
            ]);
            let decision = outcome.decision.expect("a refusal");
            assert_eq!(decision.choice, Choice::Deny);
            assert!(decision.reason.contains("`a`") && decision.reason.contains("`b`"));
            assert_eq!(outcome.input, None);
        }
    }

    #[test]
    fn equal_changes_agree_whatever_their_spelling() {
        let outcome = merge(vec![
            part("a", rewrites(r#"{"command":"\u00e9","timeout":5}"#)),
            part("b", rewrites("{ \"timeout\": 5, \"command\": \"é\" }")),
        ]);
        assert!(outcome.decision.is_none());
        assert!(outcome.input.is_some());
    }

    #[test]
    fn an_argument_that_stands_twice_is_changed_once_and_for_all() {
        let mut twice = part("a", rewrites(r#"{"command":"safe","timeout":5}"#));
        twice.saw = Some(Cow::Borrowed(
            br#"{"command":"one","timeout":5,"c\u006fmmand":"two"}"#,
        ));
        assert_eq!(
            merge(vec![twice]).input.as_deref(),
            Some(&br#"{"timeout":5,"c\u006fmmand":"safe"}"#[..])
        );
        let wants_two = part(
            "a",
            rewrites(r#"{"command":"x","timeout":5,"command":"ls"}"#),
        );
        assert_eq!(merge(vec![wants_two]), Outcome::default());
    }

    #[test]
    fn a_removed_argument_is_a_change_and_an_unchanged_input_is_none() {
        let removed = merge(vec![part("a", rewrites(r#"{"command":"ls"}"#))]);
        assert_eq!(removed.input.as_deref(), Some(&br#"{"command":"ls"}"#[..]));
        let same = merge(vec![part(
            "a",
            rewrites(r#"{"timeout": 5, "command": "ls"}"#),
        )]);
        assert_eq!(same.input, None);
    }

    #[test]
    fn a_hook_that_saw_the_earlier_change_may_change_it_again() {
        let mut second = part("b", rewrites(r#"{"command":"z","timeout":5}"#));
        second.saw = Some(Cow::Borrowed(br#"{"command":"x","timeout":5}"#));
        let outcome = merge(vec![
            part("a", rewrites(r#"{"command":"x","timeout":5}"#)),
            second,
        ]);
        assert_eq!(
            outcome.input.as_deref(),
            Some(&br#"{"command":"z","timeout":5}"#[..])
        );
    }

    #[test]
    fn an_ask_keeps_the_rewrite_and_contexts_join_in_order() {
        let mut ask = says(Choice::Ask, "sure?");
        ask.context = Some("two".to_owned());
        let mut change = rewrites(r#"{"command":"safe","timeout":5}"#);
        change.context = Some("one".to_owned());
        let outcome = merge(vec![part("a", change), part("b", ask)]);
        assert_eq!(
            outcome.decision.map(|decision| decision.choice),
            Some(Choice::Ask)
        );
        assert!(outcome.input.is_some());
        assert_eq!(outcome.context.as_deref(), Some("one\n\ntwo"));
    }

    fn another_result(result: &str) -> Said {
        Said {
            result: Some(result.as_bytes().to_vec()),
            ..Said::default()
        }
    }

    #[test]
    fn unequal_results_are_a_conflict_and_the_first_stands() {
        let outcome = merge(vec![
            part("a", another_result(r#""one""#)),
            part("b", another_result(r#""two""#)),
        ]);
        let decision = outcome.decision.expect("a refusal");
        assert_eq!(decision.choice, Choice::Deny);
        assert!(decision.reason.contains("`a`") && decision.reason.contains("`b`"));
        assert_eq!(outcome.result.as_deref(), Some(&br#""one""#[..]));
        let of_one_hook = merge(vec![
            part("a", another_result(r#""one""#)),
            part("a", another_result(r#""two""#)),
        ]);
        assert!(
            of_one_hook
                .decision
                .is_some_and(|decision| decision.reason.contains("files"))
        );
    }

    #[test]
    fn equal_results_agree_whatever_their_spelling() {
        let outcome = merge(vec![
            part("a", another_result(r#"{"stdout":"x","stderr":""}"#)),
            part(
                "b",
                another_result(r#"{ "stderr": "", "stdout": "\u0078" }"#),
            ),
        ]);
        assert_eq!(outcome.decision, None);
        assert!(outcome.result.is_some());
    }

    #[test]
    fn a_rewrite_that_cannot_go_back_denies() {
        let mut patched = part("a", rewrites(r#"{"content":"x"}"#));
        patched.can_rewrite = false;
        let decision = merge(vec![patched]).decision.expect("a refusal");
        assert_eq!(decision.choice, Choice::Deny);
    }
}

//! What the hooks of one event said together.

use crate::json::{self, Member};
use crate::verdict::Said;
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

/// Rewrites of one input by several hooks: changes of different arguments compose, two unequal
/// changes of one argument are a conflict.
#[derive(Default)]
struct Rewrite {
    /// The arguments in their order, as the first rewriting hook saw them.
    arguments: Vec<(Vec<u8>, Vec<u8>)>,
    /// Who changed which argument, and to what (`None`: removed it).
    changes: Vec<(String, Vec<u8>, Option<Vec<u8>>)>,
    conflict: Option<String>,
    started: bool,
}

impl Rewrite {
    fn apply(&mut self, hook: &str, saw: &[u8], wants: &[u8]) {
        let before = json::members(saw).unwrap_or_default();
        let after = json::members(wants).unwrap_or_default();
        if !self.started {
            self.started = true;
            for (index, member) in before.iter().enumerate() {
                // Of two members with one name the later counts: the earlier would outlive a change.
                let is_last = find(&before[index + 1..], member.raw_key).is_none();
                if is_last {
                    self.arguments
                        .push((member.raw_key.to_vec(), member.value.to_vec()));
                }
            }
        }
        for (index, member) in after.iter().enumerate() {
            if find(&after[index + 1..], member.raw_key).is_some() {
                continue;
            }
            let seen = find(&before, member.raw_key);
            if !seen.is_some_and(|value| json::same(value, member.value)) {
                self.change(hook, member.raw_key, seen, Some(member.value));
            }
        }
        for member in &before {
            if find(&after, member.raw_key).is_none() {
                self.change(hook, member.raw_key, Some(member.value), None);
            }
        }
    }

    /// One argument changes from what this hook saw to `value`. A hook that did not see an earlier
    /// hook's change must agree with it.
    fn change(&mut self, hook: &str, key: &[u8], seen: Option<&[u8]>, value: Option<&[u8]>) {
        let earlier = self
            .changes
            .iter()
            .find(|(_, changed, _)| same_key(changed, key));
        if let Some((other, _, chosen)) = earlier
            && !agree(chosen.as_deref(), value)
            && !agree(chosen.as_deref(), seen)
        {
            self.conflict.get_or_insert(format!(
                "Hooks `{other}` and `{hook}` want to change the argument {} in different ways, so \
                 the call is not made. Make the change they agree on yourself, or ask the plugin's \
                 author to run them in sequence.",
                String::from_utf8_lossy(key)
            ));
            return;
        }
        self.set(hook, key, value);
    }

    fn set(&mut self, hook: &str, key: &[u8], value: Option<&[u8]>) {
        self.changes
            .retain(|(_, changed, _)| !same_key(changed, key));
        self.changes
            .push((hook.to_owned(), key.to_vec(), value.map(<[u8]>::to_vec)));
        let place = self
            .arguments
            .iter()
            .position(|(present, _)| same_key(present, key));
        match (place, value) {
            (Some(place), Some(value)) => self.arguments[place].1 = value.to_vec(),
            (Some(place), None) => drop(self.arguments.remove(place)),
            (None, Some(value)) => self.arguments.push((key.to_vec(), value.to_vec())),
            (None, None) => {}
        }
    }

    fn finish(self) -> Result<Option<Vec<u8>>, String> {
        if let Some(conflict) = self.conflict {
            return Err(conflict);
        }
        if self.changes.is_empty() {
            return Ok(None);
        }
        let members: Vec<Vec<u8>> = self
            .arguments
            .iter()
            .map(|(key, value)| [key, &b":"[..], value].concat())
            .collect();
        Ok(Some([b"{", &members.join(&b","[..])[..], b"}"].concat()))
    }
}

/// Rewrites of one result by several hooks: no hook saw another's, so unequal ones are a conflict.
/// The first stands all the same: beside a refusal that does not take the result away, it is what
/// keeps the model from reading what a hook took out.
#[derive(Default)]
struct Results<'a> {
    first: Option<(&'a str, Vec<u8>)>,
    conflict: Option<String>,
}

impl<'a> Results<'a> {
    fn apply(&mut self, hook: &'a str, result: Vec<u8>) {
        match &self.first {
            None => self.first = Some((hook, result)),
            Some((_, first)) if json::same(first, &result) => {}
            Some((first, _)) => {
                self.conflict.get_or_insert(if *first == hook {
                    format!(
                        "Hook `{hook}` changes this result in different ways for different files. \
                         Edit them one by one."
                    )
                } else {
                    format!(
                        "Hooks `{first}` and `{hook}` change this result in different ways. Ask the \
                         user which of the two is meant."
                    )
                });
            }
        }
    }
}

fn agree(left: Option<&[u8]>, right: Option<&[u8]>) -> bool {
    match (left, right) {
        (Some(left), Some(right)) => json::same(left, right),
        (None, None) => true,
        _ => false,
    }
}

/// Are two raw keys one, whatever their spelling? Nearly none is written with escapes.
fn same_key(left: &[u8], right: &[u8]) -> bool {
    let has_escape = |key| memchr::memchr(b'\\', key).is_some();
    left == right || ((has_escape(left) || has_escape(right)) && json::same(left, right))
}

fn find<'a>(members: &[Member<'a>], key: &[u8]) -> Option<&'a [u8]> {
    members
        .iter()
        .rev()
        .find(|member| same_key(member.raw_key, key))
        .map(|member| member.value)
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

//! What several hooks change of one input or one result.

use crate::json::{self, Member};

/// Rewrites of one input by several hooks: changes of different arguments compose, two unequal
/// changes of one argument are a conflict.
#[derive(Default)]
pub(super) struct Rewrite {
    /// The arguments in their order, as the first rewriting hook saw them.
    arguments: Vec<(Vec<u8>, Vec<u8>)>,
    /// Who changed which argument, and to what (`None`: removed it).
    changes: Vec<(String, Vec<u8>, Option<Vec<u8>>)>,
    conflict: Option<String>,
    started: bool,
}

impl Rewrite {
    pub(super) fn apply(&mut self, hook: &str, saw: &[u8], wants: &[u8]) {
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

    pub(super) fn finish(self) -> Result<Option<Vec<u8>>, String> {
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
pub(super) struct Results<'a> {
    pub(super) first: Option<(&'a str, Vec<u8>)>,
    pub(super) conflict: Option<String>,
}

impl<'a> Results<'a> {
    pub(super) fn apply(&mut self, hook: &'a str, result: Vec<u8>) {
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

//! Hooks that start the same on the same event, from several places.

use super::Survey;
use super::handler::Handler;
use super::source::{Hook, HookState, Source};
use std::collections::HashMap;

/// As many others are named of one hook.
const MOST: usize = 3;

/// Every hook that counts, by host, event and what it starts.
pub(crate) struct Twins<'s>(HashMap<Key<'s>, Vec<(&'s Source, &'s Hook)>>);

type Key<'s> = (&'static str, &'static str, &'s Handler);

impl<'s> Twins<'s> {
    pub(crate) fn of(survey: &'s Survey) -> Self {
        let mut found: HashMap<Key<'s>, Vec<(&Source, &Hook)>> = HashMap::new();
        for source in survey.sources.iter().filter(|source| source.is_read()) {
            for hook in &source.hooks {
                if let Some(key) = key(source, hook) {
                    found.entry(key).or_default().push((source, hook));
                }
            }
        }
        Self(found)
    }

    /// The others that start the same on the same host and event, some of them where there are many.
    pub(crate) fn again(
        &self,
        source: &'s Source,
        hook: &'s Hook,
    ) -> impl Iterator<Item = (&'s Source, &'s Hook)> {
        let all = key(source, hook)
            .filter(|_| source.is_read())
            .and_then(|key| self.0.get(&key))
            .map_or(&[][..], Vec::as_slice);
        all.iter()
            .filter(move |(_, twin)| !std::ptr::eq(*twin, hook))
            .copied()
            .take(MOST)
    }
}

fn key<'s>(source: &Source, hook: &'s Hook) -> Option<Key<'s>> {
    let is_one = hook.state == HookState::Armed && hook.handler != Handler::Nothing;
    let event = hook.contract.filter(|_| is_one)?.event;
    Some((source.host, event, &hook.handler))
}

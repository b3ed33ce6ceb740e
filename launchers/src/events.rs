//! The events of a registration file: `{EVENT: [...]}`, in the order of the registration.

use crate::{Entry, Registration};
use serde::{Serialize, Serializer};

/// What a host is told on each event, in its own form.
pub(crate) struct Events<T>(Vec<(&'static str, Vec<T>)>);

impl<T> Events<T> {
    /// Every entry under the host's key for its event.
    pub(crate) fn of<'r>(
        registration: &'r Registration,
        key: impl Fn(&Entry) -> &'static str,
        told: impl Fn(&'r Entry) -> T,
    ) -> Self {
        let mut events: Vec<(&'static str, Vec<T>)> = Vec::new();
        for entry in &registration.entries {
            let key = key(entry);
            let told = told(entry);
            match events.iter_mut().find(|(known, _)| *known == key) {
                Some((_, entries)) => entries.push(told),
                None => events.push((key, vec![told])),
            }
        }
        Self(events)
    }

    /// No event.
    pub(crate) fn none() -> Self {
        Self(Vec::new())
    }

    /// Every entry under Claude's name of its event.
    pub(crate) fn by_claudes_names<'r>(
        registration: &'r Registration,
        told: impl Fn(&'r Entry) -> T,
    ) -> Self {
        Self::of(registration, |entry| entry.contract.event, told)
    }
}

impl<T: Serialize> Serialize for Events<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(event, told)| (event, told)))
    }
}

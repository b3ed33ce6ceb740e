//! The top level of a payload, by name, as borrowed bytes.

use crate::json::{self, Member};
use std::borrow::Cow;

/// The members of a payload. Of two with one name the later counts, as in the languages that hooks
/// are written in.
#[derive(Clone, Debug)]
pub struct Fields<'p> {
    members: Vec<Member<'p>>,
}

impl<'p> Fields<'p> {
    /// Splits a complete object; `None` when its members cannot be told apart.
    pub fn read(document: &'p [u8]) -> Option<Self> {
        json::members(document).map(|members| Self { members })
    }

    /// All members in their order.
    pub fn members(&self) -> &[Member<'p>] {
        &self.members
    }

    /// A member's raw value.
    pub fn get(&self, name: &str) -> Option<&'p [u8]> {
        self.members
            .iter()
            .rev()
            .find(|member| is_named(member, name))
            .map(|member| member.value)
    }

    /// A member's text; `None` when it is absent or no string.
    pub fn text(&self, name: &str) -> Option<Cow<'p, str>> {
        self.get(name).and_then(json::text)
    }
}

fn is_named(member: &Member, name: &str) -> bool {
    let inner = &member.raw_key[1..member.raw_key.len() - 1];
    inner == name.as_bytes() || (inner.contains(&b'\\') && member.key() == name)
}

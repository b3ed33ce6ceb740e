//! `SHA256SUMS` of a release: its version, and the sum of each of its files.

use super::ACCEPTED;
use crate::signature::{self, Key, NotVouched};
use std::collections::BTreeMap;

/// The list of a release.
#[derive(Debug)]
pub(crate) struct List {
    pub(crate) version: String,
    /// The commit that the release was built from.
    pub(crate) commit: String,
    sums: BTreeMap<String, String>,
}

/// Why a list is not taken.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NoList {
    #[error("{list} is not signed by a key of hookkit: the signature {0}", list = List::NAME)]
    NotVouched(NotVouched),
    #[error("{} does not begin with `hookkit VERSION COMMIT`", List::NAME)]
    NoRelease,
}

impl List {
    /// Its name in a release, which its signature covers.
    pub(crate) const NAME: &str = "SHA256SUMS";

    /// The list that one of the accepted keys signed. Nothing in it is looked at before that.
    pub(crate) fn vouched(list: &[u8], signature: &str) -> Result<Self, NoList> {
        Self::vouched_by(&ACCEPTED, list, signature)
    }

    fn vouched_by(keys: &[&str], list: &[u8], signature: &str) -> Result<Self, NoList> {
        let mut why = NotVouched::OtherKey;
        for key in keys.iter().filter_map(|key| Key::read(key)) {
            match signature::vouch(list, Self::NAME, signature, &key) {
                Ok(()) => {
                    let text = std::str::from_utf8(list).ok();
                    return text.and_then(Self::read).ok_or(NoList::NoRelease);
                }
                // What the other key's owner wrote is more than that it was not this one.
                Err(NotVouched::OtherKey) => {}
                Err(other) => why = other,
            }
        }
        Err(NoList::NotVouched(why))
    }

    /// A list that lies on this machine, beside the files that it names. `None` for one of
    /// something else than a release.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let (first, rest) = text.split_once('\n')?;
        let mut words = first.split(' ');
        let (Some("hookkit"), Some(version), Some(commit), None) =
            (words.next(), words.next(), words.next(), words.next())
        else {
            return None;
        };
        let sums = rest.lines().filter_map(|line| line.split_once("  "));
        Some(Self {
            version: version.to_owned(),
            commit: commit.to_owned(),
            sums: sums
                .map(|(sum, name)| (name.to_owned(), sum.to_owned()))
                .collect(),
        })
    }

    /// The sha256 that a file of the release has; `None` for one that is not of it.
    pub(crate) fn sum(&self, name: &str) -> Option<&str> {
        self.sums.get(name).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signature::{Keys, sign};

    const TEXT: &str = "hookkit 1.2.3 0123456789ab\n00  a.zip\n01  b.zip\n";

    fn signed(text: &str, keys: &Keys) -> String {
        sign(text.as_bytes(), List::NAME, 0, &keys.secret, false)
            .expect("signed")
            .text
    }

    #[test]
    fn either_key_is_enough_and_no_other() {
        let keys = [0; 3].map(|_| Keys::generate().expect("keys"));
        let public = keys.each_ref().map(|keys| &*keys.public);
        let accepted = &public[..2];
        for (keys, is_taken) in keys.iter().zip([true, true, false]) {
            let signature = signed(TEXT, keys);
            let list = List::vouched_by(accepted, TEXT.as_bytes(), &signature);
            assert_eq!(list.is_ok(), is_taken);
            if let Ok(list) = list {
                assert_eq!((&*list.version, &*list.commit), ("1.2.3", "0123456789ab"));
                assert_eq!((list.sum("a.zip"), list.sum("c.zip")), (Some("00"), None));
            }
        }
        let changed = TEXT.replace("1.2.3", "9.9.9");
        assert_eq!(
            List::vouched_by(accepted, changed.as_bytes(), &signed(TEXT, &keys[1])).err(),
            Some(NoList::NotVouched(NotVouched::Changed))
        );
        assert_eq!(
            List::vouched_by(&[], TEXT.as_bytes(), &signed(TEXT, &keys[0])).err(),
            Some(NoList::NotVouched(NotVouched::OtherKey))
        );
    }

    #[test]
    fn a_list_of_something_else_is_no_release() {
        let keys = Keys::generate().expect("keys");
        for text in ["", "00  a.zip\n", "hookkit 1.2.3\n", "other 1.2.3 ab\n"] {
            assert!(List::read(text).is_none(), "{text}");
            assert_eq!(
                List::vouched_by(&[&keys.public], text.as_bytes(), &signed(text, &keys)).err(),
                Some(NoList::NoRelease)
            );
        }
    }
}

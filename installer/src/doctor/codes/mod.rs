//! Every kind of finding, one file for each group.

pub(crate) mod dispatcher;
pub(crate) mod files;
pub(crate) mod launch;
pub(crate) mod outside;
pub(crate) mod own;
pub(crate) mod programs;
pub(crate) mod repository;
pub(crate) mod roots;
pub(crate) mod sources;

use super::code::Code;

/// A group of codes: those that begin with its digit.
pub(crate) struct Group {
    pub(crate) title: &'static str,
    pub(crate) codes: &'static [&'static Code],
}

/// All groups, in the order of their numbers.
pub(crate) const GROUPS: [Group; 9] = [
    Group {
        title: "Roots and live sessions",
        codes: roots::ALL,
    },
    Group {
        title: "The dispatcher, and other programs that entries start",
        codes: dispatcher::ALL,
    },
    Group {
        title: "Interpreters and scripts",
        codes: programs::ALL,
    },
    Group {
        title: "Files of settings and hooks",
        codes: files::ALL,
    },
    Group {
        title: "Launch lines",
        codes: launch::ALL,
    },
    Group {
        title: "Sources, switches and versions",
        codes: sources::ALL,
    },
    Group {
        title: "Repositories and the cloud agent",
        codes: repository::ALL,
    },
    Group {
        title: "What hosts and hooks themselves say",
        codes: outside::ALL,
    },
    Group {
        title: "hookkit's own installation",
        codes: own::ALL,
    },
];

/// Every code, in the order of their numbers.
pub(crate) fn all() -> impl Iterator<Item = &'static Code> {
    GROUPS.iter().flat_map(|group| group.codes).copied()
}

/// The code of this number.
pub(crate) fn find(id: &str) -> Option<&'static Code> {
    all().find(|code| code.id.eq_ignore_ascii_case(id))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Level;

    #[test]
    fn numbers_are_in_order_and_belong_to_their_group() {
        let ids: Vec<&str> = all().map(|code| code.id).collect();
        assert!(ids.is_sorted_by(|left, right| left < right), "{ids:?}");
        for (index, group) in GROUPS.iter().enumerate() {
            let prefix = format!("HK{}", index + 1);
            assert!(group.codes.iter().all(|code| code.id.starts_with(&prefix)));
        }
    }

    #[test]
    fn every_row_is_complete() {
        for code in all() {
            for text in [
                code.title,
                code.means,
                code.evidence,
                code.example,
                code.fix,
            ] {
                assert!(!text.trim().is_empty(), "{}", code.id);
            }
            assert!(code.means.ends_with('.'), "{}: {}", code.id, code.means);
            assert!(!code.title.ends_with('.'), "{}: {}", code.id, code.title);
        }
    }

    /// An error is what somebody saw, or read in the client's own source.
    #[test]
    fn errors_name_what_was_seen() {
        let names_a_witness = |code: &Code| {
            ["seen", "source", "hookkit"]
                .iter()
                .any(|word| code.evidence.contains(word))
        };
        for code in all().filter(|code| code.level == Level::Error) {
            assert!(names_a_witness(code), "{}: {}", code.id, code.evidence);
        }
    }
}

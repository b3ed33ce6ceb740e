//! Patterns as far as hookkit can judge them.

use regex_lite::Regex;

/// Does a pattern match?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Match {
    Yes,
    No,
    /// The host may know a pattern that hookkit does not.
    Unknown,
}

/// Is it a regular expression?
pub(super) fn is_sound(pattern: &str) -> bool {
    Regex::new(pattern).is_ok()
}

/// Does it match somewhere in a name?
pub(super) fn anywhere(pattern: &str, name: &str) -> Match {
    answer(Regex::new(pattern).ok(), pattern, name)
}

/// Does it match all of a name?
pub(super) fn whole(pattern: &str, name: &str) -> Match {
    answer(Regex::new(&format!("^(?:{pattern})$")).ok(), pattern, name)
}

/// What looks ahead or behind is a pattern of JavaScript; anything else that does not compile is one
/// to nobody.
fn answer(regex: Option<Regex>, pattern: &str, name: &str) -> Match {
    match regex {
        Some(regex) if regex.is_match(name) => Match::Yes,
        None if ["(?=", "(?!", "(?<", "\\p{"]
            .iter()
            .any(|one| pattern.contains(one)) =>
        {
            Match::Unknown
        }
        _ => Match::No,
    }
}

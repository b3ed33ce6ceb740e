//! Matchers, by Claude Code's rule as its client 2.1.332 applied it.
//!
//! Absent, empty, `*` and `.*` match everything. A pattern of letters, digits, `_`, `-`, blanks,
//! `|` and `,` is a list of exact names. Anything else is a regular expression that may match
//! anywhere in the name. Case counts. `Task` is the older name of `Agent`.

use regex_lite::Regex;
use std::borrow::Cow;

/// What a pattern is, without having compiled it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Matcher<'m> {
    Everything,
    Names(Vec<&'m str>),
    Pattern(Cow<'m, str>),
}

impl<'m> Matcher<'m> {
    /// Reads a pattern.
    pub fn read(pattern: &'m str) -> Self {
        if matches!(pattern, "" | "*" | ".*") {
            return Self::Everything;
        }
        let is_list = pattern.bytes().all(|byte| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'|' | b',' | b' ')
        });
        if is_list {
            let names = pattern.split(['|', ',']).map(str::trim);
            return Self::Names(names.filter(|name| !name.is_empty()).collect());
        }
        Self::Pattern(pattern.into())
    }

    /// Does it match? The error is a pattern outside the dialect, with the reason.
    pub fn matches(&self, subject: &str) -> Result<bool, String> {
        match self {
            Self::Everything => Ok(true),
            Self::Names(names) => Ok(names.iter().any(|name| is_name(name, subject))),
            Self::Pattern(pattern) => {
                let regex = compile(pattern)?;
                Ok(regex.is_match(subject)
                    || alias(subject).is_some_and(|name| regex.is_match(name)))
            }
        }
    }

    /// Is it in the dialect?
    pub fn check(&self) -> Result<(), String> {
        match self {
            Self::Pattern(pattern) => compile(pattern).map(drop),
            _ => Ok(()),
        }
    }
}

fn compile(pattern: &str) -> Result<Regex, String> {
    Regex::new(pattern).map_err(|error| error.to_string())
}

fn is_name(name: &str, subject: &str) -> bool {
    name == subject || alias(name) == Some(subject)
}

/// The other name of the tool that starts agents.
fn alias(name: &str) -> Option<&'static str> {
    match name {
        "Task" => Some("Agent"),
        "Agent" => Some("Task"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_in_the_client() {
        for (pattern, subject, expected) in [
            ("", "Bash", true),
            ("*", "Bash", true),
            (".*", "Bash", true),
            ("Bash", "Bash", true),
            ("Bash|Edit", "Bash", true),
            ("Bash,Edit", "Edit", true),
            ("Edit | Bash", "Bash", true),
            ("Bash, PowerShell", "PowerShell", true),
            ("bash", "Bash", false),
            ("Ba", "Bash", false),
            ("^Ba", "Bash", true),
            ("B.*", "Bash", true),
            ("Bas[h]", "Bash", true),
            ("^Bash$", "Bash", true),
            ("Bash(ls*)", "Bash", false),
            ("!Bash", "Bash", false),
            ("Task", "Agent", true),
            ("Agent", "Task", true),
            ("mcp__mini__hello", "mcp__mini__hello", true),
            ("mcp__.*", "mcp__mini__hello", true),
            ("mcp__mini__*", "mcp__mini__hello", true),
            ("mcp__mini", "mcp__mini__hello", false),
            ("mcp__brave-search", "mcp__brave-search__web", false),
            ("mcp__brave-search__.*", "mcp__brave-search__web", true),
            ("mcp__brave-search__.*", "mcp__brave-search2__web", false),
        ] {
            assert_eq!(
                Matcher::read(pattern).matches(subject),
                Ok(expected),
                "{pattern} on {subject}"
            );
        }
    }

    #[test]
    fn a_pattern_outside_the_dialect_is_an_error() {
        for pattern in ["(", "(?=x)y", "(?<!a)b", "[z-a]"] {
            assert!(Matcher::read(pattern).matches("Bash").is_err(), "{pattern}");
            assert!(Matcher::read(pattern).check().is_err(), "{pattern}");
        }
    }
}

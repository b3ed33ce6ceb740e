//! What a hook starts, in words that may be shown: credentials are taken out.

use crate::edit::outline::Node;
use serde::Serialize;

/// What is started.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Handler {
    /// A line for a shell.
    Shell(String),
    /// A program and its arguments.
    Program { program: String, args: Vec<String> },
    /// An address that is told.
    Http(String),
    /// A tool of an MCP server.
    Tool { server: String, tool: String },
    /// A question to a model.
    Prompt,
    /// An agent of its own.
    Agent,
    /// Nothing that the host could start.
    Nothing,
}

impl Handler {
    /// As the entry of a host has it; `lines` are the keys of a line for a shell, the first that is
    /// there counts.
    pub(super) fn of(entry: &Node, program: Option<&str>, lines: &[&str]) -> Self {
        let text = |key: &str| entry.get(key).and_then(Node::text).map(str::to_owned);
        let args = || -> Option<Vec<String>> {
            let args = entry.get("args").filter(|args| args.is_list())?;
            let args = args.elements().iter().filter_map(Node::text);
            Some(args.map(str::to_owned).collect())
        };
        match text("type").as_deref() {
            Some("http") => return text("url").map_or(Self::Nothing, Self::Http),
            Some("mcp_tool") => {
                return match (text("server"), text("tool")) {
                    (Some(server), Some(tool)) => Self::Tool { server, tool },
                    _ => Self::Nothing,
                };
            }
            Some("prompt") => return Self::Prompt,
            Some("agent") => return Self::Agent,
            _ => {}
        }
        let has_program = |key: &str| match key {
            // Claude's: a command is a program where there are arguments.
            "command" => entry.get("args").is_some(),
            _ => entry.get(key).is_some(),
        };
        if let Some(program) = program.filter(|key| has_program(key)).and_then(text) {
            return Self::Program {
                program,
                args: args().unwrap_or_default(),
            };
        }
        let line = lines.iter().find_map(|key| text(key));
        line.map_or(Self::Nothing, Self::Shell)
    }

    /// In one line, without credentials.
    pub(crate) fn shown(&self) -> String {
        match self {
            Self::Shell(line) => without_credentials(line),
            Self::Program { program, args } => {
                let words = std::iter::once(program).chain(args);
                let words: Vec<String> = words.map(|word| quoted(word)).collect();
                without_credentials(&words.join(" "))
            }
            Self::Http(address) => format!("POST {}", without_credentials(address)),
            Self::Tool { server, tool } => format!("{tool} of the server {server}"),
            Self::Prompt => "a question to a model".to_owned(),
            Self::Agent => "an agent".to_owned(),
            Self::Nothing => "nothing".to_owned(),
        }
    }

    /// What of it a machine may be told: as [`Handler::shown`].
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Shell(_) => "shell",
            Self::Program { .. } => "program",
            Self::Http(_) => "http",
            Self::Tool { .. } => "mcp-tool",
            Self::Prompt => "prompt",
            Self::Agent => "agent",
            Self::Nothing => "nothing",
        }
    }
}

fn quoted(word: &str) -> String {
    if word.is_empty() || word.contains(char::is_whitespace) {
        format!("\"{word}\"")
    } else {
        word.to_owned()
    }
}

/// What stands in place of a credential.
const HIDDEN: &str = "***";

/// A text without what looks like a credential: the user of an address, the values of its query, the
/// value behind a word such as `token=`, and what follows `Bearer` or `Basic`.
pub(crate) fn without_credentials(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_inclusive(char::is_whitespace) {
        let bare = word.trim_end();
        let end = &word[bare.len()..];
        let follows = out
            .trim_end()
            .rsplit(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ':'))
            .next()
            .is_some_and(announces);
        if follows && !bare.is_empty() {
            let close = bare.trim_start_matches(|c: char| c != '"' && c != '\'');
            out.push_str(HIDDEN);
            out.push_str(close);
        } else {
            out.push_str(&of_word(bare));
        }
        out.push_str(end);
    }
    out
}

/// Does a credential follow this word?
fn announces(word: &str) -> bool {
    [
        "bearer",
        "basic",
        "--token",
        "--password",
        "--api-key",
        "-u",
        "--user",
    ]
    .iter()
    .any(|known| word.eq_ignore_ascii_case(known))
}

fn of_word(word: &str) -> String {
    let word = of_address(word);
    let Some(equals) = word.find('=') else {
        return word;
    };
    let name = word[..equals].to_ascii_uppercase();
    let is_secret = [
        "TOKEN",
        "SECRET",
        "PASSW",
        "API_KEY",
        "APIKEY",
        "CREDENTIAL",
        "PRIVATE_KEY",
    ]
    .iter()
    .any(|part| name.contains(part));
    if is_secret {
        format!("{}={HIDDEN}", &word[..equals])
    } else {
        word
    }
}

fn of_address(word: &str) -> String {
    let Some(scheme) = word.find("://") else {
        return word.to_owned();
    };
    let (scheme, rest) = word.split_at(scheme + 3);
    let end = rest.find(['/', '?', '#', '"', '\'']).unwrap_or(rest.len());
    let (authority, rest) = rest.split_at(end);
    let authority = match authority.rsplit_once('@') {
        Some((_, host)) => format!("{HIDDEN}@{host}"),
        None => authority.to_owned(),
    };
    let rest = match rest.split_once('?') {
        Some((path, query)) => {
            let close = query.find(['"', '\'']).map_or("", |at| &query[at..]);
            format!("{path}?{HIDDEN}{close}")
        }
        None => rest.to_owned(),
    };
    format!("{scheme}{authority}{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_not_shown() {
        for (text, shown) in [
            ("curl https://me:pw@host/x", "curl https://***@host/x"),
            (
                "curl 'https://host/x?key=1&b=2' -s",
                "curl 'https://host/x?***' -s",
            ),
            ("GH_TOKEN=abc gh x", "GH_TOKEN=*** gh x"),
            (
                "curl -H \"Authorization: Bearer abc\" u",
                "curl -H \"Authorization: Bearer ***\" u",
            ),
            ("x --token abc --b", "x --token *** --b"),
            (
                "python3 hook.py --mode=strict",
                "python3 hook.py --mode=strict",
            ),
        ] {
            assert_eq!(without_credentials(text), shown);
        }
    }
}

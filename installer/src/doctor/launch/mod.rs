//! What the shells of a host make of an entry's launch lines, here and on other systems.

mod output;
mod posix;
mod powershell;
pub(crate) mod variables;
mod windows;
pub(crate) mod words;

use super::code::Code;
use super::codes::{launch as code, roots};
use serde_json::Value;

/// What was said about one line: each code once.
#[derive(Debug, Default)]
pub(crate) struct Judged(pub(crate) Vec<(&'static Code, String)>);

impl Judged {
    fn add(&mut self, code: &'static Code, what: impl Into<String>) {
        if self.0.iter().all(|(known, _)| *known != code) {
            self.0.push((code, what.into()));
        }
    }
}

/// Who reads a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reader {
    /// `/bin/sh -c`.
    Sh,
    /// `bash -c`.
    Bash,
    /// PowerShell, Windows' own 5.1 where there is no other.
    PowerShell,
    /// Nobody: the program is started by itself, with these words.
    Nobody,
}

/// A text that starts something.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::struct_field_names, reason = "the text itself")]
pub(crate) struct Text {
    /// The key that holds it.
    pub(crate) key: &'static str,
    pub(crate) text: String,
    pub(crate) reader: Reader,
    /// The words behind a program that is started by itself.
    pub(crate) args: Vec<String>,
    /// Is it read on this system?
    pub(crate) is_here: bool,
}

/// Where an entry stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'p> {
    pub(crate) host: &'static str,
    pub(crate) event: &'p str,
    pub(crate) is_plugin: bool,
    pub(crate) can_block: bool,
}

/// What matters about a text's reader.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each follows from another property of the host"
)]
struct Who {
    reader: Reader,
    can_block: bool,
    /// Does the host itself replace root names in the text, in quotes too?
    replaces_text: bool,
    /// Does it matter that a quote is closed in the middle of a path?
    minds_closed_quotes: bool,
    /// Was the text written for PowerShell?
    is_for_powershell: bool,
}

/// The texts of an entry and who reads each, on every system (claude-code.md section 4,
/// copilot-cli.md section 5, codex-and-vscode.md sections 1.5 and 2.2).
pub(crate) fn texts(entry: &Value, host: &str) -> Vec<Text> {
    let text = |key: &'static str, reader: Reader, is_here: bool| {
        let text = entry[key].as_str().filter(|text| !text.trim().is_empty())?;
        Some(Text {
            key,
            text: text.to_owned(),
            reader,
            args: Vec::new(),
            is_here,
        })
    };
    let has = |key: &str| entry.get(key).is_some();
    let alone = |key: &'static str| {
        let args = entry["args"].as_array();
        text(key, Reader::Nobody, true).map(|alone| Text {
            args: args
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .map(str::to_owned)
                .collect(),
            ..alone
        })
    };
    let (posix, windows) = (cfg!(not(windows)), cfg!(windows));
    let found = match host {
        "claude-code" if has("args") => vec![alone("command")],
        "claude-code" if entry["shell"] == "powershell" => {
            vec![text("command", Reader::PowerShell, true)]
        }
        "claude-code" => vec![text("command", Reader::Sh, posix)],
        "codex" => {
            let other = ["commandWindows", "command_windows"];
            let own = other.into_iter().find(|key| has(key)).unwrap_or("command");
            vec![
                text("command", Reader::Bash, posix),
                text(own, Reader::PowerShell, windows),
            ]
        }
        "copilot-cli" | "vscode-copilot" if has("exec") => vec![alone("exec")],
        "copilot-cli" | "vscode-copilot" => {
            let of_posix = ["linux", "bash", "command"];
            let of_windows = ["windows", "powershell", "command"];
            let here = of_posix.into_iter().find(|key| has(key));
            let there = of_windows.into_iter().find(|key| has(key));
            vec![
                here.and_then(|key| text(key, Reader::Bash, posix)),
                there.and_then(|key| text(key, Reader::PowerShell, windows)),
            ]
        }
        "copilot-cloud" => {
            vec![text("bash", Reader::Bash, true).or_else(|| text("command", Reader::Bash, true))]
        }
        _ => {
            let of_posix = ["linux", "osx", "bash", "command"];
            let of_windows = ["windows", "powershell", "command"];
            let of = |keys: &[&'static str], reader, is_here| {
                let key = keys.iter().copied().find(|key| has(key))?;
                text(key, reader, is_here)
            };
            vec![
                of(&of_posix, Reader::Sh, posix),
                of(&of_windows, Reader::PowerShell, windows),
            ]
        }
    };
    found.into_iter().flatten().collect()
}

/// What is wrong with one text.
pub(crate) fn judge(text: &Text, place: &Place) -> Judged {
    let mut judged = Judged::default();
    let is_shared = matches!(place.host, "copilot-cli" | "codex" | "vscode-copilot");
    let who = Who {
        reader: text.reader,
        can_block: place.can_block,
        replaces_text: place.host != "claude-code",
        minds_closed_quotes: is_shared,
        is_for_powershell: text.key != "command",
    };
    match text.reader {
        Reader::Sh | Reader::Bash => {
            posix::judge(&text.text, &who, &mut judged);
            relative(text, place, &mut judged);
        }
        Reader::PowerShell => powershell::judge(&text.text, &who, &mut judged),
        Reader::Nobody => relative(text, place, &mut judged),
    }
    windows::judge(text, place, &mut judged);
    names(text, place, &mut judged);
    output::judge(text, place, &mut judged);
    judged
}

/// The roots that a text names.
fn names(text: &Text, place: &Place, judged: &mut Judged) {
    let everything = std::iter::once(&text.text).chain(&text.args);
    for part in everything {
        if let Some(literal) = literal(part) {
            let what = format!("`{literal}` is replaced by no agent that hookkit knows");
            judged.add(&roots::LITERAL, what);
        }
        for found in references(part).filter(|found| variables::is_root(found.name)) {
            let is_known = match text.reader {
                Reader::Nobody => variables::is_replaced(place.host, place.is_plugin, found.name),
                _ => variables::is_set(place.host, place.is_plugin, found.name),
            };
            let reads_as_text = text.reader == Reader::Nobody
                || matches!(place.host, "codex" | "copilot-cli" | "vscode-copilot");
            if found.has_default && reads_as_text {
                let what = format!(
                    "{} replaces `${{{}}}`, but not `{}`",
                    place.host, found.name, found.text
                );
                judged.add(&code::DEFAULT, what);
            } else if !is_known && !found.has_default && text.reader != Reader::PowerShell {
                let what = format!("{} does not set {} here", place.host, found.name);
                judged.add(&code::VARIABLE, what);
            }
        }
    }
}

/// A placeholder of a template, or of another program.
fn literal(text: &str) -> Option<String> {
    let brace = text.find("{{").and_then(|at| {
        let end = text[at..].find("}}")?;
        let name = text[at + 2..at + end].trim();
        let is_name = !name.is_empty()
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte));
        is_name.then(|| text[at..at + end + 2].to_owned())
    });
    brace.or_else(|| {
        ["${workspaceFolder}", "${extensionPath}", "${pluginRoot}"]
            .into_iter()
            .find(|name| text.contains(name))
            .map(str::to_owned)
    })
}

/// A program or script that is looked for from the working directory.
fn relative(text: &Text, place: &Place, judged: &mut Judged) {
    let follows_session = matches!(place.host, "claude-code" | "codex");
    let is_alone = text.reader == Reader::Nobody;
    let follows_process = is_alone && place.host == "copilot-cli";
    if !follows_session && !follows_process {
        return;
    }
    let line;
    let starts: Vec<String> = if is_alone {
        vec![text.text.clone()]
    } else {
        line = words::Line::read(&text.text);
        let commands = line.commands();
        if commands.iter().any(|(_, words)| words[0].plain() == "cd") {
            return;
        }
        commands
            .iter()
            .flat_map(|(_, words)| started(words))
            .collect()
    };
    let is_relative = |path: &&String| {
        let has_folder = path.contains('/') && !path.starts_with(['/', '$', '~', '"', '-']);
        has_folder
            && !path.contains("://")
            && !path.contains(' ')
            && !path.contains('=')
            && !path.contains("{{")
    };
    if let Some(path) = starts.iter().find(is_relative) {
        let what = format!("`{path}` is looked for in the folder where the session is");
        judged.add(&code::RELATIVE, what);
    }
}

/// The program of a command, and the script that it is given.
pub(crate) fn started(words: &[&words::Word]) -> Vec<String> {
    let mut words = words.iter().skip_while(|word| word.is_assignment());
    let mut started = Vec::new();
    let Some(mut program) = words.next().map(|word| word.plain()) else {
        return started;
    };
    while matches!(
        &*program,
        "env" | "exec" | "command" | "nohup" | "time" | "then" | "do" | "else" | "if" | "!"
    ) {
        let next = words.find(|word| !word.is_assignment());
        let Some(next) = next
            .map(|word| word.plain())
            .filter(|next| !next.starts_with('-'))
        else {
            return started;
        };
        program = next;
    }
    let runs_scripts = variables::interpreter_family(&program)
        .is_some_and(|family| !matches!(family, "npx" | "bunx" | "uvx" | "uv" | "deno" | "bun"));
    started.push(program);
    if runs_scripts {
        let mut is_code = false;
        let script = words.map(|word| word.plain()).find(|word| {
            is_code |= matches!(
                &**word,
                "-c" | "-m" | "-e" | "-lc" | "-p" | "--eval" | "-Command" | "-ec" | "-"
            );
            !word.starts_with('-')
        });
        started.extend(script.filter(|_| !is_code));
    }
    started
}

/// A variable that a text names.
pub(crate) struct Reference<'t> {
    /// As it stands there.
    pub(crate) text: &'t str,
    pub(crate) name: &'t str,
    /// Is there `:-` or the like behind the name?
    pub(crate) has_default: bool,
}

/// The variables of a text, in the forms `$NAME` and `${NAME...}`; what stands in a default is left
/// out.
pub(crate) fn references(text: &str) -> impl Iterator<Item = Reference<'_>> {
    let mut behind = 0;
    text.match_indices('$').filter_map(move |(at, _)| {
        if at < behind {
            return None;
        }
        let rest = &text[at + 1..];
        let (open, inner) = rest.strip_prefix('{').map_or((0, rest), |inner| (1, inner));
        let length = inner
            .bytes()
            .take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
            .count();
        let name = &inner[..length];
        let end = if open == 0 {
            at + 1 + length
        } else {
            at + 2 + closing(inner)?
        };
        behind = end;
        let has_default = open == 1
            && inner
                .as_bytes()
                .get(length)
                .is_some_and(|next| *next != b'}');
        (!name.is_empty()).then_some(Reference {
            text: &text[at..end],
            name,
            has_default,
        })
    })
}

/// The length up to and with the `}` that ends an expansion.
fn closing(inner: &str) -> Option<usize> {
    let mut depth = 1;
    for (at, byte) in inner.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

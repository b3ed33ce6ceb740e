//! What an entry starts on this machine: its program, and the script that the program is given.

use super::launch::words::{Line, Quote, Word};
use super::launch::{self, Reader, Text, started};
use crate::survey::{Places, Source};
use std::path::{Path, PathBuf};

/// A program or script of a launch line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    /// A name that is looked for on the PATH.
    Named(String),
    /// A file that starts by itself.
    Program(PathBuf),
    /// A file that an interpreter is given: its language.
    Script { file: PathBuf, family: &'static str },
}

/// What a text starts, as far as that can be told without starting it.
#[derive(Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_field_names, reason = "the things themselves")]
pub(crate) struct Starts {
    pub(crate) starts: Vec<Start>,
    /// The line itself asks whether things are there.
    pub(crate) is_guarded: bool,
    /// The host gives a program its executable bit before it starts it.
    pub(crate) is_repaired: bool,
}

/// What shells do by themselves.
const BUILTINS: [&str; 31] = [
    ":", ".", "[", "[[", "test", "true", "false", "echo", "printf", "cd", "exit", "export", "set",
    "unset", "source", "eval", "exec", "read", "return", "shift", "trap", "type", "command",
    "wait", "umask", "if", "then", "fi", "for", "while", "case",
];

impl Starts {
    pub(crate) fn of(text: &Text, cwd: Option<&str>, source: &Source, places: &Places) -> Self {
        let roots = Roots::of(source, cwd, places);
        if text.reader == Reader::Nobody {
            let mut starts = Vec::new();
            roots.push(&text.text, &mut starts);
            let runs = launch::variables::interpreter_family(&text.text);
            let script = text.args.iter().find(|word| !word.starts_with('-'));
            let is_code = text.args.iter().take_while(|word| word.starts_with('-'));
            if let (Some(family), Some(script)) = (runs, script)
                && !is_code
                    .into_iter()
                    .any(|word| word != "-u" && word != "-B" && word != "-S")
            {
                roots.script(script, family, &mut starts);
            }
            return Self {
                starts,
                ..Self::default()
            };
        }
        if text.reader == Reader::PowerShell {
            return Self::default();
        }
        of_line(&text.text, source, &roots)
    }
}

fn of_line(text: &str, source: &Source, roots: &Roots) -> Starts {
    let line = Line::read(text);
    if line.is_open {
        return Starts::default();
    }
    let commands = line.commands();
    let plain = |words: &[&Word]| words.first().map(|word| word.plain()).unwrap_or_default();
    let mut found = Starts::default();
    let mut has_moved = false;
    for (index, (_, words)) in commands.iter().enumerate() {
        let first = plain(words);
        found.is_guarded |= matches!(
            &*first,
            "[" | "[["
                | "test"
                | "command"
                | "which"
                | "type"
                | "hash"
                | "if"
                | "case"
                | "for"
                | "while"
        );
        has_moved |= first == "cd" || first == "pushd";
        let names = started(words);
        for (position, name) in names.iter().enumerate() {
            let is_relative = !name.starts_with(['/', '$', '~']);
            if position == 1 {
                let family = launch::variables::interpreter_family(&names[0]).unwrap_or_default();
                if !(has_moved && is_relative) {
                    roots.script(name, family, &mut found.starts);
                }
            } else if name.contains('/') || !is_relative {
                if !(has_moved && is_relative) {
                    roots.push(name, &mut found.starts);
                }
            } else if index == 0 && !BUILTINS.contains(&&**name) {
                roots.push(name, &mut found.starts);
            }
        }
    }
    let first = commands.first().and_then(|(_, words)| words.first());
    found.is_repaired = source.host == "copilot-cli" && first.is_some_and(|word| is_whole(word));
    found
}

/// Copilot CLI 1.0.102 gives a first word its executable bit, unless only a part of it is quoted.
fn is_whole(word: &Word) -> bool {
    word.pieces.len() == 1 || word.pieces.iter().all(|piece| piece.quote == Quote::None)
}

/// Does what Copilot CLI does before it starts a line: the file that its first word names gets its
/// executable bit.
#[cfg(unix)]
pub(super) fn repair(line: &str, cwd: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    let line = Line::read(line);
    let commands = line.commands();
    let first = commands.first().and_then(|(_, words)| words.first());
    let Some(first) = first.filter(|word| is_whole(word) && word.plain().contains('/')) else {
        return;
    };
    let file = cwd.join(first.plain());
    if let Ok(about) = fs_err::metadata(&file)
        && about.is_file()
    {
        let mode = about.permissions().mode() | 0o111;
        // One that cannot be given the bit does not start: that is what is found then.
        let _ = fs_err::set_permissions(&file, std::fs::Permissions::from_mode(mode));
    }
}

#[cfg(not(unix))]
pub(super) fn repair(_: &str, _: &Path) {}

/// What the names of roots stand for in one source.
struct Roots<'s> {
    host: &'static str,
    plugin: Option<&'s Path>,
    project: &'s Path,
    home: &'s Path,
    /// Where a relative path begins; none where nobody knows.
    base: Option<&'s Path>,
}

impl<'s> Roots<'s> {
    fn of(source: &'s Source, cwd: Option<&str>, places: &'s Places) -> Self {
        let plugin = source
            .plugin
            .as_ref()
            .and_then(|plugin| plugin.root.as_deref());
        let project = places.project();
        let base = match (source.host, cwd) {
            ("copilot-cli" | "vscode-copilot", None) => Some(plugin.unwrap_or(project)),
            ("claude-code" | "codex", _) => Some(&*places.start),
            (_, None | Some("." | "./")) => Some(project),
            (_, Some(_)) => None,
        };
        Self {
            host: source.host,
            plugin,
            project,
            home: &places.home,
            base,
        }
    }

    /// A path without variables; none where it depends on something that is not known here.
    fn path(&self, word: &str) -> Option<PathBuf> {
        let mut out = String::new();
        let mut rest = word;
        while let Some(at) = rest.find('$') {
            out.push_str(&rest[..at]);
            let found = launch::references(&rest[at..]).next()?;
            if found.has_default && !launch::variables::is_root(found.name) {
                return None;
            }
            out.push_str(self.value(found.name)?.to_str()?);
            rest = &rest[at + found.text.len()..];
        }
        out.push_str(rest);
        if out.contains(['`', '*', '?', '{', '|', '(', '\n'])
            || out.starts_with('-')
            || out.contains("://")
        {
            return None;
        }
        if let Some(below) = out.strip_prefix("~/") {
            return Some(self.home.join(below));
        }
        let path = Path::new(&out);
        if path.is_absolute() {
            return Some(path.to_owned());
        }
        Some(self.base?.join(path))
    }

    fn value(&self, name: &str) -> Option<&'s Path> {
        match name {
            "HOME" => Some(self.home),
            "PWD" => self.base,
            "CLAUDE_PROJECT_DIR" | "COPILOT_PROJECT_DIR"
                if launch::variables::is_set(self.host, self.plugin.is_some(), name) =>
            {
                Some(self.project)
            }
            "CLAUDE_PLUGIN_ROOT" | "PLUGIN_ROOT" | "COPILOT_PLUGIN_ROOT" => self
                .plugin
                .filter(|_| launch::variables::is_set(self.host, true, name)),
            _ => None,
        }
    }

    fn push(&self, word: &str, starts: &mut Vec<Start>) {
        if !word.contains(['/', '\\', '$', '~']) {
            if !word.is_empty() {
                starts.push(Start::Named(word.to_owned()));
            }
        } else if let Some(path) = self.path(word) {
            starts.push(Start::Program(path));
        }
    }

    fn script(&self, word: &str, family: &'static str, starts: &mut Vec<Start>) {
        let file = self
            .path(word)
            .filter(|file| file.extension().is_some() || word.contains('/'));
        starts.extend(file.map(|file| Start::Script { file, family }));
    }
}

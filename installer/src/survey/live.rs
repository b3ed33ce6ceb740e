//! Sessions that run on with what they read at their start, after it has gone or was replaced.

use super::Survey;
use super::handler::Handler;
use super::plugin::{Gap, Plugin, Standing};
use super::source::{Hook, HookState, Source, State};
use crate::install::{Found, Running, running};
use hookkit_dispatch::interpreter;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// A running session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Session {
    pub(crate) host: &'static str,
    pub(crate) process: u32,
    /// In seconds since 1970.
    pub(crate) start: u64,
    /// What it holds of which another is there now, or nothing.
    pub(crate) holds: Vec<Held>,
}

/// Something that a session read at its start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Held {
    /// The plugin's folder, or the program that a hook starts.
    pub(crate) path: PathBuf,
    pub(crate) loss: Loss,
    /// The file and line by which the host was told of it; none where only the process knows.
    pub(crate) told: Option<(PathBuf, usize)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Loss {
    /// It went away while the session ran.
    Gone,
    /// Something else was put there while the session ran.
    Replaced,
}

/// The running sessions of these hosts, and what they hold; `None` where processes cannot be looked
/// through.
pub(crate) fn sessions(survey: &Survey, found: &[Found]) -> Option<Vec<Session>> {
    let running = running(found)?;
    if running.is_empty() {
        return Some(Vec::new());
    }
    let told = told(survey);
    Some(running.iter().map(|one| session(one, &told)).collect())
}

fn session(running: &Running, told: &Told) -> Session {
    let of_host = told
        .iter()
        .filter(|((host, _), _)| *host == running.host)
        .filter_map(|((_, path), (what, file, line))| {
            Some(Held {
                path: path.clone(),
                loss: loss(path, *what, running.start)?,
                told: Some((file.clone(), *line)),
            })
        });
    // A client that was started by a hook says which root it was given.
    let given = running.roots.iter().filter(|root| !root.exists());
    let given = given.map(|root| Held {
        path: root.clone(),
        loss: Loss::Gone,
        told: None,
    });
    Session {
        host: running.host,
        process: running.process,
        start: running.start,
        holds: of_host.chain(given).collect(),
    }
}

/// What a host was told of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    /// A plugin's folder: another one there is another plugin.
    Folder,
    /// A program: another one there is as good.
    Program,
}

type Told = BTreeMap<(&'static str, PathBuf), (What, PathBuf, usize)>;

/// Every folder and program that hosts were told of, and where.
fn told(survey: &Survey) -> Told {
    let mut told = Told::new();
    for plugin in &survey.plugins {
        if let Some(root) = folder(plugin) {
            told.entry((plugin.host, root.to_owned()))
                .or_insert_with(|| (What::Folder, plugin.named.0.clone(), plugin.named.1));
        }
    }
    for source in &survey.sources {
        if matches!(source.state, State::Dropped(_)) {
            continue;
        }
        for hook in &source.hooks {
            if let Some(program) = program(source, hook) {
                told.entry((source.host, program))
                    .or_insert_with(|| (What::Program, source.file.clone(), hook.line));
            }
        }
    }
    told
}

/// The folder that a host loads a plugin from, or did.
fn folder(plugin: &Plugin) -> Option<&Path> {
    match &plugin.standing {
        Standing::Off(_) => None,
        Standing::Gone(Gap::MarketplaceFolder(folder) | Gap::Root(folder)) => Some(folder),
        _ => plugin.root.as_deref(),
    }
}

/// The program that a hook starts, where its place is written out: the first word of a line, or the
/// program itself.
fn program(source: &Source, hook: &Hook) -> Option<PathBuf> {
    if hook.state != HookState::Armed {
        return None;
    }
    let word = match &hook.handler {
        Handler::Program { program, .. } => program,
        Handler::Shell(line) => first_word(line)?,
        _ => return None,
    };
    let root = source
        .plugin
        .as_ref()
        .and_then(|plugin| plugin.root.as_ref());
    let place = match root {
        Some(root) => [
            "${PLUGIN_ROOT}",
            "${CLAUDE_PLUGIN_ROOT}",
            "${COPILOT_PLUGIN_ROOT}",
        ]
        .iter()
        .fold(word.to_owned(), |text, name| {
            text.replace(name, &root.display().to_string())
        }),
        None => word.to_owned(),
    };
    Some(PathBuf::from(place)).filter(|place| place.is_absolute())
}

fn first_word(line: &str) -> Option<&str> {
    let line = line.trim_start();
    match line.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next(),
        None => line.split_whitespace().next(),
    }
}

/// What happened to a path after this time, in seconds since 1970.
fn loss(path: &Path, what: What, since: u64) -> Option<Loss> {
    match path.metadata() {
        _ if what == What::Program && interpreter::file_of(path).is_some() => None,
        Ok(about) => {
            let made = about.created().ok()?.duration_since(UNIX_EPOCH).ok()?;
            // Times of processes are known to the second.
            (made.as_secs() > since + 1).then_some(Loss::Replaced)
        }
        Err(_) => {
            let left = path
                .ancestors()
                .skip(1)
                .find_map(|above| above.metadata().ok())?;
            let changed = left.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
            (changed.as_secs() >= since).then_some(Loss::Gone)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hookkit_dispatch::receipt::now;

    #[test]
    fn what_went_away_after_the_start_is_told_from_what_was_never_there() {
        let folder = tempfile::tempdir().expect("a folder");
        let program = folder.path().join("dispatch/program");
        let of = |path, since| loss(path, What::Folder, since);
        assert_eq!(of(&program, now() + 100), None, "it was gone before");
        assert_eq!(of(&program, now() - 100), Some(Loss::Gone));
        assert_eq!(of(folder.path(), now() + 100), None);
        assert_eq!(of(folder.path(), now() - 100), Some(Loss::Replaced));
        let program = loss(folder.path(), What::Program, now() - 100);
        assert_eq!(program, None, "a program that was renewed is as good");
    }

    #[test]
    fn the_first_word_of_a_line_is_its_program() {
        assert_eq!(first_word("\"/a b/c\" d"), Some("/a b/c"));
        assert_eq!(first_word(" /a/c d"), Some("/a/c"));
        assert_eq!(first_word(""), None);
    }
}

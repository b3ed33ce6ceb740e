//! One session of a client in print mode.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use fs_err as fs;
use serde_json::Value;

use super::{Client, Places};
use crate::environment;
use crate::model::{Conversation, Script, Turn};
use crate::process::last_of;
use crate::{Ran, Tree};

/// The words that a session starts with, unless the test says others.
const PROMPT: &str = "Please go on.";

/// How the client treats a call that nobody has allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Permission {
    /// Every call runs.
    AllowAll,
    /// The person is asked. In print mode nobody is there, so the call is refused. Codex CLI runs it
    /// where it can write nothing.
    Ask,
}

/// Somebody in front of a session that is not in print mode.
#[derive(Debug, Clone, Copy)]
pub enum Person {
    /// Refuses whatever the client asks.
    Declines,
    /// Interrupts the turn as soon as the project has this file.
    Interrupts(&'static str),
}

/// Where the user's settings come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Settings {
    /// The bench writes them, with the plugins of the test in them.
    Written,
    /// They are there.
    Kept,
}

/// A session that is about to run.
#[must_use]
pub struct Session<'c> {
    client: &'c dyn Client,
    pub(super) places: Arc<Places>,
    pub(super) continues: bool,
    pub(super) registered: Vec<Tree>,
    pub(super) settings: Settings,
    pub(super) by_folder: Vec<PathBuf>,
    pub(super) permission: Permission,
    pub(super) prompt: String,
    pub(super) is_trusted: bool,
    pub(super) has_small_context: bool,
    turns: Vec<Turn>,
    errand: Vec<Turn>,
    environment: Vec<(String, String)>,
    starter: Vec<String>,
    limit: Duration,
}

impl<'c> Session<'c> {
    pub(super) fn new(client: &'c dyn Client) -> Self {
        Self {
            client,
            places: Arc::new(Places::new()),
            continues: false,
            registered: Vec::new(),
            settings: Settings::Written,
            by_folder: Vec::new(),
            permission: Permission::AllowAll,
            prompt: PROMPT.to_owned(),
            is_trusted: true,
            has_small_context: false,
            turns: Vec::new(),
            errand: Vec::new(),
            environment: Vec::new(),
            starter: Vec::new(),
            limit: Duration::from_mins(1),
        }
    }

    /// Enables a tree in the user's settings, as a plugin of the folder marketplace that the tree
    /// is.
    pub fn plugin(mut self, tree: &Tree) -> Self {
        self.registered.push(tree.clone());
        self
    }

    /// The user's settings are those that are there already; [`Session::plugin`] adds nothing.
    pub fn keep_settings(mut self) -> Self {
        self.settings = Settings::Kept;
        self
    }

    /// The user has not yet trusted the hooks of the plugins. Only Codex CLI wants that.
    pub fn untrusted(mut self) -> Self {
        self.is_trusted = false;
        self
    }

    /// Every turn fills the context, so that the client compacts it before the next. Only Codex CLI
    /// is told so.
    pub fn small_context(mut self) -> Self {
        self.has_small_context = true;
        self
    }

    /// Loads a tree with `--plugin-dir`, which Codex CLI has not.
    pub fn plugin_dir(mut self, tree: &Tree) -> Self {
        self.by_folder.push(tree.path());
        self
    }

    /// What the model says.
    pub fn turns(mut self, turns: impl IntoIterator<Item = Turn>) -> Self {
        self.turns.extend(turns);
        self
    }

    /// What a subagent's model says; [`Client::errand`] starts the subagent.
    pub fn errand(mut self, turns: impl IntoIterator<Item = Turn>) -> Self {
        self.errand.extend(turns);
        self
    }

    /// Goes on with the conversation of an earlier session, in its folders.
    pub fn continues(mut self, earlier: &Seen) -> Self {
        self.places = Arc::clone(&earlier.places);
        self.continues = true;
        self
    }

    /// Another conversation in the folders of an earlier session.
    pub fn in_folders_of(mut self, earlier: &Seen) -> Self {
        self.places = Arc::clone(&earlier.places);
        self
    }

    /// The words that the session starts with.
    pub fn prompt(mut self, words: &str) -> Self {
        words.clone_into(&mut self.prompt);
        self
    }

    /// How calls that nobody has allowed are treated.
    pub fn permission(mut self, permission: Permission) -> Self {
        self.permission = permission;
        self
    }

    /// Works on another folder below the root of its places.
    pub fn works_in(mut self, project: &'static str) -> Self {
        Arc::get_mut(&mut self.places)
            .expect("a session that is not shared yet")
            .work_in(project);
        self
    }

    /// The client is started by another program, which gets these words and then the client's.
    pub fn under<W: Into<String>>(mut self, words: impl IntoIterator<Item = W>) -> Self {
        self.starter = words.into_iter().map(Into::into).collect();
        self
    }

    /// Sets a variable for the client.
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.environment.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Writes a file of the project.
    pub fn file(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        write(&self.places.project().join(name), content.as_ref());
        self
    }

    /// How long the session may take.
    pub fn limit(mut self, limit: Duration) -> Self {
        self.limit = limit;
        self
    }

    /// The client that runs it.
    pub fn client(&self) -> &'c dyn Client {
        self.client
    }

    /// A place in the project.
    pub fn project(&self, name: &str) -> PathBuf {
        self.places.project().join(name)
    }

    /// The session's folders.
    pub fn places(&self) -> &Places {
        &self.places
    }

    /// Runs one turn of the session with somebody in front of it, which only Codex CLI does here.
    pub fn attended_by(mut self, person: Person) -> Attended {
        let model = self.client.model(self.script());
        let asked = self.client.attend(&self, &model, person);
        Attended {
            asked,
            model: model.end(),
            places: self.places,
        }
    }

    fn script(&mut self) -> Script {
        Script {
            turns: std::mem::take(&mut self.turns),
            errand: std::mem::take(&mut self.errand),
        }
    }

    /// Runs the session to its end.
    pub fn run(mut self) -> Seen {
        let model = self.client.model(self.script());
        let mut program = self.client.prepare(&self, &model).limit(self.limit);
        for (name, value) in &self.environment {
            program = program.env(name, value);
        }
        if let Some((first, rest)) = self.starter.split_first() {
            let rest: Vec<&str> = rest.iter().map(String::as_str).collect();
            program = program.under(first, &rest);
        }
        let ran = program.run();
        let model = model.end();
        let title = format!("{} {}", self.client.host(), self.client.version());
        environment::say(&format!(
            "{title}: {} model turns, {} tool results, {:.1} s, {}",
            model.calls(),
            model.results().len(),
            ran.elapsed.as_secs_f64(),
            thread::current().name().unwrap_or("a test"),
        ));
        Seen {
            ran,
            model,
            places: self.places,
            title,
        }
    }
}

/// What one turn did that somebody attended.
pub struct Attended {
    /// What the person was asked.
    pub asked: Vec<String>,
    /// What the model was told.
    pub model: Conversation,
    places: Arc<Places>,
}

impl Attended {
    /// A place in the project.
    pub fn project(&self, name: &str) -> PathBuf {
        self.places.project().join(name)
    }
}

/// What one session did.
///
/// One that is alive when its test panics prints itself.
pub struct Seen {
    /// The client's process.
    pub ran: Ran,
    /// What the model was told.
    pub model: Conversation,
    places: Arc<Places>,
    title: String,
}

impl Seen {
    /// A place in the project.
    pub fn project(&self, name: &str) -> PathBuf {
        self.places.project().join(name)
    }

    /// Whether the project has this file.
    pub fn made(&self, name: &str) -> bool {
        self.project(name).exists()
    }

    /// The content of a file of the project.
    pub fn content(&self, name: &str) -> String {
        fs::read_to_string(self.project(name)).unwrap()
    }

    /// The session's folders.
    pub fn places(&self) -> &Places {
        &self.places
    }

    /// The client's own events, where its stdout is a stream of JSON lines.
    pub fn events(&self) -> Vec<Value> {
        self.ran
            .out()
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect()
    }

    /// The client's log.
    pub fn log(&self) -> String {
        let mut files = Vec::new();
        collect_logs(self.places.root(), &mut files);
        files
            .iter()
            .map(|file| String::from_utf8_lossy(&fs::read(file).unwrap_or_default()).into_owned())
            .collect()
    }
}

impl fmt::Display for Seen {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "{}\n{}", self.title, self.model)?;
        let log = self.log();
        let about_hooks: Vec<_> = log
            .lines()
            .filter(|line| line.len() < 500 && line.to_lowercase().contains("hook"))
            .collect();
        writeln!(
            formatter,
            "  log about hooks: {}",
            last_of(&about_hooks.join("\n  "))
        )
    }
}

impl Drop for Seen {
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("{self}");
        }
    }
}

/// Writes a file and the folders above it.
pub(super) fn write(file: &Path, content: &[u8]) {
    fs::create_dir_all(file.parent().expect("a file lies in a folder")).unwrap();
    fs::write(file, content).unwrap();
}

fn collect_logs(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        // Links lead to what is shared between sessions.
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            collect_logs(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "log") {
            files.push(path);
        }
    }
}

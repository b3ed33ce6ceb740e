//! What makes a hook slow, where one thing does: measured, and said in one line.

use super::run::{Place, Trial};
use crate::times::milliseconds;
use hookkit_dispatch::contract::{Contract, Subject};
use hookkit_dispatch::folder::Project;
use hookkit_dispatch::interpreter::{self, Command, Programs};
use hookkit_dispatch::manifest::{Hook, Manifest};
use hookkit_dispatch::matcher::Matcher;
use hookkit_dispatch::run::End;
use hookkit_launchers::host;
use std::ffi::OsStr;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// A program is started at most so often to see how long it takes.
const STARTS: usize = 10;

/// What takes less is not worth a line.
const WORTH_A_LINE: Duration = Duration::from_millis(5);

/// One line about one hook.
pub(crate) struct Advice {
    pub(crate) hook: String,
    pub(crate) cause: Cause,
    /// How long the hook takes, at the shortest.
    pub(crate) takes: Duration,
    /// How much of that is the cause's.
    pub(crate) share: Duration,
    text: String,
}

/// What a hook's time goes into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    LoginShell,
    WideMatcher,
    Interpreter,
}

impl Cause {
    /// For programs.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::LoginShell => "login-shell",
            Self::WideMatcher => "wide-matcher",
            Self::Interpreter => "interpreter",
        }
    }
}

impl Advice {
    /// For people.
    pub(crate) fn sentence(&self) -> String {
        format!("{}: {}", self.hook, self.text)
    }
}

/// At most one line for each hook that ran and ended by itself.
pub(crate) fn advise(
    manifest: &Manifest,
    plugin: &Path,
    trials: &[Trial],
    place: &Place,
    repeat: usize,
) -> Vec<Advice> {
    let env = place.env();
    let cwd = place.cwd();
    let project = Project::of_session(cwd.to_str(), env);
    let programs = Programs {
        root: plugin,
        project: &project,
        receipt: None,
        path: &interpreter::search_path(env, &project),
        endings: &interpreter::endings(),
    };
    let start = Start {
        place,
        times: repeat.min(STARTS),
    };
    manifest
        .hooks
        .iter()
        .filter_map(|hook| {
            // The shortest, as of the starts that it is compared with.
            let takes = times(hook, trials)?.into_iter().min()?;
            let command = programs.command(&hook.run).ok()?;
            let written = hook.run.first().map_or("", |program| &**program);
            let login = login_shell(&command, &start, takes);
            let (cause, share, text) = login
                .or_else(|| wide_matcher(hook, takes))
                .or_else(|| slow_interpreter(written, &command, &start, takes))?;
            Some(Advice {
                hook: hook.id.to_string(),
                cause,
                takes,
                share,
                text,
            })
        })
        .collect()
}

type Said = (Cause, Duration, String);

/// Every time that a hook took; none where it did not run, or had to be ended.
fn times(hook: &Hook, trials: &[Trial]) -> Option<Vec<Duration>> {
    let runs = trials
        .iter()
        .flat_map(|trial| &trial.told)
        .flat_map(|told| &told.hooks)
        .filter(|heard| heard.hook == *hook.id);
    let mut times = Vec::new();
    for heard in runs {
        if !matches!(heard.finished.end, End::Exited(_)) {
            return None;
        }
        times.extend_from_slice(&heard.times);
    }
    (!times.is_empty()).then_some(times)
}

/// Starts programs as hooks are started, and sees how long that takes.
struct Start<'p> {
    place: &'p Place,
    times: usize,
}

impl Start<'_> {
    /// The shortest of several starts: what else the machine does makes none shorter.
    fn takes(&self, program: &Path, words: &[&OsStr]) -> Option<Duration> {
        let mut shortest = Duration::MAX;
        for _ in 0..self.times {
            let started = Instant::now();
            let status = std::process::Command::new(program)
                .args(words)
                .env_clear()
                .envs(self.place.env().all())
                .current_dir(self.place.cwd())
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status()
                .ok()?;
            if !status.success() {
                return None;
            }
            shortest = shortest.min(started.elapsed());
        }
        Some(shortest)
    }
}

/// A shell that is told to be a login shell reads the profile of the machine and of the user.
fn login_shell(command: &Command, start: &Start, takes: Duration) -> Option<Said> {
    const SHELLS: [&str; 6] = ["sh", "bash", "dash", "zsh", "ksh", "fish"];
    if !SHELLS.contains(&&*name(&command.program)) {
        return None;
    }
    let words: Vec<&str> = command
        .args
        .iter()
        .filter_map(|word| word.to_str())
        .collect();
    let options = words.iter().take_while(|word| word.starts_with('-'));
    let is_login =
        |word: &&&str| **word == "--login" || (!word.starts_with("--") && word.contains('l'));
    options.clone().find(is_login)?;
    if options.clone().any(|word| *word == "--noprofile") {
        return None;
    }
    let [login, nothing, plain] = ["-lc", ":", "-c"].map(OsStr::new);
    let with = start.takes(&command.program, &[login, nothing])?;
    let without = start.takes(&command.program, &[plain, nothing])?;
    let share = with.saturating_sub(without);
    dominates(share, takes).then(|| {
        let text = format!(
            "{} of its {} are the profile that a login shell reads; start `{}` without -l",
            milliseconds(share),
            milliseconds(takes),
            name(&command.program)
        );
        (Cause::LoginShell, share, text)
    })
}

/// A hook without a matcher, or with one that fits everything, is started for every tool.
fn wide_matcher(hook: &Hook, takes: Duration) -> Option<Said> {
    let is_about_tools = |event: &str| {
        let contract: Option<&Contract> = host::ALL
            .iter()
            .find_map(|host| host.host().contract(event));
        contract.is_some_and(|contract| contract.subject == Subject::Tool)
    };
    let event = hook.events.iter().find(|event| is_about_tools(event))?;
    let pattern = hook.matcher.as_deref().unwrap_or_default();
    let is_wide = match Matcher::read(pattern) {
        Matcher::Everything => true,
        Matcher::Names(_) => false,
        // What fits a name that no tool has fits every tool.
        Matcher::Pattern(pattern) => Matcher::Pattern(pattern).matches("_").unwrap_or(false),
    };
    (is_wide && takes >= WORTH_A_LINE).then(|| {
        let text = format!(
            "{} before or after every tool, for it is on {event} and its matcher fits all; name the \
             tools that it looks at",
            milliseconds(takes)
        );
        (Cause::WideMatcher, takes, text)
    })
}

/// An interpreter that takes longer to start than the hook to decide.
fn slow_interpreter(
    written: &str,
    command: &Command,
    start: &Start,
    takes: Duration,
) -> Option<Said> {
    let nothing: &[&str] = match written {
        "python" => &["-I", "-c", ""],
        "node" | "ruby" | "perl" => &["-e", ""],
        "bun" => &["--no-env-file", "-e", ""],
        "deno" => &["eval", ""],
        _ => return None,
    };
    let words: Vec<&OsStr> = nothing.iter().map(OsStr::new).collect();
    let share = start.takes(&command.program, &words)?;
    dominates(share, takes).then(|| {
        let text = format!(
            "{} of its {} are the start of {written}; hooks on one event may share one program, and \
             a program without an interpreter starts in about one",
            milliseconds(share.min(takes)),
            milliseconds(takes)
        );
        (Cause::Interpreter, share.min(takes), text)
    })
}

fn dominates(share: Duration, takes: Duration) -> bool {
    share >= WORTH_A_LINE && takes >= WORTH_A_LINE && share * 2 >= takes
}

/// The name of a program without its version and ending.
fn name(program: &Path) -> String {
    let stem = program.file_stem().unwrap_or_default().to_string_lossy();
    stem.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.')
        .to_owned()
}

//! Lets the dispatcher run the hooks, in this process, and listens.

use super::samples::Moment;
use hookkit_dispatch::args::Args;
use hookkit_dispatch::dispatch::{Ran, Watch, dispatch};
use hookkit_dispatch::env::Env;
use hookkit_dispatch::event::Mode;
use hookkit_dispatch::manifest::Manifest;
use hookkit_dispatch::matcher::Matcher;
use hookkit_dispatch::reply::Reply;
use hookkit_dispatch::run::{End, Finished};
use hookkit_dispatch::verdict::{Fault, Said};
use hookkit_launchers::host::Launch;
use hookkit_launchers::{Entry, Registration};
use serde_json::Value;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The session that hooks believe to be in: an empty folder of its own, gone with the value.
pub(crate) struct Place {
    folder: TempDir,
    env: Env,
}

impl Place {
    /// HOME and the rest of the environment stay as they are; only what names the project is set.
    pub(crate) fn new(env: &Env) -> std::io::Result<Self> {
        let folder = tempfile::Builder::new()
            .prefix("hookkit-test-")
            .tempdir_in(env.temp())?;
        let cwd = hookkit_dispatch::folder::real(folder.path());
        let mut variables: Vec<(OsString, OsString)> = env
            .all()
            .into_iter()
            .filter(|(name, _)| name != "CLAUDE_PROJECT_DIR" && name != "COPILOT_PROJECT_DIR")
            .collect();
        variables.push(("CLAUDE_PROJECT_DIR".into(), cwd.clone().into()));
        let exe = env.exe().unwrap_or_default();
        Ok(Self {
            env: Env::given(variables, cwd, exe),
            folder,
        })
    }

    /// The environment that hooks are started from.
    pub(super) fn env(&self) -> &Env {
        &self.env
    }

    /// The session's working directory.
    pub(crate) fn cwd(&self) -> PathBuf {
        hookkit_dispatch::folder::real(self.folder.path())
    }
}

/// One moment on one host.
pub(crate) struct Trial {
    pub(crate) host: &'static dyn Launch,
    pub(crate) event: &'static str,
    pub(crate) title: String,
    /// What the host would send, or why this never happens there.
    pub(crate) document: Result<Value, String>,
    pub(crate) told: Vec<Told>,
    /// The session's folder.
    pub(crate) cwd: PathBuf,
}

impl Trial {
    pub(crate) fn host_name(&self) -> &'static str {
        self.host.host().name()
    }
}

/// One start of the dispatcher: the hooks that it ran, and the reply.
pub(crate) struct Told {
    /// The one hook of a direct registration.
    pub(crate) direct: Option<String>,
    pub(crate) hooks: Vec<Heard>,
    pub(crate) notes: Vec<String>,
    pub(crate) reply: Reply,
    /// From the payload to the reply, for each repetition.
    pub(crate) times: Vec<Duration>,
}

/// One hook that has ended.
#[derive(Clone)]
pub(crate) struct Heard {
    pub(crate) hook: String,
    pub(crate) mode: Mode,
    pub(crate) file: Option<String>,
    /// The document that it read.
    pub(crate) saw: Value,
    pub(crate) finished: Finished,
    pub(crate) said: Result<Said, Fault>,
    /// For each repetition.
    pub(crate) times: Vec<Duration>,
}

/// The person has had enough.
#[derive(Debug, thiserror::Error)]
#[error("interrupted")]
pub(crate) struct Interrupted;

/// Tries a plugin on a moment as one host would have it.
pub(crate) fn run_moment(
    plugin: &Path,
    manifest: &Manifest,
    host: &'static dyn Launch,
    moment: &Moment,
    place: &Place,
    repeat: usize,
) -> Result<Trial, Interrupted> {
    let document = moment.document(host.host(), &place.cwd());
    let told = match &document {
        Ok(document) => {
            let subject = moment.subject.as_deref();
            tell(
                plugin,
                manifest,
                host,
                (moment.event, subject),
                document.to_string().as_bytes(),
                place,
                repeat,
            )?
        }
        Err(_) => Vec::new(),
    };
    Ok(Trial {
        host,
        event: moment.event,
        title: moment.title(),
        document,
        told,
        cwd: place.cwd(),
    })
}

/// Tries a plugin on a document that somebody wrote or recorded.
pub(crate) fn run_document(
    plugin: &Path,
    manifest: &Manifest,
    host: &'static dyn Launch,
    event: &'static str,
    document: &[u8],
    place: &Place,
    repeat: usize,
) -> Result<Trial, Interrupted> {
    let told = tell(
        plugin,
        manifest,
        host,
        (event, None),
        document,
        place,
        repeat,
    )?;
    let document = serde_json::from_slice(document)
        .unwrap_or_else(|_| String::from_utf8_lossy(document).into());
    Ok(Trial {
        host,
        event,
        title: "the given payload".to_owned(),
        document: Ok(document),
        told,
        cwd: place.cwd(),
    })
}

/// Starts the dispatcher once for each registration that the host has on the event.
fn tell(
    plugin: &Path,
    manifest: &Manifest,
    host: &'static dyn Launch,
    (event, subject): (&'static str, Option<&str>),
    document: &[u8],
    place: &Place,
    repeat: usize,
) -> Result<Vec<Told>, Interrupted> {
    let registration = Registration::read_by(manifest, host);
    registration
        .entries
        .iter()
        .filter(|entry| entry.contract.event == event && starts(entry, manifest, subject))
        .map(|entry| {
            let args = Args {
                host: Some(host.named().to_owned()),
                event: Some(event.to_owned()),
                plugin: Some(manifest.name.to_string()),
                plugin_version: None,
                hook: entry.hook.clone(),
                plugin_root: Some(plugin.to_owned()),
                if_missing: Some(entry.if_missing),
                deadline: Some(Duration::from_secs_f64(entry.deadline())),
            };
            start(&args, document, place, repeat)
        })
        .collect()
}

/// A direct hook is alone in its registration: whether it starts is up to its own matcher.
fn starts(entry: &Entry, manifest: &Manifest, subject: Option<&str>) -> bool {
    let (Some(id), Some(subject)) = (&entry.hook, subject) else {
        return true;
    };
    manifest
        .hooks
        .iter()
        .filter(|hook| hook.id == *id)
        .any(|hook| {
            let matcher = Matcher::read(hook.matcher.as_deref().unwrap_or_default());
            matcher.matches(subject).unwrap_or(false)
        })
}

fn start(args: &Args, document: &[u8], place: &Place, repeat: usize) -> Result<Told, Interrupted> {
    let mut told: Option<Told> = None;
    for _ in 0..repeat {
        let mut ear = Ear::default();
        let mut source = document;
        let started = Instant::now();
        let reply = dispatch(args, &mut source, &place.env, started, &mut ear);
        let time = started.elapsed();
        if ear.interrupted {
            return Err(Interrupted);
        }
        match &mut told {
            None => {
                told = Some(Told {
                    direct: args.hook.clone(),
                    hooks: ear.heard,
                    notes: ear.notes,
                    reply,
                    times: vec![time],
                });
            }
            Some(told) => {
                told.times.push(time);
                for (first, again) in told.hooks.iter_mut().zip(ear.heard) {
                    // A hook that fails once in a while is a hook that fails.
                    if first.said.is_ok() && again.said.is_err() {
                        first.said = again.said;
                        first.finished = again.finished;
                    }
                    first.times.extend(again.times);
                }
            }
        }
    }
    told.ok_or(Interrupted)
}

#[derive(Default)]
struct Ear {
    heard: Vec<Heard>,
    notes: Vec<String>,
    interrupted: bool,
}

impl Watch for Ear {
    fn ran(&mut self, ran: &Ran) {
        self.interrupted |= ran.finished.end == End::HostSignal;
        self.heard.push(Heard {
            hook: ran.hook.to_owned(),
            mode: ran.mode,
            file: ran.file.map(str::to_owned),
            saw: serde_json::from_slice(&ran.saw.concat()).unwrap_or_default(),
            finished: ran.finished.clone(),
            said: ran.said.clone(),
            times: vec![ran.finished.elapsed],
        });
    }

    fn noted(&mut self, note: &str) {
        self.notes.push(note.to_owned());
    }
}

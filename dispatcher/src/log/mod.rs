//! The local log: one line of JSON for each hook that ran, written after the reply has gone out.
//!
//! - A receipt alone switches it on, and says where to: a file in the data folder, or one that
//!   somebody collects.
//! - A line holds names of the manifest and of hookkit's tables, numbers and words of this file. No
//!   text of a payload, a hook or the environment gets into it.
//! - Nothing that happens to the log changes a reply.

mod file;
mod number;
mod time;

use crate::dispatch::{Ran, Unasked, Watch};
use crate::emergency;
use crate::event::Mode;
use crate::json::push_string;
use crate::merge::Choice;
use crate::receipt::Receipt;
use crate::reply::Reply;
use crate::run::End;
use crate::verdict::Said;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The name of the log in the data folder.
pub const FILE: &str = "log.jsonl";

/// The form of a line.
pub const SCHEMA: u32 = 1;

/// The file that a log becomes when it is full.
pub fn earlier(log: &Path) -> PathBuf {
    let mut name = OsString::from(log);
    name.push(".1");
    PathBuf::from(name)
}

/// Listens to one event, and writes down what it heard.
#[derive(Default)]
pub struct Log {
    wanted: Option<Wanted>,
    lines: Vec<u8>,
    /// The hook that has ended, until it is known what counts of it.
    ended: Option<Ended>,
}

/// What all lines of one event have in common.
struct Wanted {
    file: PathBuf,
    plugin: String,
    host: &'static str,
    event: &'static str,
}

struct Ended {
    hook: String,
    mode: Mode,
    said: &'static str,
    exit: Option<i32>,
    elapsed: Duration,
    fault: Option<&'static str>,
}

/// One line, but for what is common.
struct Line<'l> {
    hook: Option<&'l str>,
    mode: Option<Mode>,
    outcome: &'static str,
    /// What the hook said, where nobody heard it.
    discarded: Option<&'static str>,
    exit: Option<i32>,
    elapsed: Option<Duration>,
    fault: Option<&'static str>,
}

impl Log {
    /// Writes what was heard. The reply has gone out, and no host reads another one: if this fails,
    /// nobody is told.
    pub fn write(&self, reply: &Reply) {
        let Some(wanted) = self.wanted.as_ref().filter(|_| !self.lines.is_empty()) else {
            return;
        };
        let code = reply.code;
        emergency::prepare(move || Reply {
            code,
            ..Reply::nothing()
        });
        let _ = file::append(&wanted.file, &self.lines);
    }

    fn push(&mut self, line: &Line) {
        let Some(wanted) = &self.wanted else {
            return;
        };
        let out = &mut self.lines;
        out.extend_from_slice(b"{\"schema\":");
        number::push(out, SCHEMA.into(), 1);
        out.extend_from_slice(b",\"time\":\"");
        time::push(out, SystemTime::now());
        out.push(b'"');
        for (key, text) in [
            ("plugin", Some(&*wanted.plugin)),
            ("host", Some(wanted.host)),
            ("event", Some(wanted.event)),
            ("hook", line.hook),
            ("mode", line.mode.map(Mode::word)),
            ("outcome", Some(line.outcome)),
            ("discarded", line.discarded),
            ("fault", line.fault),
        ] {
            if let Some(text) = text {
                out.push(b',');
                push_string(out, key);
                out.push(b':');
                push_string(out, text);
            }
        }
        if let Some(exit) = line.exit {
            out.extend_from_slice(b",\"exit\":");
            if exit < 0 {
                out.push(b'-');
            }
            number::push(out, exit.unsigned_abs().into(), 1);
        }
        if let Some(elapsed) = line.elapsed {
            out.extend_from_slice(b",\"ms\":");
            number::push(
                out,
                elapsed.as_secs() * 1000 + u64::from(elapsed.subsec_millis()),
                1,
            );
            out.push(b'.');
            number::push(out, u64::from(elapsed.subsec_micros() % 1000), 3);
        }
        out.extend_from_slice(b"}\n");
    }
}

impl Watch for Log {
    fn asked(&mut self, host: &'static str, event: &'static str, receipt: &Receipt) {
        self.wanted = receipt.log.clone().map(|file| Wanted {
            file,
            plugin: receipt.plugin.clone(),
            host,
            event,
        });
    }

    fn ran(&mut self, ran: &Ran) {
        if self.wanted.is_none() {
            return;
        }
        let fault = fault(&ran.finished.end, ran.said.is_err());
        let exit = match ran.finished.end {
            End::Exited(code) => Some(code),
            _ => None,
        };
        let ended = Ended {
            hook: ran.hook.to_owned(),
            mode: ran.mode,
            said: ran.said.as_ref().map_or(NONE, word),
            exit,
            elapsed: ran.finished.elapsed,
            fault,
        };
        if ran.mode == Mode::Direct {
            self.push(&ended.line(UNREAD));
        } else {
            self.ended = Some(ended);
        }
    }

    fn counted(&mut self, said: &Said) {
        if let Some(ended) = self.ended.take() {
            self.push(&ended.line(word(said)));
        }
    }

    fn unasked(&mut self, why: Unasked, reply: &Reply) {
        let refuses = !reply.stdout.is_empty() || reply.code != 0;
        self.push(&Line {
            hook: None,
            mode: None,
            outcome: if refuses { "deny" } else { NONE },
            discarded: None,
            exit: None,
            elapsed: None,
            fault: Some(why.word()),
        });
    }
}

impl Ended {
    fn line(&self, outcome: &'static str) -> Line<'_> {
        let is_heard = matches!(outcome, UNREAD) || self.said == outcome || self.said == NONE;
        Line {
            hook: Some(&self.hook),
            mode: Some(self.mode),
            outcome,
            discarded: (!is_heard).then_some(self.said),
            exit: self.exit,
            elapsed: (self.fault != Some(NOT_STARTED)).then_some(self.elapsed),
            fault: self.fault,
        }
    }
}

const NONE: &str = "none";
/// A direct hook speaks to the host itself.
const UNREAD: &str = "unread";
const NOT_STARTED: &str = "not-started";

/// What a hook said, in one word: the strongest of it.
fn word(said: &Said) -> &'static str {
    if said.stop.is_some() {
        return "stop";
    }
    if let Some(decision) = &said.decision {
        return match decision.choice {
            Choice::Allow => "allow",
            Choice::Ask => "ask",
            Choice::Defer => "defer",
            Choice::Block => "block",
            Choice::Deny => "deny",
        };
    }
    [
        (said.input.is_some(), "rewrite input"),
        (said.result.is_some(), "rewrite result"),
        (said.context.is_some(), "context"),
        (said.notice.is_some(), "notice"),
    ]
    .into_iter()
    .find_map(|(is_said, word)| is_said.then_some(word))
    .unwrap_or(NONE)
}

/// What kind of fault it is: the words that a hook's fault is told in may come from the hook.
fn fault(end: &End, is_misread: bool) -> Option<&'static str> {
    match end {
        End::NotStarted(_) => Some(NOT_STARTED),
        End::TimedOut(_) => Some("timeout"),
        End::Deadline => Some("deadline"),
        End::HostSignal => Some("host-signal"),
        End::Signal(_) => Some("signal"),
        End::Exited(0) => is_misread.then_some("output"),
        End::Exited(_) => is_misread.then_some("exit"),
    }
}

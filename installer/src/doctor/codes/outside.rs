//! What logs, hosts and trial runs say.

use crate::check::Level::{Error, Warning};
use crate::doctor::code::Code;

pub(crate) const ALL: &[&Code] = &[&LOGGED, &DIFFERS, &HOST_ERROR, &PROBE_FAILED];

pub(crate) const LOGGED: Code = Code {
    id: "HK801",
    level: Warning,
    title: "A host's log tells of a launcher that did not start",
    means: "It happened in the session named there; whether it still does, the other findings say.",
    evidence: "seen in the logs of Claude Code 2.1.332 and Copilot CLI 1.0.102",
    example: "`[Errno 2] ... _dispatch.py`, MODULE_NOT_FOUND, exit 126, 127, 49 or 9009",
    fix: "start a new session, and look again",
};

pub(crate) const DIFFERS: Code = Code {
    id: "HK811",
    level: Warning,
    title: "A host says something else than hookkit reads",
    means: "Either hookkit or the host's version is new.",
    evidence: "hookkit, asked with --ask-hosts",
    example: "Copilot's `hooks.discover` lists a hook that hookkit does not",
    fix: "believe the host, and report it to hookkit",
};

pub(crate) const HOST_ERROR: Code = Code {
    id: "HK812",
    level: Error,
    title: "A host itself reports an error",
    means: "What it names does not run.",
    evidence: "seen: the host's own answer to --ask-hosts",
    example: "`claude plugin validate` fails",
    fix: "mend what the host names",
};

pub(crate) const PROBE_FAILED: Code = Code {
    id: "HK821",
    level: Error,
    title: "A hook failed on a sample payload",
    means: "It would fail so in a session.",
    evidence: "seen with --probe by hookkit",
    example: "exit 127",
    fix: "mend the hook: what it printed stands in the finding",
};

//! What logs, hosts and trial runs say.

use crate::check::Level::{Error, Note, Warning};
use crate::doctor::code::Code;

pub(crate) const ALL: &[&Code] = &[
    &LOGGED,
    &DIFFERS,
    &HOST_ERROR,
    &PROBE_FAILED,
    &NOT_STARTED,
    &TOO_SLOW,
    &GATE_OPEN,
    &OUTPUT_DROPPED,
    &UNTRIED,
];

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
    means: "It would fail so in a session, unless it misses what it has in your home: a tried hook has an empty one.",
    evidence: "seen with --probe by hookkit; what the host does then is its row in `hookkit contracts`",
    example: "exit 1, a signal, or exit 2 of a Python that has no such script",
    fix: "mend the hook: what it printed stands in the finding",
};

pub(crate) const NOT_STARTED: Code = Code {
    id: "HK822",
    level: Error,
    title: "A hook does not start when it is tried",
    means: "Nothing of it runs: Copilot CLI refuses for it, the other hosts go on without it.",
    evidence: "seen with --probe by hookkit, which starts it as its host does",
    example: "exit 127 of `guard check`, and there is no `guard`",
    fix: "install what is missing, or correct the line",
};

pub(crate) const TOO_SLOW: Code = Code {
    id: "HK823",
    level: Error,
    title: "A hook takes longer than its host waits",
    means: "It is ended, and what it would have said is lost.",
    evidence: "seen with --probe by hookkit; a timeout lets the call run on Claude Code 2.1.332, Copilot CLI 1.0.102 and Codex 0.171.0",
    example: "`\"timeout\": 1` and a hook that takes two seconds",
    fix: "make it faster, or give it a longer timeout",
};

pub(crate) const GATE_OPEN: Code = Code {
    id: "HK824",
    level: Error,
    title: "A gate lets through what it refuses, or did not look at",
    means: "What it guards runs unguarded, and nobody is told.",
    evidence: "seen with --probe by hookkit; what hosts read was seen on Claude Code 2.1.332, Copilot CLI 1.0.102 and Codex 0.171.0",
    example: "a root `permissionDecision` on Claude Code, or `python3 gone.py || true`",
    fix: "say it in the form that this host reads, and let no failure end with exit 0",
};

pub(crate) const OUTPUT_DROPPED: Code = Code {
    id: "HK825",
    level: Warning,
    title: "What a hook prints is not read by its host",
    means: "It goes nowhere, or into a log alone.",
    evidence: "seen with --probe by hookkit; what hosts read was seen on Claude Code 2.1.332, Copilot CLI 1.0.102 and Codex 0.171.0",
    example: "plain text under PreToolUse, or `additionalContext` at the root on Claude Code",
    fix: "print one JSON document in the form of this host, or nothing",
};

pub(crate) const UNTRIED: Code = Code {
    id: "HK826",
    level: Note,
    title: "A hook was not tried, or not to its end",
    means: "Nothing is known of how it behaves.",
    evidence: "hookkit: --probe has no payload that its matcher fits, or gave up",
    example: "a matcher for a tool of a server that nobody knows",
    fix: "try it in a session",
};

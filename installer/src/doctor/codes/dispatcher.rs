//! Programs that entries start by themselves, hookkit's dispatcher above all.

use crate::check::Level::{Error, Warning};
use crate::doctor::code::Code;

pub(crate) const ALL: &[&Code] = &[
    &MISSING,
    &NOT_EXECUTABLE,
    &INDEX_MODE,
    &CRLF,
    &MARK,
    &OTHER_MACHINE,
    &CHANGED,
    &OLD,
    &NOEXEC,
    &QUARANTINE,
    &VERSIONED,
    &NO_SHEBANG,
    &KILLED,
];

pub(crate) const MISSING: Code = Code {
    id: "HK201",
    level: Error,
    title: "The program that an entry starts is missing",
    means: "Copilot CLI denies every call it is asked about; the other hosts run every call unguarded.",
    evidence: "seen on Copilot CLI 1.0.102 (denied), Claude Code 2.1.332 and Codex 0.171.0 (run)",
    example: "`\"command\": \"/opt/tool/hook\"` and there is no such file",
    fix: "install the program again, or remove the entry",
};

pub(crate) const NOT_EXECUTABLE: Code = Code {
    id: "HK202",
    level: Error,
    title: "The program that an entry starts is not executable",
    means: "It does not start: Copilot CLI denies every call, the others run them unguarded.",
    evidence: "seen on Claude Code 2.1.332 and Copilot CLI 1.0.102 in exec form; Copilot repairs shell entries alone",
    example: "mode 0644 on `hooks/guard`",
    fix: "chmod +x FILE",
};

pub(crate) const INDEX_MODE: Code = Code {
    id: "HK203",
    level: Error,
    title: "Git's index holds a program without its executable bit",
    means: "It starts here, but in no fresh clone.",
    evidence: "seen on Claude Code 2.1.332 and Copilot CLI 1.0.102: a clone has the mode of the index",
    example: "`git ls-files --stage` says 100644",
    fix: "git update-index --chmod=+x FILE, and commit",
};

pub(crate) const CRLF: Code = Code {
    id: "HK204",
    level: Error,
    title: "A program's #! line ends in a carriage return",
    means: "The system looks for an interpreter whose name ends in one, and finds none.",
    evidence: "seen on Claude Code 2.1.332 and Copilot CLI 1.0.102: it does not start",
    example: "`#!/bin/sh\\r\\n`",
    fix: "save it with LF, and add `* -text` or `eol=lf` to .gitattributes",
};

pub(crate) const MARK: Code = Code {
    id: "HK205",
    level: Error,
    title: "A program begins with a byte order mark",
    means: "The system does not see its #! line.",
    evidence: "seen on Linux, hookkit's gallery tests",
    example: "bytes EF BB BF before `#!/bin/sh`",
    fix: "save it as UTF-8 without a mark",
};

pub(crate) const OTHER_MACHINE: Code = Code {
    id: "HK206",
    level: Error,
    title: "A program is built for another system or processor",
    means: "It does not start here.",
    evidence: "seen on Claude Code 2.1.332 and Copilot CLI 1.0.102 with a program of another architecture",
    example: "an ELF file for aarch64 on x86_64",
    fix: "install the build for this machine",
};

pub(crate) const CHANGED: Code = Code {
    id: "HK207",
    level: Error,
    title: "hookkit's dispatcher is not the one that was installed",
    means: "Somebody changed it, or a copy was cut short.",
    evidence: "hookkit: its sum stands beside it",
    example: "`bin/hookkit-dispatch` of another size",
    fix: "hookkit doctor --fix",
};

pub(crate) const OLD: Code = Code {
    id: "HK208",
    level: Error,
    title: "The dispatcher is older than a plugin wants",
    means: "It refuses that plugin's hooks, naming both versions.",
    evidence: "hookkit's dispatcher: a manifest's `dispatch` is compared with its own version",
    example: "a plugin that needs 0.4 with a dispatcher of 0.3",
    fix: "hookkit doctor --fix with the newer hookkit",
};

pub(crate) const NOEXEC: Code = Code {
    id: "HK209",
    level: Error,
    title: "A program lies where nothing may start",
    means: "The mount says noexec, so the system refuses to start it.",
    evidence: "seen on Linux, hookkit's tests on a noexec mount",
    example: "a data folder below a noexec /home",
    fix: "set HOOKKIT_HOME to a folder on another mount, and install again",
};

pub(crate) const QUARANTINE: Code = Code {
    id: "HK210",
    level: Warning,
    title: "A program carries the mark of a download",
    means: "macOS ends a program in quarantine that is not notarised; Windows may ask before it starts one from the web.",
    evidence: "Apple's and Microsoft's pages; not run by hookkit",
    example: "com.apple.quarantine on it, or Zone.Identifier beside it",
    fix: "xattr -d com.apple.quarantine FILE, or Unblock-File FILE",
};

pub(crate) const VERSIONED: Code = Code {
    id: "HK211",
    level: Warning,
    title: "A launch line holds a path with a version in it",
    means: "The next upgrade of that tool removes the path, and the hook is dead.",
    evidence: "reports: mksglu/context-mode#386, mpecan/tokf#191, JuliusBrussee/caveman#805",
    example: "`/opt/homebrew/Cellar/hk/1.0.0/bin/hk`, `~/.nvm/versions/node/v22.1.0/bin/node`",
    fix: "write the stable link, such as /opt/homebrew/bin/hk, or the name alone",
};

pub(crate) const NO_SHEBANG: Code = Code {
    id: "HK212",
    level: Error,
    title: "A text file without a #! line is started by itself",
    means: "In exec form the system cannot start it.",
    evidence: "seen on Claude Code 2.1.332: ENOEXEC in exec form",
    example: "a shell script that begins with `set -e`",
    fix: "add a #! line, or name the interpreter",
};

pub(crate) const KILLED: Code = Code {
    id: "HK213",
    level: Warning,
    title: "A hook was ended by the system",
    means: "Signal 9: macOS sends it to a program that was overwritten in place, Linux where memory runs out, and a host may at a timeout.",
    evidence: "the hosts' logs; reports: quil#53, moon#1850",
    example: "`Hook command failed with exit code 137`",
    fix: "put the program there as a new file, never by writing into the old one; else look at its memory and its timeout",
};

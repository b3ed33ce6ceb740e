//! Interpreters that launch lines name, and the scripts they are given.

use crate::check::Level::{Error, Note, Warning};
use crate::doctor::code::Code;

pub(crate) const ALL: &[&Code] = &[
    &INTERPRETER_MISSING,
    &STORE_ALIAS,
    &WSL_STUB,
    &OLDER,
    &SHELL_ONLY,
    &SCRIPT_MISSING,
    &SCRIPT_CRLF,
    &SCRIPT_MARK,
    &LINK_AS_TEXT,
    &LINK_DANGLING,
    &LINK_OUT,
];

pub(crate) const INTERPRETER_MISSING: Code = Code {
    id: "HK301",
    level: Error,
    title: "A program is in no folder of the PATH",
    means: "The hook never starts; Copilot CLI denies every call for it.",
    evidence: "seen on Copilot CLI 1.0.102 (127, denied), Claude Code 2.1.332 and Codex 0.171.0 (run)",
    example: "`python3 hook.py` on a machine without python3",
    fix: "install it, or write the hook for one that is there",
};

pub(crate) const STORE_ALIAS: Code = Code {
    id: "HK302",
    level: Error,
    title: "An interpreter is the Microsoft Store's alias",
    means: "It exits with 49 and runs nothing, though `where` finds it.",
    evidence: "seen by hookkit's tests with such an alias; reports: anthropics/claude-code, Doberman-Core",
    example: "WindowsApps\\python3.exe of no bytes",
    fix: "install Python, or switch the alias off in Settings, Apps, App execution aliases",
};

pub(crate) const WSL_STUB: Code = Code {
    id: "HK303",
    level: Warning,
    title: "`bash` is Windows' own relay to WSL",
    means: "Without a Linux distribution it prints an error, and paths mean something else inside.",
    evidence: "reports: anthropics/claude-code#70150",
    example: "System32\\bash.exe before Git's on the PATH",
    fix: "put Git's bin folder first, or name bash.exe by its path",
};

pub(crate) const OLDER: Code = Code {
    id: "HK304",
    level: Error,
    title: "An interpreter is older than a plugin needs",
    means: "Hooks of that plugin may stop with an error of their own.",
    evidence: "hookkit: the manifest's `needs` against the version that the file names",
    example: "`\"needs\": {\"python\": \">=3.12\"}` and python3.11",
    fix: "install a newer one",
};

pub(crate) const SHELL_ONLY: Code = Code {
    id: "HK305",
    level: Note,
    title: "An interpreter is only where a shell's start files put it",
    means: "A host that is started from the desktop may have a shorter PATH and not find it.",
    evidence: "reports; macOS gives programs of the desktop /usr/bin:/bin:/usr/sbin:/sbin",
    example: "node of nvm below the home folder",
    fix: "name it by an absolute path, or link it into /usr/local/bin",
};

pub(crate) const SCRIPT_MISSING: Code = Code {
    id: "HK306",
    level: Error,
    title: "The script that a launch line names is missing",
    means: "python exits with 2, which hosts take for a refusal, so every call is denied; others fail and guard nothing.",
    evidence: "seen on Claude Code 2.1.332 and Copilot CLI 1.0.102",
    example: "`python3 /gone/hook.py`",
    fix: "put the script back, or remove the entry",
};

pub(crate) const SCRIPT_CRLF: Code = Code {
    id: "HK307",
    level: Error,
    title: "A shell script has the line ends of Windows",
    means: "The shell takes the carriage return for part of the words.",
    evidence: "seen with dash and bash by hookkit's gallery tests",
    example: "`hook.sh` with CRLF",
    fix: "save it with LF, and add `*.sh eol=lf` to .gitattributes",
};

pub(crate) const SCRIPT_MARK: Code = Code {
    id: "HK308",
    level: Warning,
    title: "A shell script begins with a byte order mark",
    means: "Its first line is not understood.",
    evidence: "seen with dash and bash by hookkit's gallery tests",
    example: "bytes EF BB BF before `#!/bin/sh`",
    fix: "save it as UTF-8 without a mark",
};

pub(crate) const LINK_AS_TEXT: Code = Code {
    id: "HK309",
    level: Error,
    title: "A link was checked out as a text file",
    means: "The file holds the path of its target in place of a script.",
    evidence: "seen with git by hookkit's tests: core.symlinks=false",
    example: "`hooks/run` with the one line `../bin/run`",
    fix: "git config core.symlinks true, and check it out again",
};

pub(crate) const LINK_DANGLING: Code = Code {
    id: "HK310",
    level: Error,
    title: "A link leads nowhere",
    means: "What it should start is missing; Copilot CLI does not even install a plugin with one.",
    evidence: "seen on Copilot CLI 1.0.102: os error 2",
    example: "`hooks/run` -> `../gone`",
    fix: "remove the link, or put its target back",
};

pub(crate) const LINK_OUT: Code = Code {
    id: "HK311",
    level: Warning,
    title: "A link leads out of its plugin",
    means: "Copilot CLI copies the outside file in, Claude Code drops an absolute one.",
    evidence: "seen on Copilot CLI 1.0.102 and Claude Code 2.1.332",
    example: "`hooks/run` -> `/usr/local/bin/run`",
    fix: "put the file into the plugin",
};

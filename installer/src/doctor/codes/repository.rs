//! Hooks that lie in repositories, and what the cloud agent makes of them.

use crate::check::Level::Warning;
use crate::doctor::code::Code;

pub(crate) const ALL: &[&Code] = &[
    &NOT_ON_DEFAULT,
    &CLOUD_CANNOT,
    &SUBFOLDER,
    &UNTRACKED,
    &HOME_PATH,
];

pub(crate) const NOT_ON_DEFAULT: Code = Code {
    id: "HK701",
    level: Warning,
    title: "What the cloud agent reads is another on the default branch",
    means: "The cloud agent reads the default branch alone.",
    evidence: "GitHub's page on hooks; the files here against those of `origin/HEAD`, as it was last fetched",
    example: "`.github/hooks/guard.json` was changed on a feature branch",
    fix: "merge it, or fetch if it is merged already",
};

pub(crate) const CLOUD_CANNOT: Code = Code {
    id: "HK702",
    level: Warning,
    title: "The cloud agent cannot run an entry",
    means: "It starts bash lines alone: a `bash` or `command` is wanted.",
    evidence: "GitHub's page on hooks; not run by hookkit",
    example: "an entry with `exec` or `powershell` alone",
    fix: "add a `bash` line",
};

pub(crate) const SUBFOLDER: Code = Code {
    id: "HK703",
    level: Warning,
    title: "JSON in a subfolder of .github/hooks",
    means: "Copilot CLI reads it as one more hooks file.",
    evidence: "seen on Copilot CLI 1.0.102",
    example: "`.github/hooks/old/guard.json`",
    fix: "move it elsewhere, if it is no hooks file",
};

pub(crate) const UNTRACKED: Code = Code {
    id: "HK704",
    level: Warning,
    title: "A repository's hooks file is not in git",
    means: "Nobody else's clone has it.",
    evidence: "git: it is not in the index",
    example: "`.github/hooks/guard.json` before `git add`",
    fix: "git add FILE",
};

pub(crate) const HOME_PATH: Code = Code {
    id: "HK705",
    level: Warning,
    title: "A file of the repository holds one person's path",
    means: "It starts nothing on another machine.",
    evidence: "follows from the path",
    example: "`/home/ann/bin/hk` in .claude/settings.json",
    fix: "begin it with \"${CLAUDE_PROJECT_DIR}\", or put it into settings.local.json",
};

//! The same hook twice, switches that turn hooks off, and versions of hosts.

use crate::check::Level::{Error, Note, Warning};
use crate::doctor::code::Code;

pub(crate) const ALL: &[&Code] = &[
    &DOUBLE,
    &OUTPUT,
    &ALL_OFF,
    &PLUGIN_OFF,
    &MANAGED_ONLY,
    &UNTRUSTED,
    &CODEX_TRUST,
    &HOST_FAULT,
    &LOCAL_OFF,
    &ENV_CODE,
    &ENDED_EARLY,
    &HOOK_OFF,
];

/// What turns more off than one hook: said before anything else of its level.
pub(crate) const SWITCHES: [&Code; 2] = [&ALL_OFF, &MANAGED_ONLY];

pub(crate) const DOUBLE: Code = Code {
    id: "HK601",
    level: Warning,
    title: "The same hook comes from two sources",
    means: "It runs twice: hosts do not compare what comes from different places.",
    evidence: "seen on Claude Code 2.1.332 (a plugin and settings) and Copilot CLI 1.0.102",
    example: "the plugin is enabled, and its line stands in settings.json too",
    fix: "remove one of the two",
};

pub(crate) const OUTPUT: Code = Code {
    id: "HK602",
    level: Error,
    title: "A line prints what this host ignores",
    means: "It looks like a refusal and refuses nothing.",
    evidence: "seen on Claude Code 2.1.332, Copilot CLI 1.0.102 and Codex 0.171.0",
    example: "`echo '{\"decision\":\"deny\"}'` on Claude Code: the whole output is invalid and the call runs",
    fix: "print the form of this host: `hookkit contracts --event PreToolUse`",
};

pub(crate) const ALL_OFF: Code = Code {
    id: "HK603",
    level: Error,
    title: "Hooks are switched off as a whole",
    means: "No hook of this host runs, whatever else is installed.",
    evidence: "seen on Claude Code 2.1.332, Copilot CLI 1.0.102 (`disableAllHooks` of a repository) and Codex 0.171.0 (`features.hooks`)",
    example: "`\"disableAllHooks\": true`",
    fix: "remove the key, if it is not meant",
};

pub(crate) const PLUGIN_OFF: Code = Code {
    id: "HK604",
    level: Warning,
    title: "A plugin is switched off here",
    means: "Its hooks do not run; a repository can do this to a user's plugin without a message.",
    evidence: "seen on Claude Code 2.1.332 and Copilot CLI 1.0.102",
    example: "`\"enabledPlugins\": {\"guard@tools\": false}`",
    fix: "remove the member, if it is not meant",
};

pub(crate) const MANAGED_ONLY: Code = Code {
    id: "HK605",
    level: Warning,
    title: "An administrator allows managed hooks alone, or those of plugins too",
    means: "Every hook of users and repositories is off; those of plugins too, but under `strictPluginOnlyCustomization`.",
    evidence: "the vendors' pages of Claude Code, Copilot CLI and Codex; Claude Code's source, 2.1.332 (`strictPluginOnlyCustomization`)",
    example: "`\"allowManagedHooksOnly\": true`, or `\"strictPluginOnlyCustomization\": [\"hooks\"]`",
    fix: "ask the administrator; a managed package is the way in",
};

pub(crate) const UNTRUSTED: Code = Code {
    id: "HK606",
    level: Warning,
    title: "A folder is not trusted, so its hooks do not load",
    means: "They are skipped; Copilot CLI says nothing about it.",
    evidence: "seen on Copilot CLI 1.0.102 and Codex 0.171.0",
    example: "`copilot -p` in a fresh clone",
    fix: "trust the folder in the host, or set GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS=true where no one can answer",
};

pub(crate) const CODEX_TRUST: Code = Code {
    id: "HK607",
    level: Error,
    title: "Codex has not been told to trust a hook, or not this form of it",
    means: "It is skipped without a word.",
    evidence: "seen on Codex 0.171.0: `codex exec` prints nothing; the sum of a plugin's hook covers all its files, and only --ask-hosts compares it",
    example: "no `hooks.state` for it in config.toml, or a `trusted_hash` of what it was before",
    fix: "look at it in `/hooks` of Codex, and trust it there",
};

pub(crate) const HOST_FAULT: Code = Code {
    id: "HK608",
    level: Warning,
    title: "This version of a host has a known fault",
    means: "A hook that is right still does not do what it says there.",
    evidence: "each with its source in the finding",
    example: "Claude Code before 2.1.139 ignores `args`",
    fix: "update the host",
};

pub(crate) const LOCAL_OFF: Code = Code {
    id: "HK609",
    level: Warning,
    title: "VS Code is told not to read these hooks",
    means: "They do not run in VS Code.",
    evidence: "VS Code's pages of 2026-09: chat.useHooks, chat.useClaudeHooks, chat.hookFilesLocations",
    example: "`\"chat.useHooks\": false`",
    fix: "change the setting, if it is not meant",
};

pub(crate) const ENV_CODE: Code = Code {
    id: "HK610",
    level: Warning,
    title: "A repository's settings set a variable that loads code",
    means: "It reaches the hooks of the user's own plugins too.",
    evidence: "seen on Claude Code 2.1.332: PATH, BASH_ENV, NODE_OPTIONS, PYTHONPATH, LD_PRELOAD",
    example: "`\"env\": {\"NODE_OPTIONS\": \"--require ./x\"}`",
    fix: "look at what it loads, and remove it if it is not yours",
};

pub(crate) const ENDED_EARLY: Code = Code {
    id: "HK611",
    level: Note,
    title: "A SessionEnd hook without a timeout",
    means: "The host ends it after a second or two.",
    evidence: "seen on Claude Code 2.1.332 (1.5 s) and Codex 0.171.0 (1 s)",
    example: "an upload at the end of a session",
    fix: "write a `timeout`, at most 60 on Claude Code and 3 on Codex",
};

pub(crate) const HOOK_OFF: Code = Code {
    id: "HK612",
    level: Warning,
    title: "A single hook is switched off",
    means: "The host skips it without a word, also where hookkit's manifest says `required`.",
    evidence: "seen on Copilot CLI 1.0.102 (`disabledHooks` of the user's settings) and Codex 0.171.0 (`hooks.state`)",
    example: "`\"disabledHooks\": [\"42bad234...\"]`, as `/plugins` writes it",
    fix: "switch it on again in the host, or remove the member",
};

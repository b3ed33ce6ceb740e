//! Folders that hosts load plugins from, and sessions that hold them.

use crate::check::Level::{Error, Note, Warning};
use crate::doctor::code::Code;

pub(crate) const ALL: &[&Code] = &[
    &CACHE_GONE,
    &MARKET_GONE,
    &ORPHANED,
    &LITERAL,
    &DIRECT,
    &ELSEWHERE,
    &LIVE_GONE,
    &LIVE_OLD,
];

pub(crate) const CACHE_GONE: Code = Code {
    id: "HK101",
    level: Error,
    title: "A host lists a plugin that it cannot load",
    means: "The host loads nothing from it and says nothing, so its hooks are off.",
    evidence: "seen on Copilot CLI 1.0.102: no message, and `plugin list` still shows it",
    example: "config.json `installedPlugins[].cache_path` names a folder that is not there",
    fix: "repair it with the host's own command (`copilot plugin update NAME`), or uninstall it",
};

pub(crate) const MARKET_GONE: Code = Code {
    id: "HK102",
    level: Error,
    title: "The folder of a marketplace is gone",
    means: "Plugins of it are silently absent from the next session on.",
    evidence: "seen on Claude Code 2.1.332 and Copilot CLI 1.0.102, which load a folder's plugins in place",
    example: "`extraKnownMarketplaces.tools.source.path` is `/home/me/old/tools`",
    fix: "put the folder back, or remove the marketplace and the plugins it had",
};

pub(crate) const ORPHANED: Code = Code {
    id: "HK103",
    level: Note,
    title: "An older version of a plugin is still on the disk",
    means: "It belongs to no installation any more; sessions that began before the update may run from it.",
    evidence: "seen on Claude Code 2.1.332: `.orphaned_at` is written, the folder goes after 14 days",
    example: "cache/tools/guard/1.0.0/.orphaned_at",
    fix: "nothing: the host removes it",
};

pub(crate) const LITERAL: Code = Code {
    id: "HK104",
    level: Error,
    title: "A placeholder stands where a path should",
    means: "No host replaces it here, so the path leads nowhere.",
    evidence: "seen on Claude Code 2.1.332, Copilot CLI 1.0.102 and Codex 0.171.0: only the names of their own pages are replaced",
    example: "`{{plugin_root}}/hook.sh` or `${workspaceFolder}/hook.sh`",
    fix: "write the placeholder that this host replaces, or an absolute path",
};

pub(crate) const DIRECT: Code = Code {
    id: "HK105",
    level: Note,
    title: "A plugin is installed from a folder, not from a marketplace",
    means: "It is a copy that no update reaches; `_direct` in a path says so.",
    evidence: "seen on Copilot CLI 1.0.102, which calls direct installs deprecated",
    example: "installed-plugins/_direct/guard",
    fix: "install it from its marketplace",
};

pub(crate) const ELSEWHERE: Code = Code {
    id: "HK106",
    level: Warning,
    title: "A path belongs to another machine or user",
    means: "What is registered there cannot start here.",
    evidence: "follows from the path: it names another system's root or another home",
    example: "`C:\\Users\\ann\\hook.exe` in a settings file on Linux",
    fix: "install it on this machine, or make the path relative to a root that the host replaces",
};

pub(crate) const LIVE_GONE: Code = Code {
    id: "HK107",
    level: Error,
    title: "A running session holds a plugin root that is gone",
    means: "Every tool call of that session is denied, reads too, until it is restarted; installing again does not help it.",
    evidence: "seen on Copilot CLI 1.0.102: the root is resolved once and a launcher that cannot start denies",
    example: "a session started before `plugin uninstall`",
    fix: "end that session and start a new one",
};

pub(crate) const LIVE_OLD: Code = Code {
    id: "HK108",
    level: Warning,
    title: "A running session began before its plugin was replaced",
    means: "It goes on with the definitions that it read at its start.",
    evidence: "seen on Claude Code 2.1.332 (old root) and Copilot CLI 1.0.102 (old definitions, new files)",
    example: "a session started before an update",
    fix: "restart the session to use what is installed now",
};

//! hookkit's own installation: receipts, folders, registrations.

use crate::check::Level::{Error, Note, Warning};
use crate::doctor::code::Code;

pub(crate) const ALL: &[&Code] = &[
    &RECEIPT,
    &UNREGISTERED,
    &LEFT_OVER,
    &THIN,
    &STORE,
    &BIN,
    &DATA,
    &DISABLED,
    &COPY,
];

pub(crate) const RECEIPT: Code = Code {
    id: "HK901",
    level: Error,
    title: "A receipt cannot be read",
    means: "hookkit no longer knows what it installed, and the dispatcher finds no plugin.",
    evidence: "hookkit's own form",
    example: "receipts/guard is cut short",
    fix: "install the plugin again",
};

pub(crate) const UNREGISTERED: Code = Code {
    id: "HK902",
    level: Error,
    title: "A plugin is installed, but its host is not told of it",
    means: "Its hooks do not run there.",
    evidence: "hookkit: its receipt against the host's file",
    example: "the member is gone from settings.json",
    fix: "hookkit doctor --fix",
};

pub(crate) const LEFT_OVER: Code = Code {
    id: "HK903",
    level: Error,
    title: "A registration of hookkit's is left without an installation",
    means: "Copilot CLI denies every call for it; the others report errors.",
    evidence: "hookkit: the host's file names a data folder that has no such plugin; seen on Copilot CLI 1.0.102",
    example: "`extraKnownMarketplaces.hookkit-guard-1a2b3c4d`",
    fix: "hookkit doctor --fix",
};

pub(crate) const THIN: Code = Code {
    id: "HK904",
    level: Error,
    title: "The folder that hosts load is not as it was made",
    means: "A host may load nothing, or something else.",
    evidence: "hookkit: market/NAME against what it writes",
    example: "hooks/hooks.json is gone",
    fix: "hookkit doctor --fix",
};

pub(crate) const STORE: Code = Code {
    id: "HK905",
    level: Error,
    title: "The files of an installed plugin are gone",
    means: "Required gates deny every call; the other hooks do nothing.",
    evidence: "hookkit's dispatcher: the receipt leads nowhere",
    example: "store/guard/0.1.0 was removed",
    fix: "install the plugin again",
};

pub(crate) const BIN: Code = Code {
    id: "HK906",
    level: Error,
    title: "hookkit's dispatcher is missing or does not start",
    means: "Nothing that is installed with hookkit runs.",
    evidence: "hookkit: bin/hookkit-dispatch",
    example: "bin/ was emptied",
    fix: "hookkit doctor --fix",
};

pub(crate) const DATA: Code = Code {
    id: "HK907",
    level: Warning,
    title: "The data folder is where others may write, or where nothing starts",
    means: "Whoever writes there decides what your hooks are.",
    evidence: "hookkit: the rule for its data folder",
    example: "HOOKKIT_HOME inside a git work tree",
    fix: "move it: uninstall, set HOOKKIT_HOME, install",
};

pub(crate) const DISABLED: Code = Code {
    id: "HK908",
    level: Note,
    title: "A hook is switched off by `hookkit disable`",
    means: "It is skipped until it is enabled, or the time is over.",
    evidence: "hookkit: the receipt",
    example: "`hookkit disable guard --for 2h`",
    fix: "hookkit enable NAME",
};

pub(crate) const COPY: Code = Code {
    id: "HK909",
    level: Error,
    title: "An agent's copy of an installed plugin is not the version that is installed",
    means: "Codex loads the copy alone: without it no hook runs, and with another one none runs that is not trusted as it stands there.",
    evidence: "hookkit: plugins/cache/MARKETPLACE/NAME/local of Codex against what it writes; seen on Codex 0.171.0",
    example: "`timeout` was changed in hooks/codex.json of the copy",
    fix: "hookkit doctor --fix",
};

//! Files of settings and hooks: what makes a host drop all or part of them.

use crate::check::Level::{Error, Note, Warning};
use crate::doctor::code::Code;

pub(crate) const ALL: &[&Code] = &[
    &NOT_JSON,
    &COMMENT,
    &BOM,
    &DROPS_SETTINGS,
    &DROPS_PLUGIN,
    &ENTRY_SKIPPED,
    &FLAT,
    &VERSION,
    &EXEC_AND_SHELL,
    &CODEX_KEY,
    &CODEX_HANDLER,
    &SHADOWED,
    &MANIFEST_SHADOWED,
    &TWICE,
    &NO_EVENT,
    &OTHER_EVENT,
    &NO_HOOKS,
    &NOT_A_LIST,
    &MATCHER_EMPTY,
    &MATCHER_INVALID,
    &MATCHER_DEAD,
    &MATCHER_IGNORED,
    &MATCHER_WIDE,
    &TIMEOUT_BAD,
    &TIMEOUT_LONG,
    &TIMEOUT_CUT,
    &TIMEOUT_KEY,
    &FIELD_IGNORED,
    &LOADED_TWICE,
    &ENDING,
    &HOOKS_FORM,
    &UNREADABLE,
    &HTTP,
    &PROMPT,
    &DISABLED_HOOKS,
];

pub(crate) const NOT_JSON: Code = Code {
    id: "HK401",
    level: Error,
    title: "A file does not parse",
    means: "The host drops all of it: every hook in it, and in Claude Code's settings the permission rules too.",
    evidence: "seen on Claude Code 2.1.332, Copilot CLI 1.0.102 and Codex 0.171.0",
    example: "a comma is missing",
    fix: "mend the line that is named",
};

pub(crate) const COMMENT: Code = Code {
    id: "HK402",
    level: Error,
    title: "Comments or trailing commas in a file that is read as strict JSON",
    means: "The host drops all of it.",
    evidence: "seen on Claude Code 2.1.332 (settings), Copilot CLI 1.0.102 and Codex 0.171.0 (hooks files)",
    example: "`// our guards`",
    fix: "take the comment or the comma out",
};

pub(crate) const BOM: Code = Code {
    id: "HK403",
    level: Error,
    title: "A file begins with a byte order mark",
    means: "The host drops all of it.",
    evidence: "seen on Claude Code 2.1.332 (hooks.json of a plugin), Copilot CLI 1.0.102 and Codex 0.171.0 (hooks files)",
    example: "bytes EF BB BF before `{`",
    fix: "save it as UTF-8 without a mark",
};

pub(crate) const DROPS_SETTINGS: Code = Code {
    id: "HK404",
    level: Error,
    title: "A bad entry under PreToolUse drops the whole settings file",
    means: "Every other hook in it is off, and so are its permission rules.",
    evidence: "seen on Claude Code 2.1.332; nothing is said in print mode",
    example: "`\"timeout\": \"5\"` under PreToolUse",
    fix: "mend the entry that is named",
};

pub(crate) const DROPS_PLUGIN: Code = Code {
    id: "HK405",
    level: Error,
    title: "A bad entry keeps a whole plugin from loading",
    means: "None of the plugin's hooks run.",
    evidence: "seen on Claude Code 2.1.332 (`plugin_errors`) and 2.1.197",
    example: "`\"type\": \"shell\"` under PreToolUse of hooks/hooks.json",
    fix: "mend the entry that is named",
};

pub(crate) const ENTRY_SKIPPED: Code = Code {
    id: "HK406",
    level: Error,
    title: "A host skips an entry",
    means: "The hook never runs; only a log says so.",
    evidence: "seen on Claude Code 2.1.332 (other events than PreToolUse) and Copilot CLI 1.0.102",
    example: "an entry without any command",
    fix: "mend the entry, or remove it",
};

pub(crate) const FLAT: Code = Code {
    id: "HK407",
    level: Error,
    title: "A flat entry in a file that Claude Code reads",
    means: "Claude Code wants `{\"hooks\": [...]}` around it: under PreToolUse it drops the file, or the plugin.",
    evidence: "seen on Claude Code 2.1.332 and 2.1.197",
    example: "`\"PreToolUse\": [{\"type\": \"command\", \"bash\": \"x\"}]`",
    fix: "put the entry into `{\"hooks\": [ENTRY]}`, and Copilot's form into a file of its own",
};

pub(crate) const VERSION: Code = Code {
    id: "HK408",
    level: Error,
    title: "`version` is not the number 1",
    means: "Copilot CLI rejects the file.",
    evidence: "seen on Copilot CLI 1.0.102",
    example: "`\"version\": \"1\"`",
    fix: "write `\"version\": 1`",
};

pub(crate) const EXEC_AND_SHELL: Code = Code {
    id: "HK409",
    level: Error,
    title: "`exec` stands beside shell keys",
    means: "Copilot CLI drops the entry.",
    evidence: "seen on Copilot CLI 1.0.102, log only",
    example: "`\"exec\": \"./x\", \"bash\": \"./x\"`",
    fix: "keep one of the two",
};

pub(crate) const CODEX_KEY: Code = Code {
    id: "HK410",
    level: Error,
    title: "A key at the top that Codex does not know",
    means: "Codex rejects the whole file.",
    evidence: "seen on Codex 0.171.0: only `description` and `hooks` may stand there",
    example: "`\"version\": 1` in hooks.json",
    fix: "remove the key, or give Codex a file of its own",
};

pub(crate) const CODEX_HANDLER: Code = Code {
    id: "HK411",
    level: Error,
    title: "A handler that Codex cannot read",
    means: "Codex rejects the whole file for it.",
    evidence: "seen on Codex 0.171.0: a handler without `command`, of type http, or with a fraction as timeout",
    example: "`{\"type\": \"command\", \"bash\": \"x\"}`",
    fix: "give it a `command` and whole seconds",
};

pub(crate) const SHADOWED: Code = Code {
    id: "HK412",
    level: Error,
    title: "A plugin's root hooks.json shadows hooks/hooks.json",
    means: "Copilot CLI reads only the one at the root.",
    evidence: "seen on Copilot CLI 1.0.102",
    example: "hooks.json and hooks/hooks.json in one plugin",
    fix: "keep one, or name the file in the manifest's `hooks`",
};

pub(crate) const MANIFEST_SHADOWED: Code = Code {
    id: "HK413",
    level: Warning,
    title: "One manifest shadows another that says something else",
    means: "Copilot CLI reads the first of .plugin/, the root, .github/plugin/ and .claude-plugin/, and VS Code takes a root plugin.json for Copilot's format.",
    evidence: "seen on Copilot CLI 1.0.102; VS Code's source (pluginParsers.ts)",
    example: "plugin.json at the root beside .claude-plugin/plugin.json",
    fix: "make them say the same `hooks`, or remove the one that is not meant",
};

pub(crate) const TWICE: Code = Code {
    id: "HK414",
    level: Warning,
    title: "A key stands twice in one object",
    means: "Hosts take the last one; what the first one says is lost.",
    evidence: "JSON as JavaScript reads it; not run for each host",
    example: "two `PreToolUse` keys",
    fix: "join the two",
};

pub(crate) const NO_EVENT: Code = Code {
    id: "HK415",
    level: Error,
    title: "No host knows this event",
    means: "The hooks under it never run.",
    evidence: "seen on Claude Code 2.1.332, Copilot CLI 1.0.102 and Codex 0.171.0: unknown events are ignored; Claude Code 2.1.197 drops the plugin's whole file",
    example: "`pretooluse`",
    fix: "write the event as the host does",
};

pub(crate) const OTHER_EVENT: Code = Code {
    id: "HK416",
    level: Note,
    title: "This host has no such event",
    means: "The hooks under it run on other hosts alone.",
    evidence: "seen on Claude Code 2.1.332, Copilot CLI 1.0.102 and Codex 0.171.0: it is ignored",
    example: "`PostToolBatch` in a file that Copilot reads too",
    fix: "nothing, if it is meant for the other host",
};

pub(crate) const NO_HOOKS: Code = Code {
    id: "HK417",
    level: Error,
    title: "Events stand outside `hooks`",
    means: "The host refuses the file, or finds no hooks in it.",
    evidence: "seen on Claude Code 2.1.332 and Codex 0.171.0",
    example: "`{\"PreToolUse\": [...]}` at the top",
    fix: "put them into `\"hooks\": {...}`",
};

pub(crate) const NOT_A_LIST: Code = Code {
    id: "HK418",
    level: Error,
    title: "An event's value is no list",
    means: "The host drops what stands there.",
    evidence: "seen on Copilot CLI 1.0.102 and Claude Code 2.1.332",
    example: "`\"Stop\": {\"hooks\": []}`",
    fix: "write a list, `[{...}]`",
};

pub(crate) const MATCHER_EMPTY: Code = Code {
    id: "HK419",
    level: Error,
    title: "An empty matcher on Copilot CLI",
    means: "Copilot CLI skips the entry: a matcher cannot be empty.",
    evidence: "seen on Copilot CLI 1.0.102, log only",
    example: "`\"matcher\": \"\"` under PreToolUse",
    fix: "leave the matcher out",
};

pub(crate) const MATCHER_INVALID: Code = Code {
    id: "HK420",
    level: Error,
    title: "A matcher is no valid expression",
    means: "It never matches, so the hook never runs.",
    evidence: "seen on Claude Code 2.1.332, Copilot CLI 1.0.102 and Codex 0.171.0",
    example: "`\"matcher\": \"(\"`, or `*` on a camelCase event of Copilot CLI",
    fix: "write a name, or a valid regular expression",
};

pub(crate) const MATCHER_DEAD: Code = Code {
    id: "HK421",
    level: Error,
    title: "A matcher can match nothing on this host",
    means: "The hook never runs.",
    evidence: "seen on Claude Code 2.1.332, Copilot CLI 1.0.102 and Codex 0.171.0: names are compared whole and by case, arguments never",
    example: "`bash`, `Bash(git *)`, `mcp__server`",
    fix: "write the tool's name as this host has it",
};

pub(crate) const MATCHER_IGNORED: Code = Code {
    id: "HK422",
    level: Warning,
    title: "A matcher that the host does not look at",
    means: "The hook runs on every call of the event.",
    evidence: "seen on Claude Code 2.1.332 (UserPromptSubmit, Stop) and Copilot CLI 1.0.102; VS Code's source: Local ignores all",
    example: "`\"matcher\": \"Bash\"` under Stop",
    fix: "leave it out, and let the hook itself look",
};

pub(crate) const MATCHER_WIDE: Code = Code {
    id: "HK423",
    level: Warning,
    title: "A matcher also fits tools that it seems not to mean",
    means: "A pattern may stand anywhere in a name.",
    evidence: "seen on Claude Code 2.1.332 and Codex 0.171.0",
    example: "`Write.*|Edit` fits TodoWrite and NotebookEdit",
    fix: "begin it with ^ and end it with $",
};

pub(crate) const TIMEOUT_BAD: Code = Code {
    id: "HK424",
    level: Error,
    title: "A timeout that is no positive number",
    means: "The host skips the entry, or drops the file.",
    evidence: "seen on Copilot CLI 1.0.102 (skipped), Claude Code 2.1.332 and Codex 0.171.0 (dropped)",
    example: "`\"timeout\": 0`",
    fix: "write seconds above 0",
};

pub(crate) const TIMEOUT_LONG: Code = Code {
    id: "HK425",
    level: Warning,
    title: "A timeout that looks like milliseconds",
    means: "These hosts count seconds, so a hook that hangs holds the session for that long.",
    evidence: "seen on Claude Code 2.1.332, Copilot CLI 1.0.102 and Codex 0.171.0: seconds",
    example: "`\"timeout\": 30000` is 8 hours",
    fix: "divide by 1000",
};

pub(crate) const TIMEOUT_CUT: Code = Code {
    id: "HK426",
    level: Warning,
    title: "A timeout beyond what the host gives",
    means: "The hook is ended earlier.",
    evidence: "seen on Claude Code 2.1.332 (SessionEnd 60 s) and Codex 0.171.0 (SessionEnd, Interrupt 3 s)",
    example: "`\"timeout\": 30` on SessionEnd of Codex",
    fix: "do less there, or leave work running",
};

pub(crate) const TIMEOUT_KEY: Code = Code {
    id: "HK427",
    level: Warning,
    title: "A timeout under a key that the host does not read",
    means: "The host's own limit counts.",
    evidence: "seen on Claude Code 2.1.332 and Codex 0.171.0: `timeoutSec` is ignored",
    example: "`\"timeoutSec\": 5` in hooks.json of Codex",
    fix: "write `timeout`",
};

pub(crate) const FIELD_IGNORED: Code = Code {
    id: "HK428",
    level: Warning,
    title: "A field that this host ignores changes what the hook does",
    means: "Without it the hook runs more often, at other times, or with other words than it seems.",
    evidence: "seen on Copilot CLI 1.0.102 (async, if, once, args), Claude Code 2.1.332 (cwd, env) and Codex 0.171.0",
    example: "`\"if\": \"Bash(git *)\"` where Copilot CLI reads it",
    fix: "let the hook itself decide, or use a file of this host's own",
};

pub(crate) const LOADED_TWICE: Code = Code {
    id: "HK429",
    level: Note,
    title: "A manifest names the hooks file that is read anyway",
    means: "Claude Code 2.1.197 reports it as a duplicate; newer ones load it once.",
    evidence: "seen on Claude Code 2.1.197 and 2.1.332",
    example: "`\"hooks\": \"./hooks/hooks.json\"`",
    fix: "leave the key out",
};

pub(crate) const ENDING: Code = Code {
    id: "HK430",
    level: Warning,
    title: "A hooks file with an ending that is not read",
    means: "Copilot CLI reads `*.json` alone.",
    evidence: "seen on Copilot CLI 1.0.102",
    example: "`.github/hooks/guard.jsonc`",
    fix: "name it `.json`",
};

pub(crate) const HOOKS_FORM: Code = Code {
    id: "HK431",
    level: Error,
    title: "A manifest's `hooks` has a form that the host does not read",
    means: "The plugin's hooks are not found.",
    evidence: "seen on Copilot CLI 1.0.102 (a list, a folder) and Codex 0.171.0 (a bare map of events)",
    example: "`\"hooks\": \"./hooks/\"`",
    fix: "name one file, `\"./hooks/hooks.json\"`",
};

pub(crate) const UNREADABLE: Code = Code {
    id: "HK432",
    level: Warning,
    title: "A file cannot be read",
    means: "Nothing is known about what is in it.",
    evidence: "hookkit: the system said why",
    example: "mode 0000, or over 8 MiB",
    fix: "make it readable, and look again",
};

pub(crate) const HTTP: Code = Code {
    id: "HK433",
    level: Error,
    title: "An http hook that the host refuses to call",
    means: "Copilot CLI skips it: events that decide need https.",
    evidence: "seen on Copilot CLI 1.0.102",
    example: "`\"url\": \"http://...\"` under preToolUse",
    fix: "use https",
};

pub(crate) const PROMPT: Code = Code {
    id: "HK434",
    level: Error,
    title: "A prompt hook on an event that has none",
    means: "Copilot CLI allows type prompt on sessionStart alone.",
    evidence: "seen on Copilot CLI 1.0.102",
    example: "`\"type\": \"prompt\"` under Stop",
    fix: "use a command",
};

pub(crate) const DISABLED_HOOKS: Code = Code {
    id: "HK435",
    level: Error,
    title: "`disabledHooks` is no list of texts",
    means: "Copilot CLI ignores all of the user's settings: their hooks, `enabledPlugins` and marketplaces.",
    evidence: "seen on Copilot CLI 1.0.102, without a word",
    example: "`\"disabledHooks\": [\"42bad234...\", 7]`, or `null`",
    fix: "leave texts alone in the list, or remove it",
};

//! Launch lines: texts that the shell of a host, here or on another system, does not read as meant.

use crate::check::Level::{Error, Note, Warning};
use crate::doctor::code::Code;

pub(crate) const ALL: &[&Code] = &[
    &CHAIN_51,
    &QUOTED_FIRST,
    &BASHISM,
    &UNQUOTED_ROOT,
    &QUOTE_CLOSED,
    &DEFAULT,
    &SINGLE_QUOTED,
    &EXEC_WORD,
    &SWALLOWED,
    &RUN_TWICE,
    &PROJECT_EXEC,
    &VARIABLE,
    &SHELL_VARIABLE,
    &RELATIVE,
    &EXIT_LOST,
    &NO_PWSH,
    &ARGS_IGNORED,
    &BACKSLASH,
    &BARE_BASH,
    &ODD_QUOTES,
    &PATH_ARGUMENT,
    &PATH_CHARACTER,
];

pub(crate) const CHAIN_51: Code = Code {
    id: "HK501",
    level: Warning,
    title: "`||` or `&&` where Windows PowerShell 5.1 reads the line",
    means: "There it is a parse error: Copilot CLI then denies every call, the others run them unguarded.",
    evidence: "reports: topoteretes/cognee-integrations#407; Copilot's source gives a lone `command` to PowerShell on Windows",
    example: "`hk check || exit 0`",
    fix: "give Windows a line of its own (`powershell`, `windows`, `commandWindows`), or use exec form",
};

pub(crate) const QUOTED_FIRST: Code = Code {
    id: "HK502",
    level: Warning,
    title: "A line for PowerShell begins with a quoted path",
    means: "PowerShell prints the text, or takes what follows for an error; nothing starts.",
    evidence: "reports: openai/codex#46454, obra/superpowers#2189; PowerShell's grammar",
    example: "`\"C:\\tools\\hk.exe\" run`",
    fix: "begin it with `& `",
};

pub(crate) const BASHISM: Code = Code {
    id: "HK503",
    level: Error,
    title: "A line for sh uses what only bash has",
    means: "Claude Code and VS Code start /bin/sh; a syntax error there exits with 2, which denies every call.",
    evidence: "seen on Claude Code 2.1.332 with dash as /bin/sh; $SHELL and `shell` change nothing",
    example: "`[[ -f x ]] && hk`",
    fix: "write it for POSIX sh, or call `bash -c '...'`",
};

pub(crate) const UNQUOTED_ROOT: Code = Code {
    id: "HK504",
    level: Warning,
    title: "A root stands without quotes",
    means: "With a blank in the path the line breaks.",
    evidence: "seen on Claude Code 2.1.332 (127, the call runs) and Copilot CLI 1.0.102; `claude plugin validate` warns too",
    example: "`bash ${CLAUDE_PLUGIN_ROOT}/hooks/x.sh`",
    fix: "put the whole path into double quotes",
};

pub(crate) const QUOTE_CLOSED: Code = Code {
    id: "HK505",
    level: Warning,
    title: "A quote is closed before the rest of the path",
    means: "Copilot CLI does not repair the executable bit of such a path (exit 126, denied), and PowerShell sees two words.",
    evidence: "seen on Copilot CLI 1.0.102",
    example: "`\"${CLAUDE_PLUGIN_ROOT}\"/hooks/x.sh`",
    fix: "close the quote behind the path",
};

pub(crate) const DEFAULT: Code = Code {
    id: "HK506",
    level: Warning,
    title: "A root with a default value",
    means: "Where the host itself replaces the name, or PowerShell reads the line, the text stays as it is.",
    evidence: "seen on Codex 0.171.0 and Copilot CLI 1.0.102: only the bare name is replaced",
    example: "`${CLAUDE_PLUGIN_ROOT:-.}`",
    fix: "write the bare name",
};

pub(crate) const SINGLE_QUOTED: Code = Code {
    id: "HK507",
    level: Error,
    title: "A placeholder in single quotes",
    means: "The shell keeps it as it is, so the path leads nowhere.",
    evidence: "seen on Claude Code 2.1.332: the client replaces nothing in shell form, sh does",
    example: "`'${CLAUDE_PLUGIN_ROOT}/x.sh'`",
    fix: "use double quotes",
};

pub(crate) const EXEC_WORD: Code = Code {
    id: "HK508",
    level: Warning,
    title: "A line begins with the shell's `exec`",
    means: "PowerShell has no such command, so nothing starts on Windows.",
    evidence: "PowerShell's grammar; a lone `command` of Copilot CLI runs there",
    example: "`exec python3 hook.py`",
    fix: "leave `exec` out, or give Windows a line of its own",
};

pub(crate) const SWALLOWED: Code = Code {
    id: "HK509",
    level: Warning,
    title: "A guard whose exit code is swallowed",
    means: "Exit 2 becomes 0, so a refusal by exit code is lost.",
    evidence: "seen on Claude Code 2.1.332 and Copilot CLI 1.0.102: the line's own exit code counts",
    example: "`hk check || true` under PreToolUse",
    fix: "leave `|| true` out; a hook that may fail belongs on an event that refuses nothing",
};

pub(crate) const RUN_TWICE: Code = Code {
    id: "HK510",
    level: Warning,
    title: "A second interpreter runs when the first one's hook refuses",
    means: "A refusal starts the hook again, with its input already read.",
    evidence: "seen by hookkit's tests; reports of many plugins",
    example: "`python3 h.py || python h.py`",
    fix: "choose the interpreter before the hook runs: `command -v python3`",
};

pub(crate) const PROJECT_EXEC: Code = Code {
    id: "HK511",
    level: Error,
    title: "An exec-form entry in a project's Claude settings",
    means: "Copilot CLI reads that file without `args` and gives `command` to bash: with a blank in the path every call is denied.",
    evidence: "seen on Copilot CLI 1.0.102",
    example: "`\"command\": \"${CLAUDE_PROJECT_DIR}/x\", \"args\": []`",
    fix: "add `\"bash\": \"\", \"powershell\": \"\"`, which Claude Code ignores and which keep Copilot CLI from running it",
};

pub(crate) const VARIABLE: Code = Code {
    id: "HK512",
    level: Error,
    title: "A variable that this host does not set",
    means: "It is empty there, so the path begins at the root of the disk.",
    evidence: "seen on Claude Code 2.1.332 (no PLUGIN_ROOT), Copilot CLI 1.0.102 (COPILOT_PLUGIN_ROOT not in exec) and Codex 0.171.0 (no project folder)",
    example: "`${PLUGIN_ROOT}/x.sh` in a plugin for Claude Code",
    fix: "write the name that the host sets",
};

pub(crate) const SHELL_VARIABLE: Code = Code {
    id: "HK513",
    level: Warning,
    title: "A variable in the form of another shell",
    means: "It is not replaced, so the path leads nowhere.",
    evidence: "reports: HB-LAUN-06; PowerShell's and sh's grammar",
    example: "`$CLAUDE_PROJECT_DIR` where PowerShell reads it, `%USERPROFILE%` or `$env:X` in sh",
    fix: "write `$env:NAME` for PowerShell and `\"$NAME\"` for sh, each in its own key",
};

pub(crate) const RELATIVE: Code = Code {
    id: "HK514",
    level: Warning,
    title: "A path that depends on the working directory",
    means: "Claude Code starts hooks in the folder that the session is in now, so the file is not found after a `cd`.",
    evidence: "seen on Claude Code 2.1.332",
    example: "`./.claude/hooks/x.sh`",
    fix: "begin it with \"${CLAUDE_PROJECT_DIR}\" or the plugin's root",
};

pub(crate) const EXIT_LOST: Code = Code {
    id: "HK515",
    level: Warning,
    title: "A line for PowerShell that does not hand on its exit code",
    means: "PowerShell makes 1 of every other code, so exit 2 refuses nothing.",
    evidence: "PowerShell/PowerShell#13501; GitHub's own plugin ends its lines with it",
    example: "`& \"$env:X\\hk.exe\" run`",
    fix: "end it with `; exit $LASTEXITCODE`",
};

pub(crate) const NO_PWSH: Code = Code {
    id: "HK516",
    level: Error,
    title: "A line for PowerShell on a machine without it",
    means: "Copilot CLI denies every call for it; Claude Code reports an error and runs the call.",
    evidence: "seen on Copilot CLI 1.0.102 and Claude Code 2.1.332 on Linux",
    example: "an entry with `powershell` alone",
    fix: "add a `bash` line, or install PowerShell",
};

pub(crate) const ARGS_IGNORED: Code = Code {
    id: "HK517",
    level: Error,
    title: "`command` with `args` where Copilot CLI reads it",
    means: "The words of `args` are dropped.",
    evidence: "seen on Copilot CLI 1.0.102: python3 read the payload as a program",
    example: "`\"command\": \"python3\", \"args\": [\"h.py\"]`",
    fix: "use `exec` with `args`",
};

pub(crate) const BACKSLASH: Code = Code {
    id: "HK518",
    level: Warning,
    title: "Backslashes in a path that a POSIX shell reads",
    means: "The shell takes them for escapes and finds no such file.",
    evidence: "POSIX shell grammar; bash and sh of every host on Linux and macOS",
    example: "`.claude\\hooks\\x.sh`",
    fix: "write slashes",
};

pub(crate) const BARE_BASH: Code = Code {
    id: "HK519",
    level: Note,
    title: "`bash` by its bare name on Windows",
    means: "The first one on the PATH may be the relay to WSL.",
    evidence: "reports: anthropics/claude-code#70150",
    example: "`\"windows\": \"bash hook.sh\"`",
    fix: "name the program by its path, or use exec form with a native program",
};

pub(crate) const ODD_QUOTES: Code = Code {
    id: "HK520",
    level: Error,
    title: "A quote is not closed",
    means: "The shell reports a syntax error; in sh that is exit 2, which denies every call.",
    evidence: "seen on Claude Code 2.1.332 with dash",
    example: "`bash \"x.sh`",
    fix: "close the quote",
};

pub(crate) const PATH_ARGUMENT: Code = Code {
    id: "HK521",
    level: Warning,
    title: "An argument that begins with `/`, for a program of Windows",
    means: "Git Bash takes it for a path of its own: `/PreToolUse` arrives as `C:/Program Files/Git/PreToolUse`.",
    evidence: "reports: openai/codex-plugin-cc#409, alex-feel/claude-code-toolbox#281",
    example: "`hk.exe --event /PreToolUse` where Claude Code starts Git Bash",
    fix: "write `--event=/PreToolUse` or `//PreToolUse`, use exec form, or set MSYS2_ARG_CONV_EXCL for this command",
};

pub(crate) const PATH_CHARACTER: Code = Code {
    id: "HK522",
    level: Warning,
    title: "A character in a path means something to its shell",
    means: "An `&` without quotes ends the command, and cmd replaces `%NAME%` in quotes too, so another file is started, or none.",
    evidence: "reports: vfarcic/dot-agent-deck#506; the grammars of sh, cmd and PowerShell",
    example: "`C:\\Users\\A&B\\hk.exe run`, or `cmd /c \"C:\\100%OS%\\hk.exe\"`",
    fix: "put the path into quotes, use exec form, or install the program where the path has no such character",
};

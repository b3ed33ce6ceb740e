"""Names the programs that a Bash command line starts, with the arguments each one gets.

Behind the syntax lie the wrappers: `sudo -u x env A=1 git push` starts git. A literal script of
`sh -c '...'`, of `eval` or in a here document of a shell is looked into, one level deep.
"""

import re

import shell_syntax
from paths import resolve
from shell_syntax import TooDeep, Word  # noqa: F401 (what callers catch and read)

_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=", re.ASCII)
_KEYWORDS = {"if", "then", "elif", "else", "while", "until", "do", "!", "{", "}", "coproc"}
_SHELLS = {"sh", "bash", "dash", "zsh", "ksh", "ash"}

# Programs that start the program named in their own arguments:
# short options with a value, long options with a value, operands before the program.
_WRAPPERS = {
    "builtin": ("", (), 0),
    "chronic": ("", (), 0),
    "command": ("", (), 0),
    "doas": ("uC", (), 0),
    "env": ("uCS", ("unset", "chdir", "split-string"), 0),
    "exec": ("a", (), 0),
    "ionice": ("cnpPu", ("class", "classdata"), 0),
    "nice": ("n", ("adjustment",), 0),
    "nohup": ("", (), 0),
    "setsid": ("", (), 0),
    "stdbuf": ("ioe", ("input", "output", "error"), 0),
    "sudo": ("CDghpRrTtUu", ("chdir", "chroot", "close-from", "group", "host", "other-user", "prompt",
                             "role", "type", "user"), 0),
    "time": ("fo", ("format", "output"), 0),
    "timeout": ("ks", ("kill-after", "signal"), 1),
    "xargs": ("adEILnPs", ("arg-file", "delimiter", "max-args", "max-chars", "max-lines", "max-procs",
                           "process-slot-var"), 0),
}
_MOVES = {("env", "-C"), ("env", "--chdir"), ("sudo", "-D"), ("sudo", "--chdir"), ("sudo", "-R"),
          ("sudo", "--chroot")}


class Invocation:
    """One program that would be started.

    `program` is its lower-case name without folder and `.exe`, `args` are the words behind it,
    `assigned` the names set in front of it, `wrappers` the programs that start it. `directory` is
    the folder it runs in, None when that cannot be told from the words.
    """

    __slots__ = ("program", "args", "assigned", "wrappers", "redirects", "scope", "moved", "directory")

    def __init__(self, command):
        self.program, self.args = "", list(command.words)
        self.assigned, self.wrappers, self.moved = [], [], False
        self.redirects, self.scope, self.directory = command.redirects, command.scope, None


def invocations(text, directory):
    """Every program that `text` starts from `directory`, in order. Raises TooDeep."""
    found = []
    for number, command in enumerate(shell_syntax.split(text)):
        found.extend(_with_script(command, number))
    _follow_directories(found, directory)
    return found


def options(args, valued=""):
    """Yields (option, value, index) for each option in `args` up to `--`, bundles of short ones
    taken apart; `valued` lists the short options that take a value. Operands come as (None, word,
    index)."""
    index = 0
    while index < len(args):
        word, position = args[index], index
        text = word.text
        index += 1
        if text == "--":
            for position in range(index, len(args)):
                yield None, args[position], position
            return
        if text.startswith("--"):
            name, equals, value = text.partition("=")
            yield name, (Word(value, word.literal, value) if equals else None), position
        elif len(text) > 1 and text[0] == "-":
            for at, letter in enumerate(text[1:], 2):
                if letter not in valued:
                    yield "-" + letter, None, position
                    continue
                value = Word(text[at:], word.literal, text[at:]) if text[at:] else None
                if value is None and index < len(args):
                    value = args[index]
                    index += 1
                yield "-" + letter, value, position
                break
        else:
            yield None, word, position


def _with_script(command, number):
    """The invocation of `command`, and those of the literal script that it hands to a shell."""
    invocation = _unwrap(command)
    result = [invocation]
    scope = invocation.scope + (f"script of {number}",)
    for script in _scripts(invocation, command.here_documents):
        result.extend(_unwrap(inner) for inner in shell_syntax.split(script, scope))
    return result


def _scripts(invocation, here_documents):
    args = invocation.args
    if invocation.program == "eval":
        # In its own shell: a `cd` in it stays, but to see that is not worth a special case.
        return [" ".join(word.text for word in args)]
    if invocation.program not in _SHELLS:
        return []
    takes_script = False
    operands = []
    for option, value, _ in options(args, "oO"):
        takes_script |= option == "-c"
        if option is None and not (operands and not takes_script):
            operands.append(value)
    if takes_script:
        return [operands[0].text] if operands else []
    return [] if operands else here_documents


def _unwrap(command):
    invocation = Invocation(command)
    while True:
        _strip_assignments(invocation)
        args = invocation.args
        if not args:
            return invocation
        first = args[0].text
        name = re.split(r"[/\\]", first)[-1].lower()
        name = name[:-4] if name.endswith(".exe") else name
        if name in _KEYWORDS and args[0].raw == first:
            invocation.args = args[1:]
        elif first == "function":
            invocation.args = args[2:]
        elif name in _WRAPPERS:
            invocation.wrappers.append(name)
            invocation.args = _behind_wrapper(invocation, name, args[1:])
        else:
            invocation.program, invocation.args = name, args[1:]
            return invocation


def _strip_assignments(invocation):
    args = invocation.args
    count = 0
    while count < len(args) and _ASSIGNMENT.match(args[count].raw):
        invocation.assigned.append(args[count].text.partition("=")[0])
        count += 1
    invocation.args = args[count:]


def _behind_wrapper(invocation, name, args):
    short, long, operands = _WRAPPERS[name]
    index = 0
    while index < len(args):
        text = args[index].text
        index += 1
        if text == "--":
            break
        if text == "-":  # `env -` is `env -i`
            continue
        if text[:1] != "-":
            if operands == 0:
                index -= 1
                break
            operands -= 1
            continue
        option, inline = _wrapper_option(text, short, long)
        invocation.moved |= (name, option) in _MOVES
        takes_next = inline == "" and (option[1:] in short or option[2:] in long)
        if name == "env" and option in ("-S", "--split-string"):
            value = inline or "".join(word.text for word in args[index:index + 1])
            words = [w for c in shell_syntax.split(value) for w in c.words]
            return words + args[index + takes_next:]
        index += takes_next
    return args[index:]


def _wrapper_option(text, short, long):
    """(option, value in the same word) of the option that decides how far `text` reaches."""
    if text.startswith("--"):
        option, _, inline = text.partition("=")
        return option, inline
    for at, letter in enumerate(text[1:], 2):
        if letter in short:
            return "-" + letter, text[at:]
    return text[:2], text[2:]


def _follow_directories(found, directory):
    """Sets `directory` on each invocation: the start, changed by each `cd` before it."""
    entered = {(): directory}
    for invocation in found:
        scope = invocation.scope
        while scope not in entered:
            scope = scope[:-1]
        here = entered[scope]
        invocation.directory = None if invocation.moved else here
        if invocation.program in ("cd", "chdir", "pushd", "set-location"):
            entered[invocation.scope] = _changed(here, invocation.args)
        elif invocation.program == "popd":
            entered[invocation.scope] = None


def _changed(directory, args):
    operands = [word for option, word, _ in options(args) if option is None]
    if not operands:
        return resolve("~", None)
    target = operands[0]
    if len(operands) > 1 or target.text == "-":
        return None
    if not target.literal and not target.text.startswith(("$HOME", "${HOME}")):
        return None
    return resolve(target.text, directory)

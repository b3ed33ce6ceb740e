"""Denies reading and writing of secrets files, by file tools and by shell commands."""

import os
import re

import payload as hook
from paths import resolve
from secret_names import is_secret, wildcard_covers_secret
from shell_words import TooDeep, invocations, options

_MAX_PATH = 4096  # the system refuses longer ones
_WILDCARD = re.compile(r"[*?\[]")
_JOINED = re.compile(r"[=:,@{}]")
_MAX_LOOKUPS = 20_000  # of links on the disk, for one command

# Programs that tell names, sizes and dates of files, or print their own arguments.
_NAME_ONLY = {"[", "[[", "basename", "dirname", "echo", "false", "file", "ls", "printf", "readlink",
              "realpath", "stat", "test", "true", "which"}
_GIT_NAME_ONLY = {"check-ignore", "config", "ls-files", "status"}
_FIND_ACTIONS = ("-exec", "-ok", "-delete", "-fprint", "-fls")
# Programs whose first operand is a pattern or a script, unless an option brings it.
_PATTERN_FIRST = {"ack", "ag", "awk", "egrep", "fgrep", "gawk", "grep", "jq", "mawk", "rg", "sed", "yq",
                  "zgrep"}
_PATTERN_OPTIONS = {"-e", "-f", "--regexp", "--file", "--expression", "--from-file"}
_LEAVES_OUT = ("--exclude", "--ignore", "--query")
# Programs that take code as the value of an option: `process.env.key` in it is no file.
_INTERPRETERS = {"bun", "deno", "node", "perl", "php", "python", "python3", "ruby"}
_CODE_OPTIONS = {"-c", "-e", "-p", "-r", "--eval", "--print"}


def decide(payload):
    arguments = hook.tool_input(payload)
    directory = hook.working_directory(payload)
    tool = payload.get("tool_name")
    for field in ("file_path", "notebook_path", "path"):
        path = hook.text_field(arguments, field)
        if path and _names_secret(path, directory):
            return _reason(path)
    for field in ("glob", "pattern") if tool == "Grep" else ("pattern",) if tool == "Glob" else ():
        pattern = hook.text_field(arguments, field)
        if pattern and (field, tool) != ("pattern", "Grep") and _pattern_names_secret(pattern, directory):
            return _reason(pattern)
    command = hook.text_field(arguments, "command")
    return _command_reason(command, directory) if command else None


def _reason(path):
    return (f"Secrets files are neither read nor written here, and {hook.shown(path)} is one. Work with an "
            "example file such as .env.example, or ask the user to do this step.")


def _names_secret(path, directory):
    if is_secret(path):
        return True
    absolute = resolve(path, directory) if len(path) <= _MAX_PATH else None
    if absolute is None:
        return False
    try:
        return is_secret(absolute) or is_secret(os.path.realpath(absolute))
    except (OSError, ValueError):  # NUL or half a surrogate pair: no file has such a name
        return False


def _pattern_names_secret(pattern, directory):
    if pattern.startswith("!"):
        return False
    if _WILDCARD.search(pattern):
        return is_secret(pattern) or wildcard_covers_secret(pattern)
    return _names_secret(pattern, directory)


def _command_reason(command, directory):
    try:
        started = invocations(command, directory)
    except TooDeep:
        return ("A command with this many nested substitutions cannot be checked for secrets files. "
                "Split it into simpler commands.")
    names_become_files = any("xargs" in invocation.wrappers for invocation in started)
    checked = {}
    for invocation in started:
        words = [target for _, target in invocation.redirects]
        if names_become_files or not _is_name_only(invocation):
            words += _files_of(invocation)
        for word in words:
            key = (word.text, invocation.directory)
            if key not in checked:
                checked[key] = _word_names_secret(word, invocation.directory, len(checked))
            if checked[key]:
                return _reason(word.text)
    return None


def _is_name_only(invocation):
    words = [word.text for word in invocation.args]
    if invocation.program == "find":
        return not any(word.startswith(_FIND_ACTIONS) for word in words)
    if invocation.program == "git":
        return bool(words) and (words[0] in _GIT_NAME_ONLY or words[0] == "rm" and "--cached" in words)
    return invocation.program in _NAME_ONLY


def _files_of(invocation):
    """The words that may be files: all but patterns, exclusions, code, and the prose of git and gh."""
    args = invocation.args
    if invocation.program in ("git", "gh"):
        return [word for word in args if not re.search(r"\s", word.text)]
    left_out = set()
    pattern_expected = invocation.program in _PATTERN_FIRST
    for option, value, index in options(args):
        if option is None:
            if pattern_expected and index not in left_out:
                left_out.add(index)
                pattern_expected = False
        elif invocation.program in _INTERPRETERS and option in _CODE_OPTIONS:
            left_out.add(index + 1)
        elif option.startswith(_LEAVES_OUT):
            left_out.add(index if value else index + 1)
        elif option in _PATTERN_OPTIONS:
            pattern_expected = False
    return [word for index, word in enumerate(args) if index not in left_out]


def _word_names_secret(word, directory, lookups):
    for text in _paths_in(word):
        if is_secret(text):
            return True
        if _WILDCARD.search(text) and wildcard_covers_secret(text):
            return True
    return lookups < _MAX_LOOKUPS and not _is_address(word.text) and _names_secret(word.text, directory)


def _paths_in(word):
    """What in a word may be a path: the word, an option's value, `@file`, `HEAD:file`, `{file,x}`."""
    text = word.text
    if _is_address(text):
        return
    yield text
    if "\\" in word.raw:
        yield word.raw  # a Windows path in a PowerShell command
    if text.startswith("-") and not text.startswith("--"):
        yield text[2:]
    for part in _JOINED.split(text) if _JOINED.search(text) else ():
        yield part.lstrip("@")


def _is_address(text):
    return "://" in text and not text.startswith("file://")


if __name__ == "__main__":
    hook.gate("secrets-files", decide)

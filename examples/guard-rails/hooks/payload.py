"""Reads one hook payload from stdin and answers by Claude Code's hook contract.

- `none`: nothing on stdout, exit 0.
- `deny`: `hookSpecificOutput` with `permissionDecision: deny` on stdout, exit 0.
- `block`, on Stop: `decision: block` on stdout, exit 0.
- a gate that cannot understand its input, or fails: the reason on stderr, exit 2.
"""

import json
import sys


class Unreadable(Exception):
    """The payload does not say what this gate has to know; the text completes a sentence."""


def gate(name, decide):
    """Runs `decide(payload)`; it returns None, or the reason for a denial."""
    try:
        reason = decide(_read())
    except Unreadable as fault:
        _refuse(f"{name} cannot check this call: {fault}. Send it again in a simpler form.")
    except Exception as fault:  # a traceback exits with 1, and a host may take that for "go on"
        _refuse(f"{name} cannot check this call: {type(fault).__name__} inside the hook. "
                "Tell the user that the guard-rails plugin needs attention.")
    else:
        if reason:
            _answer({"hookSpecificOutput": {
                "hookEventName": "PreToolUse",
                "permissionDecision": "deny",
                "permissionDecisionReason": reason,
            }})


def stop_gate(name, decide):
    """Runs `decide(payload)`; it returns None, or what is left to do before the turn ends.

    A fault lets the turn end: without `stop_hook_active`, refusing could go on for ever.
    """
    try:
        reason = decide(_read())
    except Exception as fault:
        sys.stderr.write(f"{name} did not look at this turn: {type(fault).__name__} inside the hook\n")
    else:
        if reason:
            _answer({"decision": "block", "reason": reason})


def tool_input(payload):
    """The tool's arguments; a call without any has an empty dictionary."""
    arguments = payload.get("tool_input")
    if arguments is None:
        return {}
    if not isinstance(arguments, dict):
        raise Unreadable("tool_input is not an object")
    return arguments


def text_field(arguments, name):
    """The text of one argument, None when it is absent."""
    value = arguments.get(name)
    if value is not None and not isinstance(value, str):
        raise Unreadable(f"tool_input.{name} is not text")
    return value


def working_directory(payload):
    """The session's folder, None when the payload does not name one."""
    directory = payload.get("cwd")
    return directory if isinstance(directory, str) and directory else None


def shown(text, limit=120):
    """A name from the payload, fit for a sentence: short, on one line, valid Unicode."""
    clean = text[:limit].encode("utf-8", "replace").decode("utf-8")
    return "".join(c if c.isprintable() else "?" for c in clean) + ("..." if len(text) > limit else "")


def _read():
    try:
        # surrogateescape keeps bytes that are not UTF-8, so a path still names its file;
        # parse_int keeps numbers of any length, because no hook here looks at one.
        text = sys.stdin.buffer.read().decode("utf-8-sig", "surrogateescape")
        payload = json.loads(text, strict=False, parse_int=str)
    except (ValueError, RecursionError):
        raise Unreadable("the payload is not readable JSON") from None
    if not isinstance(payload, dict):
        raise Unreadable("the payload is not a JSON object")
    return payload


def _answer(document):
    json.dump(document, sys.stdout)  # in ASCII, whatever the encoding of stdout is


def _refuse(reason):
    sys.stderr.write(reason.encode("ascii", "backslashreplace").decode("ascii") + "\n")
    sys.exit(2)

"""Splits a Bash command line into its simple commands, without running or expanding anything.

Understood: quotes, `;` `&` `|` and newlines, groups and subshells, `$(...)`, backticks, `<(...)`,
redirections, here documents, comments. Lenient like Bash itself: an open quote ends with the text.
The time is linear in the length of the command.
"""

import re

MAX_DEPTH = 50  # of substitutions inside each other; nobody writes that, a recursion limit is lower

_BLANKS = re.compile(r"(?:[ \t\r]|\\\r?\n)*")
_SIMPLE_WORD = re.compile(r"[^ \t\r\n;&|<>()'\"\\$`#]+(?=[ \t\r\n;&|)]|\Z)")
_PLAIN = re.compile(r"[^ \t\r\n;&|<>()'\"\\$`]+")
_QUOTED = re.compile(r"[^\"\\$`]+")
_BRACED = re.compile(r"[^}'\"\\$`]+")
_NAME = re.compile(r"[A-Za-z_]\w*|[0-9@*#?$!_-]", re.ASCII)
_BACKTICKS = re.compile(r"((?:[^\\`]|\\.)*)`?", re.DOTALL)
_ANSI_C = re.compile(r"((?:[^\\']|\\.)*)'?", re.DOTALL)
_ANSI_C_ESCAPE = re.compile(
    r"\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|([0-7]{1,3})|(.))", re.DOTALL)
_REDIRECT = re.compile(r"<<<|<<-?|<>|<&|>>|>\||>&|<|>|&>>|&>")


class TooDeep(Exception):
    """Substitutions lie deeper inside each other than MAX_DEPTH."""


class Word:
    """`text` after quote removal; `literal` is false when the shell would expand something in it;
    `raw` is the source, quotes included."""

    __slots__ = ("text", "literal", "raw")

    def __init__(self, text, literal, raw):
        self.text, self.literal, self.raw = text, literal, raw


class Command:
    """`redirects` are (operator, target word) pairs. `scope` names the subshell the command stands
    in: a tuple that starts with its parent's."""

    __slots__ = ("words", "redirects", "here_documents", "scope")

    def __init__(self, scope):
        self.words, self.redirects, self.here_documents, self.scope = [], [], [], scope


def split(text, scope=()):
    """The simple commands of `text` in the order in which they would start."""
    reader = _Reader(text, scope, 0)
    reader.commands_until(None, scope)
    return reader.found


class _Reader:
    def __init__(self, text, scope, depth):
        self.text, self.end, self.at = text, len(text), 0
        self.scope, self.depth = scope, depth
        self.found = []
        self.pending = []  # here documents whose bodies start after the next newline
        self.scopes = 0

    def commands_until(self, closer, scope, arithmetic=False):
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise TooDeep
        text, end = self.text, self.end
        command = Command(scope)
        while True:
            self.at = _BLANKS.match(text, self.at).end()
            if self.at >= end:
                break
            simple = _SIMPLE_WORD.match(text, self.at)
            if simple:  # most words of most commands
                self.at = simple.end()
                command.words.append(Word(simple.group(), True, simple.group()))
                continue
            c = text[self.at]
            if c == closer:
                self.at += 1
                break
            if c in "<>" or text.startswith("&>", self.at):
                self.redirect(command, arithmetic)
            elif c in ";&|)\n":  # a lone ")" ends a pattern of `case`
                command = self.finish(command)
                self.at += 2 if text.startswith("&&", self.at) else 1
                if c == "\n":
                    self.read_here_documents()
            elif c == "(":
                # `((1 << 2))` holds no here document.
                double = text.startswith("((", self.at) and not command.words
                command = self.finish(command)
                self.at += 1
                self.commands_until(")", self.inner(scope), arithmetic or double)
            elif c == "#" and not arithmetic:
                newline = text.find("\n", self.at)
                self.at = end if newline < 0 else newline
            else:
                word = self.word(scope)
                if not (word.raw.isdigit() and text[self.at:self.at + 1] in ("<", ">")):
                    command.words.append(word)  # else it is the descriptor of a redirection
        self.finish(command)
        self.depth -= 1

    def finish(self, command):
        if command.words or command.redirects:
            self.found.append(command)
        return Command(command.scope)

    def inner(self, scope):
        self.scopes += 1
        return scope + (self.scopes,)

    def redirect(self, command, arithmetic):
        text = self.text
        if text.startswith(("<(", ">("), self.at):
            command.words.append(self.word(command.scope))
            return
        operator = _REDIRECT.match(text, self.at).group()
        self.at = _BLANKS.match(text, self.at + len(operator)).end()
        if self.at >= self.end or text[self.at] in ";&|()\n":
            return
        if text[self.at] in "<>" and not text.startswith(("<(", ">("), self.at):
            return
        target = self.word(command.scope)
        if operator in ("<<", "<<-") and not arithmetic:
            self.pending.append((command, target, operator == "<<-"))
        elif operator == "<<<":
            command.here_documents.append(target.text)
        else:
            command.redirects.append((operator, target))

    def read_here_documents(self):
        for command, delimiter, strip_tabs in self.pending:
            lines = []
            while self.at < self.end:
                newline = self.text.find("\n", self.at)
                stop = self.end if newline < 0 else newline
                line = self.text[self.at:stop]
                self.at = stop + 1
                if strip_tabs:
                    line = line.lstrip("\t")
                if line == delimiter.text:
                    break
                lines.append(line)
            body = "\n".join(lines)
            command.here_documents.append(body)
            if delimiter.raw == delimiter.text and ("$(" in body or "`" in body):
                self.substitutions_of(body, command.scope)
        self.pending = []

    def substitutions_of(self, body, scope):
        reader = _Reader(body.replace('"', " "), scope, self.depth)
        reader.double_quoted([], scope)
        self.found.extend(reader.found)

    def word(self, scope):
        text, start = self.text, self.at
        parts, literal = [], True
        while self.at < self.end:
            plain = _PLAIN.match(text, self.at)
            if plain:
                parts.append(plain.group())
                self.at = plain.end()
                continue
            c = text[self.at]
            if c == "'":
                close = text.find("'", self.at + 1)
                close = self.end if close < 0 else close
                parts.append(text[self.at + 1:close])
                self.at = close + 1
            elif c == '"':
                self.at += 1
                literal &= self.double_quoted(parts, scope)
            elif c == "\\":
                parts.append(text[self.at + 1:self.at + 2].replace("\n", ""))
                self.at += 2
            elif c in "$`":
                literal &= self.expansion(parts, scope, quoted=False)
            elif c in "<>" and self.at == start and text.startswith("(", self.at + 1):
                self.at += 2
                self.commands_until(")", self.inner(scope))
                parts.append("<()")
                literal = False
            else:
                break
        self.at = min(self.at, self.end)
        return Word("".join(parts), literal, text[start:self.at])

    def double_quoted(self, parts, scope):
        """From behind the opening quote to behind the closing one; whether all of it is literal."""
        text, literal = self.text, True
        while self.at < self.end:
            run = _QUOTED.match(text, self.at)
            if run:
                parts.append(run.group())
                self.at = run.end()
                continue
            c = text[self.at]
            if c == '"':
                self.at += 1
                break
            if c == "\\":
                escaped = text[self.at + 1:self.at + 2]
                parts.append("" if escaped == "\n" else escaped if escaped in '$`"\\' else c + escaped)
                self.at += 2
            else:
                literal &= self.expansion(parts, scope, quoted=True)
        return literal

    def expansion(self, parts, scope, quoted):
        """One `$...` or backtick form; its source stands for its value. Whether it was literal."""
        text, start = self.text, self.at
        self.at += 1
        if text[start] == "`":
            inner = _BACKTICKS.match(text, self.at)
            self.at = inner.end()
            reader = _Reader(re.sub(r"\\([\\`$])", r"\1", inner.group(1)), scope, self.depth)
            reader.commands_until(None, self.inner(scope))
            self.found.extend(reader.found)
            parts.append("$()")
            return False
        following = text[self.at:self.at + 1]
        if following == "(":
            arithmetic = text.startswith("((", self.at)
            self.at += 1
            self.commands_until(")", self.inner(scope), arithmetic)
            parts.append("$()")
            return False
        if following == "{":
            self.braced(scope)
            parts.append(text[start:self.at])
            return False
        if following == "'" and not quoted:
            inner = _ANSI_C.match(text, self.at + 1)
            self.at = inner.end()
            parts.append(_ANSI_C_ESCAPE.sub(_unescaped, inner.group(1)))
            return True
        if following == '"' and not quoted:
            return True  # $"..." is a quoted string with a translation
        name = _NAME.match(text, self.at)
        if not name:
            parts.append("$")
            return True
        self.at = name.end()
        parts.append("$" + name.group())
        return False

    def braced(self, scope):
        """From the brace of `${` to behind its end."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise TooDeep
        text = self.text
        self.at += 1
        while self.at < self.end:
            run = _BRACED.match(text, self.at)
            if run:
                self.at = run.end()
                continue
            c = text[self.at]
            if c == "}":
                self.at += 1
                break
            if c == '"':
                self.at += 1
                self.double_quoted([], scope)
            elif c == "'":
                close = text.find("'", self.at + 1)
                self.at = self.end if close < 0 else close + 1
            elif c == "\\":
                self.at += 2
            else:
                self.expansion([], scope, quoted=True)
        self.at = min(self.at, self.end)
        self.depth -= 1


def _unescaped(match):
    hexadecimal, unicode, octal, other = match.groups()
    if hexadecimal or unicode:
        return chr(int(hexadecimal or unicode, 16))
    if octal:
        return chr(int(octal, 8) & 0xFF)
    return {"n": "\n", "t": "\t", "r": "\r"}.get(other, other)

"""Reads what Git knows about branches from the files in `.git`.

Git itself is not started: it would run programs that the repository's own configuration names
(`core.fsmonitor`, `core.sshCommand`, aliases).
"""

import os
import re

_MAX_BYTES = 16 << 20  # a packed-refs file of 200,000 refs is this long
_MAX_PATH = 4096
_SECTION = re.compile(r'\s*\[\s*(\w[\w.-]*)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]')
_SETTING = re.compile(r"\s*([A-Za-z][\w-]*)\s*=\s*\"?([^\"#;]*)")


class Repository:
    """One work tree: `folder` is its own Git folder, `common` the one that holds the branches."""

    def __init__(self, folder):
        self.folder = folder
        common = _first_line(os.path.join(folder, "commondir"))
        self.common = os.path.normpath(os.path.join(folder, common)) if common else folder
        self._packed_refs = None

    def current_branch(self):
        """The branch that HEAD names; None when HEAD is detached or not readable."""
        head = _first_line(os.path.join(self.folder, "HEAD"))
        prefix = "ref: refs/heads/"
        # With the reftable format HEAD is a stub that names ".invalid".
        if not head.startswith(prefix) or head.endswith("/.invalid"):
            return None
        return head[len(prefix):]

    def commit_of(self, ref):
        """The commit id of `refs/...`; None when there is no such ref."""
        loose = _first_line(os.path.join(self.common, *ref.split("/")))
        return loose or self._packed().get(ref)

    def is_published(self, branch):
        """Whether the tip of `branch` is what some remote had at the last fetch or push."""
        tip = self.commit_of("refs/heads/" + branch)
        try:
            remotes = os.listdir(os.path.join(self.common, "refs", "remotes"))
        except OSError:
            remotes = []
        remotes += [ref.split("/")[2] for ref in self._packed() if ref.startswith("refs/remotes/")]
        return tip is not None and any(
            self.commit_of(f"refs/remotes/{remote}/{branch}") == tip for remote in set(remotes))

    def upstream_of(self, branch):
        """The name that `branch` has on its remote by configuration, None without one."""
        section = None
        for line in _lines(os.path.join(self.common, "config")):
            header = _SECTION.match(line)
            if header:
                section = (header.group(1).lower(), header.group(2))
            setting = _SETTING.match(line)
            if setting and section == ("branch", branch) and setting.group(1).lower() == "merge":
                return setting.group(2).strip()
        return None

    def _packed(self):
        if self._packed_refs is None:
            fields = (line.partition(" ") for line in _lines(os.path.join(self.common, "packed-refs")))
            self._packed_refs = {ref.strip(): commit for commit, _, ref in fields
                                 if ref.startswith("refs/")}
        return self._packed_refs


def repository_at(directory):
    """The repository whose work tree `directory` lies in; None when there is none to be seen."""
    if not directory or len(directory) > _MAX_PATH or not os.path.isdir(directory):
        return None  # a folder that this command makes first may become any repository
    while True:
        entry = os.path.join(directory, ".git")
        if os.path.isdir(entry):
            return Repository(entry)
        target = _first_line(entry)
        if target.startswith("gitdir: "):  # a linked work tree or a submodule
            return Repository(os.path.normpath(os.path.join(directory, target[len("gitdir: "):])))
        parent = os.path.dirname(directory)
        if parent == directory:
            return None
        directory = parent


def _lines(path):
    try:
        if not os.path.isfile(path):  # opening a pipe would wait for its writer
            return []
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(_MAX_BYTES).splitlines()
    except (OSError, ValueError):
        return []


def _first_line(path):
    return next(iter(_lines(path)), "").strip()

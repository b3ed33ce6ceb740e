"""Turns a path as it is written into one absolute path."""

import os

_HOME_FORMS = ("~", "$HOME", "${HOME}")


def resolve(path, directory):
    """`path` as seen from `directory`, without `.` and `..`; None when that cannot be told."""
    path = expand_home(path)
    if os.path.isabs(path):
        return os.path.normpath(path)
    if directory is None or not os.path.isabs(directory) or "$" in path:
        return None
    return os.path.normpath(os.path.join(directory, path))


def expand_home(path):
    """`path` with a leading `~`, `$HOME` or `${HOME}` replaced by the user's home folder."""
    for form in _HOME_FORMS:
        rest = path[len(form):]
        if path.startswith(form) and (not rest or rest[0] in "/\\"):
            return os.path.expanduser("~") + rest
    return path

"""Local rewriting of shared branches.

A rewrite in the work tree harms others only once it is pushed by force, and that is denied anyway.
So this stops the rewrites that could only end there: of commits that a remote is known to have, and
of a shared branch that is moved by name. What cannot be told here passes.
"""

import re

from payload import shown
from shared_branches import is_shared, short_name
from shell_words import options

_REMOTE_PREFIX = re.compile(r"(?:refs/remotes/|remotes/)?[^/]+/")
_HEAD = ("HEAD", "@", "HEAD^0", "HEAD~0", "@~0")
_REBASE_STEPS = {"--continue", "--abort", "--skip", "--quit", "--edit-todo", "--show-current-patch"}
_WAY_OUT = "Put the change on a branch of your own, or add a new commit (`git revert` undoes one)."


def reason(git):
    """Why `git` is denied, None when it is not."""
    rule = _RULES.get(git.verb)
    return rule(git) if rule else None


def _commit(git):
    _, names, _ = _operands(git.args, "mFCct", ("--message", "--file", "--author", "--date"))
    if any(name.startswith("--am") for name in names):  # Git accepts --am for --amend
        return _published_reason(git, "amending it rewrites")
    return None


def _reset(git):
    named, _, rest = _operands(git.args)
    if rest or not named or named[0].text in _HEAD:
        return None
    branch = git.current_branch()
    if branch is None or named[0].text == branch or _is_remote_side(named[0].text, branch) or _is_path(git, named):
        return None
    return _published_reason(git, "resetting it to another commit drops")


def _rebase(git):
    operands, names, _ = _operands(git.args, "sXxC", ("--onto", "--exec", "--strategy", "--strategy-option"))
    if _REBASE_STEPS & names:
        return None
    branch = short_name(operands[1].text) if len(operands) > 1 else git.current_branch()
    if branch is None or not is_shared(branch):
        return None
    onto = operands[0].text if operands else "@{upstream}"
    if _is_remote_side(onto, branch) and not {"--onto", "--root"} & names:
        return None  # only commits that the remote does not have are moved
    return (f"Published history is not rewritten: {shown(branch)} is a shared branch and this rebase moves "
            f"its commits. Rebase your own branch onto {shown(branch)} instead.")


def _branch(git):
    operands, names, _ = _operands(git.args, "u")
    forced = bool({"-f", "--force"} & names)
    if "-D" in names or (forced and {"-d", "--delete"} & names):
        shared = [word.text for word in operands if is_shared(word.text)]
        return _moved_reason(shared[0], "deletes") if shared and "-r" not in names else None
    if {"-M", "-C"} & names or (forced and {"-m", "-c", "--move", "--copy"} & names):
        # `git branch -M main` gives the first branch of a new repository its name.
        return _overwritten_reason(git, operands[-1].text, None) if operands else None
    if forced and operands:
        return _overwritten_reason(git, operands[0].text, operands[1].text if operands[1:] else None)
    return None


def _checkout(git):
    created = [value.text for option, value, _ in options(git.args, "BC") if option in ("-B", "-C") and value]
    for option, value, index in options(git.args):
        if option == "--force-create":
            following = git.args[index + 1:index + 2]
            created += [word.text for word in ([value] if value else following)]
    if not created:
        return None
    start = [word.text for option, word, _ in options(git.args, "BC") if option is None]
    start = [text for text in start if text != created[0]]
    return _overwritten_reason(git, created[0], start[0] if start else None)


def _update_ref(git):
    operands, names, _ = _operands(git.args, "m")
    ref = operands[0].text if operands else ""
    if ref.startswith("refs/heads/") and is_shared(ref):
        return _moved_reason(ref, "deletes" if "-d" in names else "moves")
    return None


def _filter(git):
    if "--help" in (word.text for word in git.args):
        return None
    return (f"Published history is not rewritten, and `git {git.verb}` rewrites all of it. "
            "Ask the user to do this outside the session.")


_RULES = {
    "branch": _branch,
    "checkout": _checkout,
    "commit": _commit,
    "filter-branch": _filter,
    "filter-repo": _filter,
    "rebase": _rebase,
    "reset": _reset,
    "switch": _checkout,
    "update-ref": _update_ref,
}


def _operands(args, valued="", valued_long=()):
    """(operands before `--`, names of the options, words behind `--`)."""
    dashes = next((i for i, word in enumerate(args) if word.text == "--"), len(args))
    operands, names, skip = [], set(), -1
    for option, value, index in options(args[:dashes], valued):
        if index == skip:
            continue
        if option is None:
            operands.append(value)
            continue
        names.add(option)
        if option in valued_long and value is None:
            skip = index + 1
    return operands, names, args[dashes + 1:]


def _published_reason(git, what):
    branch = git.current_branch()
    if branch is None or not is_shared(branch) or not git.repository.is_published(branch):
        return None
    return (f"Published history is not rewritten: the last commit of {shown(branch)} is on the remote, and "
            f"{what} it. {_WAY_OUT}")


def _overwritten_reason(git, branch, start):
    if not is_shared(branch):
        return None
    if start is not None and _is_remote_side(start, short_name(branch)):
        return None
    if git.repository and git.repository.commit_of("refs/heads/" + short_name(branch)) is None:
        return None  # there is no such branch yet
    return _moved_reason(branch, "moves")


def _moved_reason(branch, what):
    return (f"Shared branches are not moved by hand: this {what} {shown(branch)}. "
            "Leave it where it is and work on a branch of your own.")


def _is_remote_side(commit, branch):
    """Whether `commit` is what the remote has for `branch`."""
    if commit in ("@{u}", "@{upstream}", branch + "@{u}", branch + "@{upstream}"):
        return True
    prefix = _REMOTE_PREFIX.match(commit)
    return bool(prefix) and commit[prefix.end():] == branch


def _is_path(git, named):
    """`git reset FILE` only unstages; a mode or a second word tells it apart in most cases."""
    modes = {"--hard", "--soft", "--mixed", "--merge", "--keep"}
    return not modes & {word.text for word in git.args} and (
        len(named) > 1 or not re.search(r"[~^@]|^[0-9a-f]{7,40}$", named[0].text))

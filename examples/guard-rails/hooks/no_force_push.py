"""Denies force pushes to shared branches, and rewriting what has been published on them."""

import history_rewrite
import payload as hook
from git_command import git_command
from push import Push
from shared_branches import is_shared, names_shared
from shell_words import TooDeep, invocations

_WITHOUT_QUOTING = {ord(c): None for c in "\"'\\\n\r"}


def decide(payload):
    command = hook.text_field(hook.tool_input(payload), "command")
    if not command or not _may_start_git(command):
        return None
    try:
        started = invocations(command, hook.working_directory(payload))
    except TooDeep:
        return ("A command with this many nested substitutions cannot be checked for a force push. "
                "Run the git command by itself.")
    switched = False
    for invocation in started:
        git = git_command(invocation)
        if git is None:
            continue
        if switched:
            git.head_is_known = False
        switched |= git.may_switch_branch()
        if git.verb in ("push", "send-pack"):
            reason = _push_reason(git, appended="xargs" in invocation.wrappers)
        else:
            reason = history_rewrite.reason(git)
        if reason:
            return reason
    return None


def _may_start_git(command):
    """A quick look that spares most commands, and all very long ones, the reading word by word."""
    lowered = command.lower()
    return "git" in lowered.translate(_WITHOUT_QUOTING) or "$'" in command


def _push_reason(git, appended):
    push = Push(git.args, appended)
    if push.dry_run:
        return None
    if push.mirror:
        return ("`git push --mirror` overwrites and deletes branches on the remote, shared ones too. "
                "Push the branches you changed by name, without --mirror.")
    if push.prunes_shared:
        return ("`git push --prune` can delete shared branches on the remote. "
                "Delete the one branch you mean with `git push --delete origin BRANCH`.")
    for target in push.deleted:
        if target is None or not _is_plain(target):
            return ("Shared branches are not deleted, and which branch this is cannot be read from the "
                    "command. Write the branch's name itself.")
        if names_shared(target):
            return (f"Shared branches are not deleted: {hook.shown(target.text)} belongs to everybody. "
                    "Leave it, or ask the user to delete it.")
    if push.forces_all:
        return ("A force push of all branches overwrites shared ones. "
                "Name the one branch of your own that you rewrote.")
    for target in push.forced:
        if target is None:
            reason = _current_branch_reason(git, appended)
        elif not _is_plain(target):
            reason = ("Shared branches are never force-pushed, and which branch this is cannot be read "
                      "from the command. Write the branch's name itself.")
        elif names_shared(target):
            reason = (f"Shared branches are never force-pushed, and {hook.shown(target.text)} is one. "
                      "Push without force after a merge or rebase, or push to a branch of your own and "
                      "open a pull request.")
        else:
            continue
        if reason:
            return reason
    return None


def _is_plain(target):
    return target.literal and not set("?[{") & set(target.text)


def _current_branch_reason(git, appended):
    unknown = ("Shared branches are never force-pushed, and which branch this push takes cannot be told. "
               "Name it: `git push --force-with-lease origin BRANCH`.")
    branch = None if appended else git.current_branch()
    if branch is None:
        return unknown
    if is_shared(branch):
        return (f"Shared branches are never force-pushed, and the current branch {hook.shown(branch)} is "
                "one. Push without force, or push to a branch of your own: `git push origin HEAD:BRANCH`.")
    upstream = git.repository.upstream_of(branch)
    if upstream and is_shared(upstream):
        # Depending on push.default, Git pushes to the upstream or refuses.
        return (f"Shared branches are never force-pushed, and {hook.shown(branch)} has "
                f"{hook.shown(upstream)} as its upstream. Name your own branch: "
                "`git push --force-with-lease origin BRANCH`.")
    return None


if __name__ == "__main__":
    hook.gate("no-force-push", decide)

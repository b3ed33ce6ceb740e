"""Takes the words of one `git` command apart."""

from git_files import repository_at
from paths import resolve

# Global options, the ones before the subcommand, that take the next word as their value.
_VALUED = {"-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--config-env",
           "--super-prefix", "--attr-source", "--list-cmds"}
# What makes Git look at another repository than the one that the folder tells.
_ELSEWHERE = {"--git-dir", "--work-tree", "--namespace", "--bare"}
_SWITCHES = {"bisect", "checkout", "switch", "symbolic-ref"}
_ELSEWHERE_VARIABLES = {"GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_NAMESPACE"}


class GitCommand:
    """`verb` is the subcommand, `args` its words. `repository` is None when it cannot be told;
    `head_is_known` becomes false behind a command that may have switched branches."""

    def __init__(self, verb, args, repository):
        self.verb, self.args, self.repository = verb, args, repository
        self.head_is_known = True

    def current_branch(self):
        """The branch that this command works on when it names none; None when that is not known."""
        return self.repository.current_branch() if self.repository and self.head_is_known else None

    def may_switch_branch(self):
        """Whether HEAD may name another branch afterwards. Behind `--` are only paths."""
        return self.verb in _SWITCHES and "--" not in (word.text for word in self.args)


def git_command(invocation):
    """The Git command that `invocation` is, None for another program or a bare `git`."""
    if invocation.program.startswith("git-"):
        return GitCommand(invocation.program[len("git-"):], invocation.args,
                          repository_at(invocation.directory))
    if invocation.program != "git":
        return None
    directory = invocation.directory
    elsewhere = not _ELSEWHERE_VARIABLES.isdisjoint(invocation.assigned)
    args = invocation.args
    index = 0
    while index < len(args) and args[index].text.startswith("-"):
        option, equals, _ = args[index].text.partition("=")
        index += 1
        elsewhere |= option in _ELSEWHERE
        if option in _VALUED and not equals:
            if option == "-C" and index < len(args):
                target = args[index].text
                directory = resolve(target, directory) if target else directory
            index += 1
    if index >= len(args):
        return None
    return GitCommand(args[index].text, args[index + 1:],
                      None if elsewhere else repository_at(directory))

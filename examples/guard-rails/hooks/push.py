"""What the words behind `git push` ask for."""

from shared_branches import names_shared
from shell_words import Word, options

_VALUED = {"--push-option", "--repo", "--receive-pack", "--exec", "--recurse-submodules"}
_FORCE = ("--force", "--force-with-lease", "--force-if-includes")


class Push:
    """`forced` and `deleted` are the refs on the remote, as words; None stands for one that the
    command does not name. `appended`: xargs adds words that are not in the command."""

    def __init__(self, args, appended):
        self.force = self.delete = self.mirror = self.prune = self.all = self.tags = False
        self.dry_run = False
        refspecs = self._read(args)[1:]  # behind the name of the remote
        self.forced, self.deleted = [], []
        targets = [self._refspec(word) for word in _without_tags(refspecs)]
        self.forces_all = self.force and self.all
        if self.force and (appended or not (refspecs or self.all or self.tags)):
            self.forced.append(None)
        if self.delete and appended:
            self.deleted.append(None)
        self.prunes_shared = self.prune and (not refspecs or any(map(names_shared, targets)))

    def _read(self, args):
        operands, skip = [], -1
        for option, value, index in options(args, "o"):
            if index == skip:
                continue
            if option is None:
                operands.append(value)
            elif option.startswith("--"):
                name = _full_name(option)
                if name in _VALUED and value is None:
                    skip = index + 1
                self._long(name)
            else:
                self.force |= option == "-f"
                self.delete |= option == "-d"
                self.dry_run |= option == "-n"
        return operands

    def _long(self, name):
        self.force |= name in _FORCE
        self.delete |= name == "--delete"
        self.mirror |= name == "--mirror"
        self.prune |= name == "--prune"
        self.all |= name in ("--all", "--branches")
        self.tags |= name == "--tags"
        if name in ("--dry-run", "--no-dry-run"):
            self.dry_run = name == "--dry-run"

    def _refspec(self, word):
        """Files one refspec under what it does; returns the ref on the remote."""
        text = word.text
        plus = text.startswith("+")
        source, colon, target = text[plus:].partition(":")
        target = target if colon else source
        on_remote = Word(target, word.literal, target)
        if self.delete or (colon and target and not source):
            self.deleted.append(on_remote)
        elif self.force or plus:
            if target in ("HEAD", "@"):
                self.forced.append(None)
            elif not target:  # ":" alone pushes every branch that both sides have
                self.forced.append(Word("*", True, "*"))
            else:
                self.forced.append(on_remote)
        return on_remote


def _full_name(option):
    """Git accepts the beginning of an option's name when it fits only one."""
    for full in ("--mirror", "--delete", "--prune", "--force-with-lease", "--force-if-includes",
                 "--dry-run", "--branches", "--tags"):
        if len(option) >= 4 and full.startswith(option) and option != "--force":
            return full
    return option


def _without_tags(refspecs):
    """The refspecs without the pairs `tag NAME`."""
    kept, skip = [], False
    for word in refspecs:
        if skip or word.text == "tag":
            skip = not skip
        else:
            kept.append(word)
    return kept

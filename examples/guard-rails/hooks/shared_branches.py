"""Which branches belong to everybody. Change the two lists to change the policy."""

from fnmatch import fnmatchcase

SHARED = ("main", "master", "develop", "trunk", "production")
SHARED_FOLDERS = ("release/",)


def is_shared(branch):
    """`branch` with or without `refs/heads/`, in any case: some file systems do not tell case."""
    name = short_name(branch).lower()
    return name in SHARED or name.startswith(SHARED_FOLDERS)


def names_shared(word):
    """Whether the ref in `word` is a shared branch, or a pattern that covers one."""
    name = short_name(word.text).lower()
    if "*" not in name:
        return is_shared(name)
    examples = SHARED + tuple(folder + "x" for folder in SHARED_FOLDERS)
    return name.startswith(SHARED_FOLDERS) or any(
        fnmatchcase(example, name) or fnmatchcase("refs/heads/" + example, name) for example in examples)


def short_name(ref):
    """A branch's name without the folders that Git lets one write in front of it."""
    for prefix in ("refs/heads/", "heads/"):
        if ref.startswith(prefix):
            return ref[len(prefix):]
    return ref

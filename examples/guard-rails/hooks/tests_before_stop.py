"""Asks once, before a turn ends in a code project, for the tests of what was changed.

Nothing is run and no state is kept: the host says with `stop_hook_active` whether the turn already
goes on because of a Stop hook.
"""

import os

import payload as hook

PROJECT_FILES = (
    "Cargo.toml", "package.json", "deno.json", "pyproject.toml", "setup.py", "tox.ini", "go.mod",
    "pom.xml", "build.gradle", "build.gradle.kts", "build.sbt", "CMakeLists.txt", "meson.build",
    "Gemfile", "composer.json", "mix.exs", "Package.swift", "dune-project", "stack.yaml",
)
PROJECT_SUFFIXES = (".sln", ".csproj", ".fsproj", ".cabal", ".gemspec")
REASON = ("Before you stop, run the tests that cover what you changed, or say why there are none. "
          "If nothing was changed, or they ran after the last change, say so and stop.")


def decide(payload):
    # Only an explicit false is the first attempt: to ask twice is worse than not to ask.
    if payload.get("stop_hook_active") is not False:
        return None
    directory = hook.working_directory(payload)
    return REASON if directory and _in_code_project(directory) else None


def _in_code_project(directory):
    """Looks in `directory` and the folders above it, up to the root of the work tree."""
    while True:
        names = _names_in(directory)
        if not names.isdisjoint(PROJECT_FILES) or any(name.endswith(PROJECT_SUFFIXES) for name in names):
            return True
        parent = os.path.dirname(directory)
        if ".git" in names or parent == directory:
            return False
        directory = parent


def _names_in(directory):
    try:
        return set(os.listdir(directory))
    except (OSError, ValueError):
        return set()


if __name__ == "__main__":
    hook.stop_gate("tests-before-stop", decide)

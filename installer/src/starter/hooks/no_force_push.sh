#!/bin/sh
# Denies `git push --force`.
#
# The call that an agent wants to make comes as JSON on stdin. Exit code 2 denies it, and what
# stands on stderr is the reason that the model reads; exit code 0 without output says nothing.
# This hook looks for words anywhere in the call, so it may deny too much. A hook that must know
# what a command does reads the JSON, in a language that can.

call=$(cat)

case $call in
*'git push'*' --force'* | *'git push'*' -f'*)
    echo 'Force pushes overwrite the work of others. Push without force, or ask the user to.' >&2
    exit 2
    ;;
esac

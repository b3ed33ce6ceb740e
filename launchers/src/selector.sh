#!/bin/sh
trap \ exit\ 70 0 #
# Starts the hookkit dispatcher for this machine in its own place; decides nothing.
# `hookkit build` wrote it: change the plugin that the tree was made from, not this file.
#
# All of it stands in one pair of braces, so that a shell reads it to its end before it runs any of
# it. A copy that was cut off, or that has the line ends of Windows, is a syntax error, for which
# the trap above exits with 70: with 0 or 2 it would seem to have allowed or refused something.
{
    case $0 in
    */*) here=${0%/*} ;;
    *) here=. ;;
    esac
    # Where sh is bash, the environment may bring functions with these names.
    unset -f command printf read test
    # A byte order mark makes the first line no comment.
    read -r first <"$0"
    test "$first" = '#!/bin/sh' || exit 70

    # Linux 6.1 and later say it without a process. uname is not looked for on the PATH, which a
    # repository's settings may have set.
    if test -r /proc/sys/kernel/arch; then
        read -r machine </proc/sys/kernel/arch
        machine="Linux $machine"
    else
        machine=$(command -p uname -sm)
    fi
    case $machine in
    'Linux x86_64') dispatcher=linux-x86_64/hookkit-dispatch ;;
    'Linux aarch64') dispatcher=linux-aarch64/hookkit-dispatch ;;
    Darwin\ *) dispatcher=macos/hookkit-dispatch ;;
    MINGW* | MSYS* | CYGWIN*) dispatcher=hookkit-dispatch.exe ;;
    *) dispatcher= ;;
    esac
    if test -n "$dispatcher" && test -x "$here/$dispatcher"; then
        exec "$here/$dispatcher" "$@"
    fi

    printf 'hookkit: %s holds no dispatcher that starts on this machine (%s), so the hooks of this plugin do not run. Ask the user to build or install the plugin again, for this machine too.\n' "$here" "$machine" >&2
    trap - 0
    IFS=' '
    case " $* " in
    *' --if-missing deny '*) ;;
    *) exit 0 ;;
    esac
    # A gate that cannot decide does not hold up the end of a turn twice.
    case " $* " in
    *' --event Stop '* | *' --event SubagentStop '*)
        read -r payload
        case $payload in
        *'"stop_hook_active":true'* | *'"stop_hook_active": true'*) exit 0 ;;
        esac
        ;;
    esac
    exit 2
}

#!/bin/sh
trap \ exit\ 70 0 $? #
# Starts the hookkit dispatcher for this machine in its own place; decides nothing.
# `hookkit build` wrote it: change the plugin that the tree was made from, not this file.
{
    case $? in
    0) ;;
    *) exit 70 ;;
    esac
    unset -f test
    if test -e /proc/sys/abi/vsyscall32 && test -x "${0%/*}/linux-x86_64/hookkit-dispatch"; then
        exec "${0%/*}/linux-x86_64/hookkit-dispatch" "$@"
    fi
}

# Only Linux on x86_64 has the file above. What follows is for all other machines, and read by them
# alone; so most starts are the shorter. Of what stands above:
#
# A shell reads all of a pair of braces before it runs any of it. A copy that was cut off in there,
# or that has the line ends of Windows, is a syntax error, for which the trap exits with 70: with 0
# or 2 it would seem to have allowed or refused something. After a byte order mark the first line is
# no comment but a command that fails; the trap is told of that and fails too.
#
# Where sh is bash, the environment may bring functions, so their names are unset. Linux 6.1 and
# later name the machine without a process. uname is not looked for on the PATH, which a
# repository's settings may have set.
{
    case $0 in
    */*) here=${0%/*} ;;
    *) here=. ;;
    esac
    unset -f command printf read
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

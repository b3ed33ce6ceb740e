trap \ exit\ 70 0 #
# Starts the hookkit dispatcher of a plugin that lies in a repository; decides nothing itself, except
# where no dispatcher starts: then --if-missing says what that means.
# `hookkit install --scope project` wrote it. Change the plugin that it was made from, not this file.
#
# There is no #! line, because the agent runs it by bash's name. All of it stands in one pair of
# braces, so that bash reads it to its end before it runs any of it. A copy that was cut off, or that
# has the line ends of Windows, is a syntax error, for which the trap above exits with 70: with 0 or
# 2 it would seem to have allowed or refused something.
{
    # The environment may bring functions with these names.
    unset -f cd chmod command cp exec exit local mkdir mv printf pwd read set shift shopt test unset
    # A byte order mark makes the first line no command.
    read -r first <"$0"
    test "$first" = 'trap \ exit\ 70 0 #' || exit 70
    unset CDPATH
    shopt -s execfail
    IFS=$' \t\n'
    here=$(cd "${0%/*}" && pwd -P) || exit 70
    repository=${here%/.github/hookkit/*}

    # Nothing is started from the repository but the dispatcher itself. It gets the PATH as it was.
    given=$PATH
    safe=
    IFS=: && set -f
    for folder in $given; do
        case $folder in
        "$repository" | "$repository"/*) ;;
        /*) safe=$safe${safe:+:}$folder ;;
        esac
    done
    IFS=$' \t\n' && set +f
    PATH=$safe

    # Sets `found` to the sha256 of a file.
    digest() {
        local tool
        for tool in sha256sum 'shasum -a 256' 'openssl dgst -sha256 -r'; do
            command -v "${tool%% *}" >/dev/null || continue
            # shellcheck disable=SC2086 # the words of a command
            found=$($tool 2>/dev/null <"$1")
            found=${found%% *}
            case $found in
            *[!0-9a-f]*) ;;
            *) test "${#found}" = 64 && return 0 ;;
            esac
        done
        found=
        return 1
    }

    # Sets `listed` to the sha256 that a file should have.
    look_up() {
        local sum file
        listed=
        while read -r sum file; do
            test "${file%$'\r'}" = "$1" && listed=$sum
        done <"$here/SHA256SUMS"
        test -n "$listed"
    }

    # Replaces this process by a program; comes back only if it does not start.
    become() {
        local program=$1
        shift
        PATH=$given exec "$program" --plugin-root "$here" "$@"
        PATH=$safe
    }

    # A copy in a folder of this user's own, named by its content: for a file without its executable
    # bit, or on a mount from which nothing starts.
    become_copy() {
        local original=$1 base private copy
        shift
        for base in "$XDG_RUNTIME_DIR" "$TMPDIR" /tmp /dev/shm /var/tmp "$HOME/.cache"; do
            case $base in
            "$repository" | "$repository"/*) continue ;;
            /*) private=$base/hookkit-$EUID ;;
            *) continue ;;
            esac
            test -d "$private" || mkdir -m 700 "$private" 2>/dev/null || continue
            # Somebody else may have made it first.
            if test -L "$private" || ! test -O "$private" || ! chmod 700 "$private"; then
                continue
            fi
            copy=$private/$listed
            if ! { digest "$copy" && test "$found" = "$listed"; }; then
                cp "$original" "$copy.$$" 2>/dev/null || continue
                chmod 700 "$copy.$$"
                mv -f "$copy.$$" "$copy"
                digest "$copy"
            fi
            if test "$found" = "$listed" && test -x "$copy"; then
                become "$copy" "$@"
                return
            fi
        done
    }

    # Starts the tree's own dispatcher for this machine, else sets `why`.
    start_own() {
        local dispatcher=$1
        shift
        if test -z "$dispatcher" || ! test -f "$here/$dispatcher"; then
            why="it holds no dispatcher for this machine ($machine)"
        elif ! look_up "$dispatcher"; then
            why="its SHA256SUMS does not name $dispatcher"
        elif ! digest "$here/$dispatcher"; then
            why='there is no sha256sum, shasum or openssl to check its dispatcher with'
        elif test "$found" != "$listed"; then
            why="its $dispatcher is not the file that SHA256SUMS names"
        else
            if test -x "$here/$dispatcher"; then
                become "$here/$dispatcher" "$@"
            else
                become_copy "$here/$dispatcher" "$@"
            fi
            why="its $dispatcher does not start here"
        fi
    }

    # Starts a dispatcher that this user has installed.
    start_installed() {
        local program folder
        program=$(command -v hookkit-dispatch) || return
        folder=$(cd "${program%/*}" && pwd -P) || return
        case $folder in
        "$repository" | "$repository"/*) ;;
        *) become "$program" "$@" ;;
        esac
    }

    # Refuses the end of a turn, once: only where the payload says that nobody has done so yet.
    hold_up() {
        local payload
        read -r -d '' -t 5 payload
        case $payload in
        *'"stop_hook_active":false'* | *'"stop_hook_active": false'*)
            printf '{"decision":"block","reason":"%s","hookSpecificOutput":{"hookEventName":"%s","decision":"block","reason":"%s"}}' "$held" "$1" "$held"
            ;;
        esac
    }

    # Linux 6.1 and later say it without a process.
    if test -r /proc/sys/kernel/arch; then
        read -r machine </proc/sys/kernel/arch
        machine="Linux $machine"
    else
        machine=$(uname -sm)
    fi
    machine=${machine//[!A-Za-z0-9_. -]/}
    case $machine in
    'Linux x86_64') dispatcher=dispatch/linux-x86_64/hookkit-dispatch ;;
    'Linux aarch64') dispatcher=dispatch/linux-aarch64/hookkit-dispatch ;;
    Darwin\ *) dispatcher=dispatch/macos/hookkit-dispatch ;;
    MINGW* | MSYS* | CYGWIN*) dispatcher=dispatch/hookkit-dispatch.exe ;;
    *) dispatcher= ;;
    esac
    plugin=${here##*/}
    plugin=${plugin//[!a-z0-9_-]/}
    start_own "$dispatcher" "$@"

    trap - 0
    # The repository is for Linux, as the cloud agent's sandbox is; elsewhere it binds nobody.
    case $machine in
    Linux\ *) ;;
    *)
        start_installed "$@"
        printf 'hookkit: plugin %s of this repository is not enforced on this machine: %s, and no hookkit-dispatch is installed. Install hookkit to have it.\n' "$plugin" "$why" >&2
        exit 0
        ;;
    esac
    advice="Ask the user to install it again with \`hookkit install --scope project\` and to commit that."
    case " $* " in
    *' --if-missing deny '*) ;;
    *)
        printf 'hookkit: plugin %s of this repository is not enforced: %s. %s\n' "$plugin" "$why" "$advice" >&2
        exit 0
        ;;
    esac
    reason="A required plugin ($plugin) of this repository cannot be loaded: $why."
    refused="$reason It has to decide before this may happen, so it is refused. $advice"
    held="$reason It has to decide before the turn may end; this is said once. $advice"
    case " $* " in
    *' --event PreToolUse '*)
        printf '{"permissionDecision":"deny","permissionDecisionReason":"%s","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"%s"}}' "$refused" "$refused"
        ;;
    *' --event PermissionRequest '*)
        printf '{"behavior":"deny","message":"%s"}' "$refused"
        ;;
    *' --event Stop '*) hold_up Stop ;;
    *' --event SubagentStop '*) hold_up SubagentStop ;;
    *' --event UserPromptSubmit '*)
        # The second pair is for VS Code's Local harness, which knows no block of a prompt.
        printf '{"decision":"block","reason":"%s","continue":false,"stopReason":"%s"}' "$refused" "$refused"
        ;;
    *' --event PostToolUse '*)
        printf '{"decision":"block","reason":"%s"}' "$refused"
        ;;
    esac
    exit 0
}

#!/bin/sh
# Installs hookkit @VERSION@ for you alone, on Linux and macOS:
#
#   curl -fsSL https://github.com/hookkit/hookkit/releases/latest/download/install.sh | sh
#
# Gets one archive, checks it against the sha256 that stands below, unpacks it into a folder of its
# own and starts the `hookkit` in it, which puts itself to use. Never as root by way of sudo.
# Everything stands in functions that the last line calls: a copy that was cut off does nothing.

usage() {
    cat <<'END'
Installs hookkit @VERSION@ for you alone.

  install.sh [OPTION...]
  curl -fsSL .../install.sh | sh -s -- [OPTION...]

  --dir DIR            the folder for hookkit itself [default: self in hookkit's data folder]
  --no-modify-path     leave the files that your shells read alone
  --unmanaged DIR      put both programs into DIR and do nothing else, as for an image
  --archive FILE       an archive that you have, for a machine without a network
  --base-url URL       where releases are [default: https://github.com/hookkit/hookkit/releases]
  --quiet              say nothing but faults
  --help

Variables: HOOKKIT_HOME (the data folder), HOOKKIT_BASE_URL, HOOKKIT_UNMANAGED_INSTALL=DIR,
HOOKKIT_NO_MODIFY_PATH=1; and https_proxy, http_proxy, no_proxy, as curl and wget read them.
Another version has its own script: .../releases/download/vVERSION/install.sh
END
}

# The sha256 of each archive of this release.
sum_for() {
    case $1 in
    x86_64-unknown-linux-musl) expected=@SUM_LINUX_X86_64@ ;;
    aarch64-unknown-linux-musl) expected=@SUM_LINUX_AARCH64@ ;;
    universal-apple-darwin) expected=@SUM_MACOS@ ;;
    *) expected= ;;
    esac
    is_sum "$expected" || fail "this script knows no archive for $1"
}

say() {
    test -n "$quiet" || printf 'hookkit: %s\n' "$1" >&2
}

fail() {
    printf 'hookkit: %s\n' "$1" >&2
    exit 1
}

has() {
    command -v "$1" >/dev/null 2>&1
}

is_sum() {
    case $1 in
    *[!0-9a-f]*) return 1 ;;
    esac
    test "${#1}" -eq 64
}

# Sets `triple` to what the archive for this machine is called.
find_machine() {
    system=$(uname -s)
    machine=$(uname -m)
    case $system/$machine in
    Linux/x86_64 | Linux/amd64) triple=x86_64-unknown-linux-musl ;;
    Linux/aarch64 | Linux/arm64) triple=aarch64-unknown-linux-musl ;;
    # One archive for both: a shell under Rosetta says that the machine is an Intel one.
    Darwin/*) triple=universal-apple-darwin ;;
    MINGW*/* | MSYS*/* | CYGWIN*/*)
        fail "on Windows it is installed from PowerShell: irm $base_url/latest/download/install.ps1 | iex"
        ;;
    *) fail "there is no hookkit for this machine ($system $machine): there is one for Linux and macOS on x86_64 and arm64, and for Windows" ;;
    esac
}

# Sets `digester` to how sums are made here. Before anything is fetched: what cannot be checked is
# not wanted.
find_digester() {
    for digester in sha256sum shasum openssl; do
        has "$digester" && return
    done
    fail 'there is no sha256sum, shasum or openssl here to check what is downloaded; install one of them'
}

# Sets `found` to the sha256 of a file.
digest() {
    case $digester in
    sha256sum) found=$(sha256sum <"$1") ;;
    shasum) found=$(shasum -a 256 <"$1") ;;
    openssl) found=$(openssl dgst -sha256 -r <"$1") ;;
    esac
    found=${found%% *}
    is_sum "$found" || fail "$digester made no sha256 of $1"
}

# Gets an address into a file, with the status that the server gave where that is a fault.
fetch() {
    if has curl; then
        case $1 in
        https:*) only='=https' ;;
        *) only='=http,https' ;;
        esac
        answer=$(curl --silent --show-error --fail --location --max-redirs 10 --proto "$only" \
            --retry 2 --connect-timeout 20 --speed-limit 1 --speed-time 60 \
            --write-out '%{http_code}' --output "$2" "$1" 2>"$2.said") && return
        case $answer in
        000 | 2*) answer='' ;;
        *) answer="HTTP $answer, " ;;
        esac
        fail "cannot get $1: $answer$(tail -n 1 "$2.said")"
    elif has wget; then
        # GNU's own patience is twenty tries; others have no such option.
        tries=''
        if wget --version 2>/dev/null | grep -q GNU; then tries=--tries=2; fi
        wget ${tries:+"$tries"} -T 60 -O "$2" "$1" >/dev/null 2>"$2.said" && return
        answer=$(grep -i -e error -e failed -e unable -e exceeded -e refused -e closed "$2.said" | tail -n 1)
        fail "cannot get $1: ${answer:-wget does not say why}"
    else
        fail 'there is neither curl nor wget here; install one of them, or name a file with --archive'
    fi
}

# Makes the folder for it; the second word is the option that names another one.
make_folder() {
    if ! mkdir -p "$1" 2>/dev/null || ! test -w "$1"; then
        fail "$1 cannot be made or written: it is read-only there, or belongs to somebody else. Name another folder with $2"
    fi
}

# Gets the archive, checks it and unpacks it into `work`. Sets `unpacked` to the folder in it.
unpack() {
    name=hookkit-@VERSION@-$triple
    package=$work/$name.tar.gz
    if test -n "$archive"; then
        test -f "$archive" || fail "there is no file $archive"
        cp "$archive" "$package" || fail "$archive cannot be read"
    else
        say "getting $name.tar.gz"
        fetch "$base_url/download/v@VERSION@/$name.tar.gz" "$package"
    fi
    digest "$package"
    test "$found" = "$expected" ||
        fail "the archive is not the one of hookkit @VERSION@ for this machine: its sha256 is $found, not $expected. Nothing of it was used"
    tar -xzf "$package" -C "$work" || fail 'tar cannot unpack the archive; are tar, gzip and some room on the disk there?'
    unpacked=$work/$name
    said=$("$unpacked/hookkit" --version 2>&1) || said="it says: $said"
    test "$said" = 'hookkit @VERSION@' ||
        fail "programs do not start in $work ($said). If that is on a mount with noexec, name another folder with $option"
}

# Into a folder of somebody else's making, such as an image's: both programs and nothing else.
install_unmanaged() {
    unpack
    for program in hookkit-dispatch hookkit; do
        mv -f "$unpacked/$program" "$target/$program" || fail "$target/$program cannot be replaced"
    done
    say "hookkit @VERSION@ is in $target; put that folder on the PATH"
}

install_managed() {
    unpack
    version=$target/versions/@VERSION@
    mkdir -p "$target/versions" || fail "$target/versions cannot be made"
    # One that is there may have been damaged.
    if test -e "$version"; then
        mv "$version" "$work/replaced" || fail "$version cannot be replaced"
    fi
    if ! mv "$unpacked" "$version"; then
        test -e "$work/replaced" && mv "$work/replaced" "$version"
        fail "$version cannot be made"
    fi
    set -- --base-url "$base_url"
    test -z "$no_modify_path" || set -- "$@" --no-modify-path
    test -z "$made" || set -- "$@" --made "$made"
    test -z "$quiet" || set -- "$@" --quiet
    "$version/hookkit" self setup "$@" || fail 'it was unpacked but not put to use; see above'
}

# Takes away what a run needs on its way, and all that it made if it failed.
clean_up() {
    rm -rf "$work"
    if test "$1" -ne 0 && test -n "$made" && ! test -e "$target/bin"; then
        rm -rf "$target"
        folder=$target
        while test "$folder" != "$made"; do
            folder=${folder%/*}
            rmdir "$folder" 2>/dev/null || break
        done
    fi
}

# Sets `target` to the folder that everything goes into, `option` to what names another one, and
# `made` to the outermost folder that is not there yet.
find_target() {
    if test -n "$unmanaged"; then
        target=$unmanaged
        option=--unmanaged
    elif test -n "$self"; then
        target=$self
    elif test -n "${HOOKKIT_HOME:-}"; then
        target=$HOOKKIT_HOME/self
    elif test -n "${XDG_DATA_HOME:-}"; then
        target=$XDG_DATA_HOME/hookkit/self
    elif test -n "${HOME:-}"; then
        target=$HOME/.local/share/hookkit/self
    else
        fail 'HOME is not set; name a folder with --dir'
    fi
    case $target in
    /*) ;;
    *) target=$PWD/$target ;;
    esac
    target=${target%/}
    made=''
    folder=$target
    while ! test -e "$folder"; do
        made=$folder
        folder=${folder%/*}
        folder=${folder:-/}
    done
}

main() {
    set -u
    # zsh, when it is asked to read this.
    test -z "${ZSH_VERSION:-}" || emulate sh
    quiet='' archive='' self='' option=--dir
    base_url=${HOOKKIT_BASE_URL:-https://github.com/hookkit/hookkit/releases}
    unmanaged=${HOOKKIT_UNMANAGED_INSTALL:-}
    no_modify_path=${HOOKKIT_NO_MODIFY_PATH:-}
    while test $# -gt 0; do
        case $1 in
        --no-modify-path) no_modify_path=1 ;;
        --quiet) quiet=1 ;;
        --help)
            usage
            exit 0
            ;;
        --dir | --unmanaged | --archive | --base-url)
            test $# -gt 1 || fail "$1 wants a value"
            case $1 in
            --dir) self=$2 ;;
            --unmanaged) unmanaged=$2 ;;
            --archive) archive=$2 ;;
            --base-url) base_url=$2 ;;
            esac
            shift
            ;;
        *) fail "$1 is no option of this script; --help shows them" ;;
        esac
        shift
    done
    base_url=${base_url%/}
    if test "$(id -u)" = 0 && test -n "${SUDO_USER:-}"; then
        fail 'it is installed for you alone, and by sudo it would belong to root; run it as yourself'
    fi
    find_machine
    sum_for "$triple"
    find_digester
    find_target
    work=$target/.new-$$
    trap 'clean_up 1; exit 130' HUP INT TERM
    (
        if test -n "$unmanaged"; then umask 022; else umask 077; fi
        make_folder "$target" "$option"
        mkdir "$work" || fail "$work cannot be made"
        if test -n "$unmanaged"; then install_unmanaged; else install_managed; fi
    )
    code=$?
    clean_up "$code"
    exit "$code"
}

# The braces make a line that was cut off a fault of syntax.
{ main "$@"; }

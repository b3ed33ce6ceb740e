#!/bin/sh
# Says of every file of hookkit plugin @PLUGIN@ @VERSION@ whether it is in place as it was packaged, whose
# it is and who may change it. Exit code 0: all of it is; 1: something is not; 2: it cannot be said.
# Usage: sh check.sh [FOLDER that stands for /]
set -u
LC_ALL=C
export LC_ALL
root=${1:-}
root=${root%/}
bad=0

# Sets `sum` to the sha256 of a file.
digest() {
    if command -v sha256sum >/dev/null; then
        sum=$(sha256sum <"$1")
    elif command -v shasum >/dev/null; then
        sum=$(shasum -a 256 <"$1")
    elif command -v openssl >/dev/null; then
        sum=$(openssl dgst -sha256 -r <"$1")
    else
        echo 'there is no sha256sum, shasum or openssl to check files with' >&2
        exit 2
    fi
    sum=${sum%% *}
}

# Sets `mode` and `owner`.
look() {
    listed=$(ls -ldn "$1") || exit 2
    # shellcheck disable=SC2086 # fields
    set -- $listed
    mode=$1
    owner=$3
}

check() {
    kind=$1 expected=$2 file=$root/$3
    if ! test -e "$file" && ! test -L "$file"; then
        fault='is missing'
        return
    fi
    look "$file"
    fault=
    case $mode in
    l*) fault='is a link' ;;
    ?????w* | ????????w*) fault='others than its owner may change it' ;;
    esac
    if test "$owner" != 0; then
        fault="${fault:+$fault; }belongs to user $owner, not to root"
    fi
    case $kind:$mode in
    folder:d??????r?x* | folder:l*) ;;
    program:-??????r?x* | program:l*) ;;
    data:-??????r* | data:l*) ;;
    folder:* | program:*) fault="${fault:+$fault; }not everybody may start it" ;;
    *) fault="${fault:+$fault; }not everybody may read it" ;;
    esac
    case $kind:$mode in
    folder:* | *:l*) ;;
    *)
        digest "$file"
        test "$sum" = "$expected" || fault="${fault:+$fault; }is not what was packaged"
        ;;
    esac
}

while read -r kind expected path; do
    owner=- mode=-
    check "$kind" "$expected" "$path"
    if test -z "$fault"; then
        printf 'ok     %s %s %s\n' "$owner" "$mode" "$root/$path"
    else
        printf 'FAULT  %s %s %s: %s\n' "$owner" "$mode" "$root/$path" "$fault"
        bad=1
    fi
done <<'FILES'
@FILES@
FILES

# Codex reads one file for everything, which this package does not own.
if grep -qF '@DISPATCHER@ ' "$root@CODEX@" 2>/dev/null; then
    printf 'note   Codex is told in %s\n' "$root@CODEX@"
else
    printf 'note   Codex is not told: %s does not name the plugin\n' "$root@CODEX@"
fi
exit $bad

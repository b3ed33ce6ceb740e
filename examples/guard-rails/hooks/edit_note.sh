#!/bin/sh
# After an edit: says so when the file is one that a tool writes, and nothing otherwise.
# POSIX sh and awk only; anything that is missing or odd means no note.

export LC_ALL=C # bytes, also where the payload is not valid UTF-8

# The file's path as it stands in the payload, between its quotes and still JSON-escaped. A key can
# only look like this in the payload itself: inside a text its quotes would be escaped.
# awk reads to the end, so that the sender of a large payload does not meet a closed pipe.
path=$(awk '
    !found && match($0, /"file_path"[ \t]*:[ \t]*"([^"\\]|\\.)*"/) {
        text = substr($0, RSTART, RLENGTH)
        sub(/^"file_path"[ \t]*:[ \t]*"/, "", text)
        sub(/"$/, "", text)
        print text
        found = 1
    }
') || exit 0
[ -n "$path" ] || exit 0

# A Windows separator is an escaped backslash here.
slashed=$(printf '%s\n' "$path" | sed 's|\\\\|/|g')
name=${slashed##*/}

# The name stays JSON-escaped, so it can go back into JSON as it is.
note() {
    printf '{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"%s %s"}}\n' "$name" "$1"
    exit 0
}

case $name in
    package-lock.json | npm-shrinkwrap.json | yarn.lock | pnpm-lock.yaml | bun.lock | deno.lock | \
        Cargo.lock | poetry.lock | uv.lock | Pipfile.lock | pdm.lock | Gemfile.lock | composer.lock | \
        go.sum | flake.lock | mix.lock | pubspec.lock | Package.resolved)
        note "is a lock file: change the manifest and let the package manager write it, then check the difference."
        ;;
    *.min.js | *.min.css | *.js.map | *.pb.go | *_pb2.py | *_pb2_grpc.py | *.g.dart | *.generated.* | *.Designer.cs)
        note "is generated: the next build overwrites this edit. Change its source and run the generator."
        ;;
esac

case /$slashed in
    */node_modules/* | */.venv/* | */site-packages/*)
        note "belongs to an installed dependency: the next install overwrites this edit."
        ;;
esac

# Many generators mark what they write. A path with escapes in it is not decoded for this.
case $path in
    *\\*) exit 0 ;;
esac
if [ -f "$path" ] && head -n 5 -- "$path" 2>/dev/null | grep -Eq '@generated|[Gg]enerated.*(DO NOT EDIT|[Dd]o not edit)'; then
    note "says in its first lines that it is generated: change its source and run the generator."
fi
exit 0

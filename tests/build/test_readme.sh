#!/bin/sh
# Runs every command of the README: the lines of its code blocks that begin with `$ `. A command must succeed,
# and the lines shown after it must come in its output in that order; `...` stands for any lines.
set -u
. "$ROOT/tests/tap.sh"

# Commands run in a folder that looks like the checkout, so that what they write does not stay in it.
mkdir "$scratch/tree"
for entry in "$ROOT"/*; do
    [ "$entry" = "$ROOT/build" ] || ln -s "$entry" "$scratch/tree/"
done
ln -s "$BUILD" "$scratch/tree/build"
cd "$scratch/tree" || exit 2
PATH=$BUILD:$PATH
unset BUILD
export CC CFLAGS LDFLAGS

# One file each: N.command and N.shown.
awk -v out="$scratch" '
    /^```/ { fenced = !fenced; block = 0; next }
    { line = $0; inside = fenced || /^    / ; if (!fenced) sub(/^    /, "", line) }
    inside && line ~ /^\$ / {
        n++; block = 1
        print substr(line, 3) >(out "/" n ".command")
        printf "" >(out "/" n ".shown")
        next
    }
    inside && block { print line >(out "/" n ".shown"); next }
    { block = 0 }
' "$ROOT/README.md"

# All shown lines come in the output, in that order, one after the other where there is no `...`.
holds() { # SHOWN OUTPUT
    awk -v shown="$1" '
        BEGIN { while ((getline line <shown) > 0) want[++n] = line; at = 1 }
        { sub(/[ \t]+$/, "") }
        at <= n && want[at] == "..." { gap = 1; at++ }
        at <= n && $0 == want[at] { at++; gap = 0; next }
        at <= n && at > 1 && !gap { at = n + 2 }
        END { while (at <= n && (want[at] == "..." || want[at] == "")) at++; exit at != n + 1 }' "$2"
}

try() { # COMMAND NUMBER
    if ! sh -c "$1" >"$scratch/output" 2>&1 </dev/null; then
        fail "README: $1" "$(tail -20 "$scratch/output")"
    elif ! holds "$scratch/$2.shown" "$scratch/output"; then
        fail "README: $1" "it does not print what is shown:
$(diff "$scratch/$2.shown" "$scratch/output")"
    else
        pass "README: $1"
    fi
}

n=1
while [ -f "$scratch/$n.command" ]; do
    command=$(cat "$scratch/$n.command")
    case $command in
    "make check") pass "README: $command (it is running)" ;;
    "inlay prove"*)
        if command -v z3 >/dev/null; then
            try "$command" "$n"
        else
            pass "README: $command # SKIP there is no z3"
        fi
        ;;
    *) try "$command" "$n" ;;
    esac
    n=$((n + 1))
done
finish

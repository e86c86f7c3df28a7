#!/bin/sh
# Runs the commands of every page: the lines of code blocks that begin with `$ `. A command must succeed, and the lines
# shown after it must come in its output in that order; `...` stands for any lines. A command that ends in `\` goes on in
# the next line. What is shown without `$ `, because it takes long, must at least be there: targets of make, programs.
set -u
. "$ROOT/tests/tap.sh"

# Commands run in a folder that looks like the checkout, so that what they write does not stay in it.
mkdir "$scratch/tree" "$scratch/bin" "$scratch/commands"
for entry in "$ROOT"/*; do
    [ "$entry" = "$ROOT/build" ] || ln -s "$entry" "$scratch/tree/"
done
ln -s "$BUILD" "$scratch/tree/build"
# Measurements are short here, and without the peer that npm would fetch.
printf '#!/bin/sh\nexit 1\n' >"$scratch/bin/npm"
chmod +x "$scratch/bin/npm"
export BENCH_ROUNDS=1 BENCH_SECONDS=0.01 BENCH_TRIES=1
cd "$scratch/tree" || exit 2
PATH=$scratch/bin:$BUILD:$PATH
unset BUILD
export CC CFLAGS LDFLAGS

# tests/README.md explains golden files, whose commands look alike.
pages() {
    (cd "$ROOT" && (git ls-files -co --exclude-standard '*.md' 2>/dev/null || find . -name '*.md' | sed 's|^\./||')) |
        grep -v '^build/\|^tests/README.md$' | sort
}

# One file each: commands/N.command, N.shown, N.page; and the other lines of code blocks in `plain`.
# shellcheck disable=SC2046
(cd "$ROOT" && awk -v out="$scratch/commands" -v plain="$scratch/plain" '
    FNR == 1 { fenced = block = file = 0 }
    /^```/ && fenced { fenced = block = file = 0; next }
    /^```/ { fenced = 1; next }
    !fenced && /^`[a-z]+\/[^`]*`/ { file = 1 } # the block is what stands in that file
    fenced && file { next }
    { line = $0; inside = fenced || /^    / ; if (!fenced) sub(/^    /, "", line) }
    continued { print line >(out "/" n ".command"); continued = line ~ /\\$/; next }
    inside && line ~ /^\$ / {
        n++; block = 1
        print FILENAME >(out "/" n ".page")
        print substr(line, 3) >(out "/" n ".command")
        printf "" >(out "/" n ".shown")
        continued = line ~ /\\$/
        next
    }
    inside && block { print line >(out "/" n ".shown"); next }
    { block = 0 }
    inside { print FILENAME ": " line >plain }
' $(pages))

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

try() { # NAME FILE-OF-COMMAND FILE-OF-WHAT-IS-SHOWN
    if ! sh "$2" >"$scratch/output" 2>&1 </dev/null; then
        fail "$1" "$(tail -20 "$scratch/output")"
    elif ! holds "$3" "$scratch/output"; then
        fail "$1" "it does not print what is shown:
$(diff "$3" "$scratch/output")"
    else
        pass "$1"
    fi
}

# What a command wants that need not be there.
wants() { # COMMAND
    case $1 in
    "inlay prove"* | *--with-proofs*) command -v z3 >/dev/null || echo "there is no z3" ;;
    *bench/run.sh*) /usr/bin/python3 -c 'import numpy' 2>/dev/null || echo "there is no numpy" ;;
    *"| dot "*) command -v dot >/dev/null || echo "there is no Graphviz" ;;
    esac
}

n=1
while [ -f "$scratch/commands/$n.command" ]; do
    command=$(cat "$scratch/commands/$n.command")
    name="$(cat "$scratch/commands/$n.page"): $(head -1 "$scratch/commands/$n.command")"
    missing=$(wants "$command")
    case $command in
    "make check") pass "$name (it is running)" ;;
    *)
        if [ -n "$missing" ]; then
            skip "$name" "$missing"
        else
            try "$name" "$scratch/commands/$n.command" "$scratch/commands/$n.shown"
        fi
        ;;
    esac
    n=$((n + 1))
done

# The first word that is no assignment, and for make what follows it.
sed -nE 's/^([^:]*): ([A-Z_]+=[^ ]* )*(make [a-z][a-z-]*|\.\/[a-z_.]+|(bench|tests)\/[a-z_]+\.(sh|py)).*/\1 \3/p' \
    "$scratch/plain" | sort -u >"$scratch/named"
while read -r page word target; do
    case $word in
    make) grep -qE "^(\.PHONY: .*)?$target( .*)?:" "$ROOT/Makefile" ;;
    *) [ -x "$ROOT/$word" ] || [ -x "$ROOT/$(dirname "$page")/$word" ] ;;
    esac
    if [ $? = 0 ]; then
        pass "$page: there is $word $target"
    else
        fail "$page: there is $word $target"
    fi
done <"$scratch/named"
finish

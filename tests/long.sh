#!/bin/sh
# Runs what takes too long for `make check`, in slices; tests/long/README.md. usage: tests/long.sh [PART...]
# Ends with one line `N passed, N failed, N unfinished`, parts counted.
set -u
cd "$(dirname "$0")/.." || exit 2
ROOT=$(pwd)
BUILD=${BUILD:-$ROOT/build}
INLAY_SHARED=$(tests/shared.sh)
export ROOT BUILD INLAY_SHARED LC_ALL=C CMOCKA_MESSAGE_OUTPUT=TAP
unset MAKEFLAGS MAKELEVEL
LONG_UNTIL=$(($(date +%s) + 60 * ${LONG_MINUTES:-50}))
export LONG_UNTIL
commit=$(git describe --always --dirty 2>/dev/null || echo unknown)
results=tests/long/RESULTS.md
passed=0 failed=0 unfinished=0

# The table has one row for each part: the last time that it was finished.
keep() { # PART RESULT
    row="| $1 | $(date -u +%Y-%m-%d) | $commit | $(uname -m), $(nproc) processors | $2 |"
    awk -v part="| $1 |" -v row="$row" '
        index($0, part) == 1 { $0 = row; seen = 1 }
        { print }
        END { if (!seen) print row }' "$results" >"$results.new" && mv "$results.new" "$results"
}

summary() { # LOG
    awk '/^# result: / { said = substr($0, 11) }
        /^ok .*# SKIP/ { skipped++; next } /^ok / { ok++ } /^not ok / { bad++ }
        END {
            printf "%d passed, %d failed", ok, bad
            if (skipped) printf ", %d skipped", skipped
            if (said) printf "; %s", said
            print ""
        }' "$1"
}

run_part() { # PART
    LONG_STATE=$BUILD/long/$1
    export LONG_STATE
    mkdir -p "$LONG_STATE"
    # What an earlier state of the tree had reached says nothing of this one.
    if [ "$(cat "$LONG_STATE/commit" 2>/dev/null)" != "$commit" ]; then
        rm -rf "$LONG_STATE" && mkdir -p "$LONG_STATE"
        echo "$commit" >"$LONG_STATE/commit"
    fi
    if [ -e "$LONG_STATE/finished" ]; then
        echo "==== $1: finished before"
        return 0
    fi
    echo "==== $1"
    sh "tests/long/$1.sh" >"$LONG_STATE/log" 2>&1 </dev/null
    status=$?
    grep -E '^(not ok|# )' "$LONG_STATE/log"
    if [ $status = 75 ]; then
        echo "==== $1: to be continued"
        return 75
    fi
    grep -q '^not ok' "$LONG_STATE/log" && status=1
    keep "$1" "$(summary "$LONG_STATE/log")"
    [ $status = 0 ] && touch "$LONG_STATE/finished"
    echo "==== $1: $(summary "$LONG_STATE/log")"
    return $status
}

if [ $# = 0 ]; then
    # shellcheck disable=SC2046
    set -- $(for part in tests/long/*.sh; do basename "$part" .sh; done)
fi
for part in "$@"; do
    if [ ! -e "tests/long/$part.sh" ]; then
        echo "tests/long.sh: there is no part \"$part\"" >&2
        exit 2
    fi
    if [ "$(date +%s)" -ge "$LONG_UNTIL" ] && [ ! -e "$BUILD/long/$part/finished" ]; then
        unfinished=$((unfinished + 1))
        continue
    fi
    run_part "$part"
    case $? in
    0) passed=$((passed + 1)) ;;
    75) unfinished=$((unfinished + 1)) ;;
    *) failed=$((failed + 1)) ;;
    esac
done
echo "$passed passed, $failed failed, $unfinished unfinished"
[ "$failed" = 0 ]

#!/bin/sh
# Every model of the suites in every form of conformance/unknown.py: what a reader is not told changes no number.
set -u
. "$ROOT/tests/tap.sh"
of=24
at=$(cat "$LONG_STATE/reached" 2>/dev/null || echo 0)

while [ "$at" -lt $of ]; do
    [ "$(date +%s)" -lt "$LONG_UNTIL" ] || exit 75
    at=$((at + 1))
    sh "$ROOT/tests/conformance/unknown.sh" $at/$of >"$LONG_STATE/said" 2>&1
    if ! grep -q '^ok' "$LONG_STATE/said" || grep -q '^not ok' "$LONG_STATE/said"; then
        fail "share $at of $of" "$(head -40 "$LONG_STATE/said")"
        finish
        exit 1
    fi
    cat "$LONG_STATE/said" >>"$LONG_STATE/all"
    echo $at >"$LONG_STATE/reached"
done
pass "the same numbers"
sed -n 's/^ok - \([0-9]*\) of [0-9]* forms of \([0-9]*\) tests.*/\1 \2/p' "$LONG_STATE/all" |
    awk '{ forms += $1; tests += $2 } END { printf "# result: %d forms of %d models\n", forms, tests }'
finish

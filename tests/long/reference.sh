#!/bin/sh
# Random graphs against the interpreter of tests/reference, on REFERENCE_SEEDS seeds that `make check` does not
# try, a thousand at a time.
set -u
. "$ROOT/tests/tap.sh"
first=100000
last=$((first + ${REFERENCE_SEEDS:-50000}))
reached=$(cat "$LONG_STATE/reached" 2>/dev/null || echo "$first")

while [ "$reached" -lt "$last" ]; do
    [ "$(date +%s)" -lt "$LONG_UNTIL" ] || exit 75
    INLAY_SEEDS=$reached,1000 sh "$ROOT/tests/reference/test_random.sh" >"$scratch/said" 2>&1
    if grep -q 'random graphs.*# SKIP' "$scratch/said"; then
        skip "random graphs against the interpreter" "there is no python3 with numpy"
        finish
        exit
    fi
    if grep -q '^not ok' "$scratch/said"; then
        fail "seeds $reached to $((reached + 999))" "$(grep -A 12 '^not ok' "$scratch/said")"
        finish
        exit 1
    fi
    reached=$((reached + 1000))
    echo "$reached" >"$LONG_STATE/reached"
done
pass "random graphs of seeds $first to $((last - 1))"
echo "# result: $((last - first)) seeds, three graphs each"
finish

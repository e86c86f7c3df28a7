#!/bin/sh
# The random tests, on seeds that `make check` does not try: 40 slices of 5,000.
set -u
. "$ROOT/tests/tap.sh"
tests="audit_states beams carry growing_random in_place_orders memory_plan notes_random planned_random rule_random tiles"
slices=40 each=5000

at=$(cat "$LONG_STATE/slice" 2>/dev/null || echo 0)
while [ "$at" -lt $slices ]; do
    [ "$(date +%s)" -lt "$LONG_UNTIL" ] || exit 75
    first=$((1000000 + at * each))
    for test in $tests; do
        INLAY_SEEDS=$first,$each "$BUILD/tests/test_$test" >"$LONG_STATE/$test.log" 2>&1 && continue
        echo "not ok - test_$test, seeds from $first on"
        grep -v '^ok' "$LONG_STATE/$test.log" | head -40 | sed 's/^/# /'
        exit 1
    done
    at=$((at + 1))
    echo $at >"$LONG_STATE/slice"
done
for test in $tests; do pass "test_$test"; done
echo "# result: $((slices * each)) seeds for each test"
finish

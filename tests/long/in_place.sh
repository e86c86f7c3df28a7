#!/bin/sh
# In place on many graphs: those of states, and those with bodies and joins, are run with notes, without, and by the
# reference, with poisoned memory; and the choice between candidates that compete is held against the best of all orders.
set -u
. "$ROOT/tests/tap.sh"
bodies=${IN_PLACE_BODIES:-100000} states=${IN_PLACE_STATES:-100000} choices=${IN_PLACE_CHOICES:-10000}

# Runs TEST on COUNT seeds, some at a time, from those on that an earlier slice has reached.
run_seeds() { # TEST COUNT EACH
    at=$(cat "$LONG_STATE/$1" 2>/dev/null || echo 0)
    while [ "$at" -lt "$2" ]; do
        [ "$(date +%s)" -lt "$LONG_UNTIL" ] || exit 75
        if ! INLAY_SEEDS=$((2000000 + at)),$3 "$BUILD/tests/test_$1" >"$scratch/log" 2>&1; then
            fail "test_$1, $3 seeds from $((2000000 + at)) on" "$(grep -v '^ok' "$scratch/log" | head -40)"
            finish
            exit 1
        fi
        grep -E '^# (below|[0-9]+ graphs)' "$scratch/log" >>"$LONG_STATE/$1.said"
        at=$((at + $3))
        echo $at >"$LONG_STATE/$1"
    done
    pass "test_$1 on $2 seeds"
}

run_seeds states_random "$states" 5000
run_seeds bodies_random "$bodies" 5000
run_seeds in_place_choice "$choices" 500

if [ ! -e "$LONG_STATE/regions" ]; then
    INLAY_REGION_SIZE=4 "$BUILD/tests/test_region" >"$scratch/log" 2>&1 || fail "all windows of three axes up to 4" "$(tail -9 "$scratch/log")"
    touch "$LONG_STATE/regions"
fi
pass "all windows of three axes up to 4"

# The graphs that are below the best of all orders, and their number.
below=$(grep -c '^# below' "$LONG_STATE/in_place_choice.said")
matters=$(sed -n 's/.*the order matters in \([0-9]*\),.*/\1/p' "$LONG_STATE/in_place_choice.said" | awk '{ n += $1 } END { print n + 0 }')
grep '^# below' "$LONG_STATE/in_place_choice.said"
echo "# result: $states graphs of states, 14 runs each; $bodies graphs with bodies, joins and state; $choices graphs of" \
    "competing candidates, the order matters in $matters, the choice is below the best of all orders in $below"
finish

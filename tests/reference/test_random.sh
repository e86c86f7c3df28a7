#!/bin/sh
# Random graphs, run by the library, against an interpreter that shares nothing with it (numpy); and the
# interpreter against the cases of tests/ops and the models. INLAY_SEED=N takes the graphs of seed N alone,
# INLAY_SEEDS=FIRST,COUNT those of COUNT seeds: one of each kind.
set -u
. "$ROOT/tests/tap.sh"

python=$(python_with_numpy)
if [ -z "$python" ]; then
    skip "random graphs and an interpreter in numpy" "there is no python3 with numpy"
    finish
    exit
fi
if [ -n "${INLAY_SLOW:-}" ]; then default=100; else default=500; fi
seeds=${INLAY_SEEDS:-${INLAY_SEED:-1},${INLAY_SEED:+1}}
first=${seeds%,*}
number=${seeds#*,}

# The scripts' own lines of TAP, counted.
relay() { # COMMAND...
    "$@" >"$scratch/said" 2>&1
    status=$?
    cat "$scratch/said"
    count=$((count + $(grep -c -E '^(ok|not ok) ' "$scratch/said")))
    [ $status = 0 ] || grep -q '^not ok ' "$scratch/said" || fail "$(basename "$3") ended with status $status" ""
}

relay "$python" -B "$ROOT/tests/reference/check_cases.py" "$ROOT" "$BUILD/inlay" "$scratch"
relay "$python" -B "$ROOT/tests/reference/compare_runs.py" "$BUILD/tests/run_graphs" "$first" "${number:-$default}"
finish

#!/bin/sh
# What kernels and threads may change of results (interp/README.md): on the models of the tree, on the conformance suite,
# and on graphs that are made up.
set -u
. "$ROOT/tests/tap.sh"
seeds=${RESULTS_SEEDS:-20000}

# Runs TEST on seeds, some at a time, from those on that an earlier slice has reached.
run_seeds() { # TEST
    at=$(cat "$LONG_STATE/$1" 2>/dev/null || echo 0)
    while [ "$at" -lt "$seeds" ]; do
        [ "$(date +%s)" -lt "$LONG_UNTIL" ] || exit 75
        if ! INLAY_SEEDS=$((3000000 + at)),1000 "$BUILD/tests/test_$1" >"$scratch/log" 2>&1; then
            fail "test_$1, 1000 seeds from $((3000000 + at)) on" "$(grep -v '^ok' "$scratch/log" | head -40)"
            finish
            exit 1
        fi
        at=$((at + 1000))
        echo $at >"$LONG_STATE/$1"
    done
    pass "test_$1 on $seeds seeds"
}

works "every model of the tree" env THREADS="2 3 4" sh "$ROOT/tests/models/test_results.sh"

archive=${INLAY_SHARED:-}/conformance/onnx-node.tar.xz node=${ONNX_NODE_TESTS:-} ran=0
if [ -z "$node" ] && [ -f "$archive" ]; then
    tar -C "$scratch" -xf "$archive"
    node=$scratch/node
fi
if [ -n "$node" ]; then
    export BUILD ROOT node
    grep -v '^#' "$ROOT/tests/conformance/onnx-failing.txt" | sort >"$scratch/failing"
    # shellcheck disable=SC2016
    ls "$node" | sort | comm -23 - "$scratch/failing" | xargs -P "$(nproc)" -I{} sh -c '
        why=$(THREADS="2 3 4" sh "$ROOT/tests/results.sh" "$node/{}" "--rtol 1e-4 --atol 1e-6")
        [ -z "$why" ] || echo "{}: $why"' >"$scratch/wrong"
    ran=$(ls "$node" | sort | comm -23 - "$scratch/failing" | wc -l)
    same "ONNX's node tests" /dev/null "$scratch/wrong"
else
    skip "ONNX's node tests" "the suite is not here"
fi

run_seeds onednn
run_seeds planned_random
echo "# result: the models of the tree and $ran of ONNX's node tests on 1 to 4 threads, portable and oneDNN;" \
    "$seeds graphs each of chains for oneDNN, and of windows, moves and sizes whose work is split"
finish

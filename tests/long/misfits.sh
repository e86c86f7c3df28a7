#!/bin/sh
# Runs whose sizes do not fit, under ASan and UBSan: two graphs for each seed, 12 sets of tensors for each of them, in
# the reference and three ways of the planned executor.
set -u
. "$ROOT/tests/tap.sh"
build=$BUILD/asan seeds=${MISFIT_SEEDS:-40000} each=500

at=$(cat "$LONG_STATE/seed" 2>/dev/null || echo 0)
# The Makefile names what is in the checkout by relative paths.
works "it is built" make -s -C "$ROOT" BUILD="$build" CC=clang \
    CFLAGS='-O1 -gline-tables-only -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all' \
    "${build#"$ROOT"/}/tests/test_misfits"
while [ "$at" -lt "$seeds" ]; do
    [ "$(date +%s)" -lt "$LONG_UNTIL" ] || exit 75
    if ! INLAY_SEEDS=$((3000000 + at)),$each "$build/tests/test_misfits" >"$scratch/log" 2>&1; then
        fail "$each seeds from $((3000000 + at)) on" "$(grep -v '^ok' "$scratch/log" | head -40)"
        finish
        exit 1
    fi
    grep -o '[0-9]* runs whose' "$scratch/log" >>"$LONG_STATE/runs"
    at=$((at + each))
    echo $at >"$LONG_STATE/seed"
done
pass "test_misfits on $seeds seeds"
echo "# result: $(awk '{ n += $1 } END { print n + 0 }' "$LONG_STATE/runs") runs on tensors that may not fit"
finish

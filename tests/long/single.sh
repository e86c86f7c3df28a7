#!/bin/sh
# Every graph of one operation, and random graphs and what a rule makes of them, are compared by `inlay verify`'s library:
# tests/unit/test_verify_single.c with nothing left out, tests/unit/test_verify_random.c on 500 other seeds.
set -u
. "$ROOT/tests/tap.sh"
works "graphs of one operation" env INLAY_EVERY=1 "$BUILD/tests/test_verify_single"
echo "# result: $(sed -n 's/^# \(.* graphs of one operation inconclusive\)$/\1/p' "$scratch/output")"
works "random graphs" env INLAY_SEEDS=1000001,500 "$BUILD/tests/test_verify_random"
finish

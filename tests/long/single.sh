#!/bin/sh
# Every graph of one operation is compared with itself: tests/unit/test_verify_single.c with nothing left out.
set -u
. "$ROOT/tests/tap.sh"
works "graphs of one operation" env INLAY_EVERY=1 "$BUILD/tests/test_verify_single"
echo "# result: $(sed -n 's/^# \(.* graphs of one operation inconclusive\)$/\1/p' "$scratch/output")"
finish

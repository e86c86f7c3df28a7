#!/bin/sh
# Every case of which less is known: tests/unit/test_less_known.c with nothing left out.
set -u
. "$ROOT/tests/tap.sh"
works "every case of which less is known" env INLAY_WHOLE=1 "$BUILD/tests/test_less_known"
echo "# result: $(grep -c ' OK \]\|^ok ' "$scratch/output") sets of rules and passes"
finish

#!/bin/sh
# Each function of interp/maths on all floats, beside MPFR (libmpfr-dev). Half a minute for each.
set -u
. "$ROOT/tests/tap.sh"
cd "$ROOT" || exit 2
program=$LONG_STATE/exhaustive
works "it is built" "${CC:-cc}" -std=gnu11 -I. -O3 -fopenmp-simd -fno-math-errno -fno-trapping-math -ffp-contract=off \
    -o "$program" tests/maths/exhaustive.c interp/maths/rows.c -lmpfr -lm
for name in $(sed -n 's/^\(MATHS\|ROW\)(\([a-z0-9_]*\),.*/\2/p' tests/maths/functions.def interp/maths/rows.def |
    awk '!seen[$0]++'); do
    [ -e "$LONG_STATE/$name" ] && pass "$name, before" && continue
    [ "$(date +%s)" -gt "$LONG_UNTIL" ] && exit 75
    works "$name" "$program" "$name" && touch "$LONG_STATE/$name"
done
echo "# result: all floats, correctly rounded"
finish

#!/bin/sh
# Every command of tests/oom/matrix.sh with every model, each allocation failing in turn; OOM_CELLS="read:lstm ..."
# chooses some. What is done stands in $LONG_STATE/cells.
set -u
. "$ROOT/tests/tap.sh"
. "$ROOT/tests/oom/survives.sh"
. "$ROOT/tests/oom/matrix.sh"
export INLAY_FAIL_RUNS=100000000 INLAY_FAIL_WAYS=1

all=$(for model in $(echo "$models" | cut -d ' ' -f 1); do for command in $commands; do echo "$command:$model"; done; done)
for cell in ${OOM_CELLS:-$all}; do
    grep -qs "^$cell " "$LONG_STATE/cells" && continue
    [ "$(date +%s)" -lt "$LONG_UNTIL" ] || exit 75
    does "${cell%%:*}" "$(path_of "${cell#*:}")" | sed 's/^\(not ok\|ok\) [0-9]* - /\1 - /' >"$scratch/said"
    # What failed is told in this slice, and tried again in the next.
    if grep -q '^not ok' "$scratch/said"; then cat "$scratch/said"; else sed "s/^/$cell /" "$scratch/said" >>"$LONG_STATE/cells"; fi
done
sort -u -k 1,1 -o "$LONG_STATE/cells" "$LONG_STATE/cells" # several of these may have run beside each other
sed 's/^[^ ]* //' "$LONG_STATE/cells"
awk '{ n++; match($0, /\([0-9]+ allocations\)$/); sum += substr($0, RSTART + 1) }
    END { printf "# result: %d cells of models and commands, %d allocations failed, each by itself\n1..%d\n", n, sum, n }' "$LONG_STATE/cells"

#!/bin/sh
# Random graphs, written as ONNX and run by ONNX Runtime, which must give what the reference gives: WRITTEN_SEEDS graphs
# of each mix of generate/, every second one as the passes left it. The npm package onnxruntime-node is looked for where
# `make bench` puts it, and in $ONNXRUNTIME_NODE.
set -u
. "$ROOT/tests/tap.sh"
peer=${ONNXRUNTIME_NODE:-$BUILD/bench/onnxruntime/node_modules/onnxruntime-node}
seeds=${WRITTEN_SEEDS:-2000}

if ! command -v node >/dev/null 2>&1 || [ ! -d "$peer" ]; then
    skip "what is written, in ONNX Runtime" "node or its package onnxruntime-node is not here"
    finish
    exit 0
fi
at=$(cat "$LONG_STATE/at" 2>/dev/null || echo 0)
while [ "$at" -lt "$seeds" ]; do
    [ "$(date +%s)" -lt "$LONG_UNTIL" ] || exit 75
    if ! node "$ROOT/tests/reference/onnx_written.js" "$peer" "$BUILD/tests/run_graphs" $((at + 1)) 100 "$scratch" \
        >"$scratch/said" 2>"$scratch/warnings"; then
        fail "100 graphs of each mix from seed $((at + 1)) on" "$(grep -E 'differ|not run|counts' "$scratch/said" | head -40)"
        finish
        exit 1
    fi
    tail -n 1 "$scratch/said" >>"$LONG_STATE/counts"
    at=$((at + 100))
    echo "$at" >"$LONG_STATE/at"
done
pass "$seeds graphs of each mix"
sed 's/^counts: //' "$LONG_STATE/counts" | awk -F ', ' '
    { for (i = 1; i <= NF; i++) { n = $i + 0; word = $i; sub(/^[0-9]* /, "", word); sum[word] += n } }
    END { printf "# result:"; for (word in sum) printf " %d %s,", sum[word], word; print " of " '"$((5 * seeds))"' }'
finish

#!/bin/sh
# Each fuzzer searches FUZZ_MINUTES in all, a slice at a time, from what it found worth keeping before.
set -u
. "$ROOT/tests/tap.sh"
targets=${FUZZ_TARGETS:-xml json text onnx rules extension tensor}
seconds=$((60 * ${FUZZ_MINUTES:-6}))
done=$(cat "$LONG_STATE/seconds" 2>/dev/null || echo 0)

works "they are built" make -s -C "$ROOT" BUILD="$BUILD" fuzzers
# What is left for each, of all that are behind one processor in the queue.
turns=$((($(echo "$targets" | wc -w) + $(nproc) - 1) / $(nproc)))
room=$((($(date +%s) - LONG_UNTIL) / -turns)) left=$((seconds - done))
[ "$left" -le "$room" ] || left=$room
if [ "$left" -gt 0 ]; then
    # Targets are words.
    # shellcheck disable=SC2086
    works "none of them found anything" sh "$ROOT/tests/fuzz/search.sh" "$LONG_STATE" "$left" $targets
    done=$((done + left))
    echo "$done" >"$LONG_STATE/seconds"
fi
[ "$done" -ge "$seconds" ] || exit 75
echo "# result: $done s for each reader, $(awk 'FNR == 1 { runs += last } { last = $1 } END { print runs + last }' "$LONG_STATE"/*.coverage) runs"
finish

#!/bin/sh
# Each fuzzer searches FUZZ_MINUTES in all, a slice at a time, from what it found worth keeping before.
set -u
. "$ROOT/tests/tap.sh"
targets=${FUZZ_TARGETS:-xml json text rules tensor}
seconds=$((60 * ${FUZZ_MINUTES:-6}))
state=$LONG_STATE

works "they are built" make -s -C "$ROOT" BUILD="$BUILD" fuzzers
[ -d "$state/seeds" ] || sh "$ROOT/tests/fuzz/seeds.sh" "$state/seeds" || exit 1
mkdir -p "$state/found"

done_of() { # TARGET: seconds searched so far
    cat "$state/$1.seconds" 2>/dev/null || echo 0
}

search() { # TARGET SECONDS
    mkdir -p "$state/corpus/$1"
    "$BUILD/fuzzing/fuzz/$1" -max_total_time="$2" -timeout=30 -rss_limit_mb=3000 -max_len=20000 \
        -artifact_prefix="$state/found/$1-" -print_final_stats=1 \
        "$state/corpus/$1" "$state/seeds/$1" >"$state/$1.log" 2>&1
}

runs=0
for target in $targets; do
    left=$((seconds - $(done_of "$target")))
    room=$((LONG_UNTIL - $(date +%s)))
    [ "$left" -gt 0 ] && [ "$room" -le 0 ] && exit 75
    [ "$left" -le "$room" ] || left=$room
    if [ "$left" -gt 0 ] && ! search "$target" "$left"; then
        fail "$target" "$(grep -E 'ERROR|broken|Test unit written|SUMMARY' "$state/$target.log")"
        continue
    fi
    [ "$left" -le 0 ] || echo $(($(done_of "$target") + left)) >"$state/$target.seconds"
    [ "$(done_of "$target")" -ge "$seconds" ] || exit 75
    n=$(awk '/number_of_executed_units/ { print $2 }' "$state/$target.log")
    runs=$((runs + ${n:-0}))
    pass "$target: ${n:-0} runs"
done
echo "# result: $seconds s for each reader, $runs runs"
finish

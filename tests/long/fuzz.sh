#!/bin/sh
# Each fuzzer searches FUZZ_MINUTES in all, a slice at a time, from what it found worth keeping before; as many at
# one time as there are processors.
set -u
. "$ROOT/tests/tap.sh"
seconds=$((60 * ${FUZZ_MINUTES:-6}))
state=$LONG_STATE

done_of() { # TARGET: seconds searched so far
    cat "$state/$1.seconds" 2>/dev/null || echo 0
}

# Searches until the slice is over, or the target's time is.
search() { # TARGET
    left=$((seconds - $(done_of "$1")))
    room=$((LONG_UNTIL - $(date +%s)))
    [ "$left" -le "$room" ] || left=$room
    [ "$left" -gt 0 ] || return
    mkdir -p "$state/corpus/$1"
    "$BUILD/fuzzing/fuzz/$1" -max_total_time="$left" -timeout=30 -rss_limit_mb=3000 -max_len=20000 \
        -artifact_prefix="$state/found/$1-" -print_final_stats=1 \
        "$state/corpus/$1" "$state/seeds/$1" >"$state/$1.log" 2>&1 || return
    echo $(($(done_of "$1") + left)) >"$state/$1.seconds"
}

if [ "${1:-}" = --one ]; then
    search "$2"
    exit 0
fi

works "they are built" make -s -C "$ROOT" BUILD="$BUILD" fuzzers
[ -d "$state/seeds" ] || sh "$ROOT/tests/fuzz/seeds.sh" "$state/seeds" || exit 1
mkdir -p "$state/found"
targets=${FUZZ_TARGETS:-xml json text onnx rules tensor}
echo "$targets" | xargs -n 1 -P "$(nproc 2>/dev/null || echo 1)" sh "$0" --one

runs=0 unfinished=
for target in $targets; do
    if grep -qE 'SUMMARY|Test unit written' "$state/$target.log"; then
        fail "$target" "$(grep -E 'ERROR|broken|Test unit written|SUMMARY' "$state/$target.log")"
        continue
    fi
    [ "$(done_of "$target")" -ge "$seconds" ] || unfinished=yes
    n=$(awk '/number_of_executed_units/ { print $2 }' "$state/$target.log")
    runs=$((runs + ${n:-0}))
    pass "$target: ${n:-0} runs"
done
[ -z "$unfinished" ] || exit 75
echo "# result: $seconds s for each reader, $runs runs"
finish

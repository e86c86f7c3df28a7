#!/bin/sh
# Lets the programs of `make fuzzers` search, each for SECONDS, as many at once as there are processors (FUZZ_JOBS).
# usage: tests/fuzz/search.sh STATE SECONDS TARGET...     Ends with status 1 when one of them stopped at something.
#
# STATE keeps what was worth keeping, from which a later search goes on: corpus/TARGET; what stopped one is in
# found/TARGET-*; TARGET.coverage has a line for each search, "RUNS of all so far, EDGES, FEATURES".
set -u
cd "$(dirname "$0")/../.." || exit 2
ROOT=$(pwd) state=$1 seconds=$2
BUILD=${BUILD:-$ROOT/build}
export ROOT BUILD LC_ALL=C
shift 2

search() { # TARGET
    # Of thousands of seeds the few that reach all that they reach: those are read again by every search.
    if [ ! -d "$state/corpus/$1" ]; then
        rm -rf "$state/merged/$1" && mkdir -p "$state/merged/$1" "$state/corpus" &&
            "$BUILD/fuzzing/fuzz/$1" -merge=1 -timeout=30 -rss_limit_mb=3000 -max_len=20000 -artifact_prefix="$state/found/$1-" \
                "$state/merged/$1" "$state/seeds/$1" >"$state/$1.log" 2>&1 && mv "$state/merged/$1" "$state/corpus/$1" || return 1
    fi
    "$BUILD/fuzzing/fuzz/$1" -max_total_time="$seconds" -timeout=30 -rss_limit_mb=3000 -max_len=20000 \
        -dict="$state/seeds/$1.dict" -artifact_prefix="$state/found/$1-" -print_final_stats=1 \
        "$state/corpus/$1" >"$state/$1.log" 2>&1
    status=$?
    before=$(awk 'END { print $1 + 0 }' "$state/$1.coverage" 2>/dev/null)
    awk -v before="${before:-0}" '
        $3 == "cov:" { edges = $4; features = $6 }
        /number_of_executed_units/ { runs = $2 }
        END { print before + runs, edges + 0, features + 0 }' "$state/$1.log" >>"$state/$1.coverage"
    tail -1 "$state/$1.coverage" | sed "s/^/$1: runs, edges, features: /"
    [ $status = 0 ] || grep -E 'ERROR|broken|Test unit written|SUMMARY|runtime error' "$state/$1.log"
    return $status
}

if [ "${FUZZ_ONE:-}" ]; then
    search "$1"
    exit
fi
mkdir -p "$state/found"
[ -d "$state/seeds" ] || sh tests/fuzz/seeds.sh "$state/seeds" || exit 2
printf '%s\n' "$@" | FUZZ_ONE=yes xargs -n 1 -P "${FUZZ_JOBS:-$(nproc 2>/dev/null || echo 1)}" sh tests/fuzz/search.sh "$state" "$seconds"
[ $? = 0 ]

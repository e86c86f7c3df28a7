#!/bin/sh
# Instructions of loading a model and of a run of it, without a budget and with one, counted by callgrind: the same on
# every machine that has the same instructions. usage: bench/budget.sh     (behind `make bench-budget`)
set -eu
ROOT=$(cd "$(dirname "$0")/.." && pwd)
BUILD=${BUILD:-$ROOT/build}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
calls=200

count() { # MODEL CALLS yes|no
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$BUILD/bench/budget" "$@" 2>&1 | awk '/Collected :/ { print $NF }'
}

cp "$ROOT/bench/call.inlay" "$ROOT/models/cache/step.inlay" "$scratch/"
"$BUILD/tests/test_scaling" chain 1000 >"$scratch/chain.inlay"
echo "model: instructions of loading without and with a budget, of a run without and with one"
for model in call step chain; do
    file=$scratch/$model.inlay
    set -- "$(count "$file" 0 no)" "$(count "$file" 0 yes)" "$(count "$file" $calls no)" "$(count "$file" $calls yes)"
    echo "$model: $1 $2 $((($3 - $1) / calls)) $((($4 - $2) / calls))"
done

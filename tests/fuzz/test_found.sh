#!/bin/sh
# The inputs that once broke a law of a fuzzer; `make fuzz-regress` runs them with sanitizers.
set -u
. "$ROOT/tests/tap.sh"

for folder in "$ROOT"/tests/fuzz/found/*; do
    target=${folder##*/}
    works "$target: $(ls "$folder" | wc -l) files" "$BUILD/tests/replay_$target" "$folder"/*
done
finish

#!/bin/sh
# The fuzzers' laws on what their searches begin with: every model of the tree in its own format and, of those that are
# made of text, each eighth as JSON.
set -u
. "$ROOT/tests/tap.sh"

sh "$ROOT/tests/fuzz/seeds.sh" "$scratch/seeds" || exit 1
for target in xml json text onnx rules extension tensor; do
    ls "$scratch/seeds/$target"/* | if [ $target = json ]; then sed -n '1~8p'; else cat; fi >"$scratch/list"
    [ -s "$scratch/list" ] || fail "$target has seeds"
    works "$target: $(wc -l <"$scratch/list") files" xargs -n 5000 "$BUILD/tests/replay_$target" <"$scratch/list"
done
finish

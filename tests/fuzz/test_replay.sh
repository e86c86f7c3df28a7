#!/bin/sh
# The fuzzers' laws on what their searches begin with (every model of the tree in its own format and, of those that are
# made of text, each eighth as JSON), and on the inputs that once broke them.
set -u
. "$ROOT/tests/tap.sh"

sh "$ROOT/tests/fuzz/seeds.sh" "$scratch/seeds" || exit 1
for target in xml json text onnx rules tensor; do
    ls "$scratch/seeds/$target"/* | if [ $target = json ]; then sed -n '1~8p'; else cat; fi >"$scratch/list"
    ls "$ROOT/tests/fuzz/found/$target"/* 2>/dev/null >>"$scratch/list"
    [ -s "$scratch/list" ] || fail "$target has seeds"
    works "$target: $(wc -l <"$scratch/list") files" xargs -n 5000 "$BUILD/tests/replay_$target" <"$scratch/list"
done
finish

#!/bin/sh
# Forms of ONNX's operators that its own node tests leave out, with results by numpy (onnx_variants.py), in both
# executors, before and after the passes.
set -u
. "$ROOT/tests/tap.sh"

for python in python3 /usr/bin/python3; do
    "$python" -c 'import numpy' 2>/dev/null && break
    python=
done
if [ -z "$python" ]; then
    skip "forms of ONNX's operators" "there is no python3 with numpy"
    finish
    exit
fi
works "the models are made" "$python" -B "$ROOT/tests/reference/onnx_variants.py" "$scratch/models"
mkdir "$scratch/said"
for model in "$scratch"/models/*; do
    for mode in planned,default reference,none; do
        printf '%s\trun\t%s/model.onnx\t--test-data\t%s\t--exec\t%s\t--passes\t%s\t--quiet\n' \
            "${model##*/}:$mode" "$model" "$model" "${mode%,*}" "${mode#*,}"
    done
done | "$BUILD/tests/inlays" "$scratch/said" >"$scratch/status"
for model in "$scratch"/models/*; do
    name=${model##*/} why=
    for mode in planned,default reference,none; do
        grep -qxF "$name:$mode 0" "$scratch/status" || why="$why$mode: $(head -3 "$scratch/said/$name:$mode")"
    done
    if [ -z "$why" ]; then pass "$name"; else fail "$name" "$why"; fi
done
# Large weights of few bits stay as they are in the file.
for model in "$scratch"/models/*_large*; do
    "$BUILD/inlay" opt "$model/model.onnx" >"$scratch/output" 2>&1
    if grep -q MatMulCompressed "$scratch/output"; then
        pass "$(basename "$model") stays compressed"
    else
        fail "$(basename "$model") stays compressed" "$(head -5 "$scratch/output")"
    fi
done
finish

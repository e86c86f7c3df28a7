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
for model in "$scratch"/models/*; do
    : >"$scratch/said"
    for mode in planned,default reference,none; do
        "$BUILD/inlay" run "$model/model.onnx" --test-data "$model" --exec "${mode%,*}" --passes "${mode#*,}" --quiet \
            >"$scratch/output" 2>&1 || { echo "$mode:" && head -3 "$scratch/output"; } >>"$scratch/said"
    done
    if [ -s "$scratch/said" ]; then
        fail "$(basename "$model")" "$(cat "$scratch/said")"
    else
        pass "$(basename "$model")"
    fi
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

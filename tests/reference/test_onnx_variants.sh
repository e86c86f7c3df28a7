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
# All models in one process for each mode; of those that fail it says why.
for mode in planned,default reference,none; do
    mkdir "$scratch/$mode"
    for model in "$scratch"/models/*; do
        printf '%s\trun\t%s/model.onnx\t--test-data\t%s\t--exec\t%s\t--passes\t%s\t--quiet\n' "${model##*/}" \
            "$model" "$model" "${mode%,*}" "${mode#*,}"
    done | "$BUILD/tests/inlays" "$scratch/$mode" | awk -v mode="$mode" '{ print mode, $1, $2 }'
done >"$scratch/results"
ls "$scratch/models" | awk -v results="$scratch/results" '
    BEGIN { while ((getline <results) > 0) fine[$2] += $3 == 0 }
    { print $1, fine[$1] == 2 ? "passes" : "fails" }' >"$scratch/verdicts"
while read -r name verdict; do
    if [ "$verdict" = passes ]; then
        pass "$name"
    else
        fail "$name" "$(grep " $name " "$scratch/results"; head -3 "$scratch"/*,*/"$name")"
    fi
done <"$scratch/verdicts"
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

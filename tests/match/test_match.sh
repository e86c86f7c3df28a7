#!/bin/sh
# Errors planted into what the optimiser wrote are found where they are; README.md. `make long PARTS=match` plants more.
set -u
. "$ROOT/tests/tap.sh"
for model in onnx/transformer/model.onnx onnx/mobilenet/model.onnx tiny-gpt/tiny-gpt.onnx; do
    python3 -B "$ROOT/tests/match/plant.py" "$BUILD/inlay" "$([ -z "${INLAY_SLOW:-}" ] && echo 3 || echo 1)" 1 \
        "$ROOT/models/$model" >"$scratch/said" 2>&1
    if grep -q '^# result' "$scratch/said" && ! grep -q '^not ok' "$scratch/said"; then
        pass "errors in $model are found in their pieces"
    else
        fail "errors in $model are found in their pieces" "$(cat "$scratch/said")"
    fi
done
finish

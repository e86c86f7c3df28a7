#!/bin/sh
# Errors planted into graphs of optimisers are found in the right piece; tests/match/README.md. Of what is within the
# tolerance beside what it changes, one in twenty may be named by its reader.
set -u
. "$ROOT/tests/tap.sh"
plant() { # COUNT MODEL [OTHER INPUTS]
    python3 -B "$ROOT/tests/match/plant.py" "$BUILD/inlay" "$1" 1 "$2" ${3:+"$3"} ${4:+"$4"} >>"$scratch/said" 2>&1 ||
        echo "not ok - $2 ${3:-}" >>"$scratch/said"
}

for model in onnx/transformer/model.onnx onnx/mobilenet/model.onnx tiny-gpt/tiny-gpt.onnx digits/digits.xml; do
    plant 30 "$ROOT/models/$model"
done
corpus=${INLAY_SHARED:-/nowhere}/corpus/exported
if [ -f "$corpus/variants.tar.xz" ]; then
    tar -C "$scratch" -xf "$corpus/exports.tar.xz" && tar -C "$scratch" -xf "$corpus/variants.tar.xz"
    for variant in "$scratch"/*.ort_ext "$scratch"/*.fused; do
        plant 10 "${variant%.*}/model.onnx" "$variant/model.onnx" "${variant%.*}/inputs.npz"
    done
fi
sed -n 's/^# result: \([0-9]*\) of \([0-9]*\) .*/\1 \2/p' "$scratch/said" |
    awk '{ found += $1; all += $2 } END { print found + 0, all + 0 }' >"$scratch/sums"
read -r found all <"$scratch/sums"
if [ "$all" -gt 0 ] && [ $((20 * (all - found))) -le "$all" ] && ! grep '^not ok - without' "$scratch/said"; then
    pass "planted errors are found in the right piece"
else
    fail "planted errors are found in the right piece" "$(grep -A 1 '^not ok' "$scratch/said")"
fi
echo "# result: $found of $all planted errors are found in the right piece"
finish

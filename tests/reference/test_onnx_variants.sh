#!/bin/sh
# Forms of ONNX's operators that its own node tests leave out, with results by numpy (onnx_variants.py), in both
# executors, before and after the passes. ONNX_VARIANTS is a folder in which the models are already, for one who runs
# this often.
set -u
. "$ROOT/tests/tap.sh"

python=$(python_with_numpy)
if [ -z "$python" ]; then
    skip "forms of ONNX's operators" "there is no python3 with numpy"
    finish
    exit
fi
models=${ONNX_VARIANTS:-}
if [ -z "$models" ]; then
    models=$scratch/models
    works "the models are made" "$python" -B "$ROOT/tests/reference/onnx_variants.py" "$models"
fi
ls "$models" >"$scratch/names"
: >"$scratch/failed"
n=$(wc -l <"$scratch/names")
for mode in planned,default reference,none; do
    "$BUILD/inlay" run --test-data "$models" --exec "${mode%,*}" --passes "${mode#*,}" >"$scratch/said" 2>&1
    grep '^FAIL ' "$scratch/said" >>"$scratch/failed"
    # Without this line the suite ended early.
    grep -q "^${mode%,*}: [0-9]* of $n pass" "$scratch/said" || sed 's/^/FAIL /' "$scratch/names" >>"$scratch/failed"
done
awk -v made="$count" 'FILENAME == ARGV[1] { why[$2] = why[$2] "# " $0 "\n"; next }
    { printf "%sok %d - %s\n%s", why[$1] ? "not " : "", FNR + made, $1, why[$1] }' "$scratch/failed" "$scratch/names"
count=$((count + n))
# Large weights of few bits stay as they are in the file.
for model in "$models"/*_large*; do
    "$BUILD/inlay" opt "$model/model.onnx" >"$scratch/output" 2>&1
    if grep -q MatMulCompressed "$scratch/output"; then
        pass "$(basename "$model") stays compressed"
    else
        fail "$(basename "$model") stays compressed" "$(head -5 "$scratch/output")"
    fi
done
finish

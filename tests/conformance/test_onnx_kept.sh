#!/bin/sh
# An operator of ONNX that is read is written as itself in as many models as onnx-kept.txt says, and in as many nodes:
# exports recognise what imports make. Others may change what an operator is made of, so that its models compute the same
# and it is lost, or grow.
# KEPT=FILE writes what is so now to FILE.
set -u
. "$ROOT/tests/tap.sh"
. "$ROOT/tests/conformance/suite.sh"

python=$(python_with_numpy)
if [ -z "$node" ] || [ "$node" = "$debian" ] || [ -z "$python" ]; then
    skip "operators are written as they are read" "the suite is not here, or no python3 with numpy"
    finish
    exit 0
fi
models=${ONNX_VARIANTS:-}
if [ -z "$models" ]; then
    models=$scratch/models
    "$python" -B "$ROOT/tests/reference/onnx_variants.py" "$models" || exit
fi
mkdir "$scratch/said" "$scratch/written"
for test in "$node"/* "$models"/*; do
    printf '%s\tconvert\t%s/model.onnx\t%s.onnx\n' "${test##*/}" "$test" "$scratch/written/${test##*/}"
done | "$BUILD/tests/inlays" "$scratch/said" >/dev/null
"$python" -B "$ROOT/tests/conformance/kept.py" "$scratch/written" "$node" "$models" >"$scratch/kept"
[ -z "${KEPT:-}" ] || cp "$scratch/kept" "$KEPT"
grep -v '^#' "$ROOT/tests/conformance/onnx-kept.txt" >"$scratch/expected"
same "operators are written as they are read" "$scratch/expected" "$scratch/kept"
finish

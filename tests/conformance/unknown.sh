#!/bin/sh
# Models of which a reader is told less, in all forms of unknown.py: the same numbers. usage: unknown.sh SHARE/OF
set -u
. "$ROOT/tests/tap.sh"
. "$ROOT/tests/conformance/suite.sh"

python=$(python_with_numpy)
if [ -z "$node" ] || [ -z "$python" ]; then
    skip "models of which less is known" "the suite is not here, or no python3 with numpy"
    finish
    exit 0
fi
"$python" -B "$ROOT/tests/reference/onnx_variants.py" "$scratch/models" || exit
"$python" -B "$ROOT/tests/conformance/unknown.py" "$BUILD/inlay" "$1" "$node" "$scratch/models"

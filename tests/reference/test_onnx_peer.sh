#!/bin/sh
# ONNX models give what ONNX Runtime computes. Its npm package, onnxruntime-node, is looked for where `make bench`
# puts it, and in $ONNXRUNTIME_NODE; without it, or without node, the test is skipped. $ONNX_MODELS: a folder with more
# models (bench/README.md).
set -u
. "$ROOT/tests/tap.sh"

peer=${ONNXRUNTIME_NODE:-$BUILD/bench/onnxruntime/node_modules/onnxruntime-node}
if ! command -v node >/dev/null 2>&1 || [ ! -d "$peer" ]; then
    skip "ONNX Runtime's numbers" "peer: node or its package onnxruntime-node is not here"
    finish
    exit 0
fi
set --
for name in loop_cache lstm mobilenet slice_scatter_concat slice_scatter_elements slice_scatter_nd transformer; do
    set -- "$@" "$ROOT/models/onnx/$name/model.onnx"
done
for model in "$@" ${ONNX_MODELS:+"$ONNX_MODELS"/*.onnx}; do
    works "${model#"$ROOT"/}" node "$ROOT/tests/reference/onnx_peer.js" "$peer" "$BUILD/inlay" "$scratch" "$model"
done
# What is written runs there, too, as it is and after the passes.
for model in "$@" "$ROOT/models/digits/digits.xml" "$ROOT/models/window/window.inlay" "$ROOT/models/window/chain.json"; do
    for command in convert opt; do
        out=''
        [ "$command" = convert ] || out=-o
        # shellcheck disable=SC2086
        works "${model#"$ROOT"/}, $command" "$BUILD/inlay" $command "$model" $out "$scratch/written.onnx" &&
            works "${model#"$ROOT"/}, written by $command" \
                node "$ROOT/tests/reference/onnx_peer.js" "$peer" "$BUILD/inlay" "$scratch" "$scratch/written.onnx"
    done
done
finish

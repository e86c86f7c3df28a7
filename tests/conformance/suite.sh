# Read by the scripts here: `node` is the folder of ONNX's node tests (README.md), empty where there is none.
# shellcheck shell=sh
debian=/usr/share/libonnx-testdata/data/node

suite() {
    archive=${INLAY_SHARED:-}/conformance/onnx-node.tar.xz
    if [ -n "${ONNX_NODE_TESTS:-}" ]; then
        echo "$ONNX_NODE_TESTS"
    elif [ -n "${INLAY_SHARED:-}" ] && [ -f "$archive" ]; then
        tar -C "$scratch" -xf "$archive" && echo "$scratch/node"
    elif [ -d "$debian" ]; then
        echo "$debian"
    fi
}

node=$(suite)

#!/bin/sh
# ONNX's node tests, written in each form that inlay writes and read back: what an import makes can be written.
if [ -n "${INLAY_SLOW:-}" ]; then
    . "$ROOT/tests/tap.sh"
    skip "ONNX's node tests in other forms" "slow"
    finish
    exit 0
fi
exec sh "$(dirname "$0")/onnx.sh" planned,none,xml planned,none,json planned,none,inlay

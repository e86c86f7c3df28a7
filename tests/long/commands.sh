#!/bin/sh
# The commands on every model of ONNX's node tests, in every form that is written; tests/conformance/commands.sh.
exec sh "$ROOT/tests/conformance/commands.sh" 1 inlay json xml onnx

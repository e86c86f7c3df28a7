#!/bin/sh
# ONNX's node tests, written in each form that inlay writes and read back: what an import makes can be written. A mutant
# of an import or an export (tests/mutation) meets its own form alone.
[ -n "${MUTANT:-}" ] || set -- planned,none,xml planned,none,json planned,none,inlay
exec sh "$(dirname "$0")/onnx.sh" "$@" planned,none,onnx

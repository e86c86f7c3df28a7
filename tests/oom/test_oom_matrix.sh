#!/bin/sh
# A sample of what `make long PARTS=oom` does: each command of the matrix with a model of its own, few allocations each.
set -u
. "$ROOT/tests/tap.sh"
. "$ROOT/tests/oom/survives.sh"
. "$ROOT/tests/oom/matrix.sh"
export INLAY_FAIL_RUNS=10

for pair in read:lstm opt:find-lstm verify:if compile:mobilenet run:attention plan:loop-cache write-xml:nd write-json:strings \
    write-onnx:window view:elements explore:folded prove:second-reader; do
    does "${pair%:*}" "$(path_of "${pair#*:}")"
done
finish

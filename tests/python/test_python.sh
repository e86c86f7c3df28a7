#!/bin/sh
# The package in Python: tests/python/test_*.py, each a test of TAP.
set -u
. "$ROOT/tests/tap.sh"

if ! [ -e "$BUILD/python/inlay/_inlay.abi3.so" ]; then
    skip "the package in Python" "peer: it is not built: python3-dev is missing, or no shared library is made"
    finish
    exit
fi
for python in python3 /usr/bin/python3; do
    if "$python" -c 'import sys, numpy; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$BUILD/python" OPENBLAS_NUM_THREADS=1 "$python" "$ROOT/tests/python/tap.py"
        exit
    fi
done
skip "the package in Python" "peer: there is no Python 3.11 with numpy"
finish

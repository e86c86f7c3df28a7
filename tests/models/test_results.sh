#!/bin/sh
# Every model of the tree gives the results that it should, whatever the kernels and the threads: tests/results.sh.
# THREADS: how many; one number here, all in `make long`.
set -u
: "${ROOT:=$(cd "$(dirname "$0")/../.." && pwd)}" "${BUILD:=$ROOT/build}"
. "$ROOT/tests/tap.sh"
. "$ROOT/tests/models/small.sh"
cd "$scratch" || exit 2
export BUILD THREADS="${THREADS:-3}"

# Sizes that a model leaves open.
options() { # MODEL
    case $1 in
    */digits.xml) echo "--shape image=3,1,28,28" ;;
    esac
}

# Models that only move elements, add, or multiply element by element have the reference's very bits.
tolerance() { # MODEL
    case $1 in
    */seeds/* | */window/*) echo "--rtol 0 --atol 0" ;;
    esac
}

for model in $(cd "$ROOT" && find models ! -name '*schema*' \( -name '*.xml' -o -name '*.onnx' -o -name '*.inlay' -o \
    -name '*.json' \) | sort); do
    # shellcheck disable=SC2046
    why=$(sh "$ROOT/tests/results.sh" "$(small "$ROOT/$model")" "$(tolerance "$model")" --random --seed 7 $(options "$model") 2>&1)
    if [ -z "$why" ]; then pass "$model"; else fail "$model" "$why"; fi
done
finish

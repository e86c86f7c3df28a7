#!/bin/sh
# Every model of the tree gives the same bits on one to four threads with the portable kernels, and the reference's
# numbers, within a tolerance where sums are made in another order. With the module of oneDNN the same within the
# tolerance, whatever the number of threads.
set -u
: "${ROOT:=$(cd "$(dirname "$0")/../.." && pwd)}" "${BUILD:=$ROOT/build}"
. "$ROOT/tests/tap.sh"

# Sizes that a model leaves open.
options() { # MODEL
    case $1 in
    */digits.xml) echo "--shape image=3,1,28,28" ;;
    esac
}

results() { # MODEL FOLDER OPTION...
    model=$1 folder=$2
    shift 2
    # shellcheck disable=SC2046
    "$BUILD/inlay" run "$model" --random --seed 7 --quiet -o "$scratch/$folder" $(options "$model") "$@"
}

# Models that only move elements, add, or multiply element by element have the reference's very bits.
tolerance() { # MODEL
    case $1 in
    */seeds/* | */window/*) echo "--rtol 0 --atol 0" ;;
    esac
}

# What is wrong with the results of MODEL, in words.
judge() { # MODEL
    rm -rf "$scratch/ref" "$scratch/one" "$scratch/more" "$scratch/dnn"
    results "$1" ref --exec reference || echo "the reference does not run"
    results "$1" one --kernels portable --threads 1 || echo "it does not run"
    # shellcheck disable=SC2046
    "$BUILD/inlay" compare "$scratch/ref" "$scratch/one" --quiet $(tolerance "$1") || echo "it is not the reference's"
    for threads in 2 3 4; do
        rm -rf "$scratch/more"
        results "$1" more --kernels portable --threads $threads || echo "$threads threads do not run"
        diff -rq "$scratch/one" "$scratch/more" || echo "$threads threads give other bits"
        [ -e "$BUILD/libinlay-onednn.so" ] || continue
        rm -rf "$scratch/dnn"
        results "$1" dnn --kernels onednn --threads $threads || echo "oneDNN: $threads threads do not run"
        # shellcheck disable=SC2046
        "$BUILD/inlay" compare "$scratch/ref" "$scratch/dnn" --quiet $(tolerance "$1") ||
            echo "oneDNN: $threads threads give others"
    done
}

for model in $(cd "$ROOT" && find models ! -name '*schema*' \( -name '*.xml' -o -name '*.onnx' -o -name '*.inlay' -o \
    -name '*.json' \) | sort); do
    why=$(judge "$ROOT/$model" 2>&1)
    if [ -z "$why" ]; then pass "$model"; else fail "$model" "$why"; fi
done
finish

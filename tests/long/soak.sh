#!/bin/sh
# Loads, optimises, runs and frees 50 models from 8 threads for SOAK_SECONDS (600), while allocations fail: soak.c says
# what must hold. The process has SOAK_MEMORY KiB of data at most (512 MiB).
set -u
. "$ROOT/tests/tap.sh"

# shellcheck disable=SC2086
$CC -std=c11 -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE -I"$ROOT" -I"$BUILD/gen" -O1 -o "$scratch/soak" "$ROOT/tests/long/soak.c" \
    "$BUILD/libinlay.a" $(make -s -C "$ROOT" --eval='libraries: ; @echo $(LIBS)' libraries) -pthread || exit 2
cd "$ROOT" || exit 2
list=$(find models examples tests/subgraphs -name '*.xml' -o -name '*.onnx' -o -name '*.json' -o -name '*.inlay' |
    grep -vE 'schema|positive|tiny-gpt|wrong|speller' | sort)
ulimit -d "${SOAK_MEMORY:-524288}"
# shellcheck disable=SC2086
"$scratch/soak" "${SOAK_SECONDS:-600}" 8 50 $list

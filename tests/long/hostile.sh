#!/bin/sh
# HOSTILE_MUTANTS (4,000) files that are made of models by changing them (tests/parser/bad/mutants.py), by HOSTILE_SEED.
set -u
. "$ROOT/tests/tap.sh"
$CC -std=c11 -D_DEFAULT_SOURCE -O1 -o "$scratch/peak" "$ROOT/tests/memory/peak.c" || exit 2
sh "$ROOT/tests/fuzz/seeds.sh" "$scratch/seeds" || exit 2
mkdir "$scratch/mutants"
find "$scratch/seeds/xml" "$scratch/seeds/json" "$scratch/seeds/text" "$scratch/seeds/onnx" -type f -size -20k '(' -name '*.xml' -o \
    -name '*.json' -o -name '*.inlay' -o -name '*.onnx' ')' | sort |
    python3 -B "$ROOT/tests/parser/bad/mutants.py" "$scratch/mutants" "$BUILD/inlay" "$scratch/peak" "${HOSTILE_MUTANTS:-4000}" "${HOSTILE_SEED:-1}"

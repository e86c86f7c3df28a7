#!/bin/sh
# Decoders as exporters wrote them (with INLAY_WHOLE=1 those that optimisers changed, too) add 32 tokens: with the cache
# kept, given away, and carried they give the same bits, and a step of one token copies the new rows and what the mask
# is looked up by (tests/unit/test_decoders_exported.c).
set -u
. "$ROOT/tests/tap.sh"
corpus=${INLAY_SHARED:-/nowhere}/corpus/exported
if [ ! -f "$corpus/exports.tar.xz" ]; then
    skip "the decoders of the corpus" "the corpus is not here"
    finish
    exit 0
fi
for archive in exports ${INLAY_WHOLE:+variants}; do
    tar -C "$scratch" -xf "$corpus/$archive.tar.xz" --wildcards 'd_*' 2>"$scratch/log" || cat "$scratch/log" >&2
done
if INLAY_DECODERS=$scratch "$BUILD/tests/test_decoders_exported" >"$scratch/said" 2>&1; then
    pass "the decoders of the corpus"
else
    fail "the decoders of the corpus" "$(grep -v '^ok' "$scratch/said" | head -20)"
fi
grep '^# d_' "$scratch/said" | sort
finish

#!/bin/sh
# Every decoder of the corpus, as exporters and optimisers wrote it: tests/in_place/test_decoders.sh with none left out.
set -u
INLAY_WHOLE=1 sh "$ROOT/tests/in_place/test_decoders.sh" >"$LONG_STATE/tap"
cat "$LONG_STATE/tap"
echo "# result: $(grep -c '^# d_' "$LONG_STATE/tap") decoders, 32 tokens each, in three bindings alike"
! grep -q '^not ok' "$LONG_STATE/tap"

#!/bin/sh
# Every OpenVINO model of the corpus in both executors: tests/models/test_corpus.sh with nothing left out.
set -u
INLAY_WHOLE=1 sh "$ROOT/tests/models/test_corpus.sh" >"$LONG_STATE/tap"
cat "$LONG_STATE/tap"
sed -n 's/^ok [0-9]* - \([0-9]* ports\) are as declared.*/# result: \1 are as declared/p' "$LONG_STATE/tap"
! grep -q '^not ok' "$LONG_STATE/tap"

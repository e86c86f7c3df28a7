#!/bin/sh
# Every case of tests/ops in every form, FORMS_SEEDS times: both executors give the same, each row is met in each form.
set -u
. "$ROOT/tests/tap.sh"
seeds=${FORMS_SEEDS:-20}
at=$(cat "$LONG_STATE/reached" 2>/dev/null || echo 0)

while [ "$at" -lt "$seeds" ]; do
    [ "$(date +%s)" -lt "$LONG_UNTIL" ] || exit 75
    if ! INLAY_SEEDS=$((1000 + at)),5 "$BUILD/tests/test_row_forms" >"$LONG_STATE/said" 2>&1; then
        fail "seeds $((1000 + at)) to $((1004 + at))" "$(grep -v '  [0-9]' "$LONG_STATE/said" | tail -40)"
        finish
        exit 1
    fi
    grep '  [0-9]' "$LONG_STATE/said" >>"$LONG_STATE/met"
    at=$((at + 5))
    echo $at >"$LONG_STATE/reached"
done
pass "both executors give the same"
awk '{ row[$1] = 1; for (i = 2; i <= 6; i++) all[i] += $i }
    END {
        for (r in row) n++
        printf "# result: %d rows; graphs: %d plain, %d in bodies, %d dynamic, %d empty, %d strided\n", n, all[2], all[3],
            all[4], all[5], all[6]
    }' "$LONG_STATE/met"
finish

#!/bin/sh
# Bugs that are planted are found by `inlay fuzz`, bisected and made small: a few of tests/planted/bugs.txt, one of a kind.
# PLANTED="NAME..." names others, "" all of them (make long PARTS=planted).
set -u
. "$ROOT/tests/tap.sh"

if ! command -v python3 >/dev/null; then
    skip "planted bugs are found" "there is no python3"
    finish
    exit
fi
if ! (cd "$ROOT" && ${MAKE:-make} -s BUILD="$BUILD" CC="$CC" CFLAGS="$CFLAGS" LDFLAGS="$LDFLAGS" \
    planted) >"$scratch/output" 2>&1; then
    fail "the command with planted bugs is built" "$(tail -20 "$scratch/output")"
    finish
    exit
fi
# shellcheck disable=SC2086
python3 -B "$ROOT/tests/planted/plant.py" hunt "$BUILD/planted/inlay" \
    ${PLANTED-common-of-effects fused-dims-with-gaps rule-reverse-once} >"$scratch/said" 2>&1
status=$?
cat "$scratch/said"
count=$((count + $(grep -c -E '^(ok|not ok) ' "$scratch/said")))
[ $status = 0 ] || fail "the search ended with status $status" "$(tail -5 "$scratch/said")"
finish

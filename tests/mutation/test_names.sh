#!/bin/sh
# What the lists of mutants name is there: files and tests, and the mutants that are said to compute the same.
set -u
: "${ROOT:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$ROOT/tests/tap.sh"
cd "$ROOT" || exit 2
rooms=tests/mutation/rooms.txt

for name in $(sed '/^#/d; s/ .*//' $rooms) $(sed '/^#/d; s/^[^ ]* //' $rooms | tr ' ' '\n' | sort -u |
    sed '/[.]/!s|.*|tests/unit/test_&.c|'); do
    [ -e "$name" ] || echo "$name"
done >"$scratch/missing"
same "rooms and tests are there" /dev/null "$scratch/missing"

if ! command -v python3 >/dev/null; then
    skip "explained mutants are there" "there is no python3"
else
    sed '/^#/d' tests/mutation/equivalent.txt | cut -f 1 | sort -u | while read -r file; do
        python3 tests/mutation/mutate.py "$file" 1000000 | cut -f 2 | sed "s|^|$file	|"
    done | sort >"$scratch/all"
    sed '/^#/d' tests/mutation/equivalent.txt | cut -f 1,2 | sort | comm -23 - "$scratch/all" >"$scratch/missing"
    same "explained mutants are there" /dev/null "$scratch/missing"
fi
finish

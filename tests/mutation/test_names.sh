#!/bin/sh
# What the lists of mutants name is there: files and tests, and the mutants that are said to compute the same.
set -u
: "${ROOT:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$ROOT/tests/tap.sh"
cd "$ROOT" || exit 2
list=tests/mutation/files.txt

rooms=tests/mutation/rooms.txt
for file in $(sed '/^#/d; s/ .*//' $list $rooms) $({ sed '/^#/d; s/^[^ ]* [^ ]* //' $list; sed '/^#/d; s/^[^ ]* //' $rooms; } |
    tr ' ' '\n' | sort -u |
    sed '/[.]/!s|.*|tests/unit/test_&.c|'); do
    [ -e "$file" ] || echo "$file"
done >"$scratch/missing"
same "files and tests are there" /dev/null "$scratch/missing"

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

#!/bin/sh
# Prints the line coverage of each source of the library and the command, and the total.
# usage: tests/coverage.sh BUILD-DIRECTORY      gcov's own output stays in BUILD-DIRECTORY/gcov.
set -eu
build=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
root=$(pwd)
mkdir -p "$build/gcov"
cd "$build/gcov"
find "$build/obj" -name '*.gcda' ! -path '*/tests/*' -print0 |
    (cd "$root" && xargs -0 gcov -r -p) >summary.txt 2>/dev/null
mv "$root"/*.gcov . 2>/dev/null || true
awk -F"[':% ]" '
    /^File / { file = $3 }
    /^Lines executed/ && file ~ /^(ir|parser|passes|interp|generate|front|cli)\// && file ~ /\.c$/ {
        printf "%6.1f %%  %5d lines  %s\n", $3, $NF, file | "sort -k5"
        covered += $3 * $NF / 100; total += $NF; file = ""
    }
    END {
        close("sort -k5")
        if (total) printf "%6.1f %%  %5d lines  in all\n", 100 * covered / total, total
    }' summary.txt

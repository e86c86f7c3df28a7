#!/bin/sh
# Prints docs/conformance.md with the figures of a run, what `inlay run --test-data FOLDER` printed, which it reads.
page=$(dirname "$0")/../../docs/conformance.md
sed '/^<!-- figures -->$/q' "$page"
awk '
    # "FAIL test_x (planned): why"
    $1 == "FAIL" { test[++n] = $2; why[n] = substr($0, index($0, "): ") + 3); gsub(/\|/, "\\|", why[n]); next }
    $1 == "operator" { next }
    / pass/ { tail = substr($0, index($0, ": ") + 2); next }
    { operators++; if ($2 != $3) { bad[++m] = $1; tests[m] = $2; passed[m] = $3 } }
    END {
        if (n == 0) {
            print "\n" tail ". Operators: " operators ".\n"
            exit
        }
        print "\n" tail ". Operators: " operators ", of which all tests pass for " operators - m "; the others:\n"
        print "| operator | tests | pass |\n| --- | ---: | ---: |"
        for (i = 1; i <= m; i++) print "| " bad[i] " | " tests[i] " | " passed[i] " |"
        print "\n| fails | because |\n| --- | --- |"
        for (i = 1; i <= n; i++) print "| `" test[i] "` | " why[i] " |"
        print ""
    }'
sed -n '/^<!-- end -->$/,$p' "$page"

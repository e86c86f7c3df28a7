#!/bin/sh
# Every function of the public headers is misused in test_arguments*.c or test_misuse.c, or a comment over it says
# "Unchecked": that of the function, or of its section, which begins with the name of a file.
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh

# Prints FILE:LINE: NAME for each function that is neither.
unmentioned() {
    awk '
    FNR == 1 { reading = FILENAME ~ /\.c$/; section = own = comment = 0 }
    reading {
        line = $0
        while (match(line, /inlay_[a-z0-9_]+/)) {
            used[substr(line, RSTART, RLENGTH)] = 1
            line = substr(line, RSTART + RLENGTH)
        }
        next
    }
    /^\/\*/ {
        comment = 1
        own = 0
        if ($0 ~ /^\/\* ([a-z_\/]+\.c,? ?)+[:.]? /) section = 0
        heads = $0 ~ /^\/\* ([a-z_\/]+\.c,? ?)+[:.]? /
    }
    comment && /Unchecked/ { own = 1; if (heads) section = 1 }
    comment { if (/\*\//) comment = 0; next }
    /^$/ { own = 0 }
    /^INLAY_API / {
        match($0, /inlay_[a-z0-9_]+\(/)
        name = substr($0, RSTART, RLENGTH - 1)
        if (!section && !own && !(name in used)) print FILENAME ":" FNR ": " name
    }' tests/unit/test_arguments*.c tests/unit/test_misuse.c "$@"
}

headers=$(${MAKE:-make} -s headers)
# shellcheck disable=SC2086
missing=$(unmentioned $headers)
if [ -z "$missing" ]; then pass "every public function is misused"; else
    fail "every public function is misused" "$missing"
fi

printf 'INLAY_API int inlay_of_no_test(int i);\n' >"$scratch/x.h"
if [ "$(unmentioned "$scratch/x.h")" = "$scratch/x.h:1: inlay_of_no_test" ]; then
    pass "one that is not is found"
else
    fail "one that is not is found" "$(unmentioned "$scratch/x.h")"
fi
finish

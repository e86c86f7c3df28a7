#!/bin/sh
# Proofs of rules: what passes/PROVEN.md says is so, wrong rules are not proven, and the page is not stale.
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh

sh tests/prove/hashes.sh | sort >"$scratch/now"
{
    awk -F'[|`]' '/^\| `/ { gsub(/ /, "", $(NF - 1)); print $3, $(NF - 1) }' passes/PROVEN.md
    sed -n 's/^Encoder \([0-9a-f]*\),.*/encoder \1/p' passes/PROVEN.md
} | sort >"$scratch/written"
if diff "$scratch/written" "$scratch/now" >"$scratch/stale"; then
    pass "PROVEN.md is about the rules and the encoder as they are"
else
    fail "PROVEN.md is about the rules and the encoder as they are" "make prove writes it anew: $(cat "$scratch/stale")"
fi

if ! command -v z3 >/dev/null 2>&1; then
    skip "the rules that are proven" "z3 is not installed"
    skip "wrong rules are not proven" "z3 is not installed"
    skip "the arithmetic of windows" "z3 is not installed"
    finish
    exit
fi

"$BUILD/inlay" prove >"$scratch/results" 2>&1
sh tests/prove/proven.sh "$BUILD/inlay" "$scratch/results" >"$scratch/page"
same "the rules that are proven" passes/PROVEN.md "$scratch/page"

z3 tests/prove/window.smt2 | grep -v ' ' >"$scratch/window"
grep -o '^(check-sat)' tests/prove/window.smt2 | sed 's/.*/unsat/' >"$scratch/unsat"
same "the arithmetic of windows" "$scratch/unsat" "$scratch/window"

# Each is wrong: a proof of one would be a fault of the encoder.
"$BUILD/inlay" prove tests/prove/wrong.rules >"$scratch/wrong" 2>&1
wrong=$(grep -c '^rule ' tests/prove/wrong.rules)
grep '^proven' "$scratch/wrong" >"$scratch/proven"
if [ "$(grep -c '^unknown' "$scratch/wrong")" = "$wrong" ]; then
    pass "wrong rules are not proven"
else
    fail "wrong rules are not proven" "$(cat "$scratch/proven" "$scratch/wrong")"
fi
finish

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
    skip "wrong rules are refuted" "z3 is not installed"
    skip "rules of XLA's are proven" "z3 is not installed"
    skip "the arithmetic of windows" "z3 is not installed"
    skip "numbers that are widened" "z3 is not installed"
    finish
    exit
fi

# Proven again are the rules that are not as the page says, all of them where the encoder is not, and a tenth of the
# others, other ones each day; INLAY_SEED=N chooses them. `make prove` proves all.
seed=${INLAY_SEED:-$(date -u +%j)}
comm -13 "$scratch/written" "$scratch/now" | sed 's/ .*//' >"$scratch/changed"
grep -v '^encoder ' "$scratch/now" | while read -r rule _; do
    again=$(echo "$seed $rule" | cksum | awk '{ print $1 % 10 == 0 }')
    if [ "$again" = 1 ] || grep -qx -e "$rule" -e encoder "$scratch/changed"; then
        echo "$rule"
    fi
done >"$scratch/again"
# shellcheck disable=SC2016
xargs -P "$(nproc)" -n 1 sh -c '"$0" prove --rule "$1" 2>&1 | head -1' "$BUILD/inlay" <"$scratch/again" >"$scratch/results"
sh tests/prove/proven.sh "$BUILD/inlay" "$scratch/results" | grep '^| `' >"$scratch/rows"
grep -vxFf passes/PROVEN.md "$scratch/rows" >"$scratch/others"
if [ -s "$scratch/rows" ] && [ ! -s "$scratch/others" ]; then
    pass "$(wc -l <"$scratch/rows") rules, INLAY_SEED=$seed, are proven or not as the page says"
else
    fail "rules, INLAY_SEED=$seed, are proven or not as the page says" "$(cat "$scratch/others")"
fi

# Both go on at once.
"$BUILD/inlay" prove tests/prove/wrong.rules >"$scratch/wrong" 2>&1 &
wrong=$!
"$BUILD/inlay" prove tests/prove/xla.rules --strict >"$scratch/xla" 2>&1
if [ $? = 0 ]; then
    pass "$(tail -1 "$scratch/xla") of XLA's"
else
    fail "rules of XLA's are proven" "$(grep -v '^proven' "$scratch/xla")"
fi

z3 tests/prove/window.smt2 | grep -E '^\(error|^[^ ]*$' >"$scratch/window"
grep -o '^(check-sat)' tests/prove/window.smt2 | sed 's/.*/unsat/' >"$scratch/unsat"
same "the arithmetic of windows" "$scratch/unsat" "$scratch/window"

z3 tests/prove/numbers.smt2 >"$scratch/numbers"
grep -o '^(check-sat)' tests/prove/numbers.smt2 | sed 's/.*/unsat/' >"$scratch/unsat"
same "numbers that are widened" "$scratch/unsat" "$scratch/numbers"

# Each is wrong: a proof of one would be a fault of the encoder.
wait $wrong
status=$?
grep '^proven' "$scratch/wrong" >"$scratch/proven"
if [ -s "$scratch/proven" ]; then
    fail "wrong rules are not proven" "$(cat "$scratch/proven")"
else
    pass "wrong rules are not proven"
fi
rules=$(grep -c '^rule ' tests/prove/wrong.rules)
if [ "$(grep -c '^refuted' "$scratch/wrong")" = "$rules" ] && [ "$rules" -ge 48 ] && [ $status = 1 ]; then
    pass "each of $rules wrong rules is refuted"
else
    fail "each of $rules wrong rules is refuted" "$(grep '^unknown' "$scratch/wrong")"
fi

# A counterexample is a graph that can be read.
awk '/^refuted/ { n++ } n == 1 && !/^refuted/ { print }' "$scratch/wrong" >"$scratch/graph.inlay"
works "a counterexample can be read" "$BUILD/inlay" info "$scratch/graph.inlay"
"$BUILD/inlay" prove tests/prove/wrong.rules --rule other-part --json >"$scratch/json"
if grep -q '{"rule": "other-part", "result": "refuted", "instances": [0-9]*, "counterexample": "graph' "$scratch/json"; then
    pass "as JSON"
else
    fail "as JSON" "$(cat "$scratch/json")"
fi
"$BUILD/inlay" prove --rule gelu --strict >"$scratch/strict"
if [ $? = 4 ]; then
    pass "--strict"
else
    fail "--strict" "$(cat "$scratch/strict")"
fi
finish

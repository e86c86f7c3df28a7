#!/bin/sh
# Rules on graphs that are made up for them: those that are built in pass, those that are wrong are refuted.
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh
instances=200 # of each rule; make long makes 10,000
[ -z "${INLAY_SLOW:-}" ] || instances=20

# INLAY_SEED=N begins with another graph.
seed=${INLAY_SEED:-0}
"$BUILD/inlay" check-rules --instances $instances --seed "$seed" >"$scratch/built_in" 2>&1
status=$?
if [ $status = 0 ]; then
    pass "no built-in rule is refuted"
else
    fail "no built-in rule is refuted" "$(grep -v '^passed' "$scratch/built_in")"
fi
grep '^unknown' "$scratch/built_in" >"$scratch/unknown"
if grep ' of 0 graphs' "$scratch/unknown" >"$scratch/unmade"; then
    fail "graphs are made for all rules" "$(cat "$scratch/unmade")"
else
    pass "graphs are made for all rules"
fi
if [ "$(wc -l <"$scratch/unknown")" -le 4 ]; then
    pass "most built-in rules take graphs"
else
    fail "most built-in rules take graphs" "$(cat "$scratch/unknown")"
fi

for file in prove check; do
    "$BUILD/inlay" check-rules "tests/$file/wrong.rules" --instances 8000 >"$scratch/wrong.$file" 2>&1
    status=$?
    wrong=$(grep -c '^rule ' "tests/$file/wrong.rules")
    if [ "$(grep -c '^refuted' "$scratch/wrong.$file")" = "$wrong" ] && [ $status = 1 ]; then
        pass "each of $wrong wrong rules of tests/$file is refuted"
    else
        fail "each of $wrong wrong rules of tests/$file is refuted" "$(grep -v '^refuted' "$scratch/wrong.$file" | grep instances)"
    fi
done

# A rule that is not exact is judged in types alone that have bounds for it: of these seeds each type that was drawn, eight
# in a row, did not suit the rule, and the last one was a float of 8 bits.
for try in "sigmoid 15768" "softplus 12343"; do
    works "${try% *} at seed ${try#* }" "$BUILD/inlay" check-rules --rule "${try% *}" --seed "${try#* }" --instances 50 --inputs 50
done

# A graph that takes too much memory is skipped and counted; the others are tried.
printf 'rule large exact:\n  Tile(x, 2000000000) => Tile(x, 2000000000)\n' >"$scratch/large.rules"
"$BUILD/inlay" check-rules "$scratch/large.rules" --instances 8 >"$scratch/large" 2>&1
status=$?
if [ $status = 0 ] && grep -q '^passed.* graphs skipped, the first for: .*over the memory limit' "$scratch/large"; then
    pass "a graph over the memory limit is skipped"
else
    fail "a graph over the memory limit is skipped" "status $status: $(cat "$scratch/large")"
fi

# An operation that nothing is drawn for is named.
printf 'rule undrawn exact:\n  Einsum(x, y) {...} => x\n' >"$scratch/undrawn.rules"
"$BUILD/inlay" check-rules "$scratch/undrawn.rules" --instances 8 >"$scratch/undrawn" 2>&1
if grep -q '^unknown.*: no graph was made, for no operands that Einsum takes were drawn$' "$scratch/undrawn"; then
    pass "an operation that is not drawn is named"
else
    fail "an operation that is not drawn is named" "$(cat "$scratch/undrawn")"
fi

# A rule that takes no graph says which condition kept it.
printf 'rule never exact:\n  Add(x, y) => Multiply(x, y)\n  where integers(x), wide_float(y)\n' >"$scratch/never.rules"
"$BUILD/inlay" check-rules "$scratch/never.rules" --instances 8 --strict >"$scratch/never" 2>&1
status=$?
if [ $status = 4 ] && grep -q '^unknown.* the rule takes none: wide_float(y) does not hold$' "$scratch/never"; then
    pass "a rule that takes no graph says what kept it"
else
    fail "a rule that takes no graph says what kept it" "status $status: $(cat "$scratch/never")"
fi

# All element types, up to eight axes, axes that are not known and pdpd are drawn: what is wrong there alone is refuted.
"$BUILD/inlay" check-rules tests/check/rare.rules >"$scratch/rare" 2>&1
wrong=$(grep -c '^rule ' tests/check/rare.rules)
if [ "$(grep -c '^refuted' "$scratch/rare")" = "$wrong" ]; then
    pass "each of $wrong rules is refuted where it is wrong alone"
else
    fail "each of $wrong rules is refuted where it is wrong alone" "$(grep -v '^refuted' "$scratch/rare" | grep instances)"
fi

# A counterexample is a graph that can be read.
awk '/^graph / { n++ } n == 1 { print } n == 1 && /^}/ { exit }' "$scratch/wrong.prove" >"$scratch/graph.inlay"
works "a counterexample can be read" "$BUILD/inlay" info "$scratch/graph.inlay"

"$BUILD/inlay" check-rules tests/prove/wrong.rules --rule other-part --json >"$scratch/json"
if grep -q '{"rule": "other-part", "result": "refuted", "instances": [0-9]*, "counterexample": "graph' "$scratch/json"; then
    pass "as JSON"
else
    fail "as JSON" "$(cat "$scratch/json")"
fi
finish

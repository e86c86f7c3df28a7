#!/bin/sh
# Proofs of rules: what passes/PROVEN.md says is so, wrong rules are not proven, and the page is not stale.
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh

sh tests/prove/hashes.sh | sort >"$scratch/now"
{
    awk -F'[|`]' '/^\| `/ { gsub(/ /, "", $(NF - 1)); print $3, $(NF - 1) }' passes/PROVEN.md
    sed -n 's/^Encoder \([0-9a-f]*\),.*/encoder \1/p' passes/PROVEN.md
    sed -n 's/.*`tests.prove.\(.*\.rules\)` (\([0-9a-f]*\)).*/\1 \2/p' passes/PROVEN.md
} | sort >"$scratch/written"
# Another encoder that asks the same questions changes no proof.
if ! grep -qxF "$(grep '^encoder ' "$scratch/now")" "$scratch/written" &&
    (cd "$ROOT" && EVERY_QUESTION=1 "$BUILD/tests/test_prove_questions" >"$scratch/questions" 2>&1); then
    sed -i '/^encoder /d' "$scratch/written" "$scratch/now"
fi
if diff "$scratch/written" "$scratch/now" >"$scratch/stale"; then
    pass "PROVEN.md is about the rules and the encoder as they are"
else
    fail "PROVEN.md is about the rules and the encoder as they are" "make prove writes it anew: $(cat "$scratch/stale")"
fi

if ! command -v z3 >/dev/null 2>&1; then
    skip "the rules that are proven" "z3 is not installed"
    skip "wrong rules are refuted" "z3 is not installed"
    skip "wrong rules are not proven over the reals" "z3 is not installed"
    skip "no rule without a condition is proven over the reals" "z3 is not installed"
    skip "rules of XLA's and of a user's are proven" "z3 is not installed"
    skip "no graph contradicts a proof" "z3 is not installed"
    skip "the arithmetic of windows" "z3 is not installed"
    skip "numbers that are widened" "z3 is not installed"
    finish
    exit
fi

# Proven again are the rules that are not as the page says, all of them where the encoder is not, and an eightieth of
# the others (one of INLAY_PROVE_SHARE), other ones each day; INLAY_SEED=N chooses them. So are XLA's, a user's and the
# wrong ones, but where their file is not as the page says, all of it. `make prove` proves all.
seed=${INLAY_SEED:-$(date -u +%j)}
comm -13 "$scratch/written" "$scratch/now" | sed 's/ .*//' >"$scratch/changed"

# choose SET: of the rules that it reads those that are proven again, as "SET RULE".
choose() {
    while read -r rule; do
        again=$(echo "$seed $rule" | cksum | awk -v of="${INLAY_PROVE_SHARE:-80}" '{ print $1 % of == 0 }')
        if [ "$again" = 1 ] || grep -qx -e "$rule" -e encoder -e "$1.rules" "$scratch/changed"; then
            echo "$1 $rule"
        fi
    done
}

# What has the most cases comes first, so that nothing long is left for the end.
{
    awk -F'[|`]' '/^\| `/ { print $5, $3 }' passes/PROVEN.md | sort -rn | sed 's/.* //' >"$scratch/dear_first"
    grep -v -e '^encoder ' -e '\.rules ' "$scratch/now" | sed 's/ .*//' | grep -vxFf "$scratch/dear_first"
    cat "$scratch/dear_first"
} | choose built-in >"$scratch/again"
for set in xla user wrong wrong-reals; do
    sed -n 's/^rule \([^ ]*\) .*/\1/p' "tests/prove/$set.rules" | choose "$set"
done >>"$scratch/again"
awk -f tests/prove/dropped.awk passes/rules/approximate.rules passes/rules/relax.rules >"$scratch/dropped.rules"
sed -n 's/^rule \([^ ]*\) .*/\1/p' "$scratch/dropped.rules" | choose dropped >>"$scratch/again"
export scratch
cat >"$scratch/prove.sh" <<'END'
file=tests/prove/$1.rules
[ "$1" != dropped ] || file=$scratch/dropped.rules
[ -e "$file" ] || file=
"$BUILD/inlay" prove $file --rule "$2" 2>&1 | sed -n "1s/^/$1 /p"
END
xargs -P "$(nproc)" -L 1 sh "$scratch/prove.sh" <"$scratch/again" >"$scratch/results"
for set in built-in xla user wrong wrong-reals dropped; do
    sed -n "s/^$set //p" "$scratch/results" >"$scratch/$set"
    sed -n "s/^$set //p" "$scratch/again" >"$scratch/$set.again"
done

mv "$scratch/built-in" "$scratch/rules"
sh tests/prove/proven.sh "$BUILD/inlay" "$scratch" | grep '^| `' >"$scratch/rows"
grep -vxFf passes/PROVEN.md "$scratch/rows" >"$scratch/others"
if { [ -s "$scratch/rows" ] || [ ! -s "$scratch/built-in.again" ]; } && [ ! -s "$scratch/others" ]; then
    pass "$(wc -l <"$scratch/rows") rules, INLAY_SEED=$seed, are proven or not as the page says"
else
    fail "rules, INLAY_SEED=$seed, are proven or not as the page says" "$(cat "$scratch/others")"
fi

# all_are SET WHAT VERDICT: each rule of SET that was chosen has the verdict.
all_are() {
    if [ "$(grep -c "^$3 " "$scratch/$1")" = "$(wc -l <"$scratch/$1.again")" ]; then
        pass "$(wc -l <"$scratch/$1") $2"
    else
        fail "$2" "$(grep -v "^$3 " "$scratch/$1")"
    fi
}
all_are xla "rules of XLA's are proven, or proven for some of what they take" proven
all_are user "rules of a user's are proven, or proven for some of what they take" proven

# What is proven no random graph contradicts: neither such a rule, nor one that lacks a condition. Of these some are
# tried, other ones for other seeds.
mkdir "$scratch/mutants"
awk -v dir="$scratch/mutants" -v seed=11 -v share=20 -f tests/prove/mutants.awk tests/prove/user.rules \
    tests/prove/xla.rules passes/rules/simplify.rules passes/rules/turn.rules
printf '%s\n' "$scratch"/mutants/* | xargs -P "$(nproc)" -n 1 "$BUILD/inlay" prove --seconds 5 2>&1 |
    grep -E '^(proven|unknown|refuted) ' >"$scratch/mutants.results"
if [ "$(wc -l <"$scratch/mutants.results")" -ge 5 ] &&
    ! grep -h 'contradicts its proof' "$scratch/results" "$scratch/mutants.results" >"$scratch/contradicted"; then
    pass "no graph contradicts a proof, $(wc -l <"$scratch/mutants.results") of rules without a condition"
else
    fail "no graph contradicts a proof" "$(cat "$scratch/contradicted")"
fi

# Over the reals nothing is said of numbers that a type has not, such as the quotient by a very small number: that is no
# contradiction, and the rule is refuted in these words.
for rule in batch-norm-without-a divide-by-number-without-a; do
    "$BUILD/inlay" prove "$scratch/dropped.rules" --rule "$rule" >"$scratch/overflow"
    if grep -q "^refuted .*: it is proven over the reals, but not where numbers overflow: output" "$scratch/overflow"; then
        pass "$rule is refuted by numbers that overflow"
    else
        fail "$rule is refuted by numbers that overflow" "$(head -1 "$scratch/overflow")"
    fi
done

# "Proven" alone is said of all that a rule takes. What a proof leaves out stands in its line and in its JSON, is not
# counted, and --strict exits as for a rule that is unknown.
"$BUILD/inlay" prove tests/prove/limited.rules >"$scratch/limited"
if grep -q '^proven ' "$scratch/limited" && ! grep '^proven ' "$scratch/limited" | grep -vq '^proven for '; then
    pass "no rule is proven of which a part is left out"
else
    fail "no rule is proven of which a part is left out" "$(cat "$scratch/limited")"
fi
"$BUILD/inlay" prove tests/prove/limited.rules --rule order-to-the-twelfth --strict --json >"$scratch/limited"
if [ $? = 4 ] && grep -q '"result": "proven for", .*"for": "up to 4 axes"' "$scratch/limited"; then
    pass "what a proof leaves out is in its JSON, and --strict"
else
    fail "what a proof leaves out is in its JSON, and --strict" "$(cat "$scratch/limited")"
fi

z3 tests/prove/window.smt2 | grep -E '^\(error|^[^ ]*$' >"$scratch/window"
grep -o '^(check-sat)' tests/prove/window.smt2 | sed 's/.*/unsat/' >"$scratch/unsat"
same "the arithmetic of windows" "$scratch/unsat" "$scratch/window"

z3 tests/prove/numbers.smt2 >"$scratch/numbers"
grep -o '^(check-sat)' tests/prove/numbers.smt2 | sed 's/.*/unsat/' >"$scratch/unsat"
same "numbers that are widened" "$scratch/unsat" "$scratch/numbers"

# Each is wrong: a proof of one would be a fault of the encoder.
all_are wrong "wrong rules are refuted" refuted
if [ "$(grep -c '^rule ' tests/prove/wrong.rules)" -ge 48 ]; then
    pass "there are enough wrong rules"
else
    fail "there are enough wrong rules"
fi

# So is each of these, but for a few whose counterexamples are rare, or whose operations are not told.
if [ "$(grep -c . "$scratch/wrong-reals")" = "$(wc -l <"$scratch/wrong-reals.again")" ] &&
    ! grep -q '^proven' "$scratch/wrong-reals" && [ "$(grep -c '^rule ' tests/prove/wrong-reals.rules)" -ge 40 ]; then
    pass "$(wc -l <"$scratch/wrong-reals") wrong rules are not proven over the reals"
else
    fail "wrong rules are not proven over the reals" "$(cat "$scratch/wrong-reals")"
fi

# Without one of its conditions a rule is not proven over the reals, but where the condition asks for other things:
# whether the rule pays, whether numbers overflow, whether an error is lost, which a rule within a tolerance may lose.
other_things='once|fewer|less_than_half|constant|not constant|sum_fits|product_fits|invertible|scales|normalizes|fits|in_range|tuples_in_range'
grep -E "^// [^ ]* ($other_things)\$" "$scratch/dropped.rules" | sed 's/^.. \([^ ]*\) .*/\1/' >"$scratch/may"
sed -n 's/^proven over the reals \([^ ]*\) .*/\1/p' "$scratch/dropped" | grep -v '^for ' | grep -vxFf "$scratch/may" >"$scratch/too_much"
if [ "$(grep -c . "$scratch/dropped")" = "$(wc -l <"$scratch/dropped.again")" ] && [ ! -s "$scratch/too_much" ]; then
    pass "no rule of $(wc -l <"$scratch/dropped") without a condition is proven over the reals"
else
    fail "no rule without a condition is proven over the reals" "$(cat "$scratch/too_much" "$scratch/dropped")"
fi

# A counterexample is a graph that can be read.
"$BUILD/inlay" prove tests/prove/wrong.rules --rule not-disjoint >"$scratch/refuted"
status=$?
sed -n '/^graph /,/^}/p' "$scratch/refuted" >"$scratch/graph.inlay"
works "a counterexample can be read" "$BUILD/inlay" info "$scratch/graph.inlay"
if [ $status = 1 ]; then
    pass "a refutation is status 1"
else
    fail "a refutation is status 1" "status $status"
fi
"$BUILD/inlay" prove tests/prove/wrong.rules --rule other-part --json >"$scratch/json"
if grep -q '{"rule": "other-part", "result": "refuted", "instances": [0-9]*, "counterexample": "graph' "$scratch/json"; then
    pass "as JSON"
else
    fail "as JSON" "$(cat "$scratch/json")"
fi
# A solver that never answers is ended, and asked about the next rule.
mkdir "$scratch/bin"
printf '#!/bin/sh\nsleep 1000\n' >"$scratch/bin/z3"
chmod +x "$scratch/bin/z3"
printf 'rule a exact:\n  Maximum(x, x) => x\nrule b exact:\n  Minimum(x, x) => x\n' >"$scratch/late.rules"
PATH=$scratch/bin:$PATH "$BUILD/inlay" prove "$scratch/late.rules" --seconds 1 >"$scratch/late"
if [ $? = 3 ] && [ "$(grep -c '^unknown .*z3 did not end within 1 s' "$scratch/late")" = 2 ]; then
    pass "a solver that hangs"
else
    fail "a solver that hangs" "$(cat "$scratch/late")"
fi
# One that fails is no solver that cannot decide: what became of it is told. stub WHAT SCRIPT STATUS MESSAGE
stub() {
    printf '#!/bin/sh\n%s\n' "$2" >"$scratch/bin/z3"
    PATH=$scratch/bin:$PATH "$BUILD/inlay" prove --rule slice-of-slice >"$scratch/stub" 2>&1
    status=$?
    if [ $status = "$3" ] && grep -qF "$4" "$scratch/stub"; then
        pass "a solver that $1"
    else
        fail "a solver that $1" "status $status: $(cat "$scratch/stub")"
    fi
}
stub "exits with 1" 'exit 1' 3 'error: z3 ended with status 1, and said nothing'
stub "exits with its memory at an end" 'echo "(error \"out of memory\")"; exit 101' 3 \
    'error: z3 ended with status 101: (error "out of memory")'
stub "is killed" 'kill -KILL $$' 3 'error: z3 was ended by signal 9 (Killed)'
stub "is killed between two answers" 'echo unsat; kill -SEGV $$' 3 'error: z3 was ended by signal 11 (Segmentation fault)'
stub "says nothing" 'exit 0' 3 'error: z3 has answered 0 of 18 questions; it says nothing'
stub "says what is no answer" 'echo Hello; echo unsat' 3 'error: z3 has answered 1 of 18 questions; it says: Hello'
stub "says that its time is over" 'echo timeout' 0 'unknown    slice-of-slice'
stub "says that it failed, and ends with 1" 'yes "(error \"cancelled\")" | head -18; exit 1' 0 'unknown    slice-of-slice'
stub "does not know" 'yes unknown | head -18' 0 'unknown    slice-of-slice'

# A solver whose questioner is ended is ended with it, though it hears of no signal.
printf '#!/bin/sh\necho $$ >"%s/solver"\nexec sleep 1000\n' "$scratch" >"$scratch/bin/z3"
PATH=$scratch/bin:$PATH "$BUILD/inlay" prove --rule slice-of-slice >"$scratch/ended" 2>&1 &
i=0
while [ ! -s "$scratch/solver" ] && [ $((i += 1)) -lt 200 ]; do
    sleep 0.1
done
kill $!
wait $!
if [ $? = 143 ] && [ -s "$scratch/solver" ] && ! kill "$(cat "$scratch/solver")" 2>/dev/null; then
    pass "a solver whose questioner is ended"
else
    fail "a solver whose questioner is ended" "$(cat "$scratch/ended")"
fi
"$BUILD/inlay" prove --rule masked-softmax --strict >"$scratch/strict"
if [ $? = 4 ] && "$BUILD/inlay" prove --rule gelu --strict --json >"$scratch/strict" &&
    grep -q '"result": "proven over the reals", .*"literals": "0.7071067811865476 as the root of 1/2"' "$scratch/strict"; then
    pass "--strict"
else
    fail "--strict" "$(cat "$scratch/strict")"
fi
finish

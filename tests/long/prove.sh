#!/bin/sh
# All rules, with the z3 that is here: none is refuted, and each is proven or not as passes/PROVEN.md says; those of XLA's
# and wrong ones, and the arithmetic of windows and numbers.
set -u
. "$ROOT/tests/tap.sh"
cd "$ROOT" || exit 2

if ! command -v z3 >/dev/null; then
    skip "all rules" "z3 is not installed"
    finish
    exit
fi
"$BUILD/inlay" prove >"$scratch/rules" 2>&1
grep '^refuted' "$scratch/rules" >"$scratch/refuted"
same "no rule is refuted" /dev/null "$scratch/refuted"

"$BUILD/inlay" prove tests/prove/xla.rules >"$scratch/xla" 2>&1
grep '^refuted' "$scratch/xla" >"$scratch/refuted"
same "no rule of XLA's is refuted" /dev/null "$scratch/refuted"
"$BUILD/inlay" prove tests/prove/wrong.rules >"$scratch/wrong" 2>&1
grep -E '^(proven|unknown)' "$scratch/wrong" >"$scratch/right"
same "each wrong rule is refuted" /dev/null "$scratch/right"
sh tests/prove/proven.sh "$BUILD/inlay" "$scratch" >"$scratch/page"
# Another z3 may prove fewer of XLA's.
grep -v '^Of XLA' passes/PROVEN.md >"$scratch/written"
grep -v '^Of XLA' "$scratch/page" >"$scratch/now"
same "each rule is as PROVEN.md says" "$scratch/written" "$scratch/now"

for file in window numbers; do
    z3 "tests/prove/$file.smt2" | grep -E '^\(error|^[^ ]*$' | sort -u >"$scratch/answers"
    echo unsat >"$scratch/unsat"
    same "$file.smt2" "$scratch/unsat" "$scratch/answers"
done
works "formulas of numbers" env INLAY_SEEDS=1,1000 "$BUILD/tests/test_prove_numbers"
echo "# result: z3 $(z3 --version | cut -d' ' -f3): $(tail -1 "$scratch/rules"), $(tail -1 "$scratch/xla") of XLA's," \
    "$(grep -c '^refuted' "$scratch/wrong") wrong ones are refuted"
finish

#!/bin/sh
# The program that runs the cases of tests/ops notices each way in which a case can be wrong. It did not when a loop over
# its executors had no turn.
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh
mkdir -p "$scratch/tests/ops/Add"

# A case of one Add, of which this is expected.
add() { # EXPECTATION
    cat <<END
graph "Add" {
  %x = Const {value = f32[2] [1, 5]}
  %y = Add(%x, %x)
  %out = Result(%y)
  // expect $1
}
END
}

# Runs a case that is a file, and two in one file.
try() { # EXPECTATION [THAT OF THE SECOND IN THE FILE OF TWO]
    add "$1" >"$scratch/tests/ops/Add/case.inlay"
    {
        printf '// Two cases.\n\ncase one\n'
        add "out = f32[2] [2, 10]"
        printf '\ncase two,f32\n'
        add "${2:-out = f32[2] [2, 10]}"
    } >"$scratch/tests/ops/Add/family.cases"
    ROOT=$scratch "$BUILD/tests/test_ops" >"$scratch/output" 2>&1
}

notices() { # NAME EXPECTATION WORDS [EXPECTATION OF THE SECOND IN THE FILE OF TWO]
    if try "$2" "${4:-}"; then
        fail "$1" "it passed"
    elif grep -qF "$3" "$scratch/output"; then
        pass "$1"
    else
        fail "$1" "$(tail -5 "$scratch/output")"
    fi
}

if try "out = f32[2] [2, 10]"; then pass "a case that is right"; else fail "a case that is right" "$(cat "$scratch/output")"; fi
notices "an element" "out = f32[2] [2, 11]" "constants, reference: out: element [1] is 10, it must be 11"
notices "a shape" "out = f32[1,2] [2, 10]" "out is inferred as f32[2]"
notices "a type" "out = i64[2] [2, 10]" "out is inferred as f32[2]"
notices "another Result" "other = f32[2] [2, 10]" "a Result is not expected"
notices "an error that does not come" "error: it must" "it ran, an error is expected"
notices "the second case of a file" "out = f32[2] [2, 10]" "family.cases:two,f32: constants, reference: out: element [0]" \
    "out = f32[2] [1, 10]"
try "out = f32[2] [2, 10]"
if [ "$(grep -c '^ok' "$scratch/output")" = 3 ]; then
    pass "each case is a test"
else
    fail "each case is a test" "$(cat "$scratch/output")"
fi
finish

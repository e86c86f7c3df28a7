#!/bin/sh
# Each row's kernel replaced by zeros and by an operand, each attribute by its default: which case of tests/ops notices.
# `make check` runs this, too; here the cases are listed, in $LONG_STATE/noticed.
set -u
. "$ROOT/tests/tap.sh"
cd "$ROOT" || exit 2

tried() { # NAME PROGRAM
    if MUTANTS=list VALUES=list "$BUILD/tests/$2" >"$LONG_STATE/$2.log" 2>&1; then
        pass "$1"
    else
        fail "$1" "$(grep 'no case notices' "$LONG_STATE/$2.log")"
    fi
    grep "${tab}tests/ops/" "$LONG_STATE/$2.log" >>"$LONG_STATE/noticed"
    said="${said:+$said; }$(sed -n 's/^# \(.*\(mutants\|values\)\)$/\1/p' "$LONG_STATE/$2.log"), $(grep -c "${tab}tests/ops/" "$LONG_STATE/$2.log") noticed"
}

: >"$LONG_STATE/noticed"
said='' tab=$(printf '\t')
tried "a case for each kernel that gives zeros or an operand" test_kernel_mutants
tried "a case for each value of an attribute" test_attribute_values
echo "# result: $said; $(grep -vc '^#' tests/ops/equivalent.txt) explained in tests/ops/equivalent.txt"
finish

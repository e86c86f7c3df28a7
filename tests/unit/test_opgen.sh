#!/bin/sh
# The compiler of the op table takes good roles, and refuses those that say nothing or something else than they seem to.
# It wants the functions of a row in the files of its family.
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh
mkdir -p "$scratch/ir/ops" && cp ir/ops/opgen.c ir/ops/row.c "$scratch/" && cp ir/ops/row.h "$scratch/ir/ops/"

# Writes the table of one row with INPUTS and ATTRIBUTES; its last words are left in $scratch/words.
compile() { # INPUTS ATTRIBUTES
    echo "OP(\"Row\", 1, \"opset1..\", \"$1\", \"T\", \"$2\", \"\", row, row)" >"$scratch/ir/ops/ops.def"
    ${CC:-cc} -std=c11 -D_POSIX_C_SOURCE=200809L -I"$scratch" -o "$scratch/opgen" "$scratch/opgen.c" "$scratch/row.c" &&
        "$scratch/opgen" table >"$scratch/table" 2>"$scratch/words"
}

refused() { # NAME INPUTS ATTRIBUTES WORDS
    if compile "$2" "$3"; then
        fail "$1" "it was taken"
    elif grep -qF "ops.def:1: Row-1: $4" "$scratch/words"; then
        pass "$1"
    else
        fail "$1" "$(cat "$scratch/words")"
    fi
}

works "roles by name and by @" compile "T:any data, int begin@start, int stop@none" "int axis, int dim@count"
refused "a role that is none" "T:any data, int begin@begin" "" 'unknown role "begin"'
refused "a role that its name says" "T:any data@data" "" '"data" has role data without saying so'
refused "no role, of a name that has none" "T:any self@none" "" '"self" has role none without saying so'
refused "two operands of one role" "T:any data, T self@data" "" 'two have role data'
refused "an operand and an attribute of one role" "T:any data, int axis" "int dim@axis" 'two have role axis'

# What a family says in words must be about its rows.
compile_words() { # LINE
    printf 'OP("Row", 1, "opset1..", "T:any data", "T", "", "", row, row)\n%s\n' "$1" >"$scratch/ir/ops/ops.def"
    ${CC:-cc} -std=c11 -D_POSIX_C_SOURCE=200809L -I"$scratch" -o "$scratch/opgen" "$scratch/opgen.c" "$scratch/row.c" &&
        "$scratch/opgen" table >"$scratch/table" 2>"$scratch/words"
}

words_refused() { # NAME LINE NAMED
    if compile_words "$2"; then
        fail "$1" "it was taken"
    elif grep -qF "ops.def:2: no row of this family has $3" "$scratch/words"; then
        pass "$1"
    else
        fail "$1" "$(cat "$scratch/words")"
    fi
}

works "the shapes of a rule" compile_words 'SHAPE(row, "that of \"data\"")'
works "a difference of a type in a version" compile_words 'DIFFERS("Row-1", "a divisor of zero", "a fault")'
works "a difference of all rows" compile_words 'DIFFERS("*", "a divisor of zero", "a fault")'
if grep -q 'n_differences = 1' "$scratch/table"; then pass "it is the row's"; else fail "it is the row's" ""; fi
words_refused "shapes of a rule that no row names" 'SHAPE(row rows, "that of data")' rows
words_refused "a difference of a type that is elsewhere" 'DIFFERS("Row Add", "overflow", "wraps")' Add

# A tree of one family with one row, whose functions are NAME.
echo '#include "ir/ops/pad.def"' >"$scratch/ir/ops/ops.def"
mkdir -p "$scratch/ir/infer" "$scratch/interp/kernels"
places() { # RULE KERNEL
    echo "OP(\"Row\", 1, \"opset1..\", \"T x\", \"T\", \"\", \"\", $1, $2)" >"$scratch/ir/ops/pad.def"
    ${CC:-cc} -std=c11 -D_POSIX_C_SOURCE=200809L -I"$scratch" -o "$scratch/opgen" "$scratch/opgen.c" "$scratch/row.c" &&
        (cd "$scratch" && ./opgen places) 2>"$scratch/words"
}

stands_elsewhere() { # NAME RULE KERNEL WORDS
    if places "$2" "$3"; then
        fail "$1" "it was taken"
    elif grep -q "ir/ops/pad.def:1: Row-1: $4\$" "$scratch/words"; then
        pass "$1"
    else
        fail "$1" "$(cat "$scratch/words")"
    fi
}

printf '%s\n' 'bool infer_function(inlay_infer *cx)' '{' '}' 'RULE(instance, fn)' >"$scratch/ir/infer/pad.c"
printf '%s\n' 'bool eval_function(inlay_call *c)' '{' '}' 'UNARY_2(instance)' 'bool eval_promise(inlay_call *c);' \
    '    UNARY_2(call)' >"$scratch/interp/kernels/pad.c"
echo 'bool infer_other(inlay_infer *cx)' >"$scratch/ir/infer/other.c"
echo 'bool eval_other(inlay_call *c)' >"$scratch/interp/kernels/other.c"
works "functions of a family" places function function
works "instances of a macro" places instance instance
stands_elsewhere "a shape rule of another family" other function "ir/infer/pad.c does not define infer_other"
stands_elsewhere "a kernel of another family" function other "interp/kernels/pad.c does not define eval_other"
stands_elsewhere "a kernel that is only declared" function promise "interp/kernels/pad.c does not define eval_promise"
stands_elsewhere "a kernel that is only called" function call "interp/kernels/pad.c does not define eval_call"
rm "$scratch/ir/infer/pad.c"
stands_elsewhere "a family without rules" function function "ir/infer/pad.c does not define infer_function"
finish

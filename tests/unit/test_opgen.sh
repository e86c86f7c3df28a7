#!/bin/sh
# The compiler of the op table takes good roles, and refuses those that say nothing or something else than they seem to.
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh
mkdir -p "$scratch/ir/ops" && cp ir/ops/opgen.c "$scratch/opgen.c"

# Writes the table of one row with INPUTS and ATTRIBUTES; its last words are left in $scratch/words.
compile() { # INPUTS ATTRIBUTES
    echo "OP(\"Row\", 1, \"opset1..\", \"$1\", \"T\", \"$2\", \"\", row, row)" >"$scratch/ir/ops/ops.def"
    ${CC:-cc} -std=c11 -D_POSIX_C_SOURCE=200809L -I"$scratch" -o "$scratch/opgen" "$scratch/opgen.c" &&
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
finish

#!/bin/sh
# What an operation is stands in its row (ir/ops/ops.def): outside of ir/ and the kernels no function and no table
# names two operations or more, by their kinds or by their names, but for those listed here. A list of operations
# is a fact about each of them, which belongs into a flag or a role. Those that a graph is made of do not count:
# Parameter, Const, Result, ReadValue, Assign. Nor do the tables in parser/onnx/import: their keys are the
# operators of ONNX, which are part of that format.
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh

# At most ten, each with its reason: FILE FUNCTION.
listed() {
    # Three documents, three ways to read the same constant: what differs is the arithmetic, not a fact to ask for.
    echo passes/rules/vocabulary/gathered.c find_window
    # Slice cuts, SliceScatter writes, Concat joins, Transpose turns: each has a normal form of its own.
    echo passes/symbolic/whole.c moved_term
    # Windows, elements and tuples are three ways to name places: each is made simpler by a computation of its own.
    echo passes/fold/scatter_places.c fold_scatter_places
    # Rows and lengths are lists along an axis that stays, and stand at other operands in the two documents.
    echo passes/prove/orders.c has_axes_of_data
    # A list that one repeats and the other lays out: two ends of one chain, each looked for at its place.
    echo passes/prove/axes.c makes_list
    # A remainder, a minimum and a maximum bound a number, each by a computation of its own.
    echo passes/fold/between.c span_of
    # Sums, differences, products and negations: IEEE 754 says of each where a sign goes.
    echo passes/symbolic/signed.c signed_has_form
    echo passes/symbolic/signed.c signed_term
    # Squeeze takes axes away and Unsqueeze puts them in: two computations, each in a function of its own.
    echo passes/rules/vocabulary/views.c step
}

# Prints FILE FUNCTION for each that names two operations or more.
lists() {
    awk '
    function end() {
        if (n > 1) print file " " name
        n = 0
        split("", seen)
    }
    FNR == 1 { end() }
    { file = FILENAME }
    /^[a-z].*[({=]/ && !/;$/ {
        head = $0
        sub(/ *=.*/, "", head)
        sub(/\[.*/, "", head)
        sub(/\(.*/, "", head)
        sub(/.*[ *]/, "", head)
        name = head
    }
    {
        line = $0
        sub(/\/\*.*/, "", line)
        while (match(line, /INLAY_OP_[A-Z_0-9]+|(->|[.])(type|name), "[A-Z][A-Za-z]+"/)) {
            kind = substr(line, RSTART, RLENGTH)
            line = substr(line, RSTART + RLENGTH)
            if (kind ~ /^INLAY_OP_(PARAMETER|CONST|RESULT|READ_VALUE|ASSIGN|STAND_IN)$/) continue
            if (kind ~ /"(Parameter|Const|Result|ReadValue|Assign)"$/) continue
            if (!(kind in seen)) { seen[kind] = 1; n++ }
        }
    }
    /^}/ { end() }
    END { end() }' "$@"
}

sources() {
    git ls-files -co --exclude-standard 'passes/*.[ch]' 'parser/*.[ch]' 'interp/*.[ch]' 'generate/*.[ch]' 'front/*.[ch]' \
        'cli/*.[ch]' |
        grep -vE '^interp/(kernels|library)/'
}

# shellcheck disable=SC2046
lists $(sources) | sort >"$scratch/found"
listed | sort >"$scratch/listed"
same "no list of operations but those of this test" "$scratch/listed" "$scratch/found"

if [ "$(listed | wc -l)" -le 10 ]; then pass "they are few"; else fail "they are few"; fi

cat >"$scratch/x.c" <<'END'
static bool one(const inlay_node *n)
{
    return n->op->kind == INLAY_OP_SLICE || n->op->kind == INLAY_OP_CONST; /* not INLAY_OP_TILE */
}

static const inlay_op_kind table[] = {
    INLAY_OP_SLICE, INLAY_OP_CONCAT,
};

static const inlay_value *either(const inlay_node *n)
{
    switch (n->op->kind) {
    case INLAY_OP_SLICE:
    case INLAY_OP_SPLIT:
        return NULL;
    }
}

static bool by_name(const inlay_node *n)
{
    return strcmp(n->op->name, "If") == 0 || strcmp(n->op->name, "Loop") == 0;
}
END
printf '%s\n' "$scratch/x.c table" "$scratch/x.c either" "$scratch/x.c by_name" >"$scratch/expected"
lists "$scratch/x.c" >"$scratch/found"
same "tables, switches and comparisons are found" "$scratch/expected" "$scratch/found"
finish

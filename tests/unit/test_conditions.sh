#!/bin/sh
# passes/inplace/CONDITIONS.md says what each condition of writing in place demands. It has a section for every condition
# of the table ir/graph/conditions.def and for no other, but for those that it says others keep; what it calls a test is
# one; and the pass that decides, the checker of notes or that of programs name every condition of the table.
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh

# Prints the conditions of TABLE by their names, or as the code writes them.
named() { # TABLE
    sed -nE 's/^(CONDITION|KEPT)\(.*"([OVIBNP][0-9]+ [a-z-]+)".*/\2/p' "$1" | sort
}
written() { # TABLE
    sed -nE 's/^(CONDITION|KEPT)\(([OVIBNP][0-9]+_[A-Z_]+),.*/INLAY_\2/p' "$1" | sort
}

# Prints what the FILES name of that kind.
used() { # FILES
    cat "$@" | grep -oE 'INLAY_[OVIBNP][0-9]+_[A-Z_]+' | sort -u
}

# Prints the conditions that have a section of PAGE, or those that others keep or that permit.
sections() { # PAGE
    sed -nE 's/^### ([OVIBNP][0-9]+ [a-z-]+)( \(the checker of programs\))?$/\1/p' "$1" | sort
}
kept_elsewhere() { # PAGE
    sed -nE 's/^### ([OVIBNP][0-9]+ [a-z-]+) \((kept by .*|permits)\)$/\1/p' "$1" | sort
}

# Prints the tests that PAGE names and that are none: files, functions, other names in backquotes.
no_tests() { # PAGE
    grep -oE '`[a-z_0-9A-Z/.]+`' "$1" | tr -d '`' | sort -u | while read -r name; do
        case $name in
        yes_* | no_*) test -f "tests/passes/in-place-windows/$name.inlay" ;;
        test_*.c) test -f "tests/unit/$name" ;;
        test_* | notes_are_* | edits_*) grep -qE "^static void $name\(" tests/unit/test_*.c ;;
        fuzz/*) test -f "tests/$name" || ls "tests/$name".* >/dev/null 2>&1 ;;
        */*) test -e "$name" ;;
        esac || echo "$name"
    done
}

page=passes/inplace/CONDITIONS.md
# shellcheck disable=SC2046
used $(git ls-files -co --exclude-standard 'passes/inplace/*.[ch]' 'ir/notes/*.[ch]' 'interp/audit/*.[ch]') >"$scratch/used"
written ir/graph/conditions.def >"$scratch/written"
same "the code names each condition of the table" "$scratch/written" "$scratch/used"
named ir/graph/conditions.def >"$scratch/named"
sections $page >"$scratch/sections"
same "a section for each condition of the table" "$scratch/named" "$scratch/sections"

# What one can do stands in the table and on the page, in the same words.
told() { # TABLE: each condition with what to do
    awk -F '"' '/^(CONDITION|KEPT)/ { name = $2 } /^    "/ { print name ": " $2 }' "$1" | sort
}
tells() { # PAGE
    awk '/^### / { name = $2 " " $3 } /^What to do: / { on = 1; sub(/^What to do: /, ""); printf "%s:", name }
        on && /^$/ { on = 0; print "" } on { printf " %s", $0 }' "$1" | sed 's/[.]$//' | sort
}
told ir/graph/conditions.def | grep -v '^O overwrite' >"$scratch/told"
tells $page >"$scratch/tells"
same "the page says what to do as the table does" "$scratch/told" "$scratch/tells"

for letter in O:14 V:4 I:11 B:5; do
    seq "${letter#*:}" | sed "s/^/${letter%:*}/"
done | sort >"$scratch/numbers"
{ sections $page; kept_elsewhere $page; } | sed 's/ .*//' | grep -v '^[NP]' | sort >"$scratch/all"
same "the numbers have no gaps" "$scratch/numbers" "$scratch/all"

wrong=$(no_tests $page)
if [ -z "$wrong" ]; then pass "every test that it names is there"; else fail "every test that it names is there" "$wrong"; fi

# The functions of the checker's tests.
grep -oE 'Checker: [a-z_, ]+' $page | sed 's/Checker: //; s/,/ /g' | tr -s ' ' '\n' | grep . | sort -u |
    while read -r name; do
        [ "$name" = as ] || grep -q "^static void $name(" tests/unit/test_note*.c || echo "$name"
    done >"$scratch/functions"
if [ -s "$scratch/functions" ]; then
    fail "every function of the checker's tests that it names is there" "$(cat "$scratch/functions")"
else
    pass "every function of the checker's tests that it names is there"
fi

# Each check must be able to fail.
cat >"$scratch/page.md" <<'END_OF_PAGE'
### O1 same-type-and-shape
### O2 of-nobody
### O9 fails-before-writing (kept by the kernels)
Tests: `no_O1` `no_such_file` `test_of_no_name`.
END_OF_PAGE
printf 'CONDITION(O1_SAME_TYPE_AND_SHAPE, "O1 same-type-and-shape", "is")\nKEPT(V1_X, "V1 x", "is", "was")\nrefuse(INLAY_V1_X);' >"$scratch/code.c"
{
    named "$scratch/code.c"
    written "$scratch/code.c"
    used "$scratch/code.c"
    sections "$scratch/page.md"
    kept_elsewhere "$scratch/page.md"
    no_tests "$scratch/page.md"
} >"$scratch/found"
cat >"$scratch/expected" <<'END_OF_LIST'
O1 same-type-and-shape
V1 x
INLAY_O1_SAME_TYPE_AND_SHAPE
INLAY_V1_X
INLAY_V1_X
O1 same-type-and-shape
O2 of-nobody
O9 fails-before-writing
no_such_file
test_of_no_name
END_OF_LIST
same "what is missing is found" "$scratch/expected" "$scratch/found"
finish

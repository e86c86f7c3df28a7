#!/bin/sh
# What `inlay prove` says of cheap rules that use what the file $MUTANT is about, beside passes/PROVEN.md. All of them are
# the matter of tests/prove/test_prove.sh, which any change of the encoder makes fail, since the page has its hash.
set -u
. "$ROOT/tests/tap.sh"
: "${MUTANT:=passes/prove/value.c}"
cd "$ROOT" || exit 2

if ! command -v z3 >/dev/null 2>&1; then
    skip "rules are proven" "z3 is not installed"
    finish
    exit
fi
# Conditions and operations of the tables of that file; one that has none is tried on all rules alike.
words=$(sed -n 's/^ *{"\([A-Za-z_]*\)",.*/\1/p' "$MUTANT" | sort -u | paste -s -d '|')
awk -v words="${words:-rule}" '
    function end() { if (rule != "" && text ~ "(^|[^A-Za-z_])(" words ")([^A-Za-z_]|$)") print rule; rule = text = "" }
    /^rule / { end(); rule = $2 }
    /^\/\// || NF == 0 { end() }
    { text = text " " $0 }
    END { end() }' passes/rules/*.rules >"$scratch/named"
# "RULE VERDICT CASES", the cheapest first, as many as are proven in seconds.
awk -F'[|`]' '/^\| `/ { gsub(/ /, "", $6); gsub(/^ +| +$/, "", $5); print $6, $3, $5 }' passes/PROVEN.md >"$scratch/page"
awk 'NR == FNR { named[$1] = 1; next } $1 > 0 && $1 < 1000 && $2 in named' "$scratch/named" "$scratch/page" | sort -n |
    awk '{ row[NR] = $0 } END { step = NR > 24 ? NR / 24 : 1; for (i = 1; i <= NR; i += step) print row[int(i)] }' >"$scratch/chosen"
while read -r cases rule verdict; do
    said=$("$BUILD/inlay" prove --rule "$rule" 2>/dev/null | head -1)
    case $said in
    "$verdict "*" $cases cases,"*) ;;
    *) echo "$rule: $said" && break ;;
    esac
done <"$scratch/chosen" >"$scratch/others"
same "$(wc -l <"$scratch/chosen") rules are proven or not as the page says" /dev/null "$scratch/others"
finish

#!/bin/sh
# Each operation of detection, recurrence, attention and signals stands in a graph of this folder, and README.md has the
# table that follows: the operations in the order of their rows, and the graphs of each.
set -u
. "$ROOT/tests/tap.sh"
here=$ROOT/tests/subgraphs
families="detection detectron prior proposal multiclass nms yolo roi recurrent attention einsum signal ctc"

for family in $families; do
    sed -n 's/^OP("\([A-Za-z0-9]*\)", \([0-9]*\),.*/\1-\2/p' "$ROOT/ir/ops/$family.def"
done >"$scratch/operations"

# A node's operation, with its graph: "RDFT-9 spectrogram"
for file in "$here"/*.inlay; do
    sed -n "s/^  %[^=]* = \([A-Za-z0-9]*-[0-9]*\)[@(].*/\1 $(basename "$file" .inlay)/p" "$file"
done | sort -u >"$scratch/nodes"

: >"$scratch/without"
while read -r operation; do
    graphs=$(sed -n "s/^$operation \(.*\)/\`\1\`/p" "$scratch/nodes" | paste -s -d, | sed 's/,/, /g')
    [ -n "$graphs" ] || echo "$operation" >>"$scratch/without"
    echo "| $operation | $graphs |"
done <"$scratch/operations" >"$scratch/rows"

if [ -s "$scratch/rows" ] && [ ! -s "$scratch/without" ]; then
    pass "each operation stands in a graph"
else
    fail "each operation stands in a graph" "$(cat "$scratch/without")"
fi
grep '^| [A-Z][A-Za-z0-9]*-[0-9]* |' "$here/README.md" >"$scratch/said"
same "README.md has the table of these graphs" "$scratch/rows" "$scratch/said"
finish

#!/bin/sh
# Rules on many graphs that are made up for them, each with 50 sets of inputs: 10,000 instances of a proven rule,
# RULES_UNPROVEN of the others.
set -u
. "$ROOT/tests/tap.sh"
cd "$ROOT" || exit 2
unproven=${RULES_UNPROVEN:-1000000}
for rule in $(sed -n 's/^rule \([^ ]*\) .*/\1/p' passes/rules/*.rules); do
    [ -e "$LONG_STATE/$rule" ] && pass "$rule, before" && continue
    [ "$(date +%s)" -gt "$LONG_UNTIL" ] && exit 75
    instances=$unproven
    ! grep -q "^| \`$rule\` | proven" passes/PROVEN.md || instances=10000
    "$BUILD/inlay" check-rules --rule "$rule" --instances "$instances" --inputs 50 >"$scratch/said" 2>&1
    if [ $? = 0 ] && ! grep -q '^unknown\|: fewer than' "$scratch/said"; then
        pass "$rule" && touch "$LONG_STATE/$rule"
    else
        fail "$rule" "$(cat "$scratch/said")"
    fi
done
echo "# result: $unproven instances, 50 for each graph, of each rule that is not proven, 10000 of the others"
finish

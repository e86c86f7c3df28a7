#!/bin/sh
# One-line mutants of the library: each must fail a test, or be explained.
# Without python3 nothing is tried.
set -u
. "$ROOT/tests/tap.sh"
python3 "$ROOT/tests/mutation/run.py" || exit $?

awk -F '\t' -v OFS='\t' 'NR == FNR { if ($0 !~ /^#/) known[$1, $2] = 1; next }
    { tried[$1]++; all++ }
    $4 ~ /^killed/ { killed[$1]++; n++; next }
    ($1, $2) in known { explained[$1]++; m++; next }
    { print "lives: " $1 ":" $3 ": " $2; bad[$1]++ }
    END {
        for (file in tried)
            print (bad[file] ? "bad" : "fine") ": " file ": " tried[file] " tried, " killed[file] + 0 " killed, " \
                explained[file] + 0 " explained"
        print "all: " all " mutants, " n + 0 " killed, " m + 0 " explained as equivalent"
    }' "$ROOT/tests/mutation/equivalent.txt" "$LONG_STATE/verdicts" | sort >"$scratch/summary"
sed -n 's/^lives: /# lives: /p' "$scratch/summary"
while IFS= read -r line; do
    case $line in
    fine:*) pass "${line#fine: }" ;;
    bad:*) fail "${line#bad: }" ;;
    all:*) echo "# result: ${line#all: }" ;;
    esac
done <"$scratch/summary"
finish

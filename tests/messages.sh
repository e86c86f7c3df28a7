#!/bin/sh
# Lists the messages that no unit test and no golden file provokes, as FILE:LINE: MESSAGE, from a coverage build
# in which those tests have just run; exits with 1 when there is one. usage: tests/messages.sh BUILD-DIRECTORY
#
# A message is a call of a function whose name says that it reports (inlay_fail, infer_fail, xml_refuse, fail_range,
# inlay_warn, ...) or an explanation that is handed up as a string (*why = "..."). What only says that memory ran out
# is left to tests/oom. Where a line holds several calls, each of them must have been made.
set -eu
build=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
root=$(pwd)
out=$build/messages
rm -rf "$out"
mkdir -p "$out"

# gcov writes PATH#TO#FILE.c.gcov where it stands; it must stand in the root to find the sources.
cd "$root"
find "$build/obj/parser" "$build/obj/ir" "$build/obj/interp" "$build/obj/passes" -name '*.gcda' -print0 |
    xargs -0 gcov -b -c -r -p >/dev/null 2>&1
mv ./*.gcov "$out"

awk '
    function report() {
        if (at && (missed || !made)) { print file ":" at ": " text; n++ }
        at = 0
    }
    FNR == 1 { report() }
    /^ *-: *0:Source:/ { file = $0; sub(/.*Source:/, "", file); next }
    /^call +[0-9]+ never executed/ { if (says) missed = 1; next }
    /^(call|branch|unconditional|function)/ { next }
    {
        split($0, part, ":")
        source = substr($0, length(part[1]) + length(part[2]) + 3)
        says = source ~ /[a-z_]*(fail|warn|refuse|wrong|bad|differ)[a-z_]*\(/ && source !~ /^[a-z]/ ||
            source ~ /why = "|return "[^"]* [^"]*"/
        says = says && source !~ /memory|^ *(\/\*|\*)/ && file ~ /\.c$/
        if (!open) report()
        if (says && !at) { at = part[2] + 0; text = ""; missed = made = 0 }
        if (!at) next
        if (part[1] ~ /[0-9]/) made = 1
        gsub(/^[ \t]+|[ \t]+$/, "", source)
        text = text (text == "" ? "" : " ") source
        open = source !~ /[;{}]$/
    }
    END { report(); exit n > 0 }' "$out"/*.gcov >"$out/list" && status=0 || status=$?
sort -t: -k1,1 -k2,2n "$out/list"
echo "$(wc -l <"$out/list") messages that no test provokes"
exit "$status"

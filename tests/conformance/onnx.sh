#!/bin/sh
# ONNX's node tests (README.md). usage: onnx.sh [MODE...], where a MODE is EXECUTOR,PASSES[,FORM]; by default all four
# without a form. With one (xml, json, inlay, onnx) each model is written in that form, and what is read back is run.
# Prints TAP: one line for each mode.
set -u
: "${ROOT:=$(cd "$(dirname "$0")/../.." && pwd)}" "${BUILD:=$ROOT/build}"
. "$ROOT/tests/tap.sh"
. "$ROOT/tests/conformance/suite.sh"
[ $# -gt 0 ] || set -- planned,default planned,none reference,default reference,none

# A line of `inlays` for each test of the list: the model of the test, or what was written of it.
commands() { # MODEL-OF-A-TEST ("%" stands for its name) ARGUMENT...
    model=$1
    shift
    awk -v model="$model" -v more="$(printf '\t%s' "$@")" -v node="$node" '{
        line = $1 "\trun\t" model "\t--test-data\t" node "/%" more
        gsub(/%/, $1, line)
        print line
    }'
}

# Prints "TEST STATUS first line of the message" for each test of the suite. What numpy drew at random cannot be
# compared: the tests of onnx-random.txt pass when nothing but elements differs. A type that OpenVINO IR does not have,
# and an operation that ONNX does not have, cannot be written.
run_all() { # MODE
    executor=${1%%,*} passes=${1#*,} form='' model=$node/%/model.onnx
    case $passes in *,*) form=${passes#*,} passes=${passes%,*} ;; esac
    rm -rf "$scratch/said" "$scratch/forms" && mkdir "$scratch/said" "$scratch/forms"
    ls "$node" >"$scratch/read"
    : >"$scratch/unwritten"
    if [ -n "$form" ]; then
        model=$scratch/forms/%.$form
        awk -v node="$node" -v to="$scratch/forms/" -v form="$form" \
            '{ print $1 "\tconvert\t" node "/" $1 "/model.onnx\t" to $1 "." form }' "$scratch/read" |
            "$BUILD/tests/inlays" "$scratch/said" >"$scratch/written"
        awk '$2 == 0 { print $1 }' "$scratch/written" >"$scratch/read"
        awk '$2 != 0 { print $1, 2 }' "$scratch/written" >"$scratch/unwritten"
    fi
    commands "$model" --exec "$executor" --passes "$passes" --quiet <"$scratch/read" |
        "$BUILD/tests/inlays" "$scratch/said" | sort - "$scratch/unwritten" |
        awk -v said="$scratch/said/" -v node="$node/" -v random="$ROOT/tests/conformance/onnx-random.txt" '
            BEGIN { while ((getline test <random) > 0) drawn[test] = 1 }
            {
                n = others = untyped = 0
                while ((getline line <(said $1)) > 0) {
                    if (n++ == 0) first = line
                    if (line ~ /OpenVINO IR has no type|ONNX cannot say/) untyped = 1
                    if (line ~ /^inlay:/ && line !~ /^inlay: output "[^"]*" differs from [^:]*: element /) others = 1
                }
                close(said $1)
                status = ($2 == 1 && ($1 in drawn) && !others) || ($2 == 2 && untyped) ? 0 : $2
                if (index(first, node) == 1) sub(/^[^:]*: /, "", first)
                sub(/^error: /, "", first)
                print $1, status, n ? first : ""
            }'
}

if [ -z "$node" ]; then
    skip "ONNX's node tests" "the suite is not here"
    finish
    exit 0
fi
[ "$node" = "$debian" ] && own=$ROOT/tests/conformance/onnx-failing-debian.txt || own=
cat "$ROOT/tests/conformance/onnx-failing.txt" ${own:+"$own"} | grep -v '^#' | sort >"$scratch/known"
for mode in "$@"; do
    run_all "$mode" >"$scratch/results"
    awk '$2 != 0 { print $1 }' "$scratch/results" | sort >"$scratch/failing"
    cut -d ' ' -f 1 "$scratch/results" | sort >"$scratch/all"
    comm -13 "$scratch/known" "$scratch/failing" >"$scratch/new"
    # A suite may be a part of another.
    comm -23 "$scratch/known" "$scratch/failing" | comm -12 - "$scratch/all" >"$scratch/mended"
    name="$mode: $(awk '$2 == 0' "$scratch/results" | wc -l) of $(wc -l <"$scratch/results") pass"
    random=$(cut -d ' ' -f 1 "$scratch/results" | grep -cxF -f "$ROOT/tests/conformance/onnx-random.txt")
    name="$name, $random of them by types and shapes only"
    if [ "$(wc -l <"$scratch/results")" != "$(ls "$node" | wc -l)" ]; then
        fail "$name" "there are $(ls "$node" | wc -l) tests"
    elif [ -s "$scratch/new" ]; then
        fail "$name" "$(grep -wF -f "$scratch/new" "$scratch/results")"
    elif [ -s "$scratch/mended" ]; then
        fail "$name" "These pass now, and go from onnx-failing.txt:
$(cat "$scratch/mended")"
    else
        pass "$name"
    fi
done
[ -z "${ONNX_TABLE:-}" ] || cp "$scratch/results" "$ONNX_TABLE"
finish

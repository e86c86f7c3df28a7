#!/bin/sh
# ONNX's node tests (README.md). usage: onnx.sh [MODE...], where a MODE is EXECUTOR,PASSES[,FORM]; by default all four
# without a form. With one (xml, json, inlay, onnx) each model is written in that form, and what is read back is run.
# Prints TAP: one line for each mode.
set -u
: "${ROOT:=$(cd "$(dirname "$0")/../.." && pwd)}" "${BUILD:=$ROOT/build}"
. "$ROOT/tests/tap.sh"
. "$ROOT/tests/conformance/suite.sh"
[ $# -gt 0 ] || set -- planned,default planned,none reference,default reference,none

# Writes the model of each test in a form, beside a link to its data, into $scratch/forms. Prints those that cannot be
# written; a type or an expansion that OpenVINO IR does not have, or an operation that ONNX does not have, is no fault.
write_forms() { # FORM
    rm -rf "$scratch/forms" "$scratch/written" && mkdir "$scratch/forms" "$scratch/written"
    for test in "$node"/*; do
        mkdir "$scratch/forms/${test##*/}"
        printf '%s\tconvert\t%s/model.onnx\t%s/model.%s\n' "${test##*/}" "$test" "$scratch/forms/${test##*/}" "$1"
    done | "$BUILD/tests/inlays" "$scratch/written" >"$scratch/statuses"
    while read -r test status; do
        [ "$status" != 0 ] || ln -s "$node/$test/test_data_set_0" "$scratch/forms/$test/"
        [ "$status" = 0 ] ||
            grep -Eq 'OpenVINO.s IR yet|OpenVINO IR has no type|ONNX cannot say' "$scratch/written/$test" || echo "$test"
    done <"$scratch/statuses"
}

if [ -z "$node" ]; then
    skip "ONNX's node tests" "the suite is not here"
    finish
    exit 0
fi
[ "$node" = "$debian" ] && own=$ROOT/tests/conformance/onnx-failing-debian.txt || own=
cat "$ROOT/tests/conformance/onnx-failing.txt" ${own:+"$own"} | grep -v '^#' | sort >"$scratch/known"
# A suite may be a part of another.
ls "$node" | comm -12 "$scratch/known" - >"$scratch/present"
for mode in "$@"; do
    executor=${mode%%,*} passes=${mode#*,} form='' suite=$node
    case $passes in *,*) form=${passes#*,} passes=${passes%,*} suite=$scratch/forms ;; esac
    { [ -z "$form" ] || write_forms "$form"; } >"$scratch/unwritten"
    "$BUILD/inlay" run --test-data "$suite" --exec "$executor" --passes "$passes" >"$scratch/results"
    sed -n 's/^FAIL \([^ ]*\) .*/\1/p' "$scratch/results" | sort - "$scratch/unwritten" >"$scratch/failing"
    comm -13 "$scratch/present" "$scratch/failing" >"$scratch/new"
    # Which pictures are read depends on the libraries of the machine.
    comm -23 "$scratch/present" "$scratch/failing" | grep -v image_decoder >"$scratch/mended"
    name="$mode: $(tail -1 "$scratch/results")"
    if ! tail -1 "$scratch/results" | grep -q "^$executor: [0-9]* of [0-9]* pass"; then
        fail "$name" "the suite did not run"
    elif [ -s "$scratch/new" ]; then
        fail "$name" "$(grep -wF -f "$scratch/new" "$scratch/results" "$scratch/unwritten")"
    elif [ -s "$scratch/mended" ]; then
        fail "$name" "These pass now, and go from onnx-failing.txt:
$(cat "$scratch/mended")"
    else
        pass "$name"
    fi
    if [ "$mode" = planned,default ] && [ "$node" = "$scratch/node" ]; then
        sh "$ROOT/tests/conformance/page.sh" <"$scratch/results" >"$scratch/page"
        grep '^| `test_' "$scratch/page" | grep -v image_decoder >"$scratch/rows"
        grep '^| `test_' "$ROOT/docs/conformance.md" | grep -v image_decoder >"$scratch/listed"
        same "docs/conformance.md has the failures (ONNX_PAGE=1 make conformance writes them)" \
            "$scratch/rows" "$scratch/listed"
        [ -z "${ONNX_PAGE:-}" ] || cp "$scratch/page" "$ROOT/docs/conformance.md"
    fi
done
finish

#!/bin/sh
# ONNX's node tests (README.md). usage: onnx.sh [MODE...], where a MODE is EXECUTOR,PASSES[,FORM]; by default all four
# without a form. With one (xml, json, inlay) each model is written in that form, and what is read back is run.
# Prints TAP: one line for each mode.
set -u
: "${ROOT:=$(cd "$(dirname "$0")/../.." && pwd)}" "${BUILD:=$ROOT/build}"
. "$ROOT/tests/tap.sh"
. "$ROOT/tests/conformance/suite.sh"
[ $# -gt 0 ] || set -- planned,default planned,none reference,default reference,none
export inlay="$BUILD/inlay"

# Prints "TEST STATUS first line of the message" for each test of the suite. What numpy drew at random cannot be
# compared: the tests of onnx-random.txt pass when nothing but elements differs.
run_all() { # MODE
    executor=${1%%,*} passes=${1#*,} form=
    case $passes in *,*) form=${passes#*,} passes=${passes%,*} ;; esac
    mkdir -p "$scratch/forms"
    export executor passes form node scratch ROOT
    # shellcheck disable=SC2016
    ls "$node" | xargs -P "$(nproc)" -I{} sh -c '
        model=$node/{}/model.onnx
        [ -z "$form" ] || {
            said=$("$inlay" convert "$model" "$scratch/forms/{}.$form" 2>&1 </dev/null) || {
                echo "$said" | grep -q "OpenVINO IR has no type" && echo "{} 0" || echo "{} 2 $said" | head -1
                exit
            }
            model=$scratch/forms/{}.$form
        }
        said=$(timeout 60 "$inlay" run "$model" --test-data "$node/{}" --exec $executor --passes $passes \
            --quiet 2>&1 </dev/null)
        status=$?
        if [ $status -eq 1 ] && grep -qxF {} "$ROOT/tests/conformance/onnx-random.txt" &&
            ! echo "$said" | grep "^inlay:" | grep -qvE "^inlay: output \"[^\"]*\" differs from [^:]*: element "; then
            status=0
        fi
        said=$(echo "$said" | sed "s|$node/[^:]*: ||; s|^error: ||" | head -1)
        echo "{} $status $said"' | sort
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
    if [ -s "$scratch/new" ]; then
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

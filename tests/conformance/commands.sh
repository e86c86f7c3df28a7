#!/bin/sh
# The commands work on ONNX files as on others: info, print, plan, opt, view and run --test-data end with status 0 on a
# file, and on what `convert` and `opt` made of it in each FORM; run, verify and bench on elements that are made up do
# the same with all of them. usage: commands.sh STEP FORM...
# Models are those below, and each STEP-th of the tree's and the suite's (README.md).
set -u
: "${ROOT:=$(cd "$(dirname "$0")/../.." && pwd)}" "${BUILD:=$ROOT/build}"
. "$ROOT/tests/tap.sh"
. "$ROOT/tests/conformance/suite.sh"
step=$1
shift
forms=$*
mkdir "$scratch/said" "$scratch/m" "$scratch/f"

kind() { # NAME GRAPH [IR_VERSION]: a model in ONNX's text form
    mkdir "$scratch/m/$1"
    printf '<ir_version: %s, opset_import: ["" : 13, "l" : 1]>\n%s\n' "${3:-8}" "$2" >"$scratch/m/$1/model.onnx"
}

for version in 3 13; do
    kind "ir_version_$version" 'g (float[n,3] x, float[3] w) => (float[n,3] y) <float[3] w = {1, 2, 3}>
{ y = Mul (x, w) }' $version
done
kind unnamed 'g (float[n,m] x) => (float[n,m] y) { a = Relu (x) b = Relu (a) c = Neg (b) y = Add (c, x) }'
kind scalars 'g (float x, float[0] e) => (float y, float[k] z) { y = Exp (x) z = Abs (e) }'
kind function 'g (float[n] x) => (float[n] y) { y = l.f <by = 2.0> (x) }
<domain: "l", opset_import: ["" : 13]> f <by> (a) => (b) { c = Constant <value_float: float = @by> () b = Mul (a, c) }'
kind passed_on 'g (float[n] x, float[n] u) => (float[n] x, float[n] y, float[n] y) { y = Neg (x) }'
kind sequence 'g (seq(float[a,m]) s, float[1,m] x) => (float[n,m] y, int64 k)
{ t = SequenceInsert (s, x) y = ConcatFromSequence <axis = 0> (t) k = SequenceLength (t) }'
kind branches 'g (bool b, float[n] x) => (float[n] y) { y = If (b)
<then_branch = t () => (float[n] p) { p = Neg (x) }, else_branch = e () => (float[n] q) { q = Exp (x) }> }'
kind codes 'g (float[n,4] x, float s) => (float[n,4] y) <uint8 z = {3}>
{ q = QuantizeLinear (x, s, z) y = DequantizeLinear (q, s, z) }'
kind strings 'g (string[n] x) => (string[n] y) { y = Identity (x) }'
for model in $(printf '%s\n' "$ROOT"/models/onnx/*/model.onnx ${node:+"$node"/*/model.onnx} |
    awk -v step="$step" 'NR % step == 0'); do
    ln -s "${model%/*}" "$scratch/m/"
done

# Runs the lines NAME COMMAND..., and writes their statuses to FILE.
run_lines() { # FILE <LINES
    "$BUILD/tests/inlays" "$scratch/said" | sort >"$scratch/$1"
}

# What is written is called MODEL.FORM, and MODEL.opt.FORM.
for model in "$scratch"/m/*; do
    for form in $forms; do
        name=${model##*/}
        printf '%s.%s\tconvert\t%s/model.onnx\t%s/f/%s.%s\n' "$name" "$form" "$model" "$scratch" "$name" "$form"
        printf '%s.opt.%s\topt\t%s/model.onnx\t-o\t%s/f/%s.opt.%s\n' "$name" "$form" "$model" "$scratch" "$name" \
            "$form"
    done
done | run_lines written
while read -r name status; do
    [ "$status" = 0 ] || grep -Eq 'OpenVINO(.s)? IR|ONNX cannot say' "$scratch/said/$name" ||
        echo "$name: $(head -1 "$scratch/said/$name")"
done <"$scratch/written" >"$scratch/wrong"
if [ -s "$scratch/wrong" ]; then
    fail "models are written in each form" "$(cat "$scratch/wrong")"
else
    pass "models are written in each form"
fi

# MODEL~FORM~COMMAND, the file itself being of the form `file`; `test` runs the test that is beside a model.
for model in "$scratch"/m/*; do
    name=${model##*/}
    for file in "$model/model.onnx" "$scratch/f/$name".*; do
        at=$name~${file##*"$name".}
        case $file in *.bin | *'*') continue ;; */model.onnx) at=$name~file ;; esac
        for command in info print plan opt view; do
            printf '%s~%s\t%s\t%s\n' "$at" $command $command "$file"
        done
        printf '%s~run\trun\t%s\t--random\t--digest\n%s~bench\tbench\t%s\t--random\t--niter\t1\t--no-steps\n' \
            "$at" "$file" "$at" "$file"
        printf '%s~verify\tverify\t%s\t%s\t--trials\t2\t--rtol\t1e-3\t--atol\t1e-5\n' "$at" "$model/model.onnx" "$file"
        [ ! -d "$model/test_data_set_0" ] ||
            printf '%s~test\trun\t%s\t--test-data\t%s\t--quiet\n' "$at" "$file" "$model"
    done
done | run_lines ended

# Elements that are made up may be none that an operator takes: then no form is run, but perhaps the optimised ones,
# for which others are made up. A graph that is the same gives the same bits. What draws elements at random may be
# folded, and then gives other ones than the test has.
awk -v said="$scratch/said/" '
    $1 ~ /~file~(run|bench|verify)$/ { path = said $1 ".status"; print $2 >path; close(path) }' "$scratch/ended"
while read -r name status; do
    own=$scratch/said/${name%%~*}~file~${name##*~} wanted=0
    case $name in *~run | *~bench | *~verify) read -r wanted <"$own.status" ;; esac
    case $name:$status in
    *~inlay~run:0 | *~json~run:0) cmp -s "$own" "$scratch/said/$name" || echo "$name: other bits" ;;
    *:"$wanted" | *~opt.*~run:0 | *~opt.*~bench:0) ;;
    *~opt.*~test:1) grep -q 'seed = ' "$scratch/said/${name%%~*}~file~print" || echo "$name: other results" ;;
    *) echo "$name: status $status, expected $wanted: $(tail -1 "$scratch/said/$name")" ;;
    esac
done <"$scratch/ended" >"$scratch/wrong"
n=$(wc -l <"$scratch/ended")
if [ "$n" -gt 0 ] && [ ! -s "$scratch/wrong" ]; then
    pass "commands do the same with all forms"
else
    fail "commands do the same with all forms" "$(cat "$scratch/wrong")"
fi
refused=$(awk '$1 ~ /~file~run$/ && $2 != 0' "$scratch/ended" | wc -l)
models=$(find "$scratch/m" -mindepth 1 -maxdepth 1 | wc -l)
echo "# result: $n commands, $models models, $refused of them without a run"
finish

#!/bin/sh
# Says in words what is wrong with the results of a model, or nothing: the portable kernels give the same bits for every
# number of threads, and the reference's numbers within a tolerance, where sums are made in another order; with the
# module of oneDNN they are within the tolerance for every number of threads, but where it refuses a NaN.
# usage: results.sh MODEL "TOLERANCE" OPTION...; TOLERANCE: options of `inlay compare`; THREADS: the numbers tried.
# MODEL may be the folder of one of ONNX's node tests.
set -u
inlay=$BUILD/inlay model=$1 tolerance=$2
shift 2
if [ -d "$model" ]; then
    i=0 data=$model/test_data_set_0 model=$model/model.onnx
    for name in $("$inlay" info "$model" | awk '/^[^ ]/ { on = $1 == "inputs:"; next } on { print $1 }'); do
        set -- "$@" -i "$name=$data/input_$i.pb"
        i=$((i + 1))
    done
fi
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT

results() { # FOLDER OPTION...
    to=$folder/$1
    shift
    rm -rf "$to"
    timeout 100 "$inlay" run "$model" --quiet -o "$to" "$@" >"$folder/said" 2>&1
}

near() { # FOLDER: the results there are the reference's
    # shellcheck disable=SC2086
    "$inlay" compare "$folder/reference" "$folder/$1" --quiet $tolerance >"$folder/said" 2>&1
}

complain() { # WORDS
    echo "$1: $(head -3 "$folder/said")"
}

results reference --exec reference "$@" || complain "the reference does not run"
results one --kernels portable --threads 1 "$@" || complain "it does not run"
near one || complain "it is not the reference's"
for n in ${THREADS:-2 3 4}; do
    results more --kernels portable --threads "$n" "$@" || complain "$n threads do not run"
    diff -rq "$folder/one" "$folder/more" || echo "$n threads give other bits"
    [ -e "$BUILD/libinlay-onednn.so" ] || continue
    if results dnn --kernels onednn --threads "$n" "$@"; then
        near dnn || complain "oneDNN, $n threads: it is not the reference's"
    elif ! grep -q "has a NaN or an infinity" "$folder/said"; then
        complain "oneDNN: $n threads do not run"
    fi
done
exit 0

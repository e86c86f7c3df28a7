#!/bin/sh
# The instructions of a command grow at most 14 times for ten times the nodes, on every kind of graph that
# tests/unit/test_scaling.c has: what takes long and is counted nowhere shows here. Those of a graph of ten nodes are
# what the command needs for itself, and are taken off. Before that, the steps of each phase are counted up to 100,000
# nodes.
set -u
: "${ROOT:=$(cd "$(dirname "$0")/../.." && pwd)}" "${BUILD:=$ROOT/build}"
. "$ROOT/tests/tap.sh"
state=${LONG_STATE:-$scratch}
sizes="10 1000 10000"
most=14

if ! command -v valgrind >"$scratch/where"; then
    skip "instructions" "there is no valgrind"
    finish
    exit 0
fi

# Prints the instructions of inlay ARG..., keeps its messages.
count() { # ARG...
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$BUILD/inlay" "$@" 2>"$scratch/messages" >/dev/null &&
        awk '/Collected :/ { print $NF }' "$scratch/messages"
}

# The three counts of a command on the graphs of a kind, each counted once.
counts_of() { # KIND COMMAND
    for n in $sizes; do
        kept=$state/$1-$2-$n.count model=$scratch/$1-$n
        if [ ! -s "$kept" ]; then
            case $2 in
            opt) count opt "$model.inlay" -o "$model.out.xml" ;;
            xml) count opt "$model.xml" -o "$model.out.json" ;;
            json) count info "$model.json" ;;
            onnx) count info "$model.onnx" ;;
            plan) count plan "$model.inlay" ;;
            esac >"$kept" || return 1
        fi
        cat "$kept"
    done
}

make_models() { # KIND
    for n in $sizes; do
        model=$scratch/$1-$n
        "$BUILD/tests/test_scaling" "$1" "$n" >"$model.inlay" &&
            "$BUILD/inlay" convert "$model.inlay" "$model.xml" &&
            "$BUILD/inlay" convert "$model.inlay" "$model.json" &&
            "$BUILD/inlay" convert "$model.inlay" "$model.onnx" || return 1
    done >"$scratch/messages" 2>&1
}

worst=0
for kind in $("$BUILD/tests/test_scaling" kinds 0); do
    if [ ! -e "$state/$kind.steps" ]; then
        [ "$(date +%s)" -lt "${LONG_UNTIL:-9999999999}" ] || exit 75
        SCALING_MOST=100000 works "$kind: steps for 100,000 nodes" "$BUILD/tests/test_scaling" "$kind"
        touch "$state/$kind.steps"
    fi
    make_models "$kind" || { fail "$kind" "$(cat "$scratch/messages")" && continue; }
    for command in opt xml json onnx plan; do
        [ "$(date +%s)" -lt "${LONG_UNTIL:-9999999999}" ] || exit 75
        # shellcheck disable=SC2046
        set -- $(counts_of "$kind" "$command")
        if [ $# != 3 ]; then
            fail "$kind, $command" "$(grep -v '^==' "$scratch/messages")"
            continue
        fi
        tenths=$((10 * ($3 - $1) / ($2 - $1)))
        [ "$tenths" -le "$worst" ] || worst=$tenths
        name="$kind, $command: $2 and $3 instructions, $((tenths / 10)).$((tenths % 10)) times without $1"
        if [ "$tenths" -le $((10 * most)) ]; then pass "$name"; else fail "$name"; fi
    done
    rm -f "$scratch/$kind"-*
done
echo "# result: at most $((worst / 10)).$((worst % 10)) times the instructions for 10 times the nodes"
finish

#!/bin/sh
# The cases of copies that people complain about, one file each (README.md says what stands in their heads). Each is
# run as it is, with open sizes, and from ONNX where NAME.onnxtxt says the same: the bytes that are copied must be those
# of the head, the results those of the reference executor. --max-copied and --max-peak must refuse a byte less, and
# --require-in-place what copies (but with INLAY_SLOW). README.md must have the table that follows from the files.
set -u
. "$ROOT/tests/tap.sh"
here=$ROOT/tests/in_place

# The words behind KEY in the head of FILE.
head_of() { # KEY FILE
    sed -n "s~^\(//\|#\) $1: ~~p" "$2"
}

# Runs MODEL in both executors, and compares the results. The bytes are left in $scratch/bytes.
run_both() { # MODEL OPTIONS...
    model=$1
    shift
    # shellcheck disable=SC2086
    "$BUILD/inlay" run "$model" --random --quiet --stats "$scratch/stats" -o "$scratch/ours" "$@" >/dev/null &&
        "$BUILD/inlay" run "$model" --random --quiet --passes none --exec reference -o "$scratch/theirs" "$@" >/dev/null &&
        "$BUILD/inlay" compare "$scratch/ours" "$scratch/theirs" >/dev/null &&
        sed 's/.*"copied_bytes": \([0-9]*\).*/\1/' "$scratch/stats" >"$scratch/bytes"
}

# The number that STATS, which run_both left, has for KEY.
number_of() { # KEY
    sed "s/.*\"$1\": \([0-9]*\).*/\1/" "$scratch/stats"
}

# Runs MODEL with LIMITS. If WORDS are given, the status must be 1, and the words be said; else it must be 0.
limited() { # LIMITS WORDS MODEL OPTIONS...
    limits=$1 words=$2
    shift 2
    # shellcheck disable=SC2086
    "$BUILD/inlay" run "$@" --random --quiet $limits >/dev/null 2>"$scratch/refused"
    status=$?
    if [ -z "$words" ] && [ $status = 0 ]; then return 0; fi
    if [ -n "$words" ] && [ $status = 1 ] && grep -q -e "$words" "$scratch/refused"; then return 0; fi
    echo "$limits: status $status, wanted: ${words:-no refusal}"
    head -3 "$scratch/refused"
    return 1
}

# Runs MODEL with --require-in-place: a run that copies nothing keeps it, and who breaks it is told what is
# refused or copied.
in_place() { # BYTES MODEL OPTIONS...
    copied=$1
    shift
    why_not=$(limited --require-in-place '' "$@") && return
    if [ "$copied" = 0 ]; then
        echo "$why_not"
        return 1
    fi
    limited --require-in-place ': no (\|copie[sd]' "$@"
}

# Runs MODEL with budgets that it just keeps, and with each a byte less.
keeps_budgets() { # COPIED PEAK MODEL OPTIONS...
    copied=$1 peak=$2
    shift 2
    limited "--max-copied $copied --max-peak $peak" '' "$@" &&
        if [ "$copied" -gt 0 ]; then
            limited "--max-copied $((copied - 1))" "a run copies $copied bytes, the limit is" "$@"
        fi &&
        if [ "$peak" -gt 0 ]; then
            limited "--max-peak $((peak - 1))" "a run holds $peak bytes, the limit is" "$@"
        fi
}

check_budgets() { # NAME MODEL OPTIONS...
    budgets="$1: budgets"
    shift
    if ! why=$(keeps_budgets "$(number_of copied_bytes)" "$(number_of peak_bytes)" "$@"); then
        fail "$budgets" "$why"
    elif ! why=$(in_place "$(number_of copied_bytes)" "$@"); then
        fail "$budgets" "$why"
    else
        pass "$budgets"
    fi
}

check() { # NAME MODEL BYTES OPTIONS...
    label=$1 want=$3 run=$2
    shift 3
    rm -rf "$scratch/ours" "$scratch/theirs"
    if ! why=$(run_both "$run" "$@" 2>&1); then
        fail "$label" "${why:-the results differ}"
    elif [ "$(cat "$scratch/bytes")" -le "$want" ]; then
        pass "$label"
        [ -n "${INLAY_SLOW:-}" ] || check_budgets "$label" "$run" "$@"
    else
        fail "$label" "copies $(cat "$scratch/bytes") bytes, more than $want"
    fi
}

# Each `open: NAME=DIMS` leaves sizes of a Parameter open; the run is given those that it has in the file, unless the
# Parameter is of a body.
check_open() { # NAME FILE BYTES OPTIONS...
    case=$1 closed=$2 want=$3
    shift 3
    cp "$closed" "$scratch/open.inlay"
    for o in $(head_of open "$closed"); do
        dims=$(sed -n "s/^  %${o%%=*} = Parameter.*shape = \[\(.*\)\]}.*/\1/p" "$closed")
        sed -i "s/^\( *%${o%%=*} = Parameter.*shape = \[\).*\]}/\1${o#*=}]}/" "$scratch/open.inlay"
        [ -z "$dims" ] || set -- "$@" --shape "${o%%=*}=$dims"
    done
    check "$case, open" "$scratch/open.inlay" "$want" "$@"
}

# A line of the table for FILE: bytes that are copied, open and from ONNX too, the minimum, and ONNX Runtime's.
row() { # FILE
    name=$(basename "$1" .inlay)
    open=- onnx=-
    [ -z "$(head_of open "$1")" ] || open=$(head_of 'copies open' "$1")
    [ ! -e "$here/$name.onnxtxt" ] || onnx=$(head_of copies "$here/$name.onnxtxt")
    echo "| $(head_of case "$1") | \`$name\` | $(head_of copies "$1") | ${open:-$(head_of copies "$1")} | $onnx |" \
        "$(head_of minimum "$1") | $(head_of onnxruntime "$1") |"
}

for file in "$here"/*.inlay; do
    name=$(basename "$file" .inlay)
    options=$(head_of run "$file")
    row "$file" >>"$scratch/rows"
    # shellcheck disable=SC2086
    check "$name" "$file" "$(head_of copies "$file")" $options
    open=$(head_of 'copies open' "$file")
    # shellcheck disable=SC2086
    [ -z "$(head_of open "$file")" ] || check_open "$name" "$file" "${open:-$(head_of copies "$file")}" $options
    onnx=$here/$name.onnxtxt
    # shellcheck disable=SC2086
    [ ! -e "$onnx" ] || check "$name, ONNX" "$onnx" "$(head_of copies "$onnx")" $(head_of run "$onnx")
done

sed -n '/^| .*| `/p' "$here/README.md" >"$scratch/said"
same "README.md has the table of these files" "$scratch/rows" "$scratch/said"
finish

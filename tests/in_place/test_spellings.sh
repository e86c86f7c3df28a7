#!/bin/sh
# A row is written into a cache in a variable, at a place that only the run knows: the ways in which exporters write
# that cost the same. What is written over is saved, for a run that fails, so that a step copies two rows, whatever
# writes it, whatever the place is computed of, however the axis is counted. ScatterND puts the tuples together in which
# it reads the place, and these come on top, at most. Where the oldest row goes instead, one row is copied, in a buffer
# with room behind it.
set -u
. "$ROOT/tests/tap.sh"

heads=2 rows=64 width=8 steps=3
form=1,$heads,1,$width # of the row

# The cache, the row, and what is known of the axis of rows, counted from the begin or from the END.
cache() { # TYPE END
    axis=$((2 - $2))
    cat <<END
  %row = Parameter {element_type = $1, shape = [1,$heads,1,$width]}
  %none = Const {value = $1[] 0}
  %dims = Const {value = i64[4] [1, $heads, $rows, $width]}
  %first = Broadcast(%none, %dims)
  %cache = ReadValue(%first) {variable_id = "c", variable_type = $1, variable_shape = [1,$heads,$rows,$width]}
  %axis = Const {value = i64[] $axis}
  %axes = Const {value = i64[1] [$axis]}
END
}

# What is done with the new cache NEW: the run keeps it, and looks at it.
used() { # NEW
    cat <<END
  %save = Assign($1) {variable_id = "c"}
  %along = Const {value = i64[1] [2]}
  %most = ReduceMax($1, %along)
  %out = Result(%most)
END
}

# %p, the place as a list of one, and %s, a scalar, both of TYPE.
place() { # TYPE HOW
    echo "  %one = Const {value = $1[1] [1]}"
    echo "  %empty = Const {value = i64[0] []}"
    case $2 in
    list) echo "  %p = Parameter {element_type = $1, shape = [1]}" ;;
    scalar)
        echo "  %given = Parameter {element_type = $1, shape = []}"
        echo "  %many = Const {value = i64[1] [1]}"
        echo "  %p = Reshape(%given, %many) {special_zero = false}"
        ;;
    computed)
        echo "  %given = Parameter {element_type = $1, shape = [1]}"
        echo "  %p = Add(%given, %one)"
        ;;
    below)
        echo "  %given = Parameter {element_type = $1, shape = [1]}"
        echo "  %four = Const {value = $1[1] [4]}"
        echo "  %p = Subtract(%given, %four)"
        ;;
    shape)
        echo "  %past = Parameter {element_type = f32, shape = [?,2]}"
        echo "  %shape = ShapeOf(%past) {output_type = $1}"
        echo "  %zero = Const {value = i64[1] [0]}"
        echo "  %zeros = Const {value = i64[] 0}"
        echo "  %p = Gather(%shape, %zero, %zeros)"
        ;;
    esac
    echo "  %s = Reshape(%p, %empty) {special_zero = false}"
}

# %new, the cache with the row in it.
write() { # TYPE HOW END
    case $2 in
    window)
        echo "  %end = Add(%p, %one)"
        echo "  %by = Const {value = $1[1] [$((2 - $3))]}"
        echo "  %new = SliceScatter(%cache, %row, %p, %end, %one, %by)"
        ;;
    rows) echo "  %new = ScatterUpdate(%cache, %p, %row, %axis)" ;;
    first)
        echo "  %last = Const {value = i64[1] [-1]}"
        echo "  %tuples = Unsqueeze(%p, %last)"
        echo "  %new = ScatterNDUpdate(%cache, %tuples, %row)"
        ;;
    row)
        echo "  %line = Squeeze(%row, %axes)"
        echo "  %new = ScatterUpdate(%cache, %s, %line, %axis)"
        ;;
    elements)
        echo "  %form = Const {value = i64[4] [$form]}"
        echo "  %places = Broadcast(%p, %form)"
        echo "  %new = ScatterElementsUpdate(%cache, %places, %row, %axis)"
        ;;
    tuples)
        echo "  %outer = Const {value = $1[2,2] [0, 0, 0, 1]}"
        echo "  %lines = Const {value = i64[2] [2, 1]}"
        echo "  %inner = Broadcast(%p, %lines)"
        echo "  %tuples = Concat(%outer, %inner) {axis = 1}"
        echo "  %flat = Const {value = i64[2] [$heads, $width]}"
        echo "  %line = Reshape(%row, %flat) {special_zero = false}"
        echo "  %new = ScatterNDUpdate(%cache, %tuples, %line)"
        ;;
    esac
    used %new
}

# %new, the cache without its oldest row, and with the new one behind.
roll() { # HOW AXIS
    echo "  %one = Const {value = i64[1] [1]}"
    echo "  %last = Const {value = i64[1] [-$rows]}"
    echo "  %all = Const {value = i64[1] [9223372036854775807]}"
    echo "  %lengths = Const {value = i64[2] [1, -1]}"
    case $1 in
    before)
        echo "  %young = Slice(%cache, %one, %all, %one, %axes)"
        echo "  %new = Concat(%young, %row) {axis = $2}"
        ;;
    behind)
        echo "  %both = Concat(%cache, %row) {axis = $2}"
        echo "  %new = Slice(%both, %last, %all, %one, %axes)"
        ;;
    split_before)
        echo "  %parts:2 = VariadicSplit(%cache, %axis, %lengths)"
        echo "  %new = Concat(%parts:1, %row) {axis = $2}"
        ;;
    split_behind)
        echo "  %both = Concat(%cache, %row) {axis = $2}"
        echo "  %parts:2 = VariadicSplit(%both, %axis, %lengths)"
        ;;
    esac
    if [ "$1" = split_behind ]; then used %parts:1; else used %new; fi
}

size_of() { # TYPE
    case $1 in f32 | i32) echo 4 ;; i64) echo 8 ;; f16) echo 2 ;; *) echo 1 ;; esac
}

# Checks that a step of $scratch/m.inlay copies BYTES, and MORE at most, holds at most PEAK, and gives what the
# reference gives.
check() { # NAME BYTES MORE PEAK OPTIONS...
    name=$1 want=$2 most=$(($2 + $3)) peak=$4
    shift 4
    rm -rf "$scratch/ours" "$scratch/theirs"
    if ! why=$(
        "$BUILD/inlay" run "$scratch/m.inlay" --random --quiet --repeat $steps --stats "$scratch/stats" \
            -o "$scratch/ours" "$@" 2>&1 >"$scratch/said" &&
            "$BUILD/inlay" run "$scratch/m.inlay" --random --quiet --repeat $steps --passes none --exec reference \
                -o "$scratch/theirs" "$@" 2>&1 >"$scratch/said" &&
            "$BUILD/inlay" compare "$scratch/ours" "$scratch/theirs" 2>&1 >"$scratch/said"
    ); then
        fail "$name" "${why:-the results differ}"
        return
    fi
    copied=$(sed 's/.*"copied_bytes": \([0-9]*\).*/\1/' "$scratch/stats")
    held=$(sed 's/.*"peak_bytes": \([0-9]*\).*/\1/' "$scratch/stats")
    if [ "$copied" -ge "$want" ] && [ "$copied" -le "$most" ] && [ "$held" -le "$peak" ]; then
        pass "$name"
    else
        fail "$name" "copies $copied bytes, wanted $want to $most; holds $held, wanted $peak at most"
    fi
}

written() { # TYPE END INDEX-TYPE PLACE HOW
    row=$((heads * width * $(size_of "$1")))
    tuples=0
    [ "$5" != tuples ] || tuples=$((heads * 3 * $(size_of "$3")))
    given='-i given=ones'
    case $4 in list) given='-i p=ones' ;; shape) given='--shape past=5,2' ;; esac
    { echo 'graph "g" {' && cache "$1" "$2" && place "$3" "$4" && write "$3" "$5" "$2" && echo '}'; } >"$scratch/m.inlay"
    # shellcheck disable=SC2086
    check "$5 of $1, axis $((2 - $2)), $4 of $3" $((2 * row)) $tuples $((rows * row + 4 * row + 256)) $given
}

for how in window rows row elements tuples; do
    for end in 0 4; do
        for index in i64 i32; do
            for place in list scalar computed shape; do
                written f32 $end $index $place $how
            done
        done
        for type in f16 i8; do
            written $type $end i64 list $how
        done
    done
done
for how in window elements; do
    written f32 0 i64 below $how
done

# The same in a cache whose axes are turned before and turned back behind, as exporters do to write along the first.
# Places that a Broadcast repeats are turned, too, and come on top.
turned() { # ORDER BACK TYPE INDEX-TYPE PLACE HOW
    row=$((heads * width * $(size_of "$3")))
    places=0
    [ "$6" != elements ] || places=$((heads * width * $(size_of "$4")))
    at=$(echo "$1" | tr -d , | sed 's/2.*//')
    given='-i given=ones'
    case $5 in list) given='-i p=ones' ;; shape) given='--shape past=5,2' ;; esac
    {
        echo 'graph "g" {'
        cache "$3" $((2 - ${#at})) | sed 's/%row/%given_row/; s/%cache/%state/'
        echo "  %order = Const {value = i64[4] [$1]}"
        echo "  %back = Const {value = i64[4] [$2]}"
        echo "  %cache = Transpose(%state, %order)"
        echo "  %row = Transpose(%given_row, %order)"
        place "$4" "$5"
        form=$(echo "$1" | sed "s/[02]/r/g; s/1/$heads/; s/3/$width/; s/r/1/g")
        write "$4" "$6" $((2 - ${#at})) | sed 's/%new = /%turned = /; s/^  %save/  %new = Transpose(%turned, %back)\n&/'
        echo '}'
    } >"$scratch/m.inlay"
    # shellcheck disable=SC2086
    check "$6 of $3 in $1, $5 of $4" $((2 * row)) $places $((rows * row + 8 * row + 256)) $given
}

for orders in 2,0,1,3:1,2,0,3 0,2,1,3:0,2,1,3 3,1,0,2:2,1,3,0 0,1,3,2:0,1,3,2; do
    for how in window rows row elements; do
        turned ${orders%:*} ${orders#*:} f32 i64 list $how
    done
    turned ${orders%:*} ${orders#*:} f16 i32 scalar rows
done
for place in list scalar computed shape; do
    turned 2,0,1,3 1,2,0,3 f32 i64 $place first
    turned 2,1,3,0 3,1,0,2 i8 i32 $place first
done

for how in before behind split_before split_behind; do
    for end in 0 4; do
        for type in f32 f16 i8; do
            row=$((heads * width * $(size_of $type)))
            { echo 'graph "g" {' && cache $type $end && roll $how $((2 - end)) && echo '}'; } >"$scratch/m.inlay"
            check "rolling, cut off ($how) the Concat, of $type, axis $((2 - end))" $row 0 $((2 * rows * row + 5000))
        done
    done
done
finish

#!/bin/sh
# A buffer for keys and values has a capacity, and a length that is valid of it. Whoever takes one for the other is
# found here: the last row fits and the one behind it does not, a circular buffer goes on at its beginning, a total
# length or a mask may be that of the buffer or that of what is valid, and behind that there is no number (NaN).
set -u
. "$ROOT/tests/tap.sh"
inlay=$BUILD/inlay
some="-i q=random:-1:1 -i k=random:-1:1 -i v=random:-1:1 -i past_k=random:-1:1 -i past_v=random:-1:1"

# model NAME INPUTS CONSTANTS NODES: one query and one row for two heads, in a buffer of 8 rows.
model() {
    cat >"$scratch/$1.onnxtxt" <<M
<ir_version: 10, opset_import: ["" : 24, "com.microsoft" : 1]>
g (float[1,2,8,4] past_k, float[1,2,8,4] past_v, $2) => (float[1,2,8,4] present_k, float[1,2,8,4] present_v, float[1,2,1,4] y)
  <float nan = {nan}, int64 from = {0}, int64 to = {8}, int64 by = {1}, int64[4] rows = {1,1,8,1}, int64[1] one = {1}$3>
{
$4
}
M
}

# The rows from LENGTH on are no numbers.
poisoned='  numbers = Range(from, to, by)
  there = Less(numbers, length)
  valid_rows = Reshape(there, rows)
  old_k = Where(valid_rows, past_k, nan)
  old_v = Where(valid_rows, past_v, nan)'
heads='float[1,2,1,4] q, float[1,2,1,4] k, float[1,2,1,4] v'
flat='float[1,1,8] q, float[1,1,8] k, float[1,1,8] v'
written='  present_k = TensorScatter <axis = 2> (old_k, k, length)
  present_v = TensorScatter <axis = 2> (old_v, v, length)
  valid = Add(length, one)'
model attention "$heads, int64[1] length" '' "$poisoned
$written
  y = Attention (q, present_k, present_v, \"\", \"\", \"\", valid)"
for columns in 6 8; do
    model mask$columns "$heads, int64[1] length" ", float[1,$columns] mask = {$(echo 0 0 0 0 0 0 0 0 | cut -d' ' -f1-$columns | tr ' ' ,)}" \
        "$poisoned
$written
  y = Attention (q, present_k, present_v, mask, \"\", \"\", valid)"
done
for total in 6 8; do
    model group$total "$flat, int64[1] length" ", int32 total = {$total}, int64[4] form = {1,2,1,4}" "$poisoned
  last = Cast <to = 6> (length)
  y8, present_k, present_v = com.microsoft.GroupQueryAttention <num_heads = 2, kv_num_heads = 2> (q, k, v, old_k, old_v, last, total)
  y = Reshape(y8, form)"
done
model circular "$heads, int64[1] length" '' "  present_k = TensorScatter <axis = 2, mode = \"circular\"> (past_k, k, length)
  present_v = TensorScatter <axis = 2, mode = \"circular\"> (past_v, v, length)
  y = Identity(q)"

cat >"$scratch/short.onnxtxt" <<'M'
<ir_version: 10, opset_import: ["" : 24, "com.microsoft" : 1]>
g (float[batch,1,8] q, float[batch,1,8] k, float[batch,1,8] v, float[batch,2,past,4] past_k, float[batch,2,past,4] past_v, int32[batch] last, int32 total) => (float[batch,1,8] y, float[batch,2,present,4] present_k, float[batch,2,present,4] present_v)
{
  y, present_k, present_v = com.microsoft.GroupQueryAttention <num_heads = 2, kv_num_heads = 2> (q, k, v, past_k, past_v, last, total)
}
M

said() { # NAME STATUS
    if [ "$2" = 0 ]; then pass "$1"; else fail "$1" "$(cat "$scratch/why")"; fi
}

run() { # MODEL LENGTH EXECUTOR
    # shellcheck disable=SC2086
    "$inlay" run "$scratch/$1.onnxtxt" $some -i "length=[$2]" --exec "$3" --quiet -o "$scratch/$1.$2.$3" 2>"$scratch/why"
}

model empty "$heads, int64[1] length" ', int64[1] none = {0}' "$poisoned
$written
  y = Attention (q, present_k, present_v, \"\", \"\", \"\", none)"
for total in 3 6; do
    model call$total "float[1,3,8] q3, float[1,3,8] k3, float[1,3,8] v3, float[1,2,1,4] q, int64[1] length" \
        ", int32 total = {$total}" "  last = Cast <to = 6> (length)
  y8, present_k, present_v = com.microsoft.GroupQueryAttention <num_heads = 2, kv_num_heads = 2> (q3, k3, v3, past_k, past_v, last, total)
  y = Identity(q)"
done

# The attention of one query: rows 0 to 5 of a buffer of which six are valid.
run attention 5 reference
if [ -s "$scratch/why" ]; then fail "attention in a buffer" "$(cat "$scratch/why")"; fi
for name in attention mask6 mask8 group6 group8; do
    for by in reference planned; do
        if run $name 5 $by && "$inlay" compare "$scratch/$name.5.$by" "$scratch/attention.5.reference" >"$scratch/why" 2>&1 &&
            ! "$inlay" run "$scratch/$name.onnxtxt" $some -i 'length=[5]' --exec $by --json 2>/dev/null | grep -q nan; then
            pass "$name, $by: what is valid decides"
        else
            fail "$name, $by: what is valid decides" "$(cat "$scratch/why")"
        fi
        run $name 7 $by && ! run $name 8 $by && grep -q 'error: ' "$scratch/why"
        said "$name, $by: the last row fits, the one behind it does not" $?
    done
done
# Nobody is seen where nothing is valid. A call of three rows may be the first one, whose batches may be shorter; in a
# later one no batch can have fewer keys than the call, and none a negative number.
rows='-i q3=random -i k3=random -i v3=random -i past_k=random -i past_v=random -i q=zeros'
for by in reference planned; do
    # shellcheck disable=SC2086
    "$inlay" run "$scratch/empty.onnxtxt" $some -i 'length=[5]' --exec $by >"$scratch/said" 2>"$scratch/why" &&
        sed '1,/^y: /d' "$scratch/said" >"$scratch/why" && grep -q 0 "$scratch/why" && ! grep -q '[1-9a-z]' "$scratch/why"
    said "$by: of no valid rows the result is zero" $?
    # shellcheck disable=SC2086
    "$inlay" run "$scratch/call3.onnxtxt" $rows -i 'length=[1]' --exec $by --quiet 2>"$scratch/why"
    said "$by: the first call may be longer than what is valid of it" $?
    # shellcheck disable=SC2086
    ! "$inlay" run "$scratch/call6.onnxtxt" $rows -i 'length=[1]' --exec $by --quiet >"$scratch/why" 2>&1 &&
        grep -q 'error: ' "$scratch/why"
    said "$by: a later call may not" $?
    for length in -1 -2 -8; do
        ! run group6 $length $by && grep -q 'error: ' "$scratch/why" && ! run attention $length $by &&
            grep -q 'error: ' "$scratch/why"
        said "$by: no length is negative, and $length is not counted from the end" $?
    done
done
# A cache that grows has no gap between what was there and what is new: ONNX Runtime #29447.
for by in reference planned; do
    for last in '[3] --dim batch=1' '[3,1] --dim batch=2'; do
        # shellcheck disable=SC2086
        "$inlay" run "$scratch/short.onnxtxt" --random --dim past=3 -i total=4 -i last=$last --exec $by --quiet 2>"$scratch/why"
        said "$by: a past of three rows has room for the fourth, $last" $?
    done
    for last in '[4] --dim batch=1' '[4,1] --dim batch=2'; do
        # shellcheck disable=SC2086
        ! "$inlay" run "$scratch/short.onnxtxt" --random --dim past=3 -i total=5 -i last=$last --exec $by --quiet 2>"$scratch/why" &&
            grep -q 'error: ' "$scratch/why"
        said "$by: none for the fifth, $last" $?
    done
done
for by in reference planned; do
    run circular 3 $by && run circular 19 $by
    same "$by: row 19 of a circular buffer of 8 is row 3" "$scratch/circular.3.$by/0.npy" "$scratch/circular.19.$by/0.npy"
done
finish

# `inlay plan`: what a run will do, told before anything runs.

$ inlay plan "$ROOT/models/window/window.inlay"
$ROOT/models/window/window.inlay: passes default
steps:
     0 view       "rows" (Slice-8)
                -> output +32, 48 bytes
     1 fused      "scaled" (Multiply-1), in place, group 1
                -> output +32, 48 bytes
     2 fused      "shifted" (Add-1), in place, group 1
                -> output +32, 48 bytes
     3 nothing    "out" (SliceScatter-15), in place
                -> output +0, 128 bytes
arena: 0 bytes; no plan takes less than 0
inputs that are written over, but kept by the caller: 128 bytes copied
copied: 128 bytes a run
peak: 128 bytes

# Where the window cannot be written in place, two values share bytes of the arena one after the other.
$ inlay plan "$ROOT/models/window/second_reader.inlay" --kernels reference | sed -n '/^arena/,$p'
arena: 64 bytes; no plan takes less than 64
           0         48 bytes, steps 1 to 2: "scaled"
           0         48 bytes, steps 2 to 3: "shifted"
copied: 176 bytes a run
peak: 320 bytes

# The names of the JSON form are fixed.
$ inlay plan "$ROOT/models/window/second_reader.inlay" --json >plan.json

$ tr ',[{' '\n\n\n' <plan.json | sed -n 's/^ *\("[a-z_0-9]*":\).*/\1/p' | sort -u | tr '\n' ' '
"about": "arena_bytes": "at_most": "bytes": "copied_bytes": "first": "group": "in_place": "initial_copies": "inputs": "kernel": "known": "lower_bound_bytes": "made": "missing": "model": "name": "number": "offset": "output": "outputs": "passes": "peak_bytes": "picked": "root": "saved_bytes": "segments": "steps": "strided": "type": "value": "version": "waits":  (no-eol)

# What it says is what a run then measures, of every model of the tree; the arena is no larger than what is alive in it
# at one time, but for a twentieth. `inlay bench` runs them all.
$ cat >models.sh <<'END'
> . "$ROOT/tests/models/small.sh"
> shape() { case $1 in
>     *digits*) echo --shape image=2,1,28,28 ;;
>     *transformer*) echo --shape x=2,5,32 ;;
>     *cache/step*) echo --shape tokens=3,8 ;;
>     *tiny-gpt*) echo --shape tokens=1,1 ;;
> esac; }
> models() { cd "$ROOT" && ls models/*/*.xml models/*/*.inlay models/*/*.json models/*/*.onnx models/*/*/*.onnx examples/*.inlay; }
> numbers() { tr ',' '\n' | grep -E '"(arena|peak|copied)_bytes"' | head -3 | tr -d ' {' | sort | tr -d '\n'; }
> END

$ . ./models.sh
> for m in $(models); do
>     m=$(small "$ROOT/$m") run=$m
>     [ -z "$(shape $m)" ] || { run=fixed.inlay; inlay opt "$m" $(shape $m) --passes none -o $run; }
>     plan=$(inlay plan "$m" $(shape $m) --json | sed 's/"lower_bound_bytes": [0-9]*,//' | numbers)
>     run=$(inlay run "$run" --random --quiet --stats - | numbers)
>     [ "$plan" = "$run" ] || echo "$m: $plan, but $run"
>     inlay plan "$m" $(shape $m) | sed -n 's/^arena: \([0-9]*\) bytes; at least \([0-9]*\) are.*/\1 \2/p' |
>         awk -v m="$m" '$1 * 20 > $2 * 21 { print m ": " $1 " of " $2 }'
> done

$ . ./models.sh
> for m in $(models); do
>     m=$(small "$ROOT/$m")
>     inlay bench "$m" $(shape $m) --niter 1 --threads 1 --json >bench.json 2>err || { echo "$m"; cat err; }
>     grep -q '"median_us"' bench.json || echo "$m: no median"
> done

# Models of open sizes have a plan, too.
$ . ./models.sh
> for m in $(models); do
>     inlay plan "$ROOT/$m" >/dev/null 2>err || { echo "$m"; cat err; }
> done

# What a variable begins with is copied by the first run only.
$ cat >state.inlay <<'END'
> graph "state" {
>   %x = Parameter {element_type = f32, shape = [2]}
>   %first = Const {value = f32[8] [1, 2, 3, 4, 5, 6, 7, 8]}
>   %start = Const {value = i64[1] [2]}
>   %stop = Const {value = i64[1] [4]}
>   %step = Const {value = i64[1] [1]}
>   %old = ReadValue(%first) {variable_id = "v", variable_type = f32, variable_shape = [8]}
>   %new = SliceScatter(%old, %x, %start, %stop, %step)
>   %store = Assign(%new) {variable_id = "v"}
>   %y = Abs(%new)
>   %out = Result(%y)
> }
> END

$ inlay plan state.inlay | grep -A 1 ^copied; inlay plan state.inlay --json | grep -o '"initial_copies": [0-9]*'
copied: 40 bytes a run
  32 of them are initial values of variables, in the first run only
"initial_copies": 32

$ inlay run state.inlay --random --quiet --stats - | grep -o '"copied_bytes": [0-9]*'
"copied_bytes": 40

# A loop: where carried values stand, what moves, what is joined where, and the steps of an iteration. The frame of the
# body is a part of the arena: 64 bytes for the carried value, none for what only the group of the steps reads. The peak
# is that and the outputs of the loop, 96 and 16 bytes.
$ cat >loop.inlay <<'END'
> graph "loop" {
>   %x = Parameter {element_type = f32, shape = [6,4]}
>   %h = Const {value = f32[1,4] [1, 2, 3, 4]}
>   %t:2 = TensorIterator(%x, %h)
>     body "step" {
>       %row = Parameter {element_type = f32, shape = [1,4]}
>       %was = Parameter {element_type = f32, shape = [1,4]}
>       %s = Add(%row, %was)
>       %m = SoftMax(%s) {axis = 1}
>       %r = Multiply(%m, %was)
>       %o = Exp(%m)
>       %part = Result(%o)
>       %next = Result(%r)
>     }
>     in 0 -> %row axis 0 start 0 end -1 stride 1 part_size 1
>     in 1 -> %was
>     out %part -> 0 axis 0 start 0 end -1 stride 1 part_size 1
>     out %next -> 1
>     back %next -> %was
>   %y = Result(%t:0)
>   %z = Result(%t:1)
> }
> END

$ inlay plan loop.inlay
loop.inlay: passes default
steps:
     0 bodies     "t" (TensorIterator-1)
                -> made +0, 96 bytes
                -> made +0, 16 bytes
        body "step", frame of 64 bytes at arena +0
          6 iterations; the first copies 0 bytes, each of the others 0, all 0
          "row" is a slice of operand 0, 16 bytes further in each iteration
          "was" is carried, operand 1 at first; it stands in arena +0 and where the last one stood in turn
          "o" is computed in its slice of output 0
          "r" gives, in the end, output 1
             0 fused      "s" (Add-1), group 1
                        -> register, 16 bytes
             1 fused      "m" (SoftMax-8), group 1
                        -> register, 16 bytes
             2 fused      "o" (Exp-1), group 1
                        -> result +0, 16 bytes
             3 fused      "r" (Multiply-1), group 1
                        -> result +0, 16 bytes
arena: 64 bytes; no plan takes less than 64
copied: 0 bytes a run
peak: 176 bytes

$ . ./models.sh
> inlay run loop.inlay --random --quiet --stats - | numbers
"arena_bytes":64"copied_bytes":0"peak_bytes":176 (no-eol)

# The body writes over what it is given; as that is an input, it is copied before the loop.
$ inlay plan "$ROOT/models/onnx/loop_cache/model.onnx" | sed -n '/body/,/gives, in the end/p'
        body "torch_jit1", frame of 256 bytes at arena +0
          6 iterations; the first copies 16 bytes, each of the others 16, all 96
          "rows" is operand 3
          "/Constant_output_0" is operand 4
          "i.1" is the number of the iteration
          "7" is carried, operand 2 at first; it stands where the last one stood
          "/ScatterND" gives, in the end, output 0

# A size that depends on data ends a segment. The rest is told for the largest one, if there is one.
$ cat >data.inlay <<'END'
> graph "data" {
>   %x = Parameter {element_type = f32, shape = [4,6]}
>   %many = Parameter {element_type = i64, shape = []}
>   %a = Exp(%x)
>   %n = NonZero(%x)
>   %p = Const {value = i64[2] [1, 0]}
>   %i = Transpose(%n, %p)
>   %g = GatherND(%a, %i)
>   %zero = Const {value = i64[] 0}
>   %one = Const {value = i64[] 1}
>   %r = Range(%zero, %many, %one) {output_type = i64}
>   %s = Abs(%r)
>   %y = Result(%g)
>   %z = Result(%s)
> }
> END

$ inlay plan data.inlay
data.inlay: passes default
steps:
     0 rows       "a" (Exp-1)
                -> arena +0, 96 bytes
     1 in the run "n" (NonZero-3)
                -> in the run, 0 bytes
       planned in the run, once the size of "n" (NonZero-3) is known; shown for its largest value
     2 view       "i" (Transpose-1)
                -> made +0, 384 bytes, strided
     3 kernel     "g" (GatherND-8), copies 96 bytes
                -> output +0, 96 bytes
     4 in the run "r" (Range-4)
                -> in the run, 0 bytes
       planned in the run, once the size of "r" (Range-4) is known; it has no upper bound
     5 later      "s" (Abs-1)
arena: 128 bytes; no plan takes less than 128
           0         96 bytes, steps 0 to 3: "a"
copied: 96 bytes a run, and what steps copy that only a run can plan
peak: 128 bytes, about

# What is missing is listed before anything runs.
$ cat >missing.json <<'END'
> {"format": "inlay-graph", "format_version": 1, "name": "m",
>  "inputs": [{"name": "x", "type": "f32", "shape": [2]}],
>  "nodes": [{"name": "y", "type": "Frobnicate", "version": "extension", "inputs": ["x"], "outputs": ["y"]}],
>  "outputs": ["y"]}
> END

$ inlay plan missing.json
missing.json: passes default
missing:
  Frobnicate of extension, 1 time, first on line 3: it has no kernel
[2]

# A binary file has no lines.
$ printf '\010\010\072\035\012\016\012\001x\022\001y\032\001n\042\003Odd\022\001gZ\003\012\001xb\003\012\001yB\004\012\000\020\021' >odd.onnx

$ inlay plan odd.onnx
odd.onnx: passes default
missing:
  Odd of onnx17, 1 time, first on node "n": it has no kernel
[2]

# Sizes that the model leaves open are found out in the run, unless --shape says them.
$ inlay plan "$ROOT/models/digits/digits.xml" | grep '"flat"'
    10 in the run "flat" (Reshape-1)

$ inlay plan "$ROOT/models/digits/digits.xml" --shape image=1,1,28,28 | grep '"flat" '
    10 view       "flat" (Reshape-1)

# Which steps are made by kernels that are faster than the operation's own.
$ inlay plan "$ROOT/models/digits/digits.xml" --shape image=2,1,28,28 | grep -oE '\(.*\), by .*' | sort | uniq -c | tr -s ' '
 1 (Convolution-1), by tiles, group 2
 1 (Convolution-1), by tiles, group 3
 2 (MatMul-1), by gemm
 2 (MaxPool-1), by rows

$ inlay plan "$ROOT/models/digits/digits.xml" --shape image=2,1,28,28 --kernels reference | grep -c ', by '
0
[1]

$ inlay plan "$ROOT/models/digits/digits.xml" --kernels fast
inlay plan: error: option --kernels is "fast", it must be portable, onednn or reference (see `inlay plan --help`)
[2]

# They compute the same bits.
$ for kernels in portable reference; do
>     inlay run "$ROOT/models/digits/digits.xml" -i "image=$ROOT/models/digits/ten.npy" --kernels $kernels -o $kernels --quiet
> done; cmp portable/0.npy reference/0.npy

# What is made in a window of a value waits for the size of that value, too.
$ cat >into.inlay <<'END'
> graph "into" {
>   %x = Parameter {element_type = f32, shape = [3,2]}
>   %at = Parameter {element_type = i64, shape = [1]}
>   %q = Parameter {element_type = f32, shape = [3,1]}
>   %zero = Const {value = i64[1] [0]}
>   %one = Const {value = i64[1] [1]}
>   %two = Const {value = i64[1] [2]}
>   %d = Exp(%x)
>   %s = Slice(%d, %at, %two, %one, %one)
>   %y = Tanh(%q)
>   %r = SliceScatter(%s, %y, %zero, %one, %one, %one)
>   %n = Negative(%r)
>   %out = Result(%n)
> }
> END
$ inlay plan into.inlay --passes in-place-windows | sed -n '/"s" (Slice/,/copied/p'
     1 in the run "s" (Slice-8)
                -> in the run, 0 bytes
       planned in the run, once the size of "s" (Slice-8) is known; shown for its largest value
     2 kernel     "y" (Tanh-1), in place
                -> made +0, 12 bytes, strided
     3 nothing    "r" (SliceScatter-15), in place
                -> made +0, 24 bytes
     4 rows       "n" (Negative-1)
                -> output +0, 24 bytes
arena: 64 bytes; no plan takes less than 64
           0         24 bytes, steps 0 to 1: "d"
copied: 0 bytes a run, and what steps copy that only a run can plan

# What is written over in a state is copied first from the second run on. Together that is what the second run copies.
$ for f in kv_slice kv_grouped kv_layers_sliced split_state; do
>     m="$ROOT/tests/in_place/$f.inlay"
>     inlay plan "$m" | sed -n '/^copied/,/^peak/p' | sed '$d'
>     inlay run "$m" --random --quiet --repeat 2 --stats - | grep -o '"copied_bytes": [0-9]*'
> done
copied: 1024 bytes a run
  1024 more where states are written over, from the second run on: what they were, in case it fails
"copied_bytes": 2048
copied: 512 bytes a run
  512 more where states are written over, from the second run on: what they were, in case it fails
"copied_bytes": 1024
copied: 512 bytes a run
  512 more where states are written over, from the second run on: what they were, in case it fails
"copied_bytes": 1024
copied: 0 bytes a run
  16384 more where states are written over, from the second run on: what they were, in case it fails
"copied_bytes": 16384

# All iterations of a loop.
$ inlay plan "$ROOT/tests/in_place/split_carried.inlay" | grep iterations
          6 iterations; the first copies 0 bytes, each of the others 0, all 0

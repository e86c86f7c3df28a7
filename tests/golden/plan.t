# `inlay plan`: what a run will do, told before anything runs.

$ inlay plan "$ROOT/models/window/window.inlay"
$ROOT/models/window/window.inlay: passes default
steps:
     0 view       "rows" (Slice-8)
                -> output +32, 48 bytes
     1 rows       "scaled" (Multiply-1), in place
                -> output +32, 48 bytes
     2 rows       "shifted" (Add-1), in place
                -> output +32, 48 bytes
     3 nothing    "out" (SliceScatter-15), in place
                -> output +0, 128 bytes
arena: 0 bytes; at least 0 are needed
inputs that are written and kept: 128 bytes copied
copied: 128 bytes a run
peak: 128 bytes

# Where the window cannot be written in place, two values share bytes of the arena one after the other.
$ inlay plan "$ROOT/models/window/second_reader.inlay" | sed -n '/^arena/,$p'
arena: 64 bytes; at least 64 are needed
           0         48 bytes, steps 1 to 2: "scaled"
           0         48 bytes, steps 2 to 3: "shifted"
copied: 176 bytes a run
peak: 320 bytes

# The names of the JSON form are fixed.
$ inlay plan "$ROOT/models/window/second_reader.inlay" --json >plan.json

$ tr ',[{' '\n\n\n' <plan.json | sed -n 's/^ *\("[a-z_0-9]*":\).*/\1/p' | sort -u | tr '\n' ' '
"about": "arena_bytes": "bytes": "copied_bytes": "in_place": "inputs": "kernel": "lower_bound_bytes": "made": "missing": "model": "name": "number": "offset": "output": "outputs": "passes": "peak_bytes": "root": "steps": "strided": "type": "value": "version":  (no-eol)

# What it says is what a run then measures.
$ numbers() { tr ',' '\n' | grep -E '"(arena|copied)_bytes"' | head -2 | tr -d ' \n'; }
> for m in "$ROOT"/models/window/*.inlay "$ROOT"/models/window/*.json "$ROOT"/models/digits/*.xml \
>     "$ROOT"/models/seeds/slice_scatter_*.xml "$ROOT"/models/seeds/*.json; do
>     case $m in *digits*) shape='--shape image=2,1,28,28' ;; *) shape= ;; esac
>     plan=$(inlay plan "$m" $shape --json | numbers)
>     run=$(inlay run "$m" $shape --random --quiet --stats - | numbers)
>     [ "$plan" = "$run" ] || echo "$m: $plan, but $run"
> done

# Every model of the tree has a plan.
$ for m in $(cd "$ROOT" && ls models/*/*.xml models/*/*.inlay models/*/*.json models/*/*/*.onnx); do
>     inlay plan "$ROOT/$m" >/dev/null 2>err || { echo "$m"; cat err; }
> done

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
  Frobnicate of extension, 1 times, first on line 3: it has no kernel
[2]

# Sizes that the model leaves open are found out in the run, unless --shape says them.
$ inlay plan "$ROOT/models/digits/digits.xml" | grep '"flat"'
    10 in the run "flat" (Reshape-1)

$ inlay plan "$ROOT/models/digits/digits.xml" --shape image=1,1,28,28 | grep '"flat" '
    10 view       "flat" (Reshape-1)

# Which steps are made by kernels that are faster than the operation's own.
$ inlay plan "$ROOT/models/digits/digits.xml" --shape image=2,1,28,28 | grep -oE '\(.*\), by .*' | sort | uniq -c | tr -s ' '
 2 (Convolution-1), by tiles
 2 (MatMul-1), by gemm
 2 (MaxPool-1), by rows

$ inlay plan "$ROOT/models/digits/digits.xml" --shape image=2,1,28,28 --kernels reference | grep -c ', by '
0
[1]

$ inlay plan "$ROOT/models/digits/digits.xml" --kernels fast
inlay plan: error: option --kernels is "fast", it must be portable or reference (see `inlay plan --help`)
[2]

# They compute the same bits.
$ for kernels in portable reference; do
>     inlay run "$ROOT/models/digits/digits.xml" -i "image=$ROOT/models/digits/ten.npy" --kernels $kernels -o $kernels --quiet
> done; cmp portable/0.npy reference/0.npy
